"""The errors a user reads: exit codes are an interface, and the drawn tree is the real one."""

import inspect

import pytest

from protocol import errors
from protocol.errors import P2punoError

CODES = {
    "P2punoError": 1,
    "Usage": 2,
    "CheatProven": 3,
    "FileProblem": 4,
    "Damaged": 4,
    "ForeignFile": 4,
    "InUse": 4,
    "NotSaid": 1,
    "Unfinished": 5,
    "NetworkProblem": 6,
    "Unreachable": 6,
    "PortTaken": 6,
    "NotP2puno": 6,
    "Refused": 6,
}
HINTED = {"P2punoError", "FileProblem", "NetworkProblem", "NotSaid"}
"""Those that have no usual hint: whoever raises one gives its own."""
CLASSES = {name: kind for name, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, P2punoError)}


def test_exit_codes_by_class() -> None:
    assert {name: kind.exit_code for name, kind in CLASSES.items()} == CODES


def test_the_drawn_tree_names_every_class_in_order() -> None:
    drawn = [word for word in (errors.__doc__ or "").replace("``", "").split() if word in CODES]
    assert drawn == list(CODES)


@pytest.mark.parametrize("name", sorted(CODES.keys() - HINTED))
def test_every_error_has_a_hint_in_the_same_style(name: str) -> None:
    problem = CLASSES[name]("it broke")
    assert (problem.message, str(problem)) == ("it broke", "it broke")
    assert problem.hint
    assert not problem.hint[0].isupper()
    assert not problem.hint.endswith(".")
    assert CLASSES[name]("it broke", "mend it").hint == "mend it"
