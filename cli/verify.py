"""`p2puno verify`: what a journal proves, to people, to programs, and as a file to show to others."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli.language import _, told
from cli.options import as_json_option
from cli.text import visible
from cli.trouble import tell
from protocol.errors import Usage


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--blame", is_flag=True, help="Show the entries that prove cheating, and why they do.")
@click.option(
    "--extract",
    "out",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write the smallest journal that still proves the first offence.",
)
@as_json_option
def verify(file: Path, blame: bool, out: Path | None, as_json: bool) -> int:
    """Check the journal of a table as a stranger would: every signature, proof and rule.

    Tells who won, who was absent, who left or was removed, and who cheated by which entry.
    """
    from protocol.evidence import extract  # loads the whole deck protocol, which other commands do not need
    from protocol.reading import read_whole

    if out is not None and out.exists():
        exists = _("{path} exists already").format(path=out)
        raise Usage(exists, _("evidence is never written over a file: give another name"))
    journal = read_whole(file)
    verdict = journal.verdict
    if as_json:
        click.echo(json.dumps(verdict.as_json(), ensure_ascii=False))
    else:
        for line in verdict.lines() + (verdict.blame_lines() if blame else []):
            click.echo(visible(told(line)))
    if verdict.problem:
        tell(verdict.wrong, verdict.hint)
    if out is not None:
        evidence = extract(journal, out)
        if evidence is None:
            nothing = _("{out} was not written: nothing in {file} proves that somebody cheated")
            tell(nothing.format(out=out, file=file))
        elif not as_json:
            kept = _("evidence: {n} of {all} entries, in {path}")
            click.echo(kept.format(n=evidence.kept, all=evidence.of, path=visible(str(out))))
    return verdict.exit_code
