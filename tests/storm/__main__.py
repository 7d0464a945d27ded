"""Ten thousand tables in bad weather.

    python -m tests.storm [--villains | --finale] [--tables N] [--first SEED] [--most SEATS] [--jobs J] [--real]

Prints how often each kind of fault occurred, and for each table that fails the command that repeats it.
`--villains`: with a seat that cheats at each table, and less weather. `--finale`: it does so with its last answer.
`--real`: with the real group instead of one to look through.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any


def one(seed: int, most: int, kind: str, real: bool) -> tuple[int, str, Any]:
    """The table of one seed: (seed, what failed, its report)."""
    if not real and "protocol.deck" not in sys.modules:
        from tests.storm import glass

        glass.put()
    from tests.storm.villains import Finale, Villainy
    from tests.storm.weather import Storm

    storm = {"villains": Villainy, "finale": Finale}.get(kind, Storm)(seed, most)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return seed, "", storm.weather(Path(folder))
    except Exception as failure:
        return seed, f"{type(failure).__name__}: {failure}", storm.report


def main() -> int:
    """Run the tables; 1 if any failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=10, help="seats at a table")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--villains", dest="kind", action="store_const", const="villains", default="")
    kind.add_argument("--finale", dest="kind", action="store_const", const="finale")
    parser.add_argument("--real", action="store_true")
    args = parser.parse_args()
    faults: Counter[str] = Counter()
    tables: Counter[str] = Counter()
    steps = absences = failed = 0
    began = time.perf_counter()
    seeds = range(args.first, args.first + args.tables)
    rest = [[each] * len(seeds) for each in (args.most, args.kind, args.real)]
    options = "".join(f" --{name}" for name in (args.kind, "real" if args.real else "") if name)
    with ProcessPoolExecutor(args.jobs) as pool:
        for seed, problem, report in pool.map(one, seeds, *rest, chunksize=1):
            faults += report.faults
            tables[f"{report.variant} {report.players}"] += 1
            steps += report.steps
            absences += report.absences
            if problem:
                failed += 1
                print(f"table {seed} ({report.variant}, {report.players}): {problem}")
                print(f"  python -m tests.storm --first {seed} --tables 1 --most {args.most}{options}", flush=True)
    seconds = time.perf_counter() - began
    print(f"{args.tables} tables, {steps} steps, {absences} absences in {seconds:.0f} s; {failed} failed")
    print("faults:", ", ".join(f"{kind} {count}" for kind, count in sorted(faults.items())))
    print("tables:", ", ".join(f"{kind} {count}" for kind, count in sorted(tables.items())))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
