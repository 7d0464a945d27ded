"""R57: how long a seat may think, by everybody's own clock."""

from __future__ import annotations

from p2puno.needs import Decide
from p2puno.rules import Rules
from tests.protocol.simulator import Simulation

TURN, BANK = 15, 600


def test_r57_the_bank_is_of_one_hand() -> None:
    """Whoever thinks longer than a turn has that much less later in the hand, and in the next hand all of it again."""
    rules = Rules.make("batman", hand_size=5, hands=2, turn_seconds=TURN, bank_seconds=BANK)
    table = Simulation(3, 3, rules, pace=24.0)  # twelve to thirty-six seconds for every move
    node = table.peers[0].node
    left: dict[tuple[int, int], list[float]] = {}  # by hand and seat, what is left of the bank at its decisions
    steps = set()

    def look() -> bool:
        need = node.table.step.need
        if isinstance(need, Decide) and node.table.number not in steps:
            steps.add(node.table.number)
            left.setdefault((node.table.hand, need.seat), []).append(round(node.deadline - table.now - TURN, 6))
        return len([hand for hand, _ in left if hand == 2]) == 3 or node.table.closed

    table.start()
    table.run_until(look)
    assert len(left) == 6
    for hand, seat in left:
        assert left[hand, seat][0] == BANK, f"seat {seat} begins hand {hand} with less"
    for of_hand in left.values():
        assert of_hand == sorted(of_hand, reverse=True)
    assert min(of_hand[-1] for of_hand in left.values()) < BANK - TURN
