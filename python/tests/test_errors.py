"""Wrong input: clear exceptions with the place and the next step, and no crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import pytest

import busline
from busline import Platform, Workload
from conftest import EMULATED, REAL_RUNS


def test_a_missing_file_is_an_os_error_with_its_name() -> None:
    loads: list[Callable[[str], object]] = [
        busline.load_platform, busline.load_workload, busline.load_results, busline.calibrate]
    for load in loads:
        with pytest.raises((busline.FileError, busline.InputError), match="missing"):
            load("missing-file")
    with pytest.raises(OSError):
        busline.load_platform("missing.json")


def test_a_wrong_platform_names_line_column_and_member(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(EMULATED.read_text().replace('"latency"', '"latencey"', 1))
    with pytest.raises(busline.InputError) as caught:
        busline.load_platform(path)
    assert caught.value.path == str(path) and caught.value.line and caught.value.column
    assert "did you mean" in str(caught.value) and isinstance(caught.value, ValueError)


WRONG: list[tuple[Callable[[Platform, Workload], Any], type[Exception], str]] = [
    (lambda p, w: p.set("/network/busses", 4), busline.BuslineError, r"^/network/busses: .*did you mean"),
    (lambda p, w: p.set("/network/buses", "four"), busline.BuslineError, "buses"),
    (lambda p, w: p.set("/network/latency", "1.5"), busline.BuslineError, "unit"),
    (lambda p, w: p.set("/network/latency", -1.0), busline.BuslineError, "negative"),
    (lambda p, w: p.set("/network/latency", float("nan")), busline.OptionError, "NaN"),
    (lambda p, w: p.set("/network/latency", True), busline.BuslineError, "latency"),
    (lambda p, w: p.set("/network/buses", 1j), TypeError, "expected a number"),
    (lambda p, w: p.set(4, 4), TypeError, "pointer"),  # type: ignore[arg-type]
    (lambda p, w: busline.simulate(w, p), TypeError, "load_platform"),  # type: ignore[arg-type]
    (lambda p, w: busline.simulate(p, "trace"), TypeError, "load_workload"),  # type: ignore[arg-type]
    (lambda p, w: busline.simulate(p, w, model="dimema"), busline.OptionError, "expected one of dimemas"),
    (lambda p, w: busline.simulate(p, w, model=None), TypeError, "model"),  # type: ignore[arg-type]
    (lambda p, w: busline.simulate(p, w, mapping="per-node:x"), busline.OptionError, "mapping"),
    (lambda p, w: busline.simulate(p, w, mapping=[0, 1]), busline.BuslineError, "rank"),
    (lambda p, w: busline.simulate(p, w, mapping=[0.5] * 8), TypeError, "whole number"),  # type: ignore[list-item]
    (lambda p, w: busline.simulate(p, w, region=("MPI_Nothing:1", None)), busline.OptionError, "MPI_Nothing"),
    (lambda p, w: busline.simulate(p, w, time_range=("2ms", "1ms")), busline.OptionError, "ends before"),
    (lambda p, w: busline.simulate(p, w, time_range=("2", None)), busline.OptionError, "unit"),
    (lambda p, w: busline.simulate(p, w, tie_seed=-1), busline.OptionError, "tie_seed"),
    (lambda p, w: busline.simulate(p, w).timeline(ranks=[8]), busline.OptionError, "rank"),
    (lambda p, w: busline.simulate(p, w).write_timeline("run.xyz"), busline.OptionError, "prv"),
    (lambda p, w: busline.simulate(p, w).write_timeline("/no/such/folder/run.prv"), busline.FileError, "folder"),
    (lambda p, w: busline.simulate(p, w).interval(), busline.BuslineError, "calibrat"),
    (lambda p, w: busline.curve(p, w, speed=(0, 1)), busline.OptionError, "above 0"),
    (lambda p, w: busline.curve(p, w, latency=(0, 1), speed=(1, 2)), busline.OptionError, "combined"),
    (lambda p, w: busline.curve(p, w, at=["2s"]), busline.OptionError, "outside"),
    (lambda p, w: busline.calibrate(EMULATED), busline.InputError, "emulated"),
    (lambda p, w: busline.calibrate([]), busline.OptionError, "empty"),
    (lambda p, w: busline.calibrate(REAL_RUNS / "calibration.json", hold_out="95%"), busline.OptionError, "hold_out"),
    (lambda p, w: busline.calibrate(REAL_RUNS / "calibration.json", collectives="x"), busline.OptionError, "open-mpi"),
    (lambda p, w: busline.validate(p, EMULATED), busline.BuslineError, "run set"),
    (lambda p, w: busline.load_topology("torrus:2x2"), busline.OptionError, "did you mean"),
    (lambda p, w: busline.Program(ranks=0), busline.OptionError, "ranks"),
    (lambda p, w: busline.Program(ranks=2)[0].send(2, 1), busline.OptionError, "outside of 0 to 1"),
    (lambda p, w: busline.Program(ranks=2)[0].send(1, "64"), busline.OptionError, "unit"),
    (lambda p, w: busline.Program(ranks=2)[0].send(1, 1.5), TypeError, "whole number"),  # type: ignore[arg-type]
    (lambda p, w: busline.Program(ranks=2)[0].compute(float("inf")), busline.OptionError, "finite"),
    (lambda p, w: busline.Program(ranks=2)[0].compute("1e300s"), busline.OptionError, "too large|106 days"),
    (lambda p, w: busline.Program(ranks=2)[0].collective("MPI_Sum"), busline.OptionError, "MPI_Allreduce"),
    (lambda p, w: busline.Platform("x"), TypeError, "load_platform"),  # type: ignore[arg-type]
    (lambda p, w: busline.Platform.from_dict({"schema": "busline/platform/1"}), busline.InputError, "name"),
]


@pytest.mark.parametrize("place", range(len(WRONG)))
def test_wrong_input_is_refused_with_a_reason(place: int, platform: Platform, jacobi: Workload) -> None:
    call, kind, words = WRONG[place]
    with pytest.raises(kind, match=words):
        call(platform, jacobi)


def test_requests_belong_to_their_rank_and_are_waited_for_once() -> None:
    program = busline.Program(ranks=2)
    request = program[0].irecv(1)
    with pytest.raises(busline.OptionError, match="of rank 0, not of rank 1"):
        program[1].wait(request)
    program[0].wait(request)
    with pytest.raises(busline.OptionError, match="waited for before"):
        program[0].wait(request)


def test_threads_share_a_platform_and_a_workload(platform: Platform, jacobi: Workload) -> None:
    expected = [busline.simulate(platform.set("/network/buses", b), jacobi).run_time_ps for b in (1, 2, 4)]

    def run(i: int) -> int:
        return busline.simulate(platform.set("/network/buses", (1, 2, 4)[i % 3]), jacobi).run_time_ps

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(60))) == expected * 20


def test_the_gil_is_released_while_simulating(platform: Platform) -> None:
    large = busline.generate.halo(ranks=8, iterations=4000)
    counted = 0
    done = threading.Event()

    def simulate() -> None:
        try:
            busline.simulate(platform, large)
        finally:
            done.set()

    thread = threading.Thread(target=simulate)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.0005)
    thread.join()
    assert counted > 3


INTERRUPTED = """
import sys, time, busline
sys.path.insert(0, {tests!r})
work = {work}
print("ready", flush=True)
try:
    work()
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
    sys.exit(0)
print("done", flush=True)
"""
LONG = {
    "simulate": "(lambda p=busline.load_platform({platform!r}), w=busline.generate.halo(ranks=64, iterations=20000): "
    "busline.simulate(p.set('/nodes/0/count', 64), w))",
    "study": "(lambda: busline.Study({platform!r}, {{'generate': 'halo', 'ranks': 8}}, "
    "{{'/network/latency': [f'{{i}}us' for i in range(1, 20000)]}}).run())",
    "calibrate": "(lambda: [busline.calibrate({measurement!r}) for _ in range(50)])",
}


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_interrupts_within_a_tenth_of_a_second(what: str) -> None:
    work = LONG[what].format(platform=str(EMULATED), measurement=str(REAL_RUNS / "calibration.json"))
    script = INTERRUPTED.format(tests=str(Path(__file__).parent), work=work)
    child = subprocess.Popen([sys.executable, "-W", "ignore", "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout and child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    sent = time.monotonic()
    os.kill(child.pid, signal.SIGINT)
    words = child.stdout.readline().split()
    child.wait(60)
    assert words[:1] == ["interrupted"] and child.returncode == 0
    # 0.1 s on an idle machine; tests run beside one another.
    assert float(words[1]) - sent < 0.4
