"""Literals by name: the named conventions and measures, which are declared as literals in files of a package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar

T = TypeVar("T")


class LiteralsByName(Mapping[str, T], Generic[T]):
    """Every literal of a class in some modules of a package; a module is imported when a name is not in those before.

    >>> from fractions import Fraction
    >>> len(LiteralsByName("json", ("decoder",), Fraction, lambda number: [str(number)]))
    0
    """

    def __init__(
        self, package: str, modules: tuple[str, ...], kind: type[T], names: Callable[[T], Iterable[str]]
    ) -> None:
        """Take the modules in the order in which names are listed, and what gives the names of a literal."""
        self.modules = modules
        self._package, self._kind, self._names = package, kind, names
        self._loaded: dict[str, dict[str, T]] = {}

    def _of(self, module: str) -> dict[str, T]:
        if module not in self._loaded:
            values = vars(import_module(f"{self._package}.{module}")).values()
            literals = [value for value in values if isinstance(value, self._kind)]
            self._loaded[module] = {name: literal for literal in literals for name in self._names(literal)}
        return self._loaded[module]

    def __getitem__(self, name: str) -> T:
        for module in self.modules:
            if name in self._of(module):
                return self._loaded[module][name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for module in self.modules for name in self._of(module))

    def __len__(self) -> int:
        return sum(len(self._of(module)) for module in self.modules)
