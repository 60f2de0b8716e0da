"""Exceptions: what was found and expected, where, and what to do next."""

from __future__ import annotations

from typing import Optional


class BuslineError(Exception):
    """An error of Busline. Its text has the place, the reason and the next step, as the command line prints them."""

    path: str = ""
    "The file, as it was named; empty if none is wrong."
    offset: Optional[int] = None
    "Byte offset in a binary file."
    line: Optional[int] = None
    "From 1, in a text file."
    column: Optional[int] = None
    "From 1, in bytes."
    where: str = ""
    "The place inside: a JSON pointer, a record, an argument."
    reason: str = ""
    "What was found and what was expected."
    hint: str = ""
    "The next step; may be empty."


class InputError(BuslineError, ValueError):
    """The content of a file or a document is wrong."""


class OptionError(BuslineError, ValueError):
    """An argument names something that does not exist, or does not fit the others."""


class FileError(BuslineError, OSError):
    """The operating system refused to read or write a file."""

    __str__ = BuslineError.__str__


class UnsupportedError(BuslineError, NotImplementedError):
    """Understood, but this Busline cannot run it."""


class IncompleteRunError(BuslineError):
    """Result.check(): the run cannot go on, because of a deadlock or because it takes longer than 106 days."""


class BuslineWarning(UserWarning):
    """Something that a reader of a prediction must know."""


def option_error(where: str, reason: str, hint: str = "") -> OptionError:
    """An OptionError about the argument `where`."""
    error = OptionError(f"{where}: {reason}" + (f"\n  {hint}" if hint else ""))
    error.where, error.reason, error.hint = where, reason, hint
    return error
