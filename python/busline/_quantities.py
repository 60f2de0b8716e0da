"""Quantities: texts with a unit, numbers in SI units, or datetime.timedelta."""

from __future__ import annotations

import math
import numbers
from datetime import timedelta
from typing import Union

from busline import _core
from busline._errors import option_error

Time = Union[str, float, timedelta]
"""A time: "1.5us", seconds as a number, or a timedelta."""
Size = Union[str, int]
"""A number of bytes: "64KiB", or a whole number."""
Rate = Union[str, float]
"""A bandwidth: "10 Gbps", "12.5 GB/s", "unlimited", or bytes per second as a number."""
Share = Union[str, float]
"""A share: "5%" or 0.05."""


def number(value: object, name: str) -> float:
    """A real number that is not NaN, as a float. `name` is the argument, for messages."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: expected a number, not {type(value).__name__}")
    found = float(value)
    if math.isnan(found):
        raise option_error(name, "is not a number (NaN)")
    return found


def count(value: object, name: str, least: int = 0, most: int = 2**63 - 1) -> int:
    """A whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}: expected a whole number, not {type(value).__name__}")
    found = int(value)
    if not least <= found <= most:
        raise option_error(name, f"{found} is outside of {least} to {most}")
    return found


def share(value: Share, name: str) -> float:
    """A share as 0.05 or "5%"."""
    if isinstance(value, str) and value.endswith("%"):
        try:
            found = float(value[:-1]) / 100
        except ValueError:
            raise option_error(name, f"'{value}' is not a share", "such as '5%' or 0.05") from None
    else:
        found = number(value, name)
    if not 0 <= found < math.inf:
        raise option_error(name, f"{value} is not a share", "such as '5%' or 0.05")
    return found


def time_text(value: Time, name: str) -> str:
    """With a unit, as documents want it."""
    if isinstance(value, str):
        return value
    if isinstance(value, timedelta):
        return f"{value // timedelta(microseconds=1)}us"
    return f"{_finite(value, name)!r}s"


def time_ps(value: Time, name: str) -> int:
    """In whole picoseconds."""
    return _core.duration_ps(time_text(value, name), name)


def seconds(value: Time, name: str) -> float:
    """As a number of seconds, infinite for none."""
    return time_ps(value, name) * 1e-12


def size_bytes(value: Size, name: str) -> int:
    """In bytes."""
    if isinstance(value, str):
        return _core.size_bytes(value, name)
    return count(value, name)


def bytes_per_s(value: Rate, name: str) -> float:
    """In bytes per second; infinite for "unlimited"."""
    if isinstance(value, str):
        return _core.bandwidth_bytes_per_s(value, name)
    found = number(value, name)
    if found <= 0:
        raise option_error(name, f"{value}: a bandwidth must be greater than zero")
    return found


def _finite(value: object, name: str) -> float:
    found = number(value, name)
    if math.isinf(found):
        raise option_error(name, f"{value}: expected a number that is finite")
    return found
