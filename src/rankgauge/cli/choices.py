"""Choice: a switch with a few known values, in any case, and with the short forms that people know from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from rankgauge.notation import plain_name

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # click 8.1 has no class of choices of a type


class Choice(_Choice):
    """One of the known values; `also` are other names for some of them. The command receives the known one.

    `said` is what is said of some values that are not known.

    >>> Choice(["markdown", "latex"], also={"md": "markdown"}).convert("MD", None, None)
    'markdown'
    """

    def __init__(
        self, choices: Iterable[str], *, also: Mapping[str, str] | None = None, said: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(list(choices))
        self.also = also or {}
        self.said = said or {}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's signature
        """Return the known value, or raise an error that lists them and suggests the nearest."""
        known = {plain_name(choice): choice for choice in self.choices} | dict(self.also)
        choice = known.get(plain_name(str(value)))
        if choice in self.choices:
            return str(choice)
        from rankgauge.errors import nearest

        listed = ", ".join(map(repr, self.choices))
        meant = self.said.get(plain_name(str(value))) or nearest(str(value), self.choices).strip()
        return self.fail(f"{value!r} is not one of {listed}{meant and f'; {meant}'}", param, ctx)
