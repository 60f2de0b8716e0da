"""What the tests of the Python package share."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import busline
from busline import Platform, Workload

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["BUSLINE_PROGRAM"]
REAL_RUNS = SOURCE / "validation/golden/real_runs/A_r100_l500_8x1_eager"
EMULATED = SOURCE / "platforms/examples/emulated-100mbit.json"


def command(*arguments: object) -> dict[str, Any]:
    """What a command prints with --json, without its provenance."""
    line = [PROGRAM, *map(str, arguments), "--json", "-q"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.stdout, f"{' '.join(line)}: {done.stderr}"
    document: dict[str, Any] = json.loads(done.stdout)
    document.pop("provenance", None)
    return document


@pytest.fixture(scope="session")
def platform() -> Platform:
    return busline.load_platform(EMULATED)


@pytest.fixture(scope="session")
def jacobi() -> Workload:
    """Eight ranks of a real run."""
    return busline.load_workload(REAL_RUNS / "dumpi_jacobi2d")
