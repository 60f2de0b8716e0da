"""Results: arrays, deadlocks, timelines, pages."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy
import pytest

import busline
from busline import Platform, Program, Workload


def test_arrays_are_views_that_keep_the_result_alive_and_add_up(platform: Platform, jacobi: Workload) -> None:
    result = busline.simulate(platform, jacobi)
    parts = (result.compute_ps + result.latency_ps + result.wait_ps + result.collective_wait_ps + result.collective_ps
             + result.cpu_wait_ps)
    assert (parts == result.end_ps).all() and result.end_ps.max() == result.run_time_ps
    assert result.run_time == pytest.approx(result.run_time_ps * 1e-12)
    compute = result.compute_ps
    assert compute.base is not None and not compute.flags.owndata and not compute.flags.writeable
    assert compute.dtype == numpy.int64 and compute.shape == (8,)
    with pytest.raises(ValueError):
        compute[0] = 1
    before = compute.copy()
    del result
    assert (compute == before).all()


def test_quantities_are_texts_numbers_in_si_units_and_timedeltas(platform: Platform) -> None:
    limit = "/mpi/rendezvous_from"
    texts = platform.set("/network/latency", "1.5ms").set("/network/bandwidth", "1 GB/s").set(limit, "64KiB")
    numbers = platform.set("/network/latency", 0.0015).set("/network/bandwidth", 1e9).set(limit, 65536)
    assert texts == numbers == numbers.set("/network/latency", timedelta(microseconds=1500))
    assert texts != platform
    unlimited = platform.set("/network/buses", 3).set("/network/buses", "unlimited")
    assert unlimited == platform.set("/network/buses", float("inf"))


def test_a_deadlock_is_a_result_that_raises_only_on_check(platform: Platform) -> None:
    program = Program(ranks=2)
    program[0].recv(1)
    program[1].recv(0, tag=7)
    result = busline.simulate(platform, program)
    assert result.status == "deadlock" and not result.is_complete
    assert [(b.rank, b.call) for b in result.blocked] == [(0, "MPI_Recv"), (1, "MPI_Recv")]
    reason = "rank 1, call 1, MPI_Recv: waits for a message from rank 0, tag 7"
    with pytest.raises(busline.IncompleteRunError, match=reason):
        result.check()


def test_a_program_written_in_python_costs_what_the_model_says() -> None:
    platform = busline.Platform.from_dict({
        "schema": "busline/platform/1", "name": "two",
        "nodes": [{"count": 2, "cpus": 1, "links": 1, "intra_node": {"latency": "0ns", "bandwidth": "unlimited"}}],
        "network": {"latency": "10us", "bandwidth": "1 GB/s", "buses": "unlimited"},
    })
    program = Program(ranks=2, name="pair")
    program[0].compute("1ms")
    program[0].send(1, "1MB")
    request = program[1].irecv(0)
    program[1].compute(timedelta(microseconds=100))
    program[1].wait(request)
    # 1 ms, the latency on the sender's CPU, and 1 MB at 1 GB/s.
    assert busline.simulate(platform, program).check().run_time_ps == 2_010_000_000
    for rank in program:
        rank.allreduce(8)
    later = busline.simulate(platform, program)
    assert later.run_time_ps > 2_010_000_000 and later.workload == "pair"
    assert busline.simulate(platform, program.workload()).run_time_ps == later.run_time_ps


def test_a_timeline_covers_each_rank_from_begin_to_end(platform: Platform, jacobi: Workload) -> None:
    result = busline.simulate(platform, jacobi)
    frame = result.timeline().to_pandas()
    times = (frame["end_ps"] - frame["begin_ps"]).groupby(frame["lane"]).sum()
    assert list(times) == list(result.end_ps)
    of_state = (frame["end_ps"] - frame["begin_ps"]).groupby(frame["state"]).sum()
    assert of_state["compute"] == result.compute_ps.sum()
    part = result.timeline(ranks=[2, 5], time_range=("100ms", "110ms"))
    assert part.lanes == ["rank 2", "rank 5"]
    assert part.arrays["begin_ps"].min() >= 100_000_000_000 and part.arrays["end_ps"].max() <= 110_000_000_000


def test_a_timeline_is_written_for_other_viewers(platform: Platform, jacobi: Workload, tmp_path: Path) -> None:
    busline.simulate(platform, jacobi).write_timeline(tmp_path / "run.prv", ranks=[0, 1])
    assert (tmp_path / "run.prv").read_text().startswith("#Paraver")


def test_notebooks_show_the_pages_of_the_report(platform: Platform, jacobi: Workload) -> None:
    result = busline.simulate(platform, jacobi)
    page = result._repr_html_()
    assert page.startswith("<iframe srcdoc=") and "dumpi_jacobi2d on emulated-100mbit" in page
    assert "Where the time went" in page and "Critical path" not in page
    assert "ritical path" in result.why()._repr_html_()
    assert "<iframe" in busline.curve(platform, jacobi)._repr_html_()
    assert "100 Mbit" in platform._repr_html_() or "12.5 MB/s" in platform._repr_html_()


def test_generators_are_functions_with_arguments_and_help(platform: Platform) -> None:
    halo = busline.generate.halo(ranks=16, size="4KiB", compute=0.001, imbalance="10%")
    assert halo.ranks == 16 and halo.format == "generated"
    assert busline.simulate(platform.set("/nodes/0/count", 16), halo).check().run_time > 0
    assert "ranks:" in str(busline.generate.halo.__doc__)
    with pytest.raises(TypeError, match="has no argument 'rank'"):
        busline.generate.halo(rank=16)  # type: ignore[call-arg]
    with pytest.raises(busline.OptionError, match="ranks"):
        busline.generate.halo(ranks=-1)
