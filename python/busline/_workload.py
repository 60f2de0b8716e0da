"""Workloads: what the ranks of an MPI program do."""

from __future__ import annotations

import json
import os
from typing import Any, Optional

from busline import _core
from busline._platform import Path, warn_of
from busline._quantities import Size, Time, count, number, size_bytes, time_ps


class Workload:
    """What the ranks of an MPI program do, whatever it was read from. It never changes, so threads can share it.

    Made by load_workload(), busline.generate, or Program.workload().
    """

    __slots__ = ("_core", "_options")

    def __init__(self, core: _core.Workload, options: Optional[dict[str, Any]] = None) -> None:
        if not isinstance(core, _core.Workload):
            raise TypeError("a Workload is made by busline.load_workload(path), busline.generate or Program.workload()")
        self._core = core
        self._options = options or {}

    @property
    def name(self) -> str:
        """The last part of its path, or the generator's name."""
        return self._core.name

    @property
    def format(self) -> str:
        """"DUMPI trace", "generated", "written in Python", ..."""
        return self._core.format

    @property
    def files(self) -> list[str]:
        """What was read, in order."""
        return self._core.files

    @property
    def ranks(self) -> int:
        """Ranks of the job."""
        return self._core.ranks

    @property
    def operations(self) -> int:
        """Steps of all ranks: computing, sends, receives, waits, collectives."""
        return self._core.operations

    @property
    def traced_run_time(self) -> Optional[float]:
        """Seconds that the traced run took; None if the trace does not record it."""
        ps = self._core.traced_run_time_ps
        return None if ps is None else ps * 1e-12

    @property
    def warnings(self) -> list[str]:
        """What was left out or assumed when it was read."""
        return self._core.warnings

    def inspect(self) -> dict[str, Any]:
        """Calls, message sizes, pairs of ranks, and each rank's share: the document "busline/workload/1"."""
        document: dict[str, Any] = json.loads(self._core.inspect()[1])
        return document

    def save(self, path: Path) -> None:
        """Writes it in the format of the file's name: .program, .dim, .goal, ... ('busline convert --help')."""
        self._core.write(os.fspath(path))

    def __str__(self) -> str:
        return self._core.inspect()[0]

    def __repr__(self) -> str:
        return (
            f"<busline.Workload {self.name!r}, {self.format}, {self.ranks} rank{'s' if self.ranks != 1 else ''}, "
            f"{self.operations} operations>"
        )


def load_workload(
    path: Path,
    *,
    compute_scale: float = 1.0,
    cpu_time: bool = False,
    keep_io: bool = False,
    rematch_wildcards: bool = False,
    salvage: bool = False,
    application: Optional[int] = None,
    host_speed: Optional[str] = None,
    message_header: Size = 0,
    detached_below: Size = 0,
    goal_unit: Time = "1ns",
    mpi: Optional[str] = None,
) -> Workload:
    """Reads a trace or a Program file: DUMPI, OTF2, Paraver, Dimemas .dim, SMPI, GOAL, liballprof, or their folder.

    compute_scale: factor on the duration of computation. cpu_time: computation lasts the CPU time, not the wall time.
    keep_io: file calls take as long as when they were traced. rematch_wildcards: a receive from any source takes the
    message that arrives first, not the traced one. (These are for DUMPI traces.)
    salvage: use the intact part of a damaged trace (DUMPI, Paraver). application: of a Paraver trace with several.
    host_speed, message_header, detached_below: for time-independent traces of SMPI. goal_unit: what a calc of 1 lasts.
    mpi: "mpich" or "open-mpi", the library that liballprof traced.

    Raises FileError or InputError, which names the file and the place.
    """
    options: dict[str, Any] = {
        "compute_scale": number(compute_scale, "compute_scale"),
        "cpu_time": bool(cpu_time),
        "keep_io": bool(keep_io),
        "rematch_wildcards": bool(rematch_wildcards),
        "salvage": bool(salvage),
    }
    others = {
        "message_header": (size_bytes(message_header, "message_header"), 0),
        "detached_below": (size_bytes(detached_below, "detached_below"), 0),
        "goal_unit_ps": (time_ps(goal_unit, "goal_unit"), 1000),
    }
    options.update({name: value for name, (value, usual) in others.items() if value != usual})
    if application is not None:
        options["application"] = count(application, "application", 1, 2**32 - 1)
    if host_speed is not None:
        options["host_speed"] = host_speed
    if mpi is not None:
        options["mpi"] = mpi
    workload = Workload(_core.load_workload(os.fspath(path), options), options)
    warn_of(workload.warnings)
    return workload
