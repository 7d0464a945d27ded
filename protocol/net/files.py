"""How the journals of tables that are played or watched here are named."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from protocol.journal import Journal
from protocol.messages import Charter


def new_journal(folder: Path, charter: Charter, game: str, whose: str) -> Journal:
    """Begin the journal of a table, named after the moment, its game, its id and `whose` it is.

    :raises OSError: it cannot be written
    """
    moment = datetime.now().strftime("%Y%m%d-%H%M%S")
    return Journal(folder / f"{moment}-{game}-{charter.table.hex()[:8]}-{whose}.p2puno", charter)
