"""The keywords of `rg.evaluate` that other verbs take too, with their types: type checkers read it, verbs do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from rankgauge.conventions import Missing, Unjudged
    from rankgauge.execution_options import Engine
    from rankgauge.inputs.formats import Format
    from rankgauge.inputs.reading_options import ColumnsInput


class Settings(TypedDict, total=False):
    """The keywords of `rg.evaluate` that other verbs take too; see there."""

    missing: Missing | None
    unjudged: Unjudged | None
    relevance_level: float | None
    depth: int | None
    seed: int
    threads: int | None
    engine: Engine | None
    strict: bool
    memory: int | str | None
    columns: ColumnsInput
    columns_judgments: ColumnsInput
    columns_ranking: ColumnsInput
    format_judgments: Format | None
    format_ranking: Format | None


class ClusterSettings(Settings, total=False):
    """These, and the keywords of `rg.evaluate` for clusters; see there."""

    order: str | None
    persist: bool
