"""p2puno, but it kills itself at one exact moment of its table: P2PUNO_DIE="before Send 17", "after Store 40",
"torn Store 9", "after Remember 1". The number counts the node's effects of that kind in this process."""

from __future__ import annotations

import os
import signal
from collections import Counter

from cli.main import main
from protocol.journal import Journal, record
from protocol.net.driver import Session
from protocol.signals import Effect, Store


def arm(moment: str) -> None:
    """Let this process die at that moment."""
    when, kind, number = moment.split()
    perform, seen = Session._perform, Counter[str]()

    def mortal(self: Session, effects: list[Effect]) -> None:
        for effect in effects:
            name = type(effect).__name__
            seen[name] += 1
            now = name == kind and seen[name] == int(number)
            if now and when == "torn" and isinstance(effect, Store):
                whole = record(effect.entry)
                assert isinstance(self._journal, Journal)
                os.write(self._journal._fd, whole[: 1 + int.from_bytes(os.urandom(2), "big") % (len(whole) - 1)])
            if now and when != "after":
                os.kill(os.getpid(), signal.SIGKILL)
            perform(self, [effect])
            if now:
                os.kill(os.getpid(), signal.SIGKILL)

    Session._perform = mortal  # type: ignore[method-assign]


if __name__ == "__main__":
    if "P2PUNO_DIE" in os.environ:
        arm(os.environ["P2PUNO_DIE"])
    main()
