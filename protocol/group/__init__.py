"""The group under all proofs: secp256k1, prime order, cofactor 1.

`group` is the backend in use: libsecp256k1 if its package loads, else the plain Python one. The environment variable
P2PUNO_GROUP ("native" or "reference") forces one. Points of two backends must not be mixed.
"""

from __future__ import annotations

import os

from protocol.group import reference
from protocol.group.interface import POINT_BYTES, BadPoint, Group, Point, Q

__all__ = ["POINT_BYTES", "BadPoint", "Group", "Point", "Q", "group"]


def _chosen() -> Group:
    wish = os.environ.get("P2PUNO_GROUP", "")
    if wish not in ("", "native", "reference"):
        raise ImportError(f"P2PUNO_GROUP is native or reference, not {wish!r}")
    if wish != "reference":
        try:
            from protocol.group import native
        except ImportError:
            if wish == "native":
                raise
        else:
            return native
    return reference


group: Group = _chosen()
