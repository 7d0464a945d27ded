"""Before a table, on a joiner's side: what it was shown, what it asked for, and which charter it may sign. Sans-IO.

The creator writes the list of seats and the charter, so both are believed only as far as they agree with each other and
with what we have asked for ourselves.
"""

from __future__ import annotations

from msgspec.structs import replace

from p2puno.rules import Rules, RulesError
from p2puno.said import message_of, said
from protocol.lobby import by_seat, read_rules
from protocol.messages import FORMAT, Charter, Lobby, Place, Prepare, Sitter


class JoinerLobby:
    """The lobby as one joiner knows it."""

    def __init__(self, key: bytes, creator: bytes, hero: str, bot: bool) -> None:
        """`key`, `creator`: ours, and that of whoever we have reached. `hero`, `bot`: as we said in our hello; a bot is
        ready from then on."""
        self._key, self._creator = key, creator
        self._asked = [(hero, bot)]  # hero and readiness that may be in force: what is shown, and what we asked since
        self._shown: Lobby | None = None
        self.rules: Rules | None = None

    @property
    def own(self) -> Sitter | None:
        """Our own line of the list that was shown last."""
        sitters = self._shown.sitters if self._shown is not None else ()
        return next((sitter for sitter in sitters if sitter.place.key == self._key), None)

    def ask(self, hero: str | None, seat: int | None, ready: bool | None) -> Prepare | None:
        """What to say to the creator so that this changes, and all else stays as we asked for last; None before the
        first list of seats was shown."""
        if self.own is None:
            return None
        last = self._asked[-1]
        wish = Prepare(
            last[0] if hero is None else hero,
            self.own.seat if seat is None else seat,
            last[1] if ready is None else ready,
        )
        self._asked.append((wish.hero, wish.ready))
        return wish

    def declined(self) -> None:
        """The creator did not grant what we asked: what we ask for next begins with what is shown."""
        if self.own is not None:
            self._asked.append((self.own.place.hero, self.own.ready))

    def show(self, lobby: Lobby) -> str:
        """Take the list of seats; "" if it holds, or why we can sit at no such table."""
        if not lobby.sitters or lobby.sitters[0].place.key != self._creator:
            return said("the list of seats begins with another key than the one that we have reached")
        try:
            rules = read_rules(lobby)
        except (RulesError, ValueError) as bad:
            return said("the rules of the table are not known here: {reason}", reason=message_of(bad))
        if self.rules is not None and rules.encode() != self.rules.encode():
            return said("the rules of the table are others than were shown")
        seats = {sitter.seat for sitter in lobby.sitters}
        keys = {sitter.place.key for sitter in lobby.sitters}
        if not len(seats) == len(keys) == len(lobby.sitters) or max(seats) >= lobby.wanted:
            return said("the list of seats does not hold: a seat is missing, or somebody has two")
        self._shown, self.rules = lobby, rules
        own = self.own
        if own is None:
            return said("you have no seat")
        if (own.place.hero, own.ready) not in self._asked:
            return said("the list of seats says of you what you have not asked for")
        del self._asked[: self._asked.index((own.place.hero, own.ready))]
        return ""

    def check(self, charter: Charter) -> str:
        """Why this charter cannot be signed: it is none that the list shown last allows. "" if it can.

        What we have asked for meanwhile has crossed the start, and counts for nothing.
        """
        if charter.protocol != FORMAT:
            return said("the table speaks version {version} of the protocol", version=charter.protocol)
        if self._shown is None or self.rules is None or self.own is None:
            return said("the table begins before it was shown")
        if not self.own.ready:
            return said("the table begins, but you have not said that you are ready")
        try:
            heroes = [place.hero for place in charter.roster]
            expected = self.rules.seated(heroes) if self.rules.offered() else self.rules
            same = read_rules(charter).encode() == charter.rules == expected.encode()
        except (RulesError, ValueError) as bad:
            return said("the rules of the table do not hold: {reason}", reason=message_of(bad))
        if not same:
            return said("the rules of the table are others than were shown")
        shown = [sitter.place for sitter in by_seat(self._shown.sitters)]
        if len(charter.roster) != self._shown.wanted or not all(map(_same, charter.roster, shown)):
            return said("the seats of the table are others than were shown")
        return ""


def _same(place: Place, shown: Place) -> bool:
    """Whether a place of the charter is the one shown; who asked for no hero gets one by lot."""
    return place == (shown if shown.hero else replace(shown, hero=place.hero))
