"""Platforms from measurements, and predictions against real runs."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from busline import _core
from busline._errors import option_error
from busline._page import preformatted, report_of
from busline._platform import Path, Platform, warn_of
from busline._quantities import Share, count, share
from busline._run import Progress, RankMapping, mapping_text

if TYPE_CHECKING:
    import pandas


def _paths(paths: Union[Path, Sequence[Path]], name: str) -> list[str]:
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    found = [os.fspath(p) for p in paths]
    if not found:
        raise option_error(name, "is empty")
    return found


class Calibration:
    """A platform from measurements, and how well it reproduces them. Made by calibrate()."""

    def __init__(self, core: _core.Calibration) -> None:
        self.platform = Platform(core.platform)
        """The calibrated platform; save() writes it."""
        self.document: dict[str, Any] = json.loads(core.document)
        """The document "busline/calibration/1": the platform, and every point, measured and modelled."""
        self.is_good: bool = core.is_good
        """Whether it reproduces its own measurements."""
        self.warnings: list[str] = core.warnings
        """What the measurements could not determine."""
        self._text = core.text

    @property
    def figures(self) -> pandas.DataFrame:
        """Each figure of the platform with its value and 95 % interval, as texts with units."""
        import pandas

        return pandas.DataFrame(self.document["platform"]["calibration"]["figures"]).set_index("figure")

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return preformatted(self._text)


def calibrate(
    measurement: Union[Path, Sequence[Path]],
    *,
    name: str = "",
    hold_out: Share = 0.0,
    algorithms: Optional[Mapping[str, str]] = None,
    collectives: str = "auto",
    reference: Optional[Path] = None,
    seed: int = 1,
    ranks: int = 0,
    ranks_per_node: int = 1,
) -> Calibration:
    """Finds the platform that measurements of one machine come from: as 'busline calibrate'.

    measurement: documents of 'busline-measure', or result files of other benchmarks. name: of the platform.
    hold_out: share of the points to test the fit with, such as "20%". algorithms: what the MPI library was set to use,
    such as {"MPI_Alltoall": "pairwise"}. collectives: whose costs are expected: "open-mpi", "mpich", "dimemas",
    "searched", or "auto". reference: a measurement of the machine whose relative speed is 1.
    seed: of the intervals and of what is held out. ranks, ranks_per_node: of results that do not record them.
    """
    held = share(hold_out, "hold_out")
    if held > 0.9:
        raise option_error("hold_out", f"{hold_out} is not a share of the points, expected 0 to 90%", "such as '20%'")
    found = Calibration(
        _core.calibrate(
            _paths(measurement, "measurement"), name, held, [f"{k}={v}" for k, v in (algorithms or {}).items()],
            collectives, os.fspath(reference) if reference is not None else "", count(seed, "seed"),
            count(ranks, "ranks", 0, 2**31 - 1), count(ranks_per_node, "ranks_per_node", 1, 2**31 - 1),
        )
    )
    warn_of(found.warnings)
    return found


class Validation:
    """Predictions against real runs, or against a measurement. Made by validate()."""

    def __init__(self, core: _core.Validation) -> None:
        self.document: dict[str, Any] = json.loads(core.document)
        """The document "busline/validation/1"; of a measurement, "busline/comparison/1"."""
        self.warnings: list[str] = core.warnings
        """What was noticed."""
        self._json = core.document
        self._text = core.text
        self._of_runs: bool = core.of_runs

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each program: machine, program, ranks, measured and predicted in seconds, error as a share (above
        0: predicted too long), counts (whether its real runs agree). Of a measurement: a row for each suite."""
        import pandas

        if not self._of_runs:
            return pandas.DataFrame(self.document["suites"]).drop(columns="points", errors="ignore")
        rows = [
            {
                "machine": run["machine"],
                "program": run["program"],
                "ranks": run["ranks"],
                "measured": run["measured_ps"] * 1e-12,
                "predicted": run["predicted_ps"] * 1e-12 if run.get("predicted_ps") is not None else None,
                "error": run.get("error"),
                "counts": run.get("counts"),
                "status": run["status"],
            }
            for run in self.document["runs"]
        ]
        return pandas.DataFrame(rows)

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return report_of(self._json, "validation", 900) if self._of_runs else preformatted(self._text)


def validate(
    platform: Union[Platform, Path],
    runs: Union[Path, Sequence[Path]],
    *,
    traces: Optional[Path] = None,
    model: str = "dimemas",
    mapping: RankMapping = None,
    max_spread: Share = 0.05,
    ranks: int = 0,
    ranks_per_node: int = 1,
    progress: Progress = None,
) -> Validation:
    """Predicts recorded runs and compares: as 'busline validate'.

    platform: a Platform, its file, or a folder with a NAME.json for each machine. runs: run sets of 'busline-measure
    record', their folders or parent folders; or one measurement. traces: replay the traces of these run sets instead.
    mapping: instead of where the ranks sat. max_spread: run sets whose real runs differ by more do not count.
    ranks, ranks_per_node: of a measurement that does not record them.
    """
    given = isinstance(platform, Platform)
    found = Validation(
        _core.validate(
            platform._core if isinstance(platform, Platform) else None,
            "" if given else os.fspath(platform),  # type: ignore[arg-type]
            _paths(runs, "runs"), os.fspath(traces) if traces is not None else "", model, mapping_text(mapping) or "",
            share(max_spread, "max_spread"), count(ranks, "ranks", 0, 2**31 - 1),
            count(ranks_per_node, "ranks_per_node", 1, 2**31 - 1), progress,
        )
    )
    warn_of(found.warnings)
    return found
