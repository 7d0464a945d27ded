"""Players that see a `View` and nothing else: called with it for a move, and asked to `say` in UNO windows."""

from p2puno.bots.sensible import sensible
from p2puno.bots.simple import random_legal
from p2puno.dealer import Player as Bot

__all__ = ["Bot", "random_legal", "sensible"]
