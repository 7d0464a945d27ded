"""The LAN as a fixture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.lab.lan import Lan, open_lan, why_not

OpenLan = Callable[..., Lan]
_reason = cache(why_not)


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[OpenLan]:
    """`lan(hosts, …)` makes a LAN as `open_lan` does; the test is skipped where there can be none."""
    if reason := _reason():
        pytest.skip(f"no LAN can be made here: {reason}")
    with ExitStack() as stack:
        yield lambda hosts, **how: stack.enter_context(open_lan(hosts, tmp_path, **how))
