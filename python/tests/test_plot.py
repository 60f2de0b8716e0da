"""The five figures show what the results say."""

from __future__ import annotations

import matplotlib
import pytest

import busline
from busline import Platform, StudyResults, Workload
from conftest import REAL_RUNS, SOURCE

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def results(platform: Platform, jacobi: Workload) -> StudyResults:
    axes: dict[str, list[object]] = {"/network/buses": [1, 4, "unlimited"], "/network/latency": ["10us", "1ms"]}
    return busline.Study(platform, jacobi, axes).run()


def test_run_times_are_lines_over_an_axis(results: StudyResults) -> None:
    axes = busline.plot.run_time(results, over="network/latency", by="network/buses")
    assert [line.get_label() for line in axes.get_lines()] == ["1", "4", "unlimited"]
    frame = results.to_pandas()
    assert list(axes.get_lines()[0].get_xdata()) == [1e-5, 1e-3]
    shown = axes.get_lines()[1].get_ydata()
    assert list(shown) == pytest.approx(list(frame["run_time"][2:4] * (1e3 if "[ms]" in axes.get_ylabel() else 1)))
    assert axes.get_xscale() == "log" and axes.get_xlabel() == "network/latency"
    names = busline.plot.run_time(results.to_pandas(), over="/network/buses")
    assert [t.get_text() for t in names.get_xticklabels()] == ["1", "4", "unlimited"]
    with pytest.raises(busline.OptionError, match="axes: network/buses, network/latency"):
        busline.plot.run_time(results, over="network/bandwidth")


def test_a_heat_map_has_a_cell_for_each_point(results: StudyResults) -> None:
    axes = busline.plot.heat_map(results)
    cells = axes.get_images()[0].get_array()
    assert cells.shape == (2, 3)
    frame = results.to_pandas()
    assert cells[0][0] / cells[1][2] == pytest.approx(frame["run_time"][0] / frame["run_time"][5])


def test_slowdowns_are_bars_against_the_base(results: StudyResults) -> None:
    axes = busline.plot.slowdown(results)
    assert axes.patches[0].get_height() == pytest.approx(1)
    assert len(axes.patches) == 6


def test_a_timeline_has_bars_for_each_rank(platform: Platform, jacobi: Workload) -> None:
    shown = busline.simulate(platform, jacobi).timeline(ranks=[0, 3], time_range=("100ms", "101ms"))
    axes = busline.plot.timeline(shown, messages=True)
    assert [t.get_text() for t in axes.get_yticklabels()] == ["rank 0", "rank 3"]
    assert len(axes.patches) == len(shown.arrays["lane"])


def test_predictions_are_points_over_measured_times() -> None:
    checked = busline.validate(SOURCE / "validation/regression/platforms", REAL_RUNS)
    axes = busline.plot.predicted_over_measured(checked)
    assert len([line for line in axes.get_lines() if line.get_marker() == "o"]) == 6
    assert axes.get_xlabel().startswith("measured")
