"""Several rankings by name: a mapping, files, a folder, a pattern, or a table with a column of runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import file_sets, frames, run_column
from rankgauge.inputs.batches import as_batches
from rankgauge.inputs.formats import SUFFIXES, split_table
from rankgauge.inputs.input_pair import InputFile
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.inputs.spark_frames import without_pandas_api
from rankgauge.inputs.types import Frame, RankingInput

RunsInput: TypeAlias = "Mapping[str, RankingInput] | Sequence[RankingInput] | str | os.PathLike[str] | Frame"

# What is no part of a run's name: what follows another dot may be, as in als_lr0.01.csv.
_TEXTS: Final = (".txt", ".run", ".trec", ".res")
_ON_CLUSTERS: Final = (".orc", ".delta")
_PACKED: Final = (".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate")
_SUFFIXES: Final = frozenset({*SUFFIXES, *_TEXTS, *_ON_CLUSTERS, *_PACKED})
# How Spark names the pieces of a table, what engines write beside them when all are there, and how others name them.
_PIECE: Final = "part-"
_ALL_WRITTEN: Final = "_SUCCESS"
_NUMBERED: Final = re.compile(r"(?=.*\d)(part|data|file|chunk|batch)?[-_.\da-f]*", re.IGNORECASE)
# What stands for any text in a pattern; what is left of a name without it may say nothing.
_ANY: Final = re.compile(r"[*?]+|\[[^\]]*\]")
_NO_NAME: Final = re.compile(r"(part(-\d*)?|run)?")


def named_runs(runs: RunsInput, reading: ReadingOptions | None = None) -> dict[str, RankingInput]:
    """Return at least two rankings by name; with `reading`, a table may be in pieces, and have a column of runs.

    >>> named_runs({"bm25": {"q1": ["a", "b"]}, "dense": {"q1": ["b", "a"]}}).keys()
    dict_keys(['bm25', 'dense'])
    """
    named = runs_by_name(runs, reading)
    if len(named) < 2:
        paths = [runs] if isinstance(runs, str | os.PathLike) else runs if isinstance(runs, list | tuple) else []
        texts = [os.fspath(path) for path in paths if isinstance(path, str | os.PathLike)]
        shown = ", ".join(map(repr, texts))
        got = ", ".join(map(repr, named)) or ("no file of " + shown if shown else "none")
        pieces = _hint_at_pieces() if len(texts) == 1 and _is_one_table(texts[0], files_of(texts[0])) else ""
        raise RankgaugeError("few-runs", got=got, from_files=bool(shown), pieces=pieces)
    return named


def _hint_at_pieces() -> str:
    known = ", ".join(run_column.NAMES)
    return f"its files are pieces of one table, of which a column ({known}) would name the runs; "


def runs_by_name(runs: RunsInput, reading: ReadingOptions | None = None) -> dict[str, RankingInput]:
    """Return rankings by name, as `named_runs`, also where there is none or one.

    >>> runs_by_name(["bm25.run", "dense.run"])
    {'bm25': 'bm25.run', 'dense': 'dense.run'}
    """
    if isinstance(runs, Mapping):
        return _from_mapping(runs)
    if isinstance(runs, str | os.PathLike):
        return _from_one_path(os.fspath(runs), reading)
    if isinstance(runs, Sequence):
        paths = [os.fspath(run) for run in runs if isinstance(run, str | os.PathLike)]
        if len(paths) == len(runs) == 1:
            return _from_one_path(paths[0], reading)
        if len(paths) == len(runs):
            return _from_paths(paths, reading)
        return {f"run{number}": run for number, run in enumerate(runs, start=1)}
    if frames.is_frame(runs):
        return _from_frame(runs, reading)
    raise RankgaugeError("unknown-runs", got=type(runs).__name__)


def _from_mapping(runs: Mapping[str, RankingInput]) -> dict[str, RankingInput]:
    iterators = [name for name, run in runs.items() if isinstance(run, Iterator)]
    if len({id(runs[name]) for name in iterators}) < len(iterators):  # the first run would leave nothing of it
        raise RankgaugeError("same-run", got=f"the iterator of {iterators[-1]}")
    runs = {name: as_batches(run) for name, run in runs.items()}
    for name, run in runs.items():
        if not (
            isinstance(run, Mapping | str | os.PathLike | Ranking | InputFile)
            or frames.is_frame(run)
            or _has_lists(run)
        ):
            raise RankgaugeError("unknown-runs", got=f"{type(run).__name__} for {name!r}")
        if isinstance(run, Mapping) and any(isinstance(value, int | float) for value in run.values()):
            raise RankgaugeError("unknown-runs", got=f"one ranking, of queries such as {name!r}")
    named = {str(name): run for name, run in runs.items()}
    if len(named) < len(runs):  # such as 1 and '1'
        texts = [str(name) for name in runs]
        raise RankgaugeError("same-run", got=next(text for text in texts if texts.count(text) > 1))
    return named


def _has_lists(run: object) -> bool:
    """Whether a run is a list of recommended lists, one per case."""
    return isinstance(run, list | tuple) and all(isinstance(case, list | tuple | Mapping) for case in run)


def _from_one_path(path: str, reading: ReadingOptions | None) -> dict[str, RankingInput]:
    """The files of a folder or of a pattern; or the runs in one table, which may be in pieces."""
    files = files_of(path)
    is_table = _is_one_table(path, files)
    if len(files) != 1 and not is_table:
        return dict(zip(names_of(files), files, strict=True))
    one = path if is_table else files[0]
    if reading is not None and one != "-":  # standard input can be read once
        from rankgauge.inputs import run_tables  # imported late: most runs have a file each

        split = run_tables.split(one, reading)
        if len(split) > 1:
            return dict(split)
    return {names_of([one])[0]: one}


def _from_paths(paths: Sequence[str], reading: ReadingOptions | None) -> dict[str, RankingInput]:
    """A run for each path; a pattern is one table, but where tables are not read in pieces a run for each file."""
    if reading is None:
        paths = [file for path in paths for file in (files_of(path) if file_sets.is_pattern(path) else [path])]
    return dict(zip(names_of(paths), map(_one_run, paths), strict=True))


def _is_one_table(path: str, files: Sequence[str]) -> bool:
    """Whether the files of a folder or of a pattern are pieces of one table, as Spark and other engines write it."""
    are_pieces = bool(files) and all(Path(file).name.startswith(_PIECE) for file in files)
    if not Path(path).is_dir():
        return file_sets.is_pattern(path) and (are_pieces or _are_hive_runs(files))
    has_partitions = not files and any("=" in folder.name for folder in Path(path).iterdir() if folder.is_dir())
    are_numbered = bool(files) and all(_NUMBERED.fullmatch(name_of(file)) for file in files)
    return are_pieces or has_partitions or (are_numbered and Path(path, _ALL_WRITTEN).exists())


def _are_hive_runs(files: Sequence[str]) -> bool:
    """Whether folders such as `run=bm25` say of all files which run they are of."""
    keys = ([folder.partition("=")[0] for folder in Path(file).parts[:-1] if "=" in folder] for file in files)
    return bool(files) and all(run_column.column_of(key) is not None for key in keys)


def files_of(path: str | os.PathLike[str]) -> list[str]:
    """Return the files of a folder or of a pattern without such as `_SUCCESS`, or the path itself.

    >>> files_of("bm25.run")
    ['bm25.run']
    """
    text = os.fspath(path)
    if Path(text).is_dir():
        files = (str(file) for file in Path(text).iterdir() if file.is_file())
        return sorted(file for file in files if not file_sets.is_passed_over(file))
    return list(filter(os.path.isfile, file_sets.matches(text))) if file_sets.is_pattern(text) else [text]


def _one_run(path: str) -> str:
    """A path that stands for one run: a pattern of one file as that file, whatever its format."""
    files = files_of(path) if file_sets.is_pattern(path) else []
    return files[0] if len(files) == 1 else path


def names_of(paths: Sequence[str]) -> list[str]:
    """Name each file without folder and suffixes, or by its path where two would have one name.

    >>> names_of(["runs/bm25.txt.gz", "runs/dense.txt"])
    ['bm25', 'dense']
    >>> names_of(["bm25/*.parquet", "runs/dense-*.parquet"])
    ['bm25', 'dense']
    """
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise RankgaugeError("same-run", got=twice)
    stems = [(_name_of_pattern(path) if file_sets.is_pattern(path) else name_of(path)) or path for path in paths]
    return [stem if stems.count(stem) == 1 else path for stem, path in zip(stems, paths, strict=True)]


def _name_of_pattern(pattern: str) -> str:
    """What the last part of a pattern that says anything is called: the beginning of the names, or the folder."""
    for part in reversed(Path(pattern).parts):
        name = _ANY.sub("", name_of(part)).strip("-_. ")
        is_key = "=" in name and file_sets.is_pattern(part)  # of hive partitions
        if not (_NO_NAME.fullmatch(name) or is_key or part == Path(pattern).anchor):
            return name
    return ""


def name_of(path: str) -> str:
    """Return what a file is called, without its folder, the suffixes of formats, and the table of a database.

    >>> name_of("runs/bm25.k1=0.9.txt.gz"), name_of("runs.duckdb::bm25")
    ('bm25.k1=0.9', 'runs')
    """
    name = Path(split_table(path)[0]).name
    while (suffix := Path(name).suffix) and suffix.lower() in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _from_frame(frame: Any, reading: ReadingOptions | None) -> dict[str, RankingInput]:  # noqa: ANN401 - of any library
    import narwhals as nw

    table = nw.from_native(without_pandas_api(frame))
    names = table.collect_schema().names()
    given = reading.for_ranking if reading else None
    column = run_column.column_of(names, given.values() if isinstance(given, Mapping) else ())
    if column is None:
        raise RankgaugeError("no-run-column", known=", ".join(run_column.NAMES), got=", ".join(names))
    distinct = table.lazy().select(column).unique().collect()
    values = sorted(distinct.get_column(column).to_list(), key=str)
    if any(value is None or value != value for value in values):  # noqa: PLR0124 - NaN
        raise RankgaugeError("null-value", f"column {column!r}")
    others = [name for name in names if name != column]
    return {str(value): table.filter(nw.col(column) == value).select(others).to_native() for value in values}
