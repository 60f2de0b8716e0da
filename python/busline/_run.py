"""Simulated runs."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

from busline import _core
from busline._errors import IncompleteRunError, option_error
from busline._page import report_of
from busline._platform import Path, Platform, warn_of
from busline._program import Program
from busline._quantities import Rate, Share, Time, bytes_per_s, count, number, seconds, share, time_ps
from busline._workload import Workload

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import pandas

    IntArray = numpy.typing.NDArray[numpy.int64]
    CountArray = numpy.typing.NDArray[numpy.uint64]

Progress = Optional[Callable[[float], object]]
"""Called with the share of the work that is done, 0 to 1, a few times a second; an exception of it ends the work."""
RankMapping = Union[str, Sequence[int], None]
"""Placement of ranks: "fill", "round-robin", "per-node:2", or the node of each rank; None: the platform's own."""


def mapping_text(mapping: RankMapping) -> Optional[str]:
    """As the command line takes it."""
    if mapping is None or isinstance(mapping, str):
        return mapping
    return ",".join(str(count(node, "mapping", 0, 2**32 - 1)) for node in mapping)


def as_workload(workload: object) -> Workload:
    """A Program as the Workload that it is now."""
    if isinstance(workload, Program):
        return workload.workload()
    if not isinstance(workload, Workload):
        given = type(workload).__name__
        raise TypeError(f"workload: expected a Workload or a Program, not {given}; load_workload() reads one")
    return workload


def as_platform(platform: object) -> Platform:
    """A Platform, or a TypeError that says how to get one."""
    if not isinstance(platform, Platform):
        raise TypeError(f"platform: expected a Platform, not {type(platform).__name__}; load_platform() reads one")
    return platform


def simulate(
    platform: Platform,
    workload: Union[Workload, Program],
    model: str = "dimemas",
    mapping: RankMapping = None,
    region: Optional[tuple[Optional[str], Optional[str]]] = None,
    time_range: Optional[tuple[Optional[Time], Optional[Time]]] = None,
    tie_seed: int = 0,
    progress: Progress = None,
) -> Result:
    """Predicts the run time of a workload on a platform, as 'busline simulate' does.

    model: "dimemas", "ideal" (no contention) or "flow" (over the platform's topology).
    mapping: where the ranks sit, instead of the platform's own: "fill", "round-robin", "per-node:2", or nodes by rank.
    region: also time the part from the return of one call to the entry of another, such as ("MPI_Barrier:1",
    "MPI_Reduce:-1"); None stands for the begin or the end. time_range: likewise between two simulated times.
    tie_seed: 0, or the seed of another order of simultaneous events. progress: called with the share that is done.

    A deadlock is a Result, whose blocked ranks say what they wait for. The GIL is released; Ctrl-C ends the run.
    Raises OptionError for an unknown model, ranks that do not fit, or a call that no rank makes.
    """
    if not isinstance(model, str):
        raise TypeError(f"model: expected a text such as 'dimemas', not {type(model).__name__}")
    begin, end = region if region is not None else (None, None)
    after, before = time_range if time_range is not None else (None, None)
    run = _core.simulate(
        as_platform(platform)._core,
        as_workload(workload)._core,
        model,
        mapping_text(mapping),
        begin,
        end,
        None if after is None else time_ps(after, "time_range"),
        None if before is None else time_ps(before, "time_range"),
        count(tie_seed, "tie_seed") if tie_seed else 0,
        progress,
    )
    warnings = run.warnings
    if warnings:
        warn_of(warnings)
    return Result(run)


class BlockedRank:
    """A rank that cannot continue, and what it waits for."""

    __slots__ = ("rank", "call_number", "call", "waits_for")

    def __init__(self, rank: int, call_number: int, call: str, waits_for: str) -> None:
        self.rank = rank
        self.call_number = call_number
        self.call = call
        self.waits_for = waits_for

    def __repr__(self) -> str:
        return f"rank {self.rank}, call {self.call_number}, {self.call}: waits for {self.waits_for}"


class RankTimes:
    """How ranks spent a part of a run: arrays of picoseconds, one element for each rank."""

    __slots__ = ("_array",)

    def __init__(self, array: Callable[[str], Any]) -> None:
        self._array = array

    @property
    def compute_ps(self) -> IntArray:
        """CPU bursts."""
        return self._array("compute_ps")  # type: ignore[no-any-return]

    @property
    def latency_ps(self) -> IntArray:
        """Latency and overheads that the CPU pays."""
        return self._array("latency_ps")  # type: ignore[no-any-return]

    @property
    def wait_ps(self) -> IntArray:
        """Blocked in point-to-point calls."""
        return self._array("wait_ps")  # type: ignore[no-any-return]

    @property
    def collective_wait_ps(self) -> IntArray:
        """In a collective, until all had arrived and the buses were free."""
        return self._array("collective_wait_ps")  # type: ignore[no-any-return]

    @property
    def collective_ps(self) -> IntArray:
        """In a collective, from then on."""
        return self._array("collective_ps")  # type: ignore[no-any-return]

    @property
    def cpu_wait_ps(self) -> IntArray:
        """Ready, but the CPUs of the node were taken."""
        return self._array("cpu_wait_ps")  # type: ignore[no-any-return]


class Result(RankTimes):
    """A simulated run: its time, each rank's share, why it takes so long.

    Members that end in _ps are whole picoseconds, exact; others are seconds. Arrays have one element for each rank;
    they are views of the result, which they keep alive, and cannot be written to.
    """

    __slots__ = ("_run",)

    def __init__(self, run: _core.Run) -> None:
        self._run = run
        super().__init__(run.array)

    # ---- the run

    @property
    def status(self) -> str:
        """"complete", "deadlock" or "clock-overflow" (more than 106 days)."""
        return self._run.status

    @property
    def is_complete(self) -> bool:
        """Whether the run came to its end."""
        return self._run.status == "complete"

    @property
    def run_time(self) -> float:
        """Seconds until the last rank ends; of a run that cannot go on, until it stopped."""
        return self._run.run_time_ps * 1e-12

    @property
    def run_time_ps(self) -> int:
        """The same in whole picoseconds."""
        return self._run.run_time_ps

    @property
    def region_run_time(self) -> Optional[float]:
        """Seconds of the region, the longest over the ranks; None without a region."""
        ps = self._run.region_run_time_ps
        return None if ps is None else ps * 1e-12

    @property
    def region_run_time_ps(self) -> Optional[int]:
        """The same in whole picoseconds."""
        return self._run.region_run_time_ps

    @property
    def region(self) -> Optional[RankTimes]:
        """How the ranks spent the region; None without one."""
        if self._run.region_run_time_ps is None:
            return None
        return RankTimes(self._run.region_array)

    @property
    def blocked(self) -> list[BlockedRank]:
        """Ranks that cannot continue; empty for a complete run."""
        return [BlockedRank(*b) for b in self._run.blocked()]

    def check(self) -> Result:
        """Itself if the run is complete; else raises IncompleteRunError, which says who waits for what."""
        if self.is_complete:
            return self
        run = f"the run of {self.workload} on {self.platform}"
        lines = [f"{run} is not complete: {self.status} after {self.run_time:g} s"]
        blocked = self.blocked
        lines += [f"  {b!r}" for b in blocked[:8]]
        if len(blocked) > 8:
            lines.append(f"  and {len(blocked) - 8} more ranks")
        raise IncompleteRunError("\n".join(lines))

    # ---- totals

    @property
    def model(self) -> str:
        """That simulated."""
        return self._run.model

    @property
    def platform(self) -> str:
        """Its name."""
        return self._run.platform_name

    @property
    def workload(self) -> str:
        """Its name."""
        return self._run.workload_name

    @property
    def ranks(self) -> int:
        """Of the job."""
        return self._run.ranks

    @property
    def messages(self) -> int:
        """Point-to-point messages."""
        return self._run.messages

    @property
    def bytes(self) -> int:
        """In these messages."""
        return self._run.bytes

    @property
    def operations(self) -> int:
        """Steps of all ranks."""
        return self._run.operations

    @property
    def events(self) -> int:
        """Of the simulation."""
        return self._run.events

    @property
    def warnings(self) -> list[str]:
        """What a reader must know."""
        return self._run.warnings

    # ---- arrays by rank, besides those of RankTimes

    @property
    def node(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The node of each rank."""
        return self._run.array("node")

    @property
    def end_ps(self) -> IntArray:
        """When each rank ended."""
        return self._run.array("end_ps")

    @property
    def link_wait_ps(self) -> IntArray:
        """How long the messages that the rank sent waited for links."""
        return self._run.array("link_wait_ps")

    @property
    def bus_wait_ps(self) -> IntArray:
        """How long the messages that the rank sent waited for buses."""
        return self._run.array("bus_wait_ps")

    @property
    def messages_sent(self) -> CountArray:
        """By each rank."""
        return self._run.array("messages_sent")

    @property
    def bytes_sent(self) -> CountArray:
        """By each rank."""
        return self._run.array("bytes_sent")

    @property
    def collective_messages(self) -> CountArray:
        """Sent by each rank inside algorithms of collectives."""
        return self._run.array("collective_messages")

    @property
    def collective_bytes(self) -> CountArray:
        """Likewise."""
        return self._run.array("collective_bytes")

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each rank, with all arrays as columns. A copy."""
        import pandas

        names = ("node end_ps compute_ps latency_ps wait_ps collective_wait_ps collective_ps cpu_wait_ps link_wait_ps "
                 "bus_wait_ps messages_sent bytes_sent collective_messages collective_bytes")
        frame = pandas.DataFrame({name: self._run.array(name) for name in names.split()})
        frame.index.name = "rank"
        return frame

    # ---- more about the run

    def why(self, resolution: int = 0, threads: int = 0, progress: Progress = None) -> Why:
        """Critical path, advice that is checked by runs, slopes, efficiencies: as 'busline simulate --why'.

        resolution: runs with jittered bursts that tell how many digits of the prediction count. threads: 0: all cores.
        Cost: some 25 runs, and `resolution` more.
        """
        runs = count(resolution, "resolution", 0, 1000)
        return Why(*self._run.why(runs, count(threads, "threads", 0, 4096), progress))

    def interval(self, runs: int = 60, threads: int = 0, progress: Progress = None) -> Optional[dict[str, Any]]:
        """How far the prediction may be off because the machine was measured: as 'busline simulate --interval'.

        Needs a calibrated platform. The member "interval" of the document; None if the run takes no time.
        """
        found = self._run.interval(count(runs, "runs", 0, 100_000), count(threads, "threads", 0, 4096), progress)
        if found is None:
            return None
        interval: dict[str, Any] = json.loads(found[1])["interval"]
        return interval

    def timeline(
        self,
        ranks: Sequence[int] = (),
        time_range: Optional[tuple[Optional[Time], Optional[Time]]] = None,
    ) -> Timeline:
        """What each rank does when. ranks: only these. time_range: only between two simulated times.

        Simulates once more. Large runs need a choice of ranks or times: at most 64 MiB of events are kept.
        """
        return Timeline(*self._run.timeline(_ranks(ranks), *_range_ps(time_range)))

    def write_timeline(
        self,
        path: Path,
        ranks: Sequence[int] = (),
        time_range: Optional[tuple[Optional[Time], Optional[Time]]] = None,
    ) -> None:
        """The same as a file: .prv (Paraver), .json (Perfetto), .otf2 (OTF2) or .paje (Paje)."""
        self._run.write_timeline(os.fspath(path), _ranks(ranks), *_range_ps(time_range))

    def to_dict(self) -> dict[str, Any]:
        """The document "busline/result/1" of 'busline simulate --json', without its provenance."""
        document: dict[str, Any] = json.loads(self._run.report()[1])
        return document

    def __str__(self) -> str:
        return self._run.report()[0]

    def __repr__(self) -> str:
        return f"<busline.Result of {self.workload!r} on {self.platform!r}: {self.run_time:.6g} s, {self.status}>"

    def _repr_html_(self) -> str:
        return report_of(self._run.report()[1], f"{self.workload} on {self.platform}")


def _ranks(ranks: Sequence[int]) -> list[int]:
    return [count(r, "ranks", 0, 2**32 - 1) for r in ranks]


def _range_ps(time_range: Optional[tuple[Optional[Time], Optional[Time]]]) -> tuple[Optional[int], Optional[int]]:
    after, before = time_range if time_range is not None else (None, None)
    return (
        None if after is None else time_ps(after, "time_range"),
        None if before is None else time_ps(before, "time_range"),
    )


class Timeline:
    """What each rank does when."""

    def __init__(
        self,
        lanes: list[str],
        states: list[str],
        lane: IntArray,
        state: IntArray,
        begin_ps: IntArray,
        end_ps: IntArray,
        source: IntArray,
        destination: IntArray,
        sent_ps: IntArray,
        received_ps: IntArray,
        message_bytes: numpy.typing.NDArray[numpy.float64],
    ) -> None:
        self.lanes = lanes
        """"rank 0", "rank 1", ...; a further thread of a rank has a lane of its own."""
        self.states = states
        """Names of states: "compute", "wait in a receive", ..."""
        self._pieces = {"lane": lane, "state": state, "begin_ps": begin_ps, "end_ps": end_ps}
        self._messages = {"source": source, "destination": destination, "sent_ps": sent_ps, "received_ps": received_ps,
                          "bytes": message_bytes}

    @property
    def arrays(self) -> Mapping[str, IntArray]:
        """lane and state (numbers into `lanes` and `states`), begin_ps and end_ps of every piece of time."""
        return self._pieces

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each piece of time: lane, state (names), begin_ps, end_ps."""
        import pandas

        frame = pandas.DataFrame(self._pieces)
        frame["lane"] = pandas.Categorical.from_codes(frame["lane"], self.lanes)
        frame["state"] = pandas.Categorical.from_codes(frame["state"], self.states)
        return frame

    def messages(self) -> pandas.DataFrame:
        """A row for each message: source and destination (numbers into `lanes`), sent_ps, received_ps, bytes."""
        import pandas

        return pandas.DataFrame(self._messages)

    def __repr__(self) -> str:
        return f"<busline.Timeline of {len(self.lanes)} lanes, {len(self._pieces['lane'])} pieces>"


class Why:
    """Why a run takes as long as it does: `str()` is a page of text, `document` has every number."""

    def __init__(self, text: str, document: str) -> None:
        self._text = text
        self._json = document
        self.result: dict[str, Any] = json.loads(document)
        """The document "busline/result/1" of the run, with its member "why"."""

    @property
    def document(self) -> Optional[dict[str, Any]]:
        """The member "why": critical_path, slope, advice, ... (docs/how-to/why.md); None if the run is not complete."""
        return self.result.get("why")

    @property
    def advice(self) -> list[dict[str, Any]]:
        """Changes of the machine, each checked by a run, the most useful first."""
        document = self.document
        return [] if document is None else list(document.get("advice", []))

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return report_of(self._json, "why", 900)


class Curve:
    """The run time without contention over a figure of the machine: every breakpoint. Made by curve()."""

    def __init__(self, text: str, document: str) -> None:
        self._text = text
        self._json = document
        self.document: dict[str, Any] = json.loads(document)
        """The document "busline/curve/1"."""

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each linear piece."""
        import pandas

        return pandas.DataFrame(self.document["pieces"])

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return report_of(self._json, "curve")


def curve(
    platform: Platform,
    workload: Union[Workload, Program],
    latency: Optional[tuple[Time, Time]] = None,
    bandwidth: Optional[tuple[Rate, Rate]] = None,
    speed: Optional[tuple[float, float]] = None,
    slowdowns: Sequence[Share] = (0.01, 0.05, 0.1),
    at: Sequence[Union[Time, Rate]] = (),
    progress: Progress = None,
) -> Curve:
    """The complete run time over latency, bandwidth or CPU speed between two values: as 'busline curve'.

    Without any of the three: latency from 0 to 1 ms. slowdowns: shares; how far may the value go for so much?
    at: also the run time at these values.
    """
    axes = {"latency": latency, "bandwidth": bandwidth, "speed": speed}
    given = [name for name, value in axes.items() if value is not None]
    if len(given) > 1:
        raise option_error(given[1], f"cannot be combined with {given[0]}", "a curve is over one of them")
    axis = given[0] if given else "latency"
    convert: Callable[[Any, str], float] = {"latency": seconds, "bandwidth": bytes_per_s, "speed": number}[axis]
    ends: Any = latency or bandwidth or speed or ("0us", "1ms")
    begin, end = (convert(e, axis) for e in ends)
    if axis == "speed" and not (begin > 0 and end > 0):
        raise option_error("speed", "expected numbers above 0", "such as (4, 0.5)")
    text, document, warnings = _core.curve(
        as_platform(platform)._core, as_workload(workload)._core, axis, begin, end,
        [share(s, "slowdowns") for s in slowdowns], [convert(a, "at") for a in at], progress,
    )
    warn_of(warnings)
    return Curve(text, document)


