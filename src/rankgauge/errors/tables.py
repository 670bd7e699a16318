"""Problems of tables and arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rankgauge.errors.problem import Problem

PROBLEMS: Final[Mapping[str, Problem]] = {
    "missing-column": Problem(
        "expected a column {wanted}, got {got}",
        "{nearest}say which it is: columns{of_table}={{'{role}': …}} in Python, "
        "--columns-{side} {switch} on the command line",
        "check the step that made the table: it is empty",
        lambda context: context.get("got") == "no columns",
    ),
    "ambiguous-column": Problem(
        "expected one column for {role}, got {got}",
        "say which it is: columns{of_table}={{'{role}': {example!r}}} in Python, "
        "--columns-{side} {role}={example} on the command line",
    ),
    "ambiguous-score": Problem(
        "expected a column called score or rank in the ranking, got {got}",
        "say which it is: columns={{'score': {example!r}}}, or {{'rank': {example!r}}} where the lowest is best; "
        "--columns-ranking score=… on the command line; a table of query and item alone is in the order of its rows",
    ),
    "no-header": Problem(
        "expected a header with the names of the columns, got none",
        "name all in their order: columns_{side}={names} in Python, --columns-{side} {written} on the command line"
        "{instead}",
    ),
    "columns-without-roles": Problem(
        "expected columns by role, as in {{'query': 'user'}}, got the list {got}",
        "a list names the columns of a text that has no header",
    ),
    "null-value": Problem("expected a value in every row, got none", "remove the rows without one, or fill them"),
    "bad-column": Problem("expected {expected}, got values of type {got}", "convert the column, or name another"),
    "bad-lists": Problem(
        "expected as many values as items in each row, got {got}", "one value belongs to one item of the list"
    ),
    "unknown-table": Problem("expected the name of a table ({known}), got {got}", "{nearest}write {file}::table"),
    "reads-elsewhere": Problem(
        "expected a table, or a view of tables in its file, got a view that reads {got}",
        "copy its rows into a table of the file, or open the database yourself and give the relation or a DataFrame",
    ),
    "too-much-unpacked": Problem(
        "expected a file that unpacks to at most {limit} bytes, got more",
        "it may be corrupt or a bomb; if it is right, set the environment variable RANKGAUGE_MAX_UNPACKED, such as 20G",
    ),
    "not-a-batch": Problem(
        "expected record batches or tables of Arrow from the iterator, got {got}",
        "yield objects with __arrow_c_array__ or __arrow_c_stream__, such as pyarrow.RecordBatch",
    ),
    "too-many-rows": Problem(
        "expected at most {most} rows, got {got}",
        "evaluate some of the queries at a time, and merge: request.plan().evaluate(…).merge(…)",
    ),
    "failing-table": Problem(
        "expected the rows of a table of {library}, got its error: {got}",
        "the table fails by itself: collect it, or fetch its rows, before it is evaluated; a connection must stay open",
    ),
    "too-little-memory": Problem(
        "expected a table that DuckDB reads within its half of the memory that may be used, got: {got}",
        "give more: memory='8GB' in Python, --memory 8GB on the command line; or write smaller row groups",
    ),
    "unreadable-table": Problem("expected a table, got: {got}", "check the step that made it"),
    "bad-array": Problem("expected {noun} as an array of numbers, got {got}", "{hint}"),
    "bad-shape": Problem("expected {expected}, got {got}", "{hint}"),
    "infinite-value": Problem(
        "expected a finite number as {noun}, got {got}",
        "mask= leaves a place out; as a score, -inf ranks an item last",
    ),
    "no-score": Problem(
        "expected a score for an item with the label {label}, got NaN",
        "if there is no item, say so with mask=, or with NaN in the labels; in two dimensions NaN for a score is "
        "padding beside a label of 0 alone",
    ),
    "no-score-at-all": Problem(
        "expected a finite score for some item, got {got} for all",
        "a model that predicts this has no ranking to measure; mask= leaves places without an item out",
    ),
    "bad-groups": Problem(
        "expected groups as sizes that add up to {rows}, boundaries from 0 to {rows}, or {rows} query ids, got {got}",
        "for example groups=[3, 2] for five rows: the first three are one query, the next two another; groups_are= "
        "says which of the three they are",
    ),
}
