"""Studies as data frames."""

from __future__ import annotations

from pathlib import Path

import pytest

import busline
from busline import Platform, Workload
from conftest import EMULATED, REAL_RUNS, SOURCE, command

AXES = {"/network/buses": [1, 4, "unlimited"], "/network/latency": ["100us", 0.0005]}


def test_a_study_is_that_of_the_command_line(platform: Platform, jacobi: Workload, tmp_path: Path) -> None:
    results = busline.Study(platform, jacobi, AXES).run(output=tmp_path / "study.sqlite")
    frame = results.to_pandas()
    there = command("study", "run", "--platform", EMULATED, "--workload", REAL_RUNS / "dumpi_jacobi2d",
                    "--axis", "/network/buses=1,4,unlimited", "--axis", "/network/latency=100us,500us")
    expected = [p["run_time_ps"] for p in there["results"]]
    assert list(frame["run_time_ps"]) == expected
    assert list(frame["network/buses"]) == [1, 1, 4, 4, "unlimited", "unlimited"]
    assert list(frame["network/latency_s"]) == pytest.approx([1e-4, 5e-4] * 3)
    assert list(frame["to_base"]) == [p["to_base"] for p in there["results"]]
    assert frame["run_time"][0] == pytest.approx(frame["run_time_ps"][0] * 1e-12)
    again = busline.load_results(tmp_path / "study.sqlite")
    assert list(again.to_pandas()["run_time_ps"]) == expected and again.axes == ["network/buses", "network/latency"]
    for results_of in (results, again):
        assert results_of._repr_html_().startswith("<iframe")
    one = busline.simulate(platform.set("/network/buses", 4).set("/network/latency", "100us"), jacobi)
    assert one.run_time_ps == frame["run_time_ps"][2]


def test_programs_and_generators_are_workloads_of_studies(platform: Platform) -> None:
    program = busline.Program(ranks=2, name="pair")
    program[0].send(1, "1MiB")
    program[1].recv(0)
    halo = {"generate": "halo", "ranks": 8}
    axes = {"/workload": [program, halo], "/network/bandwidth": [1e8, "1 GB/s"]}
    study = busline.Study(platform, program, axes)
    frame = study.run().to_pandas()
    assert set(frame["status"]) == {"done"}
    assert frame["run_time"][0] > frame["run_time"][1]
    assert list(frame["to_base"][[0, 2]]) == [1, 1]


def test_a_study_document_is_read_with_paths_relative_to_its_folder(tmp_path: Path) -> None:
    here = SOURCE / "studies/examples/which-network.json"
    there = command("study", "run", here)
    frame = busline.Study.load(here).run().to_pandas()
    assert list(frame["run_time_ps"]) == [p["run_time_ps"] for p in there["results"]]
    (tmp_path / "cut.json").write_text('{"schema": ')
    with pytest.raises(busline.InputError, match="cut.json:1:12"):
        busline.Study.load(tmp_path / "cut.json")
    with pytest.raises(busline.FileError, match="missing.json: cannot be read"):
        busline.Study.load(tmp_path / "missing.json")


def test_points_that_cannot_run_say_why(platform: Platform) -> None:
    program = busline.Program(ranks=2)
    program[0].recv(1)
    frame = busline.Study(platform, program, {"/model": ["dimemas", "ideal"]}).run().to_pandas()
    assert set(frame["status"]) == {"deadlock"} and "rank 0" in frame["reason"][0]


def test_a_study_says_what_is_wrong_with_it(platform: Platform, jacobi: Workload) -> None:
    with pytest.raises(busline.BuslineError, match="did you mean"):
        busline.Study(platform, jacobi, {"/network/busses": [1, 2]}).run()
    with pytest.raises(TypeError, match="list of values"):
        busline.Study(platform, jacobi, {"/network/latency": "1us"})
    with pytest.raises(busline.OptionError, match="not a JSON pointer"):
        busline.Study(platform, jacobi, {"buses": [1]})
    with pytest.raises(busline.FileError):
        busline.Study("missing.json", jacobi, {"/network/buses": [1, 2]}).run()


def test_progress_is_told_and_its_exception_ends_the_study(platform: Platform, jacobi: Workload) -> None:
    told: list[float] = []
    busline.Study(platform, jacobi, {"/network/buses": [1, 2, 3]}).run(progress=told.append)
    assert told and told[-1] == 1.0

    def enough(share: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        busline.Study(platform, jacobi, {"/network/latency": [f"{i}us" for i in range(1, 500)]}).run(progress=enough)


def test_a_study_reads_workloads_as_they_were_loaded(platform: Platform, jacobi: Workload) -> None:
    trace = REAL_RUNS / "dumpi_jacobi2d"
    halo = busline.generate.halo(ranks=8, size="1KiB")
    workloads = [jacobi, busline.load_workload(trace, compute_scale=0.5), halo]
    study = busline.Study(platform, jacobi, {"/workload": workloads})
    assert study.document["axes"][0]["to"] == [
        str(trace), {"path": str(trace), "compute_scale": 0.5}, {"generate": "halo", "ranks": "8", "size": "1024B"}]
    alone = [busline.simulate(platform, w).run_time_ps for w in workloads]
    assert list(study.run().to_pandas()["run_time_ps"]) == alone
