"""Which step answers which need of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2puno.needs import Attest, Decide, Give, Mix, Need, Open, Over, Show, Shuffle, Window
from protocol.moving import DecideStep, WindowStep
from protocol.showing import AttestStep, GiveStep, ShowStep
from protocol.steps import MixStep, OpenStep, ShuffleStep

if TYPE_CHECKING:
    from protocol.step import Step
    from protocol.table import Table


def answering(table: Table, need: Need) -> Step:
    """The step in which the seats answer a need; of a shuffle the first round.

    :raises ValueError: the hand is over, and nothing is needed
    """
    match need:
        case Shuffle():
            return ShuffleStep(table, need, 0)
        case Open():
            return OpenStep(table, need)
        case Decide():
            return DecideStep(table, need)
        case Window():
            return WindowStep(table, need)
        case Mix():
            return MixStep(table, need)
        case Attest():
            return AttestStep(table, need)
        case Give():
            return GiveStep(table, need)
        case Show():
            return ShowStep(table, need)
        case Over():
            raise ValueError("the hand is over")
