"""Values that never change, written by hand: the decorator of dataclasses compiles their methods at every start."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self


class Value:
    """Fields that are given once; equal to another of its class with equal fields.

    `__slots__` names the fields in the order of the parameters of `__init__`, which hands them to `_keep`.
    """

    __slots__: tuple[str, ...] = ()

    def _fields(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def _keep(self, *fields: object) -> None:
        for name, field in zip(self.__slots__, fields, strict=True):
            object.__setattr__(self, name, field)

    def changed(self, **changes: object) -> Self:
        """Return the value with other fields.

        Parameters:
            changes: the fields that change, by name.

        >>> from rankgauge.conventions.terms import Gain
        >>> Gain("binary", threshold=2).changed(threshold=3)
        binary(3)

        """
        return type(self)(**{**dict(zip(self.__slots__, self._fields(), strict=True)), **changes})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._fields()
