"""One target under atheris, which looks for new paths through our code: `python -m tests.fuzz.guided TARGET [flags of
libFuzzer] [folder of inputs]`. It ends with the process."""

from __future__ import annotations

import contextlib
import sys
import tracemalloc

import atheris

with atheris.instrument_imports(include=["p2puno", "protocol"]):
    from tests.fuzz.targets import TARGETS, check


def main() -> None:
    """Fuzz the target that the command line names."""
    target = TARGETS[sys.argv[1]]
    for seed in target.seeds():
        with contextlib.suppress(*target.takes):
            target.run(seed)  # what is made once, such as the packs that are read, is made now and not counted
        check(target, seed)
    tracemalloc.start()

    def run(data: bytes) -> None:
        check(target, data)

    atheris.Setup([sys.argv[0], *sys.argv[2:]], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
