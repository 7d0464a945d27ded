"""The bytes of the group and of every proof never change, whichever backend computes them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs.vectors import vectors

GOLDEN: dict[str, str] = json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))


def test_golden_bytes() -> None:
    assert vectors() == GOLDEN


@pytest.mark.parametrize("backend", ["native", "reference"])
def test_golden_bytes_of_each_backend(backend: str) -> None:
    if backend == "native":
        pytest.importorskip("btclib_secp256k1")
    environment = {**os.environ, "P2PUNO_GROUP": backend, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "tests.proofs.vectors"]
    printed = subprocess.run(command, env=environment, check=True, capture_output=True, encoding="utf-8").stdout
    assert json.loads(printed) == GOLDEN
