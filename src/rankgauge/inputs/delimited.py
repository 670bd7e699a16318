"""Delimited texts: which columns they have, and which of these matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from rankgauge._core import has_quotes
from rankgauge.inputs import first_line, formats, missing_header, roles, run_column
from rankgauge.inputs.column_choice import choose
from rankgauge.inputs.formats import Format
from rankgauge.inputs.input_pair import InputFile
from rankgauge.inputs.roles import Roles, Side
from rankgauge.remarks import Remark

# Roles by column name; or, for a text without a header, the names of all its columns in their order.
ColumnNames: TypeAlias = Mapping[str, str] | Sequence[str]


class DelimitedColumns(NamedTuple):
    """Which columns of a delimited text matter, counted from 0."""

    delimiter: str
    header: bool
    columns: int
    query: int
    item: int
    value: int | None
    descending: bool
    # The column of annotations, and what they are.
    annotation: int | None = None
    annotation_role: str | None = None
    # Whether there is a column of subtopics that was not asked for.
    has_subtopics: bool = False
    # The name of the column of values.
    value_name: str | None = None
    # Remarks on how the columns were chosen.
    remarks: tuple[Remark, ...] = ()


class Header(NamedTuple):
    """How a delimited text is written: what separates its columns, whether it names them, and their names."""

    delimiter: str
    named: bool
    columns: Sequence[str]
    # Whether the names were guessed: the values look like those of a known data set.
    guessed: bool = False
    # Columns that the folders of the first piece say, as `date=2026-01-02` does, and their values there.
    partitions: Mapping[str, str] = MappingProxyType({})
    # Remarks on the first line.
    remarks: tuple[Remark, ...] = ()


def header(file: InputFile, format_: Format, given: ColumnNames, *, remarked: bool = True) -> Header:
    """Return the columns of a delimited text; names that are given as a list replace a header, if there is one.

    Unless it is `remarked` on, a line that is only likely to be a header is a row.
    """
    lines = formats.first_lines(file.path)
    style = formats.dialect(lines, "\t" if format_ == "tsv" else ",")
    if isinstance(given, Mapping):
        return Header(style.delimiter, named=style.header is not None, columns=style.header or ())
    if style.header is None:
        return Header(style.delimiter, named=False, columns=given)
    what = first_line.verdict(style.header, given, [formats.cells(line, style.delimiter) for line in lines[1:]])
    named = what in ("names", "certain") or (what == "likely" and remarked)
    return Header(style.delimiter, named=named, columns=given, remarks=first_line.remarks(what, lines[0].strip()))


def first_rows(file: InputFile, style: Header) -> list[list[str]]:
    """Return the cells of the first lines below the header, without lines that are split differently."""
    lines = formats.first_lines(file.path, most=None)[style.named :]
    rows = [formats.cells(line, style.delimiter) for line in lines]
    width = len(style.columns) or len(rows[0] if rows else ())
    return [row for row in rows if len(row) == width]


def chosen_columns(file: InputFile, format_: Format, side: Side, given: ColumnNames) -> DelimitedColumns | None:
    """Return how a delimited text is laid out; None where it has quotes, which the core does not read."""
    style = named_columns(file, header(file, format_, given), side, given)
    column_roles = text_roles(file, style, side, given)
    if len(style.delimiter) > 1 or has_quotes(file.path, file.label):
        return None
    run_column.require_one(side, style.columns, column_roles, partial(_distinct, file, style), file.label)
    positions = {name: position for position, name in enumerate(style.columns)}
    return DelimitedColumns(
        delimiter=style.delimiter,
        header=style.named,
        columns=len(style.columns),
        query=positions[column_roles.query],
        item=positions[column_roles.item],
        value=None if column_roles.value is None else positions[column_roles.value],
        descending=column_roles.descending,
        annotation=None if column_roles.annotation is None else positions[column_roles.annotation],
        annotation_role=column_roles.annotation_role,
        has_subtopics=column_roles.has_subtopics,
        value_name=column_roles.value,
        remarks=column_roles.remarks,
    )


def _distinct(file: InputFile, style: Header, column: str) -> list[str]:
    from rankgauge.inputs import duckdb_tables  # imported late: few texts have a column of runs

    return duckdb_tables.text_values(file, style, column)


def named_columns(file: InputFile, style: Header, side: Side, given: ColumnNames) -> Header:
    """Return the columns of a text, with names for those of a well-known data set that has no header."""
    if style.columns:
        return style
    roles.require_roles(roles.by_role(given))
    rows = first_rows(file, style)
    names = None if given else missing_header.names_of(rows, side)
    if names is None:
        raise missing_header.missing_names(rows, side, file.label)
    return style._replace(columns=names, guessed=True)


def text_roles(file: InputFile, style: Header, side: Side, given: ColumnNames) -> Roles:
    """Return the columns of a delimited text that a side needs."""
    positions = {name: position for position, name in enumerate(style.columns)}

    def head(names: Sequence[str]) -> dict[str, list[str]]:
        rows = first_rows(file, style)
        cells = {name: [row[positions[name]] for row in rows] for name in names if name in positions}
        return {name: cells.get(name, [style.partitions.get(name, "")] * len(rows)) for name in names}

    known = (*style.columns, *style.partitions)
    chosen = choose(known, side, given if isinstance(given, Mapping) else {}, file.label, head)
    of_header = (missing_header.remark(style.columns),) if style.guessed else style.remarks
    return chosen._replace(remarks=(*of_header, *chosen.remarks))
