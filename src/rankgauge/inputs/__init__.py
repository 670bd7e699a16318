"""Anything → the two nouns. Inputs know no engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeGuard, TypeVar

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import cases
from rankgauge.inputs.cases import Sides
from rankgauge.inputs.reading import Given, Reading
from rankgauge.judgments import Judgments
from rankgauge.ranking import Ranking
from rankgauge.terms import require_choice

if TYPE_CHECKING:
    from rankgauge.inputs.files import Input, Separated
    from rankgauge.inputs.formats import Format
    from rankgauge.inputs.roles import Side

Noun = TypeVar("Noun", Judgments, Ranking)

# A DataFrame may be of any library that has the Arrow PyCapsule interface.
Frame: TypeAlias = Any
JudgmentsInput: TypeAlias = "Judgments | Mapping[Any, Any] | str | os.PathLike[str] | Frame"
RankingInput: TypeAlias = "Ranking | Mapping[Any, Any] | str | os.PathLike[str] | Frame"
# What measures may need of judgments beside grades; a position stands for a propensity.
Extra: TypeAlias = Literal["subtopic", "propensity"]


def read_judgments(
    source: JudgmentsInput,
    *,
    columns: Given = None,
    format: Format | None = None,  # noqa: A002
    extra: Extra | None = None,
) -> Judgments:
    """Read judgments from a file, a DataFrame or a mapping, once, to evaluate many rankings with.

    `columns` says which column of a table is the query, the item and the grade, where their names do not: a mapping of
    role to name or, for a text without a header, the names of all columns in their order. `format` is that of a file,
    which is found from its content unless said. `extra` is what diversity measures and those of logged clicks need of
    a judgment beside its grade: a `subtopic`, which is the second column of a TREC file, or a `propensity`.

    >>> read_judgments({"q1": {"d1": 2}})
    Judgments of 1 query
    >>> import polars as pl
    >>> read_judgments(pl.DataFrame({"user": [1, 1, 2], "movie": [7, 8, 7], "stars": [5, 3, 4]}))
    Judgments of 2 queries
    """
    source = cases.side(source, rows=Reading(columns, format_judgments=format).says_rows)
    return _judgments(source, columns, format, extra, keep=True)


def read_ranking(
    source: RankingInput,
    *,
    columns: Given = None,
    format: Format | None = None,  # noqa: A002
    judgments: Judgments | None = None,
) -> Ranking:
    """Read a ranking from a file, a DataFrame or a mapping.

    `columns` says which column of a table is the query, the item and the score or rank, where their names do not: a
    mapping of role to name or, for a text without a header, the names of all columns in their order. `format` is that
    of a file, which is found from its content unless said. A file of mere scores needs the `judgments` whose rows they
    are for.

    >>> read_ranking({"q1": ["d3", "d1"]})
    Ranking from a mapping
    """
    source = cases.side(source, rows=Reading(columns, format_ranking=format).says_rows)
    source, columns = _unwrapped(source, columns, "ranking")
    if isinstance(source, Mapping):
        return Ranking.from_mapping(source)
    return _ranking(source, columns, format, judgments, keep=True)


def both_sides(judgments: JudgmentsInput, ranking: RankingInput, reading: Reading) -> Sides:
    """Return both sides as they came, or cases as mappings."""
    return cases.sides(judgments, ranking, rows=reading.says_rows)


def read_both(given: Sides, reading: Reading, extra: Extra | None = None) -> tuple[Judgments, Ranking]:
    """Read both sides; `extra` is what judgments must say beside grades.

    >>> read_both(Sides({"q1": ["d1"]}, {"q1": ["d2", "d1"]}), Reading())
    (Judgments of 1 query, Ranking from a mapping)
    """
    judged = _judgments(given.judgments, reading.for_judgments, reading.format_judgments, extra, keep=False)
    ranking, columns = _unwrapped(given.ranking, reading.for_ranking, "ranking")
    if isinstance(ranking, Mapping):
        return judged, Ranking.borrow_mapping(ranking)
    return judged, _ranking(ranking, columns, reading.format_ranking, judged, keep=False)


def _unwrapped(source: Any, columns: Given, side: Side) -> tuple[Any, Given]:  # noqa: ANN401 - of any library
    """The table inside a narwhals frame, or inside what a grader made, which knows the roles of its columns."""
    if not hasattr(source, "to_native"):
        return source, columns
    from rankgauge.inputs import roles

    native, known = source.to_native(), getattr(source, "roles", {})
    if isinstance(native, Mapping):
        return native, columns
    own = {role: name for role, name in known.items() if role in roles.wanted(side)}
    return native, {**own, **roles.by_role(columns or {})}


def _judgments(
    source: JudgmentsInput, columns: Given, format_: Format | None, extra: Extra | None, *, keep: bool
) -> Judgments:
    judged = _read_judgments(source, columns, format_, extra, keep=keep)
    found = "propensity" if judged.extra == "position" else judged.extra
    if extra is not None and found != extra:
        raise RankgaugeError("no-extra", expected=extra, got=found or "grades alone", hint=EXTRA_HINTS[extra])
    return judged


# How judgments come to have what is needed beside the grades.
EXTRA_HINTS: Final[Mapping[Extra, str]] = {
    "subtopic": "a table needs a column of subtopics, a mapping is {query: {item: {subtopic: grade}}}, and of what is "
    "read before, rg.read_judgments(source, extra='subtopic')",
    "propensity": "give a table with a column propensity or position, or rg.read_judgments(table, extra='propensity')",
}
_SIDES: Final[Mapping[Extra, Side]] = {"subtopic": "subtopics", "propensity": "propensities"}


def _read_judgments(
    source: JudgmentsInput, columns: Given, format_: Format | None, extra: Extra | None, *, keep: bool
) -> Judgments:
    if extra is not None:
        require_choice("extra", extra, _SIDES, "what measures need of judgments beside grades")
    side: Side = _SIDES[extra] if extra else "judgments"
    source, columns = _unwrapped(source, columns, side)
    if isinstance(source, Judgments):
        return source
    if isinstance(source, Mapping):
        return Judgments.from_subtopics(source) if extra == "subtopic" else Judgments.from_mapping(source)
    if not _is_file(source):
        return Judgments.from_table(*_columns(source, side, columns, keep=keep))
    file, found = _locate(source, "judgments", format_, columns)
    if found == "trec":
        read = Judgments.from_trec_subtopics if extra == "subtopic" else Judgments.from_trec
        return read(file.path, file.label)
    if found == "letor":
        return Judgments.from_letor(file.path, file.label)
    if found == "scores":
        raise RankgaugeError("no-grades", file.label)
    return _from_file(Judgments, side, file, found, columns)


def _ranking(
    source: RankingInput, columns: Given, format_: Format | None, judgments: Judgments | None, *, keep: bool
) -> Ranking:
    if isinstance(source, Ranking):
        return source
    if not _is_file(source):
        return Ranking.from_table(*_columns(source, "ranking", columns, keep=keep))
    file, found = _locate(source, "ranking", format_, columns)
    if found == "trec":
        return Ranking.from_trec(file.path, file.label)
    if found == "scores" and judgments is not None:
        return Ranking.from_scores(file.path, judgments.handle, file.label)
    if found in ("letor", "scores"):
        raise RankgaugeError("no-scores" if found == "letor" else "scores-alone", file.label)
    return _from_file(Ranking, "ranking", file, found, columns)


def _is_file(source: object) -> TypeGuard[str | os.PathLike[str] | Input]:
    from rankgauge.inputs import files

    return isinstance(source, str | os.PathLike | files.Input)


def _locate(
    source: str | os.PathLike[str] | Input, side: Side, format_: Format | None, columns: Given
) -> tuple[Input, Format]:
    from rankgauge.inputs import files, formats

    file = files.locate(source)
    files.require_file(file)
    found = formats.require(format_, file.path, file.label) or formats.detect(file.path, side, file.label)
    # Four columns that are numbers may be TREC judgments or anything else: who names the columns knows.
    named = found == "trec" and format_ is None and columns and formats.first_lines(file.path)
    return file, "tsv" if named else found


def _from_file(noun: type[Noun], side: Side, file: Input, format_: Format, columns: Given) -> Noun:
    """Read a file of any format that holds a table or a mapping."""
    from rankgauge.inputs import files

    if format_ == "jsonl" and (mapping := files.json_mapping(file)):
        from_mapping = getattr(noun, "from_subtopics") if side == "subtopics" else noun.from_mapping  # noqa: B009
        return _in_file(file, lambda: from_mapping(mapping))
    if format_ in ("csv", "tsv"):
        layout = files.separated(file, format_, side, columns or {})
        if layout is not None:
            return _beside(noun.from_delimited(file.path, layout, file.label), file, layout)
    from rankgauge.inputs import relations

    return noun.from_table(*relations.table(file, format_, side, columns or {}), file.label)


def _beside(noun: Noun, file: Input, layout: Separated) -> Noun:
    """Add what is needed beside the grades: the same rows, with another column for the item or for the grade."""
    if layout.extra is None or not isinstance(noun, Judgments):
        return noun
    if layout.extra_role == "subtopic":
        return noun.with_subtopics(Judgments.from_delimited(file.path, layout._replace(item=layout.extra), file.label))
    numbers = Judgments.from_delimited(file.path, layout._replace(value=layout.extra), file.label)
    return noun.with_propensities(numbers, positions=layout.extra_role == "position")


def _columns(source: object, side: Side, columns: Given, *, keep: bool) -> Any:  # noqa: ANN401 - of any library
    from rankgauge.inputs import frames, roles

    if isinstance(source, list | tuple) and cases.kind_of(source, rows=bool(columns)) == "rows":
        return frames.from_rows(source, side, roles.by_role(columns or {}))
    if not frames.is_frame(source):
        raise RankgaugeError(f"unknown-{'ranking' if side == 'ranking' else 'judgments'}", got=type(source).__name__)
    return frames.read(source, side, roles.by_role(columns or {}), keep=keep)


def _in_file(file: Input, read: Callable[[], Noun]) -> Noun:
    """Say in which file the error is of a reader that knows none."""
    try:
        return read()
    except RankgaugeError as error:
        raise RankgaugeError(error.code, f"{file.label}: {error.place}", **error.context) from None
