"""What-if studies: predictions at many points."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from busline import _core
from busline._errors import FileError, InputError, option_error
from busline._page import framed
from busline._platform import Path, Platform, _plain, warn_of, with_unit_of
from busline._program import Program
from busline._quantities import Time, count, time_text
from busline._run import Progress, RankMapping, mapping_text
from busline._workload import Workload

if TYPE_CHECKING:
    import pandas

StudyWorkload = Union[Workload, Program, Path, Mapping[str, Any]]
"""A workload, its path, or an object of a study document such as {"generate": "halo", "ranks": 64}."""


_READ_AS_IS = {"compute_scale": 1.0, "cpu_time": False, "keep_io": False, "rematch_wildcards": False, "salvage": False}


class Study:
    """A base case and the axes along which it is varied. run() predicts all points on all cores.

    >>> study = Study(platform, workload, {"/network/buses": [1, 2, "unlimited"], "/network/latency": ["1us", "10us"]})
    >>> results = study.run()
    >>> results.to_pandas()
    """

    def __init__(
        self,
        platform: Union[Platform, Path],
        workload: StudyWorkload,
        axes: Mapping[str, Sequence[object]],
        *,
        model: str = "dimemas",
        mapping: RankMapping = None,
        combine: str = "product",
        samples: int = 0,
        seed: int = 1,
        timeout: Optional[Time] = None,
        base: Optional[Mapping[str, object]] = None,
        weights: Optional[Mapping[str, float]] = None,
        why: bool = False,
        name: str = "study",
    ) -> None:
        """axes: by JSON pointer, the values. A pointer that does not begin with /platform, /workload, /model or
        /mapping points into the platform. Values of "/workload" may be workloads, of "/platform" platforms.
        combine: "product" (each with each), "zip", "random" or "latin"; samples, seed: of the latter two.
        timeout: wall-clock time after which a point is given up. base: by pointer, the value at the point that others
        are compared with (the first one). weights: how much each workload counts in a mix. why: also store each run's
        slopes and the parts of its critical path.
        """
        self._temporary: Optional[tempfile.TemporaryDirectory[str]] = None
        self._folder = os.getcwd()
        if not isinstance(axes, Mapping):
            raise TypeError("axes: expected a dict of pointers and lists, such as {'/network/buses': [1, 2, 4]}")
        pointers = {pointer: _whole_pointer(pointer) for pointer in axes}
        if isinstance(platform, Platform):
            self._base = platform._core
        else:
            self._base = _core.load_platform(_path(platform, "platform"))
        document: dict[str, Any] = {
            "schema": "busline/study/1",
            "name": name,
            "platform": self._platform(platform),
            "workload": self._workload(workload),
            "model": model,
            "axes": [
                {"set": whole, "to": self._values(whole, axes[pointer]), "label": _label(whole)}
                for pointer, whole in pointers.items()
            ],
            "combine": combine,
        }
        if mapping is not None:
            document["mapping"] = mapping_text(mapping)
        if samples:
            document["samples"] = count(samples, "samples")
        if seed != 1:
            document["seed"] = count(seed, "seed")
        if timeout is not None:
            document["timeout"] = time_text(timeout, "timeout")
        if base:
            document["base"] = {_whole_pointer(k): self._values(_whole_pointer(k), [v])[0] for k, v in base.items()}
        if weights:
            document["weights"] = dict(weights)
        if why:
            document["why"] = True
        self.document = document
        """The document "busline/study/1"."""

    @staticmethod
    def load(path: Path) -> Study:
        """Reads a study document; paths in it are relative to its folder."""
        study = Study.__new__(Study)
        study._temporary = None
        file = FilePath(path)
        study._folder = os.path.abspath(file.parent)
        try:
            study.document = json.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise FileError(f"{path}: cannot be read: {error.strerror}") from None
        except json.JSONDecodeError as error:
            raise InputError(f"{path}:{error.lineno}:{error.colno}: not a study document: {error.msg}") from None
        except UnicodeDecodeError:
            raise InputError(f"{path}: not a study document: not UTF-8") from None
        return study

    def run(
        self,
        output: Optional[Path] = None,
        threads: int = 0,
        retry: bool = False,
        progress: Progress = None,
    ) -> StudyResults:
        """Simulates the points that are not stored yet.

        output: a results file (SQLite), which keeps what is done when the study is interrupted; without it results are
        in memory. threads: 0: all cores. retry: run points again that timed out or failed.
        A point that cannot run has a status and a reason; the others go on.
        """
        results = StudyResults(
            _core.run_study(
                json.dumps(self.document), "study", self._folder, os.fspath(output) if output is not None else "",
                count(threads, "threads", 0, 4096), bool(retry), progress,
            )
        )
        warn_of(results.warnings)
        return results

    def _platform(self, platform: object) -> Any:
        if isinstance(platform, Platform):
            return platform.to_dict()
        return _path(platform, "platform")

    def _workload(self, workload: object) -> Any:
        if isinstance(workload, Mapping):
            return _plain(workload, "workload")
        if isinstance(workload, Program):
            workload = workload.workload()
        if not isinstance(workload, Workload):
            return _path(workload, "workload")
        options = {name: value for name, value in workload._options.items() if value != _READ_AS_IS.get(name)}
        if "generate" in options:
            return options
        # Studies identify workloads by their files, and know these options.
        if workload._core.path and options.keys() <= _READ_AS_IS.keys():
            path = os.path.abspath(workload._core.path)
            return {"path": path, **options} if options else path
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="busline-study-")
        folder = tempfile.mkdtemp(dir=self._temporary.name)
        name = os.path.basename(workload.name).removesuffix(".program") or "workload"
        workload.save(os.path.join(folder, f"{name}.program"))
        return os.path.join(folder, f"{name}.program")

    def _values(self, pointer: str, values: Sequence[object]) -> list[Any]:
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise TypeError(f"axes: {pointer}: expected a list of values, not {type(values).__name__}")
        if pointer == "/workload":
            return [self._workload(v) for v in values]
        if pointer == "/platform":
            return [self._platform(v) for v in values]
        plain = [_plain(v, pointer) for v in values]
        if not pointer.startswith("/platform/"):
            return plain
        return with_unit_of(self._base, pointer.removeprefix("/platform"), plain)

    def __repr__(self) -> str:
        return f"<busline.Study {self.document.get('name')!r}, {len(self.document.get('axes', []))} axes>"


def _path(path: object, name: str) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name}: expected a {name.capitalize()} or a path, not {type(path).__name__}")
    return os.fspath(path)


def _whole_pointer(pointer: str) -> str:
    if not isinstance(pointer, str) or not pointer.startswith("/"):
        raise option_error("axes", f"'{pointer}' is not a JSON pointer", "such as '/network/buses'")
    if pointer.split("/")[1] in ("platform", "workload", "model", "mapping"):
        return pointer
    return "/platform" + pointer


def _label(pointer: str) -> str:
    return pointer.removeprefix("/platform/").removeprefix("/")


class StudyResults:
    """The points of a study and what they gave. Made by Study.run() and load_results()."""

    def __init__(self, core: _core.StudyResults) -> None:
        self._core = core
        self._frame: Optional[pandas.DataFrame] = None

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each point: the axes that vary, as they were given and, for quantities, as numbers in SI units
        (columns that end in _s, _bytes_per_s, _bytes); run_time in seconds; to_base, the time as a multiple of the base
        point's; status and reason; and all figures that the results file has (docs/how-to/studies.md)."""
        import pandas

        if self._frame is None:
            frame = pandas.DataFrame(dict(self._core.columns()))
            for name in frame.columns:
                if name.endswith("_ps") or name in ("ranks", "messages", "bytes", "operations", "events"):
                    frame[name] = frame[name].astype("Int64")
                elif name.endswith(("_s", "_bytes", "_bytes_per_s")) or name == "to_base":
                    frame[name] = frame[name].astype("float64")
            run_time = frame["run_time_ps"].astype("float64") * 1e-12
            frame.insert(list(frame.columns).index("to_base"), "run_time", run_time)
            self._frame = frame.dropna(axis="columns", how="all").set_index("point")
        return self._frame.copy()

    @property
    def axes(self) -> list[str]:
        """Labels of the axes that vary: columns of to_pandas()."""
        return self._core.axes()

    @property
    def path(self) -> str:
        """The results file; ":memory:" without one."""
        return self._core.path

    @property
    def warnings(self) -> list[str]:
        """What was noticed."""
        return self._core.warnings

    def to_dict(self) -> dict[str, Any]:
        """The document "busline/study-results/1"."""
        document: dict[str, Any] = json.loads(self._core.document())
        return document

    def __str__(self) -> str:
        return self._core.text()

    def __repr__(self) -> str:
        return f"<busline.StudyResults over {', '.join(self.axes) or 'nothing'}>"

    def _repr_html_(self) -> str:
        return framed(self._core.page(), 900)


def load_results(path: Path) -> StudyResults:
    """Reads the results file of 'busline study run -o', or of Study.run(output=...)."""
    return StudyResults(_core.load_results(os.fspath(path)))
