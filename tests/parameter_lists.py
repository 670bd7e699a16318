"""Which parameters of a function or a method its docstring does not explain."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import FunctionType

_LIST = re.compile(r"^Parameters:\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


def unlisted_parameters(function: FunctionType) -> list[str]:
    """Return the parameters that the list of a function lacks; those that begin with _ are refused, and have none."""
    listed = _LIST.search(inspect.getdoc(function) or "")
    heads = re.findall(r"^    (\S.*?): ", listed[1], re.MULTILINE) if listed else []
    explained = {name for head in heads for name in re.findall(r"\w+", head)}
    return [name for name in _named(function) if name not in explained]


def unlisted_of_method(kind: type, name: str) -> list[str]:
    """Return the parameters of a method that neither its list explains nor that of a class above."""
    functions = [_function_of(above, name) for above in kind.__mro__ if name in vars(above)]
    lacking = [set(unlisted_parameters(function)) for function in functions if function is not None]
    return sorted(set.intersection(*lacking))


def methods_with_parameters(kind: type) -> Iterator[str]:
    """Yield the public methods of a class that are ours and take anything beside the object or the class."""
    for name in dir(kind):
        function = _function_of(kind, name)
        is_ours = function is not None and function.__module__.startswith("rankgauge.")
        if function is not None and is_ours and not name.startswith("_") and _named(function):
            yield name


def _function_of(kind: type, name: str) -> FunctionType | None:
    member = inspect.getattr_static(kind, name)
    function = getattr(member, "__func__", member)
    return function if isinstance(function, FunctionType) else None


def _named(function: FunctionType) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls") and name[0] != "_"]
