"""All tests speak English, whatever the system of whoever runs them asks for."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from cli.language import ENGLISH, speak

os.environ["P2PUNO_LANG"] = ENGLISH  # also for the programs that tests start


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A test that spoke another language leaves none of it behind."""
    speak(ENGLISH)
    yield
    speak(ENGLISH)
