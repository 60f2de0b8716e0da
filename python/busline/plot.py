"""Figures with matplotlib. Each function draws into `axes`, or into a new figure, and returns the Axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from busline._accuracy import Validation
from busline._errors import option_error
from busline._run import Timeline
from busline._study import StudyResults

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

_TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"), (1e-12, "ps"))
# States of a timeline: computing is calm, waiting is loud. Okabe and Ito's palette, for colour-blind readers too.
_STATE_COLOURS = {
    "compute": "#999999",
    "file access": "#CC79A7",
    "latency": "#F0E442",
    "wait in a receive": "#D55E00",
    "wait in a send": "#E69F00",
    "wait for a request": "#B22222",
    "wait for members": "#0072B2",
    "collective": "#56B4E9",
    "wait for a CPU": "#000000",
}
_SI = ("_s", "_bytes_per_s", "_bytes")


def _new(axes: Optional[Axes], width: float = 6.4, height: float = 4.0) -> Axes:
    if axes is not None:
        return axes
    import matplotlib.pyplot

    return matplotlib.pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _unit(largest: float) -> tuple[float, str]:
    for factor, name in _TIME_UNITS:
        if largest >= factor:
            return factor, name
    return 1.0, "s"


def _frame(results: Union[StudyResults, pandas.DataFrame]) -> tuple[pandas.DataFrame, list[str]]:
    """The points that are done, and the axes."""
    if isinstance(results, StudyResults):
        frame, axes = results.to_pandas(), results.axes
    else:
        frame = results
        axes = [c for c in frame.columns[: list(frame.columns).index("status")] if not _is_si_of(c, frame)]
    done = frame[frame["status"] == "done"]
    if done.empty:
        raise option_error("results", "no point is done, so there is nothing to draw", "the column 'reason' says why")
    return done, axes


def _is_si_of(column: str, frame: pandas.DataFrame) -> bool:
    return any(column.endswith(end) and column[: -len(end)] in frame.columns for end in _SI)


def _numbers(frame: pandas.DataFrame, axis: str) -> Optional[pandas.Series]:
    """The values of an axis as numbers in SI units; None if they are no numbers."""
    import pandas

    for column in [axis + end for end in _SI] + [axis]:
        if column in frame.columns and pandas.api.types.is_numeric_dtype(frame[column]):
            return frame[column].astype(float)
    return None


def _known_axis(axis: Optional[str], axes: list[str], name: str, place: int) -> str:
    if axis is None:
        if len(axes) <= place:
            raise option_error(name, "the study varies nothing for it", f"axes: {', '.join(axes) or 'none'}")
        return axes[place]
    axis = axis.removeprefix("/platform/").removeprefix("/")
    if axis not in axes:
        raise option_error(name, f"the study has no axis '{axis}'", f"axes: {', '.join(axes) or 'none'}")
    return axis


def _place_values(ax: Axes, frame: pandas.DataFrame, axis: str) -> Any:
    """Prepares the x axis; returns what gives the place of each row."""
    import math

    from matplotlib.ticker import EngFormatter

    numbers = _numbers(frame, axis)
    ax.set_xlabel(axis)
    if numbers is not None and numbers.notna().all() and numbers.map(math.isfinite).all():
        low, high = numbers.min(), numbers.max()
        if low > 0 and high / low > 20:
            ax.set_xscale("log")
        for end, unit in (("_s", "s"), ("_bytes_per_s", "B/s"), ("_bytes", "B")):
            if axis + end in frame.columns:
                ax.xaxis.set_major_formatter(EngFormatter(unit))
        return numbers
    # Names, in the order of the points, with the numbers among them ascending.
    names = list(dict.fromkeys(frame[axis].astype(str)))
    places = {name: place for place, name in enumerate(names)}
    ax.set_xticks(range(len(names)), names)
    return frame[axis].astype(str).map(places)


def run_time(
    results: Union[StudyResults, pandas.DataFrame],
    over: Optional[str] = None,
    by: Optional[str] = None,
    axes: Optional[Axes] = None,
) -> Axes:
    """Run time over an axis of a study (the first one), with a line for each value of `by` (the second one, if any).

    Of points that differ in further axes, the fastest is drawn.
    """
    frame, names = _frame(results)
    over = _known_axis(over, names, "over", 0)
    others = [n for n in names if n != over]
    by = _known_axis(by, names, "by", 0) if by is not None else (others[0] if others else None)
    ax = _new(axes)
    factor, unit = _unit(frame["run_time"].max())
    places = _place_values(ax, frame, over)
    groups: list[tuple[Any, pandas.DataFrame]] = (
        [(None, frame)] if by is None else list(frame.groupby(frame[by].astype(str), sort=False))
    )
    for value, group in groups:
        fastest = (group["run_time"] / factor).groupby(places[group.index]).min().sort_index()
        ax.plot(fastest.index, fastest.values, marker="o", label=None if by is None else f"{value}")
    ax.set_ylabel(f"run time [{unit}]")
    ax.set_ylim(bottom=0)
    ax.grid(alpha=0.3)
    if by is not None:
        ax.legend(title=by, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return ax


def heat_map(
    results: Union[StudyResults, pandas.DataFrame],
    x: Optional[str] = None,
    y: Optional[str] = None,
    value: str = "run_time",
    axes: Optional[Axes] = None,
) -> Axes:
    """A column of the results (run_time) as colours over two axes of a study. Of several points, the smallest value."""
    frame, names = _frame(results)
    x = _known_axis(x, names, "x", 0)
    y = _known_axis(y, names, "y", 1)
    if value not in frame.columns:
        raise option_error("value", f"the results have no column '{value}'")
    ax = _new(axes)
    columns = list(dict.fromkeys(frame[x].astype(str)))
    rows = list(dict.fromkeys(frame[y].astype(str)))
    table = frame.assign(_x=frame[x].astype(str), _y=frame[y].astype(str))
    cells = table.groupby(["_y", "_x"])[value].min().unstack("_x").reindex(index=rows, columns=columns).astype(float)
    factor, label = 1.0, value
    if value == "run_time":
        factor, unit = _unit(float(cells.max().max()))
        label = f"run time [{unit}]"
    cells = cells / factor
    image = ax.imshow(cells.values, cmap="viridis", aspect="auto", origin="lower")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    middle = (float(cells.min().min()) + float(cells.max().max())) / 2
    if cells.size <= 100:
        for r, row in enumerate(cells.values):
            for c, cell in enumerate(row):
                if cell == cell:
                    ax.text(c, r, f"{cell:.4g}", ha="center", va="center", color="white" if cell < middle else "black")
    ax.figure.colorbar(image, ax=ax, label=label)
    return ax


def slowdown(
    results: Union[StudyResults, pandas.DataFrame],
    by: Optional[str] = None,
    axes: Optional[Axes] = None,
) -> Axes:
    """How much longer each workload takes than at its base point: groups of bars by workload, or over the first axis.

    by: an axis with a bar for each of its values. A study without an axis of workloads has a bar for each point.
    """
    frame, names = _frame(results)
    workloads = next((n for n in names if n.split("/")[0] == "workload"), None)
    groups = workloads or names[0]
    others = [n for n in names if n != groups]
    bars = _known_axis(by, names, "by", 0) if by is not None else (others[0] if others else None)
    ax = _new(axes)
    rows = list(dict.fromkeys(frame[groups].astype(str)))
    values = [None] if bars is None else list(dict.fromkeys(frame[bars].astype(str)))
    width = 0.8 / len(values)
    for place, one in enumerate(values):
        part = frame if one is None else frame[frame[bars].astype(str) == one]
        height = part.groupby(part[groups].astype(str))["to_base"].min().reindex(rows)
        left = [r - 0.4 + width * (place + 0.5) for r in range(len(rows))]
        ax.bar(left, height.values, width, label=one)
    ax.axhline(1, color="black", linewidth=0.8)
    if max(map(len, rows)) > 8:
        ax.set_xticks(range(len(rows)), rows, rotation=30, ha="right")
    else:
        ax.set_xticks(range(len(rows)), rows)
    ax.set_xlabel(groups)
    ax.set_ylabel("run time / run time of the base")
    if bars is not None:
        ax.legend(title=bars, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return ax


def timeline(shown: Timeline, messages: bool = False, axes: Optional[Axes] = None) -> Axes:
    """What each rank does when, as coloured lanes; `messages`: with a line for each message."""
    from matplotlib.patches import Patch

    if not isinstance(shown, Timeline):
        raise TypeError(f"timeline: expected a Timeline, not {type(shown).__name__}; Result.timeline() gives one")
    arrays = shown.arrays
    begin, end, lane, state = (arrays[name] for name in ("begin_ps", "end_ps", "lane", "state"))
    if len(begin) == 0:
        raise option_error("timeline", "shows nothing in this range")
    ax = _new(axes, 8.0, min(10.0, 1.2 + 0.3 * len(shown.lanes)))
    factor, unit = _unit(float(end.max()) * 1e-12)
    scale = 1e-12 / factor
    used = []
    for number, name in enumerate(shown.states):
        of_state = state == number
        if not of_state.any():
            continue
        used.append(name)
        ax.barh(lane[of_state], (end[of_state] - begin[of_state]) * scale, left=begin[of_state] * scale, height=0.8,
                color=_STATE_COLOURS.get(name, "#EEEEEE"), linewidth=0)
    if messages:
        frame = shown.messages()
        ax.plot([frame["sent_ps"] * scale, frame["received_ps"] * scale], [frame["source"], frame["destination"]],
                color="black", linewidth=0.4)
    ax.set_yticks(range(len(shown.lanes)), shown.lanes)
    ax.invert_yaxis()
    ax.set_xlim(float(begin.min()) * scale, float(end.max()) * scale)
    ax.set_xlabel(f"time [{unit}]")
    ax.legend([Patch(color=_STATE_COLOURS.get(name, "#EEEEEE")) for name in used], used, loc="upper center",
              bbox_to_anchor=(0.5, -0.6 / max(1.2, 0.3 * len(shown.lanes))), ncols=4, frameon=False)
    return ax


def predicted_over_measured(validation: Union[Validation, pandas.DataFrame], axes: Optional[Axes] = None) -> Axes:
    """Predicted over measured run times, one point for each program, with a band of 10 % around equality."""
    frame = validation.to_pandas() if isinstance(validation, Validation) else validation
    if "predicted" not in frame.columns:
        raise option_error("validation", "is of a measurement, which has no run times", "validate run sets")
    done = frame[frame["predicted"].notna()]
    if done.empty:
        raise option_error("validation", "no run was predicted", "the column 'status' says why")
    ax = _new(axes, 5.0, 5.0)
    factor, unit = _unit(float(done[["measured", "predicted"]].max().max()))
    low = float(done[["measured", "predicted"]].min().min()) / factor
    high = float(done[["measured", "predicted"]].max().max()) / factor
    if high / low > 20:
        ax.set_xscale("log")
        ax.set_yscale("log")
        low, high = low / 1.3, high * 1.3
    else:
        low, high = 0.0, high * 1.1
    ax.fill_between([low, high], [0.9 * low, 0.9 * high], [1.1 * low, 1.1 * high], color="black", alpha=0.08,
                    label="within 10 %")
    ax.plot([low, high], [low, high], color="black", linewidth=0.8)
    for program, part in done.groupby("program", sort=False):
        ax.plot(part["measured"] / factor, part["predicted"] / factor, "o", label=program)
    ax.set_xlim(low, high)
    ax.set_ylim(low, high)
    ax.set_aspect("equal")
    ax.set_xlabel(f"measured [{unit}]")
    ax.set_ylabel(f"predicted [{unit}]")
    ax.legend(fontsize="small")
    return ax
