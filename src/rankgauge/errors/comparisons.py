"""Problems of comparisons: runs, segments, human and machine labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rankgauge.errors.problem import Problem

PROBLEMS: Final[Mapping[str, Problem]] = {
    # Comparisons
    "few-runs": Problem(
        "expected at least two runs to compare, got {got}",
        "give a mapping of name to ranking, several files, a folder, or a table with a column 'run'",
        "{pieces}check the folder or the pattern; of one run, rg.evaluate and `rankgauge evaluate` have the numbers",
        lambda context: context.get("from_files") is True,
    ),
    "several-runs": Problem(
        "expected one run, got the runs {runs} in the column {column!r}",
        "rg.compare and `rankgauge compare` tell them apart; or keep the rows of one, such as {first!r}; a column that "
        "names no runs needs another name",
    ),
    "unknown-runs": Problem(
        "expected runs as a mapping of name to ranking, files, a folder, or a table with a column 'run', got {got}",
        "for example {{'bm25': run1, 'dense': run2}}",
    ),
    "no-run-column": Problem(
        "expected a column of runs ({known}), got {got}",
        "rename the column to run; a table for each run goes in a mapping: {{'first': table, 'second': table}}",
    ),
    "same-run": Problem("expected different runs, got {got!r} twice", "remove one of them"),
    "unknown-run": Problem("expected a run ({known}), got {got!r}", "{nearest}runs of files are called by their names"),
    "no-shared-query": Problem(
        "expected a query that all runs have ({runs}), got none", "leave missing=skip out, or compare other runs"
    ),
    "not-compared": Problem(
        "expected a measure that is a mean over queries, got {got}",
        "use one that is, such as map instead of gm_map; texts, such as relstring, are for rg.evaluate on one machine",
    ),
    "no-interval": Problem("expected {what} of {got} to compare with the threshold, got none: {reason}", "{hint}"),
    "other-measures": Problem(
        "expected results of the same request, got '{got}' beside '{expected}'",
        "evaluate both with the same measures and convention",
    ),
    # Segments
    "no-query-column": Problem(
        "expected a column of {noun} ({known}, …) beside the segments, got {got}", "rename it to {role}"
    ),
    "no-segment-column": Problem(
        "expected one column of segments beside the queries, got {got}",
        "{nearest}name it: (table, 'device') in Python, segments.csv:device on the command line",
    ),
    "two-segments": Problem(
        "expected one segment for each {noun}, got {got}", "give the {noun} one of them, or a segment of its own"
    ),
    "no-common-segment": Problem(
        "expected segments of the evaluated {noun}, such as {queries}, got segments of {got}",
        "ids are compared as text; compare the ids of the {noun}",
    ),
    "unknown-segment": Problem("expected a segment ({known}), got {got!r}", "{nearest}segments are compared as text"),
    # Human and machine labels
    "few-human-labels": Problem(
        "expected human labels for at least {least} of the queries with machine labels, got them for {got}",
        "label more queries, drawn at random: from fewer, the error of the machine is not known well enough",
    ),
    "not-combined": Problem(
        "expected measures that are means over queries, for human and machine labels, got {got}",
        "evaluate it by either labels alone",
    ),
    "combined-alone": Problem(
        "expected two results of human and machine labels, got one of machine labels alone",
        "evaluate both with human=, or compare result.machine with the other",
    ),
}
