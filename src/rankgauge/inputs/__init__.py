"""Readers: files, tables, mappings and lists become `Judgments` and `Ranking`; nothing here imports an engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeGuard, TypeVar, cast

from rankgauge.checks import require_choice
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.inputs.input_pair import InputFile, InputPair, paired, shared_column
from rankgauge.inputs.reading_options import ColumnsInput, ReadingOptions
from rankgauge.inputs.spark_frames import is_spark, without_pandas_api
from rankgauge.measures.measure import Annotation

if TYPE_CHECKING:
    from rankgauge._core import _Columns as Columns
    from rankgauge.data.rows_on_disk import JudgedSide, RankedSide, RowsOnDisk
    from rankgauge.inputs.delimited import DelimitedColumns
    from rankgauge.inputs.formats import Format
    from rankgauge.inputs.memory_budget import MemoryBudget
    from rankgauge.inputs.roles import Roles, Side
    from rankgauge.inputs.types import JudgmentsInput, RankingInput

__all__ = [
    "both_sides",
    "frames_of_spark",
    "located",
    "read_both",
    "read_judgments",
    "read_ranking",
    "read_within",
    "unwrapped",
]

Noun = TypeVar("Noun", Judgments, Ranking)
Side_ = TypeVar("Side_", bound="JudgedSide | RankedSide")


@hinted()
def read_judgments(
    source: JudgmentsInput,
    *,
    columns: ColumnsInput = None,
    format: Format | None = None,  # noqa: A002
    annotation: Annotation | None = None,
    extra: Annotation | None = None,
) -> Judgments:
    """Read judgments from a file, a DataFrame or a mapping, once, to evaluate many rankings with.

    Parameters:
        source: a path, a DataFrame of any library, or a mapping of query to {item: grade} or to the relevant items.
        columns: which column of a table is the query, the item and the grade, as a mapping of role to name; for a text
            without a header, the names of all columns in their order. Default: detected by their names.
        format: the format of a file. Default: detected from its content.
        annotation: what judgments carry beside grades: `subtopic` for measures of diversity, which is the second column
            of a TREC file, or `propensity` for those of logged clicks. Default: none.
        extra: the former name of `annotation`.

    >>> read_judgments({"q1": {"d1": 2}})
    Judgments of 1 query
    >>> import polars as pl
    >>> judgments = read_judgments(pl.DataFrame({"user": [1, 1, 2], "movie": [7, 8, 7], "stars": [5, 3, 4]}))
    >>> judgments, judgments.queries
    (Judgments of 2 queries, [1, 2])

    """
    from rankgauge.inputs import cases  # imported late: two files do not need it

    if annotation is not None and extra is not None:
        raise RankgaugeError("repeated-parameter", "rg.read_judgments", got="annotation, formerly extra")
    annotation = extra if annotation is None else annotation
    source = cases.side(source, "judgments", rows=ReadingOptions(columns, format_judgments=format).says_rows)
    return cast("Judgments", _judgments(source, columns, format, annotation, keep=True))


@hinted()
def read_ranking(
    source: RankingInput,
    *,
    columns: ColumnsInput = None,
    format: Format | None = None,  # noqa: A002
    judgments: Judgments | None = None,
    lazy: bool = False,
) -> Ranking:
    """Read a ranking from a file, a DataFrame or a mapping, once; a file may be removed afterwards.

    Parameters:
        source: a path, a DataFrame of any library, or a mapping of query to {item: score} or to items in order.
        columns: which column of a table is the query, the item and the score or rank, as a mapping of role to name; for
            a text without a header, the names of all columns in their order. Default: detected by their names.
        format: the format of a file. Default: detected from its content.
        judgments: for a file of mere scores, the judgments whose rows they are for.
        lazy: only open a TREC file, or a delimited text without quotes; each evaluation then streams it, and memory
            grows with its longest query instead of with the file. The file must stay; one that becomes shorter during
            an evaluation is an error. Other inputs are read at once. Default: False.

    >>> read_ranking({"q1": ["d3", "d1"]})
    Ranking from a mapping

    """
    from rankgauge.inputs import cases  # imported late: two files do not need it

    source = cases.side(source, "ranking", rows=ReadingOptions(columns, format_ranking=format).says_rows)
    source, columns = unwrapped(source, columns, "ranking")
    if isinstance(source, Mapping):
        return Ranking.from_mapping(source)
    return cast("Ranking", _ranking(source, columns, format, judgments, keep=True, lazy=lazy))


def both_sides(judgments: JudgmentsInput, ranking: RankingInput | None, reading: ReadingOptions) -> InputPair:
    """Return both sides as they came, or cases as mappings."""
    if judgments is ranking and isinstance(judgments, Iterator):  # it can be read once
        raise RankgaugeError("unknown-ranking", got="the iterator that has the judgments")
    return paired(judgments, ranking, rows=reading.says_rows)


def read_both(
    pair: InputPair, reading: ReadingOptions, annotation: Annotation | None = None
) -> tuple[Judgments, Ranking]:
    """Read both sides; `annotation` is what judgments must carry beside grades.

    >>> read_both(InputPair({"q1": ["d1"]}, {"q1": ["d2", "d1"]}), ReadingOptions())
    (Judgments of 1 query, Ranking from a mapping)
    """
    return cast("tuple[Judgments, Ranking]", read_within(None, pair, reading, annotation))


def read_within(
    budget: MemoryBudget | None, pair: InputPair, reading: ReadingOptions, annotation: Annotation | None = None
) -> tuple[JudgedSide, RankedSide]:
    """Read both sides; what comes in batches and does not fit into the budget goes to disk."""
    read = partial(_judgments, pair.judgments, reading.for_judgments, reading.format_judgments, annotation, keep=False)
    judged = read(budget=budget)
    ranking, columns = unwrapped(pair.ranking, reading.for_ranking, "ranking")
    if isinstance(ranking, Mapping):
        return judged, Ranking.borrow_mapping(ranking)
    format_ = reading.format_ranking
    ranked = _ranking(ranking, columns, format_, judged, keep=False, lazy=True, budget=budget)
    if budget is not None and budget.is_crowded:
        del judged  # its memory serves the second reading
        judged = read(budget=budget.spent())
    if pair.one_table and ranked.value_column is not None and judged.value_column == ranked.value_column:
        ranked = ranked.changed(remarks=(*ranked.remarks, shared_column(ranked.value_column)))
    return judged, ranked


def unwrapped(source: Any, columns: ColumnsInput, side: Side) -> tuple[Any, ColumnsInput]:  # noqa: ANN401 - of any library
    """Return the table inside a narwhals frame, or inside what a grader made, which knows its columns' roles."""
    source = without_pandas_api(source)
    if is_spark(source) or not hasattr(source, "to_native"):
        return source, columns
    from rankgauge.inputs import roles

    native, known = source.to_native(), getattr(source, "roles", {})
    if isinstance(native, Mapping):
        return native, columns
    needed = {role: name for role, name in known.items() if role in roles.wanted(side)}
    return native, {**needed, **roles.by_role(columns or {})}


def frames_of_spark(sources: Iterable[object]) -> list[Any]:
    """Return the DataFrames of Spark among the sides."""
    return [frame for side in sources if is_spark(frame := unwrapped(side, None, "ranking")[0])]


def _judgments(
    source: JudgmentsInput,
    columns: ColumnsInput,
    format_: Format | None,
    annotation: Annotation | None,
    *,
    keep: bool,
    budget: MemoryBudget | None = None,
) -> JudgedSide:
    judged = _read_judgments(source, columns, format_, annotation, keep=keep, budget=budget)
    if annotation is not None:
        from rankgauge.data.annotations import require_annotation  # most measures need none

        require_annotation(annotation, judged.annotation)
    # The table of a grader brings the remarks on its grades.
    remarks = getattr(source, "evaluation_remarks", ()) if hasattr(type(source), "evaluation_remarks") else ()
    return judged.changed(remarks=(*judged.remarks, *remarks)) if remarks else judged


_SIDES: Final[Mapping[Annotation, Side]] = {"subtopic": "subtopics", "propensity": "propensities"}


def _read_judgments(
    source: JudgmentsInput,
    columns: ColumnsInput,
    format_: Format | None,
    annotation: Annotation | None,
    *,
    keep: bool,
    budget: MemoryBudget | None,
) -> JudgedSide:
    if annotation is not None:
        require_choice("annotation", annotation, _SIDES, "what measures need of judgments beside grades")
    side: Side = _SIDES[annotation] if annotation else "judgments"
    source, columns = unwrapped(source, columns, side)
    if isinstance(source, Judgments) or type(source).__name__ == "RowsOnDisk":
        return cast("JudgedSide", source)
    if isinstance(source, Mapping):
        return _judgments_from_mapping(source, side)
    if _is_file(source):
        judged, has_subtopics = _judgments_from_file(source, side, columns, format_, budget)
    else:
        with _named_failures(source, "judgments"):
            table, roles = _columns(source, side, columns, keep=keep)
            judged = _remarked(_from_table(Judgments, table, roles, None, budget), roles)
        has_subtopics = roles.has_subtopics
    if annotation is None and has_subtopics and isinstance(judged, Judgments) and judged.handle.has_duplicates():
        return _read_judgments(source, columns, format_, "subtopic", keep=keep, budget=budget)
    return judged


def _judgments_from_mapping(mapping: Mapping[Any, Any], side: Side) -> Judgments:
    """Read a mapping; grades by subtopic are kept, whether a measure needs them or not."""
    first = next((items for items in mapping.values() if isinstance(items, Mapping) and items), {})
    subtopics = next(iter(first.values()), None)
    if side == "subtopics" or (side == "judgments" and isinstance(subtopics, Mapping | Set | list | tuple)):
        return Judgments.from_subtopics(mapping)
    return Judgments.from_mapping(mapping)


def _judgments_from_file(
    source: str | os.PathLike[str] | InputFile,
    side: Side,
    columns: ColumnsInput,
    format_: Format | None,
    budget: MemoryBudget | None,
) -> tuple[JudgedSide, bool]:
    """Read judgments, and say whether the file may have subtopics that were not asked for."""
    from rankgauge.inputs import files, trec_files

    file, detected = located(source, "judgments", format_, columns)
    if detected == "trec":
        judged = Judgments.from_trec(file.path, file.label, subtopics=side == "subtopics")
        return judged, trec_files.has_subtopics(file.path)
    if detected == "letor":
        return Judgments.from_letor(file.path, file.label), False
    if detected == "scores":
        raise RankgaugeError("no-grades", file.label)
    layout = _layout(side, file, detected, columns, budget)
    if layout is not None:
        return _remarked(Judgments.from_delimited(file.path, layout, file.label), layout), layout.has_subtopics
    if detected == "jsonl" and (mapping := files.json_mapping(file)):
        return _in_file(file, lambda: _judgments_from_mapping(mapping, side)), False
    from rankgauge.inputs import duckdb_tables

    table, roles = duckdb_tables.table(_within(budget, file), detected, side, columns or {})
    return _remarked(_from_table(Judgments, table, roles, file.label, budget), roles), roles.has_subtopics


def _ranking(
    source: RankingInput,
    columns: ColumnsInput,
    format_: Format | None,
    judgments: JudgedSide | None,
    *,
    keep: bool,
    lazy: bool,
    budget: MemoryBudget | None = None,
) -> RankedSide:
    if isinstance(source, Ranking):
        return source
    if not _is_file(source):
        with _named_failures(source, "ranking"):
            table, roles = _columns(source, "ranking", columns, keep=keep)
            return _remarked(_from_table(Ranking, table, roles, None, budget), roles)
    file, detected = located(source, "ranking", format_, columns)
    return _ranking_from_file(file, detected, columns, judgments, lazy=lazy, budget=budget)


def _ranking_from_file(
    file: InputFile,
    detected: Format,
    columns: ColumnsInput,
    judgments: JudgedSide | None,
    *,
    lazy: bool,
    budget: MemoryBudget | None,
) -> RankedSide:
    from rankgauge.inputs import files, trec_files

    if detected == "trec":
        run = Ranking.from_trec(file.path, file.label, lazy=lazy)
        return run.changed(remarks=tuple(trec_files.rank_remarks(file.path)))
    if detected == "scores" and isinstance(judgments, Judgments):
        return Ranking.from_scores(file.path, judgments.handle, file.label)
    if detected in ("letor", "scores"):
        raise RankgaugeError("no-scores" if detected == "letor" else "scores-alone", file.label)
    layout = _layout("ranking", file, detected, columns, budget)
    if layout is not None:
        return _remarked(Ranking.from_delimited(file.path, layout, file.label, lazy=lazy), layout)
    if detected == "jsonl" and (mapping := files.json_mapping(file)):
        return _in_file(file, lambda: Ranking.from_mapping(mapping))
    from rankgauge.inputs import duckdb_tables

    table, roles = duckdb_tables.table(_within(budget, file), detected, "ranking", columns or {})
    return _remarked(_from_table(Ranking, table, roles, file.label, budget), roles)


def _is_file(source: object) -> TypeGuard[str | os.PathLike[str] | InputFile]:
    return isinstance(source, str | os.PathLike | InputFile)


def located(
    source: str | os.PathLike[str] | InputFile, side: Side, format_: Format | None, columns: ColumnsInput
) -> tuple[InputFile, Format]:
    """Return a file and its format, after a check that it may be a side."""
    from rankgauge.inputs import file_sets, files, formats, trec_files

    file = file_sets.locate(source)
    files.require_file(file)
    if format_ is None:
        formats.require_rows(file.path, file.label)
    if format_ is None and not columns:
        trec_files.require_side(file, side)
    detected = formats.require(format_, file.path, file.label) or formats.detect(file.path, side, file.label)
    # Four columns of numbers may be TREC judgments or any table: where the caller names columns, it is a table.
    named = detected == "trec" and format_ is None and columns and formats.first_lines(file.path)
    detected = "tsv" if named else detected
    formats.require_utf8(file.path, detected, file.label)
    if file.pieces:
        file_sets.require_alike(file, detected, side)
    return file, detected


def _layout(
    side: Side, file: InputFile, format_: Format, columns: ColumnsInput, budget: MemoryBudget | None
) -> DelimitedColumns | None:
    """How a delimited text is laid out; None for what DuckDB reads: other formats, quotes, pieces, and large texts."""
    if format_ not in ("csv", "tsv") or file.pieces or file.run or not (budget is None or budget.holds(file.path)):
        return None
    from rankgauge.inputs import delimited, formats  # imported late: only CSV and TSV need them

    layout = delimited.chosen_columns(file, format_, side, columns or {})
    if layout is not None and budget is not None and (side != "ranking" or formats.is_gzip(file.path)):
        budget.take(file.path)  # other rankings are read in pieces
    return layout


def _named_failures(source: object, side: str) -> AbstractContextManager[None]:
    from rankgauge.inputs import table_failures  # imported late: only tables need it

    return table_failures.worded_failures(source, side)


def _within(budget: MemoryBudget | None, file: InputFile) -> InputFile:
    return file if budget is None else file._replace(memory=budget.memory)


def _from_table(
    noun: type[Noun], table: Columns, roles: Roles, label: str | None, budget: MemoryBudget | None
) -> Noun | RowsOnDisk[Noun]:
    return noun.from_table(table, roles, label) if budget is None else budget.read(noun, table, roles, label)


def _remarked(noun: Side_, chosen: Roles | DelimitedColumns) -> Side_:
    """Return a noun with the remarks on how its columns were chosen before its own."""
    return cast("Side_", noun.changed(remarks=chosen.remarks + noun.remarks, value_column=chosen.value_name))


def _columns(source: object, side: Side, columns: ColumnsInput, *, keep: bool) -> Any:  # noqa: ANN401 - of any library
    from rankgauge.inputs import cases, frames, roles

    if isinstance(source, list | tuple) and cases.kind_of(source, rows=bool(columns)) == "rows":
        return frames.from_rows(source, side, roles.by_role(columns or {}))
    if not frames.is_frame(source):
        raise RankgaugeError(f"unknown-{'ranking' if side == 'ranking' else 'judgments'}", got=type(source).__name__)
    return frames.read(source, side, roles.by_role(columns or {}), keep=keep)


def _in_file(file: InputFile, read: Callable[[], Noun]) -> Noun:
    """Name the file in the errors of a reader that does not know it."""
    try:
        return read()
    except RankgaugeError as error:
        raise RankgaugeError(error.code, f"{file.label}: {error.place}", **error.context) from None
