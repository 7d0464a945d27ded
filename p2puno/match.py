"""A match: several hands with scores (R2, R80)."""

from __future__ import annotations

from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules


class Match:
    """The standing of a match. `scores`, `wins`: per seat. `dealer`: who deals the next hand.

    It is over when a seat reaches the `score_target`, or without one has won `match_wins` hands; if one win is enough
    after a fixed number of `hands`. A forfeit ends it (R56): nobody is left to play with.
    """

    def __init__(self, rules: Rules, players: int, first_dealer: int) -> None:
        self.rules = rules
        self.players = players
        self.next_dealer = first_dealer
        self.scores = [0] * players
        self.wins = [0] * players
        self.hands_played = 0
        self.away: frozenset[int] = frozenset()
        self._forfeit = -1

    def finish(self, outcome: Outcome) -> None:
        """Count a hand that has ended. Raises ValueError if the match is over already."""
        if self.over:
            raise ValueError("the match is over")
        self.hands_played += 1
        if outcome.winner >= 0:
            self.scores[outcome.winner] += outcome.points
            self.wins[outcome.winner] += 1
        if outcome.ending is Ending.FORFEIT:
            self._forfeit = outcome.winner
        else:
            self._pass_deal()

    def leave(self, seat: int) -> None:
        """A seat takes no part in further hands; its score stands but cannot win. The last seat wins the match."""
        self.away |= {seat}
        left = [other for other in range(self.players) if other not in self.away]
        if len(left) == 1 and not self.over:
            self._forfeit = left[0]
        elif self.next_dealer in self.away and left:
            self._pass_deal()

    def _pass_deal(self) -> None:
        """The deal moves on one seat (R2), over seats that are away."""
        for step in range(1, self.players + 1):
            seat = (self.next_dealer + step) % self.players
            if seat not in self.away:
                self.next_dealer = seat
                return

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        if self._forfeit >= 0:
            return True
        rules = self.rules
        if rules.score_target:
            return max(self.scores) >= rules.score_target
        return max(self.wins) >= rules.match_wins if rules.match_wins > 1 else self.hands_played >= rules.hands

    @property
    def winner(self) -> int:
        """The seat that won, or -1 while the match goes on and when it is tied. Points first, then hands won; the other
        way round where the hands won are the aim."""
        if not self.over or self._forfeit >= 0:
            return self._forfeit
        first, then = (self.wins, self.scores) if self.rules.match_wins > 1 else (self.scores, self.wins)
        ranking = sorted(((first[s], then[s], s) for s in range(self.players) if s not in self.away), reverse=True)
        if len(ranking) > 1 and ranking[0][:2] == ranking[1][:2]:
            return -1
        return ranking[0][2]
