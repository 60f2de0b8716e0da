"""Busline predicts how long an MPI program takes on a machine that you describe.

    import busline
    platform = busline.load_platform("platforms/examples/emulated-100mbit.json")
    workload = busline.generate.halo(ranks=64)
    result = busline.simulate(platform, workload)
    print(result.run_time, result.wait_ps.mean())
    faster = busline.simulate(platform.set("/network/latency", "50us"), workload)

load_platform, load_topology: machines.   load_workload, generate, Program: what the ranks do.
simulate -> Result: a run.                curve: run time over a figure.     Study -> pandas.DataFrame: many runs.
calibrate, validate: platforms from measurements, predictions against real runs.   plot: figures with matplotlib.

Times are texts with a unit ("1.5us"), numbers of seconds, or timedelta; sizes "64KiB" or bytes; bandwidths "10 Gbps" or
bytes per second. Results are seconds, or whole picoseconds in names that end in _ps.
"""

from __future__ import annotations

import atexit as _atexit

from busline import _core
from busline._accuracy import Calibration, Validation, calibrate, validate
from busline._errors import (
    BuslineError,
    BuslineWarning,
    FileError,
    IncompleteRunError,
    InputError,
    OptionError,
    UnsupportedError,
)
from busline._platform import Explanation, Platform, Topology, load_platform, load_topology
from busline._program import ANY_SOURCE, ANY_TAG, Program, Rank, Request
from busline._run import BlockedRank, Curve, RankTimes, Result, Timeline, Why, curve, simulate
from busline._study import Study, StudyResults, load_results
from busline._workload import Workload, load_workload
from busline import generate, plot

__version__: str = _core.version
# Work that was interrupted may go on in the background, and must not outlive what it uses.
_atexit.register(_core.wait_for_abandoned_work)

__all__ = [
    "ANY_SOURCE",
    "ANY_TAG",
    "BlockedRank",
    "BuslineError",
    "BuslineWarning",
    "Calibration",
    "Curve",
    "Explanation",
    "FileError",
    "IncompleteRunError",
    "InputError",
    "OptionError",
    "Platform",
    "Program",
    "Rank",
    "RankTimes",
    "Request",
    "Result",
    "Study",
    "StudyResults",
    "Timeline",
    "Topology",
    "UnsupportedError",
    "Validation",
    "Why",
    "Workload",
    "calibrate",
    "curve",
    "generate",
    "load_platform",
    "load_results",
    "load_topology",
    "load_workload",
    "plot",
    "simulate",
    "validate",
]
