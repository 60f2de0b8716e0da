"""Generated workloads: a function for each generator of 'busline generate'.

    workload = busline.generate.halo(ranks=64)

The functions come from the library's registry; generate.pyi lists them for type checkers.
"""

from __future__ import annotations

import inspect
import keyword
from typing import Any, Callable

from busline import _core
from busline._quantities import bytes_per_s, count, share, size_bytes, time_ps
from busline._workload import Workload

_TYPES = {"number": "int", "size": "Size", "time": "Time", "share": "Share", "rate": "Rate",
          "choice": "str"}


def _identifier(name: str) -> str:
    made = name.replace("-", "_")
    return made + "_" if keyword.iskeyword(made) else made


def _text(kind: str, value: Any, name: str) -> str:
    if kind == "number":
        return str(count(value, name))
    if kind == "size":
        return f"{size_bytes(value, name)}B"
    if kind == "time":
        return f"{time_ps(value, name)}ps"
    if kind == "share":
        return repr(share(value, name))
    if kind == "rate":
        return f"{bytes_per_s(value, name)!r}B/s"
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a text, not {type(value).__name__}")
    return value


def _generator(name: str, description: str, parameters: list[Any]) -> Callable[..., Workload]:
    known = {_identifier(p[0]): p for p in parameters}

    def generate(**given: Any) -> Workload:
        texts = {}
        for argument, value in given.items():
            if argument not in known:
                function = f"generate.{_identifier(name)}()"
                raise TypeError(f"{function} has no argument '{argument}'; it has {', '.join(known)}")
            parameter, kind = known[argument][:2]
            if value is not None:
                texts[parameter] = _text(kind, value, argument)
        return Workload(_core.generate(name, texts), {"generate": name, **texts})

    generate.__name__ = generate.__qualname__ = _identifier(name)
    generate.__module__ = __name__
    lines = [description, ""]
    lines += [f"{argument}: {p[3]} (default: {p[2] or 'none'})" for argument, p in known.items()]
    generate.__doc__ = "\n".join(lines)
    generate.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(argument, inspect.Parameter.KEYWORD_ONLY, default=p[2] or None, annotation=_TYPES[p[1]])
            for argument, p in known.items()
        ],
        return_annotation="Workload",
    )
    return generate


_GENERATORS = {_identifier(name): _generator(name, description, parameters)
               for name, description, parameters in _core.generators()}
globals().update(_GENERATORS)
__all__ = list(_GENERATORS)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"there is no generator '{name}'; expected one of {', '.join(_GENERATORS)}")


def _stub() -> str:
    """The text of generate.pyi: python3 -c 'import busline; print(busline.generate._stub(), end="")'."""
    lines = [
        "# Written by busline.generate._stub(); a test compares.",
        "from typing import Optional",
        "",
        "from busline._quantities import Rate, Share, Size, Time",
        "from busline._workload import Workload",
    ]
    for argument_name, generate in _GENERATORS.items():
        lines += ["", f"def {argument_name}(", "    *,"]
        for p in inspect.signature(generate).parameters.values():
            lines.append(f"    {p.name}: Optional[{p.annotation}] = ...,")
        first = (generate.__doc__ or "").split("\n")[0]
        lines += [") -> Workload:", f'    """{first}"""', "    ..."]
    return "\n".join(lines) + "\n"
