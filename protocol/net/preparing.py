"""What can be done at a table before it begins: the half of a session that the lobby fills and hears."""

from __future__ import annotations

from collections.abc import Callable


class Preparing:
    """What is asked for here is granted, or declined with an event `Refused`; once the table has begun it is nothing.

    The creator's lobby or the joiner's sets the callbacks.
    """

    def __init__(self) -> None:
        super().__init__()
        self.admits: Callable[[bytes], bool] = lambda peer: True
        self.on_lobby_frame: Callable[[bytes, bytes], None] = lambda peer, frame: None
        self.on_lobby_down: Callable[[bytes, str], None] = lambda peer, reason: None
        self.on_packs: Callable[[bool], None] = lambda yes: None
        self.on_prepare: Callable[[str | None, int | None, bool | None], None] = lambda hero, seat, ready: None
        self.on_start: Callable[[], None] = lambda: None
        self.on_bot: Callable[[], None] = lambda: None

    def accept_packs(self, yes: bool) -> None:
        """Answer to `PacksOffered`: play with these packs, or leave."""
        self.on_packs(yes)

    def prepare(self, hero: str | None = None, seat: int | None = None, ready: bool | None = None) -> None:
        """Ask for another hero ("": by lot), another seat, or say whether we are ready; None leaves it as it is."""
        self.on_prepare(hero, seat, ready)

    def start(self) -> None:
        """Begin with who is here and ready, without the seats that are free; for the table's creator alone."""
        self.on_start()

    def add_bot(self) -> None:
        """Let a bot take a free seat; for the table's creator alone, where the program can start one."""
        self.on_bot()
