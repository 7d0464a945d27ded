"""Players that see a `View` and nothing else: each is called with a view for a move, and asked to `say` in UNO
windows."""

from p2puno.bots.simple import random_legal

__all__ = ["random_legal"]
