"""The long runs are for `make soak` alone: a plain `pytest` leaves them out."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop tests marked `soak` unless a marker expression was given."""
    if not config.option.markexpr:
        long = [item for item in items if item.get_closest_marker("soak")]
        items[:] = [item for item in items if item not in long]
        config.hook.pytest_deselected(items=long)
