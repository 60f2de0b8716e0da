"""Platforms: the machines that runs are predicted for."""

from __future__ import annotations

import json
import math
import numbers
import os
import warnings as _warnings
from datetime import timedelta
from typing import Any, Mapping, Optional, Union

from busline import _core
from busline._errors import BuslineError, BuslineWarning, option_error
from busline._page import preformatted
from busline._quantities import Size, count, number, size_bytes, time_text

Path = Union[str, "os.PathLike[str]"]


def warn_of(texts: list[str], stacklevel: int = 3) -> None:
    """Each as a BuslineWarning about the line that called Busline."""
    for text in texts:
        _warnings.warn(text, BuslineWarning, stacklevel=stacklevel)


def _plain(value: object, name: str) -> Any:
    """As JSON knows it."""
    if isinstance(value, timedelta):
        return time_text(value, name)
    if isinstance(value, Mapping):
        return {str(k): _plain(v, name) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v, name) for v in value]
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Topology):
        return value.description
    if isinstance(value, numbers.Integral):
        return int(value)
    found = number(value, name)
    return "unlimited" if found == math.inf else found


# A number may be a count or a factor, or a quantity in SI units.
_UNITS = ("", "s", "B/s", "B")


def _with_unit(plain: Any, unit: str) -> Any:
    return f"{plain!r}{unit}" if unit and is_bare(plain) else plain


def is_bare(plain: object) -> bool:
    """Whether it is a number, whose unit depends on where it stands."""
    return isinstance(plain, (int, float)) and not isinstance(plain, bool)


def with_unit_of(core: _core.Platform, pointer: str, plain: list[Any]) -> list[Any]:
    """`plain` values for a member, where the first bare number tells which unit the platform wants."""
    for value in filter(is_bare, plain):
        for unit in _UNITS:
            try:
                core.set([f"{pointer}={json.dumps(_with_unit(value, unit))}"])
            except BuslineError:
                continue
            return [_with_unit(v, unit) for v in plain]
        break
    return plain


class Platform:
    """A machine: nodes with CPUs and links, a network with buses, and how MPI behaves on it.

    Made by load_platform(), Platform.from_dict(), or set() of another one. It never changes, so threads can share it.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Platform) -> None:
        if not isinstance(core, _core.Platform):
            raise TypeError("a Platform is made by busline.load_platform(path) or Platform.from_dict(document)")
        self._core = core

    @staticmethod
    def from_dict(document: Mapping[str, Any], name: str = "platform") -> Platform:
        """The platform that a document "busline/platform/1" describes. `name` is what messages call it.

        >>> Platform.from_dict({"schema": "busline/platform/1", "name": "two", "nodes": [{"count": 2, "cpus": 1}],
        ...                     "network": {"latency": "1us", "bandwidth": "10 Gbps", "buses": 4}})
        """
        return Platform(_core.parse_platform(json.dumps(_plain(document, "document")), name))

    def set(self, pointer: str, value: object) -> Platform:
        """A copy with one member changed: set("/network/buses", 4), set("/network/latency", "1.5us").

        `pointer` is a JSON pointer into the platform document, as for 'busline simulate --set'. `value` is a text with
        a unit, a number, a timedelta, or what JSON holds. A number means SI units where a quantity is expected
        (seconds, bytes per second, bytes); infinity means "unlimited". A Topology is a value of "/network/topology".
        Raises InputError or OptionError if there is no such member, or the value does not fit.
        """
        if not isinstance(pointer, str):
            raise TypeError(f"pointer: expected a text such as '/network/buses', not {type(pointer).__name__}")
        if "=" in pointer:
            raise option_error("pointer", f"'{pointer}' holds a '='", "give the value as the second argument")
        first: Optional[BuslineError] = None
        told: Optional[BuslineError] = None
        plain = _plain(value, pointer)
        for unit in _UNITS if is_bare(plain) else ("",):
            try:
                return Platform(self._core.set([f"{pointer}={json.dumps(_with_unit(plain, unit))}"]))
            except BuslineError as error:
                first = first or error
                # Of a quantity with the right unit, the message is about the value.
                if "unit" not in error.reason and error is not first:
                    told = told or error
        assert first is not None
        raise told if told is not None and "unit" in first.reason else first

    @property
    def name(self) -> str:
        """From the document."""
        return self._core.name

    @property
    def description(self) -> str:
        """From the document."""
        return self._core.description

    @property
    def nodes(self) -> int:
        """Of all machines together."""
        return self._core.nodes

    @property
    def path(self) -> str:
        """The file that it was read from; empty for others."""
        return self._core.path

    @property
    def warnings(self) -> list[str]:
        """What was noticed when it was read."""
        return self._core.warnings

    def to_dict(self) -> dict[str, Any]:
        """The document "busline/platform/1". Members with their default value are left out; quantities have units."""
        document: dict[str, Any] = json.loads(self._core.json())
        return document

    def save(self, path: Path) -> None:
        """Writes the document to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._core.json())

    def explain(self, size: Optional[Size] = None, ranks: int = 0) -> Explanation:
        """What messages and collectives of `size` cost when nothing else moves, as 'busline explain' shows it.

        ranks: in the collectives; 0: one on each node.
        """
        size_text = None if size is None else f"{size_bytes(size, 'size')}B"
        return Explanation(*self._core.explain(size_text, count(ranks, "ranks", most=2**32 - 1)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Platform) and self._core.equals(other._core)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<busline.Platform {self.name!r}, {self.nodes} node{'s' if self.nodes != 1 else ''}>"

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()


class Explanation:
    """What messages and collectives cost on a platform: `str()` is a page of text, `document` has every number."""

    def __init__(self, text: str, document: str) -> None:
        self._text = text
        self.document: dict[str, Any] = json.loads(document)
        """The document "busline/explanation/1"; times in picoseconds."""

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return preformatted(self._text)


def load_platform(path: Path) -> Platform:
    """Reads a platform document (.json), a Dimemas .cfg, or parameters of LogGOPSim.

    Raises FileError for a file that cannot be read, InputError with line and column for one that is wrong.
    """
    platform = Platform(_core.load_platform(os.fspath(path)))
    warn_of(platform.warnings)
    return platform


class Topology:
    """A network of switches. Made by load_topology()."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.Topology) -> None:
        self._core = core

    @property
    def name(self) -> str:
        """What it was loaded as."""
        return self._core.name

    @property
    def hosts(self) -> int:
        """Number of hosts; host i is node i of a platform."""
        return self._core.hosts

    @property
    def switches(self) -> int:
        """Number of switches."""
        return self._core.switches

    @property
    def description(self) -> dict[str, Any]:
        """As in a platform's "/network/topology"."""
        described: dict[str, Any] = json.loads(self._core.description())
        return described

    def figures(self) -> dict[str, Any]:
        """Diameter, bisection and others, and the links and buses of the Dimemas model that come nearest: the document
        "busline/topology-figures/1". Cost: shortest paths between all switches."""
        figures: dict[str, Any] = json.loads(self._core.figures()[1])
        return figures

    def way(self, source: int, destination: int, hash: int = 0) -> dict[str, Any]:
        """The links that a message between two hosts takes; `hash` chooses among several ways.

        The document "busline/topology-description/1", with its member "way".
        """
        hosts = (count(source, "source", most=2**32 - 1), count(destination, "destination", most=2**32 - 1))
        shown: dict[str, Any] = json.loads(self._core.show(hosts, count(hash, "hash"))[1])
        return shown

    def svg(self) -> str:
        """A picture, of at most 1,500 switches."""
        return self._core.svg()

    def __str__(self) -> str:
        return self._core.show(None, 0)[0]

    def __repr__(self) -> str:
        return f"<busline.Topology {self.name!r}, {self.hosts} hosts, {self.switches} switches>"

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.svg()
        except BuslineError:
            return None


def load_topology(name: Path, **changes: object) -> Topology:
    """A network by its short text ("torus:8x8x16", "fat-tree:k=16"), its document, or a graph's file.

    changes: members of the description, such as routing="ecmp" or seed=4.
    """
    assignments = [f"/{key}={json.dumps(_plain(value, key))}" for key, value in changes.items()]
    return Topology(_core.load_topology(os.fspath(name), assignments))
