"""Problems of files and of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rankgauge.errors.problem import Problem

PROBLEMS: Final[Mapping[str, Problem]] = {
    # Files
    "bad-format": Problem(
        "expected the content that {suffix} promises, got a file that begins with {got}",
        "it may be an incomplete download or a Git LFS pointer; a text file needs another name, such as run.csv",
    ),
    "duplicate-key": Problem("expected each key once in an object, got {got!r} twice", "remove one of them"),
    "one-stream": Problem("expected standard input for one side, got it for both", "write one of them to a file"),
    "score-count": Problem(
        "expected a score for each of the {rows} judged rows, got {got}", "a line has one score, in the same order"
    ),
    "scores-alone": Problem(
        "expected queries and items beside the scores, got scores alone",
        "give the judgments whose rows they are for: rg.read_ranking(path, judgments=judgments)",
    ),
    "swapped-sides": Problem(
        "expected {expected}, got {got}",
        "judgments come first and the ranking second: rg.evaluate(judgments, ranking), rankgauge evaluate JUDGMENTS "
        "RANKING; are the two swapped?",
    ),
    "no-query": Problem(
        "expected qid:… behind each label, got features without a query",
        "LightGBM keeps the sizes of the queries in a file of its own, named *.query: write qid:… into the rows, or "
        "give labels, scores and these sizes to rg.evaluate_arrays(labels, scores, groups=sizes)",
    ),
    "no-scores": Problem("expected scores, got a LETOR file, which has labels", "give the file of predicted scores"),
    "no-grades": Problem(
        "expected grades of items, got one number per line", "give the labels; the scores come second"
    ),
    "file-not-found": Problem("expected a file, got nothing of that name", "check the path"),
    "remote-file": Problem(
        "expected a file of this machine, got an address",
        "Spark reads it with --engine spark, or as spark.read.parquet(…) in Python; else read it with a library such "
        "as Polars or DuckDB, and give the table",
    ),
    "no-room-on-disk": Problem(
        "expected room for temporary files, got: {got}",
        "name another folder in the environment variable TMPDIR, or let more stay in memory: memory='16GB'",
    ),
    "endless-file": Problem(
        "expected a text whose lines end, got {got}",
        "check what it is: a device such as /dev/zero, and bytes that are no text, have no lines",
    ),
    "no-pieces": Problem("expected files with rows, got none", "check the folder or the pattern, such as 'data/*.csv'"),
    "mixed-pieces": Problem(
        "expected files of one format, Parquet, CSV or Arrow, got {got}",
        "give a pattern that leaves the others out, such as 'data/*.parquet'",
        "files of this format are not read as one table: give one of them; `rankgauge compare` takes "
        "several runs, with a file for each",
        lambda context: "," not in str(context["got"]),
    ),
    "is-directory": Problem("expected a file, got a directory", "give the file inside it"),
    "bad-texts": Problem(
        "expected lines of id, tab and text, or JSON objects with an id ({known}), got {got!r}",
        'such as q1<tab>running shoes, or {{"_id": "d1", "text": "…"}}',
    ),
    "bad-texts-type": Problem(
        "expected a pair of texts, of queries and of items, each a mapping, a path or None, got {got}",
        "such as texts=({{'q1': 'running shoes'}}, 'docs.jsonl')",
    ),
    "unreadable-file": Problem("expected a readable file, got: {got}", "check the permissions"),
    "file-changed": Problem(
        "expected a file that stays as it is while it is read, got one that became shorter",
        "wait until the step that writes it is done, or read a copy",
    ),
    "empty-file": Problem("expected rows of {columns}, got an empty file", "check the step that wrote it"),
    "bad-columns": Problem("expected {columns}, got {got}", "{hint}"),
    "bare-return": Problem(
        "expected lines that end in a newline, got a carriage return inside one",
        "programs disagree on whether a line ends there; convert the file: tr '\\r' '\\n' < old > new",
    ),
    "line-too-long": Problem(
        "expected lines of at most {most:,} bytes in a text with quotes, or larger than memory=, got one of {got:,}",
        "check that every quote is closed; a text without quotes that fits into memory, or Parquet, has no such limit",
    ),
    "bad-utf8": Problem(
        "expected UTF-8, got the byte {got}",
        "convert the file from the encoding that it has: iconv -f latin1 -t utf-8 OLD > NEW, with -f cp949 for Korean",
    ),
    "other-encoding": Problem(
        "expected UTF-8, got what looks like {encoding}",
        "convert the file: iconv -f {encoding} -t utf-8 OLD > NEW; or give the table that "
        "pandas.read_csv(…, encoding='{encoding}') reads",
    ),
    "bad-gzip": Problem("expected a complete gzip file, got: {got}", "it may be truncated: copy or download it again"),
    "unwritable-file": Problem(
        "expected to write the output, got: {got}", "check the folder, its permissions and the space on the disk"
    ),
    "output-is-input": Problem(
        "expected a file that is not an input to write to, got the input {got!r}", "give another name after -o"
    ),
    "not-trec": Problem(
        "expected query ids of one printable word each in the format trec, got {got!r}",
        "use --format csv or json, or leave out --per-query",
    ),
    # The command line
    "unknown-command": Problem(
        "expected a command ({known}), got {got!r}", "{nearest}`rankgauge --help` describes them"
    ),
    "usage": Problem("{got}", "{hint}"),
    "internal": Problem("unexpected {got}", "this is a bug: run again with RANKGAUGE_DEBUG=1 and report the traceback"),
}
