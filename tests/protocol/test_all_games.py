"""Every game and every option that moves cards in a way of its own, at a table of nodes: one state, one verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2puno.rules import Rules, Value
from protocol import events as tell
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation

DC = ("aquaman", "green_lantern", "superman", "wonder_woman")
MARVEL = ("shuri", "black_widow", "hulk", "captain_america")
MIXED = ("thor", "aquaman", "shuri", "hulk")

TABLES: list[tuple[str, tuple[str, ...], int, dict[str, Value]]] = [
    ("dbz", (), 3, {}),
    ("dbz", (), 4, {"seven_zero": True, "stacking": True, "wish_draw_skips": True}),
    ("dbz", (), 3, {"force_play": True}),
    ("batman", (), 4, {"seven_zero": True, "stacking": True, "force_play": True}),
    ("batman", (), 2, {"draw_until_playable": True, "challenge_shows": "all", "signal_skips": True}),
    ("batman", (), 3, {"match_wins": 2, "play_after_draw": False, "uno_penalty": 4}),
    ("dc", DC, 4, {}),
    ("dc", DC[:2], 2, {"force_play": True, "draw_on_skipped": "cards"}),
    ("marvel", MARVEL, 4, {}),
    ("marvel", MARVEL[1:], 3, {"ask_optional": True, "starter": "2"}),
    ("marvel", MIXED, 4, {"hand_size": 5}),
    ("marvel", MIXED[:2], 2, {"match_wins": 2}),
]


@pytest.mark.parametrize(("variant", "heroes", "players", "options"), TABLES)
def test_a_table_of_every_game(
    variant: str, heroes: tuple[str, ...], players: int, options: dict[str, Value], tmp_path: Path
) -> None:
    rules = Rules.make(variant, heroes=heroes, **options)
    table = Simulation(11, players, rules, bot="random")
    table.run()
    ends = [peer.heard(tell.MatchOver) for peer in table.peers]
    assert all(len(end) == 1 and end == ends[0] for end in ends)
    assert len({peer.node.table.state() for peer in table.peers}) == 1
    verdict = audit(table.write(players - 1, tmp_path / "table.p2puno"))
    assert (verdict.exit_code, verdict.problem) == (0, "")
    assert verdict.winner == ends[0][0].winner
    assert verdict.state_hash == table.peers[0].node.table.state().hex()
    if options.get("match_wins"):
        assert len(verdict.hands) >= 2
