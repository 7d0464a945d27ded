"""`python -m tests.fuzz [--seconds N] [TARGET…]`: each target for N seconds (20), with its seeds changed.

Guided by coverage where atheris is installed (`make soak` installs it where it can), else by dice alone. Exits with 1
if a target raised what it must not, took too much memory or too long, and then says with which bytes.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.mutate import LONGEST, mutate, roll
from tests.fuzz.targets import TARGETS, Target, check


def blind(target: Target, seconds: float) -> bool:
    """Whether the target stands changes by dice for so long."""
    dice, end, runs, taken = random.Random(1), time.monotonic() + seconds, 0, 0
    seeds = target.seeds()
    for seed in seeds:
        check(target, seed)
    while time.monotonic() < end:
        data = mutate(dice.choice(seeds), roll(dice, target.words))
        runs += 1
        try:
            taken += check(target, data)
        except Exception:
            traceback.print_exc()
            print(f"{target.name}: FAILED at run {runs} with {data.hex()}")
            return False
    print(f"{target.name}: {runs} runs by dice, {taken} taken")
    return True


def guided(target: Target, seconds: float) -> bool:
    """Whether the target stands what atheris finds in so long."""
    with tempfile.TemporaryDirectory(prefix="p2puno-fuzz-") as name:
        folder = Path(name)
        inputs, found = folder / "inputs", folder / "found"
        inputs.mkdir()
        found.mkdir()
        for number, seed in enumerate(target.seeds()):
            (inputs / f"seed-{number}").write_bytes(seed)
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.guided",
            target.name,
            str(inputs),
            f"-max_len={LONGEST}",
            "-seed=1",
        ]
        command += [f"-max_total_time={max(1, round(seconds))}", "-timeout=20", "-rss_limit_mb=2048"]
        command += ["-print_final_stats=1", f"-artifact_prefix={found}/"]
        if target.words:
            words = folder / "words"
            words.write_text("".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in target.words))
            command.append(f"-dict={words}")
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if run.returncode:
            print(run.stdout[-3000:], run.stderr[-2000:], sep="\n")
            print(f"{target.name}: FAILED")
            for file in found.iterdir():
                print(f"  {file.name}: {file.read_bytes().hex()}")
            return False
        runs = re.search(r"number_of_executed_units: (\d+)", run.stderr)
        edges = re.findall(r"cov: (\d+)", run.stderr)
        print(f"{target.name}: {runs[1] if runs else '?'} runs, {edges[-1] if edges else '?'} edges met")
        return True


def main() -> int:
    """Fuzz the targets that the command line names, all if it names none; 1 if one fails, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz everything that reads strangers.")
    parser.add_argument("--seconds", type=float, default=20, help="for each target")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    chosen = parser.parse_args()
    strangers = set(chosen.targets) - TARGETS.keys()
    if strangers:
        parser.error(f"no target is called {min(strangers)}; there are {', '.join(TARGETS)}")
    fuzz = blind if find_spec("atheris") is None else guided
    stood = [fuzz(TARGETS[name], chosen.seconds) for name in chosen.targets or TARGETS]
    return 0 if all(stood) else 1


if __name__ == "__main__":
    sys.exit(main())
