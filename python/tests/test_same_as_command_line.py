"""Every number equals the command line's, over the shipped traces and all models."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import busline
from busline import Platform, Workload
from conftest import EMULATED, REAL_RUNS, SOURCE, command

GOLDEN = SOURCE / "validation/golden"
TRACES = [p.parent for p in sorted(GOLDEN.glob("dumpi/traces/*/*.meta")) + sorted(GOLDEN.glob("real_runs/*/*/*.meta"))]
CASES = sorted(p.parent for p in GOLDEN.glob("dimemas/cases/*/trace.dim"))
MODELS = ("dimemas", "ideal", "flow")


REFUSED = "both refuse it"


def compare(platform_path: Path, trace: Path, model: str) -> str:
    """What differs; empty for nothing."""
    try:
        platform = busline.load_platform(platform_path)
        result = busline.simulate(platform, busline.load_workload(trace), model=model)
        here = result.to_dict()
    except busline.BuslineError:
        here = {}
    try:
        there = command("simulate", platform_path, trace, "--model", model)
    except AssertionError:
        there = {}
    if not here and not there:
        return REFUSED
    # Warnings about files are in the objects that read them.
    for document in (here, there):
        document.pop("diagnostics", None)
    return "" if here == there else f"{trace} on {platform_path}, {model}"


def differences(work: list[tuple[Path, Path, str]]) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda w: compare(*w), work))
    assert found.count(REFUSED) < len(work) / 10
    return [d for d in found if d and d != REFUSED]


def test_shipped_traces_have_the_same_result_by_all_models() -> None:
    assert len(TRACES) > 40
    assert differences([(EMULATED, trace, model) for trace in TRACES for model in MODELS]) == []


def test_dimemas_cases_have_the_same_result() -> None:
    assert len(CASES) > 200
    assert differences([(case / "platform.cfg", case / "trace.dim", "dimemas") for case in CASES]) == []


def test_changes_mappings_and_regions_have_the_same_result(platform: Platform, jacobi: Workload) -> None:
    changed = platform.set("/network/buses", 2).set("/network/latency", 1e-4)
    here = busline.simulate(changed, jacobi, mapping="per-node:2", region=("MPI_Barrier:1", "MPI_Reduce:1"))
    there = command("simulate", EMULATED, REAL_RUNS / "dumpi_jacobi2d", "--set", "/network/buses=2", "--set",
                    "/network/latency=100us", "--mapping", "per-node:2", "--from", "MPI_Barrier:1", "--to",
                    "MPI_Reduce:1")
    assert here.to_dict() == there
    assert here.region_run_time_ps == there["region"]["run_time_ps"]
    assert [int(t) for t in here.end_ps] == [r["end_ps"] for r in there["ranks"]]
    here = busline.simulate(platform, jacobi, time_range=("10ms", 0.05))
    assert here.to_dict() == command("simulate", EMULATED, REAL_RUNS / "dumpi_jacobi2d", "--time-range", "10ms..50ms")


def test_why_and_curve_are_the_same(platform: Platform, jacobi: Workload) -> None:
    why = busline.simulate(platform, jacobi).why(resolution=2)
    assert why.result == command("simulate", EMULATED, REAL_RUNS / "dumpi_jacobi2d", "--resolution", "2")
    assert why.advice and "critical path" in str(why)
    curve = busline.curve(platform, jacobi, latency=("0us", "100us"), at=["5us"])
    there = command("curve", EMULATED, REAL_RUNS / "dumpi_jacobi2d", "--latency", "0us..100us", "--at", "5us")
    assert curve.document == there
    assert len(curve.to_pandas()) == len(curve.document["pieces"])


def test_calibration_and_validation_are_the_same() -> None:
    with pytest.warns(busline.BuslineWarning):
        found = busline.calibrate(REAL_RUNS / "calibration.json")
    there = command("calibrate", REAL_RUNS / "calibration.json")
    assert found.document["platform"] == there["platform"]
    assert found.figures.loc["/network/latency", "value"] == "722.3 us" or len(found.figures) > 4
    checked = busline.validate(found.platform, REAL_RUNS)
    folder = SOURCE / "validation/regression/platforms"
    of_folder = busline.validate(folder, REAL_RUNS)
    assert of_folder.document["runs"] == command("validate", folder, REAL_RUNS)["runs"]
    assert set(checked.to_pandas()["program"]) == set(of_folder.to_pandas()["program"])
    assert checked.to_pandas()["error"].abs().median() < 0.05
    measured = busline.validate(found.platform, REAL_RUNS / "calibration.json")
    assert "pingpong-inter" in set(measured.to_pandas()["suite"])


def test_topologies_are_the_same(platform: Platform) -> None:
    torus = busline.load_topology("torus:4x4")
    assert (torus.hosts, torus.switches) == (16, 16)
    assert torus.figures() == command("topology", "figures", "torus:4x4")
    assert torus.way(0, 5) == command("topology", "show", "torus:4x4", "--way", "0,5")
    assert torus.svg().startswith("<?xml") or torus.svg().startswith("<svg")
    ecmp = busline.load_topology("fat-tree:k=4", routing="ecmp")
    assert ecmp.description["routing"] == "ecmp" and "ecmp" in str(ecmp)
    on_torus = platform.set("/network/topology", busline.load_topology("star:hosts=8"))
    assert on_torus.to_dict()["network"]["topology"]["kind"] == "star"


def test_a_platform_is_explained_as_by_the_command_line(platform: Platform) -> None:
    there = command("explain", EMULATED, "--size", "64KiB", "--ranks", "4")
    assert platform.explain(size="64KiB", ranks=4).document == there
