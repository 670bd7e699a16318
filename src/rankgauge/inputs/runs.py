"""Several rankings by name: a mapping, files, a folder, a pattern, or a table with a column of runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import frames
from rankgauge.inputs.batches import as_batches
from rankgauge.inputs.formats import SUFFIXES, split_table
from rankgauge.inputs.types import Frame, RankingInput

RunsInput: TypeAlias = "Mapping[str, RankingInput] | Sequence[RankingInput] | str | os.PathLike[str] | Frame"

# The names of a column that says which run a row belongs to; the first that a table has is taken.
COLUMNS: Final = ("run", "run_id", "run_name", "system", "system_id", "model", "method", "algorithm", "tag")
_PATTERN: Final = frozenset("*?[")
# What is no part of a run's name: what follows another dot may be, as in als_lr0.01.csv.
_TEXTS: Final = (".txt", ".run", ".trec", ".res")
_ON_CLUSTERS: Final = (".orc", ".delta")
_PACKED: Final = (".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate")
_SUFFIXES: Final = frozenset({*SUFFIXES, *_TEXTS, *_ON_CLUSTERS, *_PACKED})


def named_runs(runs: RunsInput) -> dict[str, RankingInput]:
    """Return at least two rankings by name.

    >>> named_runs({"bm25": {"q1": ["a", "b"]}, "dense": {"q1": ["b", "a"]}}).keys()
    dict_keys(['bm25', 'dense'])
    """
    named = _named(runs)
    if len(named) < 2:
        paths = [runs] if isinstance(runs, str | os.PathLike) else runs if isinstance(runs, list | tuple) else []
        shown = ", ".join(repr(os.fspath(path)) for path in paths if isinstance(path, str | os.PathLike))
        got = ", ".join(map(repr, named)) or ("no file of " + shown if shown else "none")
        raise RankgaugeError("few-runs", got=got, from_files=bool(shown))
    return named


def _named(runs: RunsInput) -> dict[str, RankingInput]:
    if isinstance(runs, Mapping):
        return _from_mapping(runs)
    if isinstance(runs, str | os.PathLike):
        return _from_paths(files_of(runs))
    if isinstance(runs, Sequence):
        paths = [run for run in runs if isinstance(run, str | os.PathLike)]
        if len(paths) == len(runs):
            return _from_paths(files_of_all(paths))
        return {f"run{number}": run for number, run in enumerate(runs, start=1)}
    if frames.is_frame(runs):
        return _from_frame(runs)
    raise RankgaugeError("unknown-runs", got=type(runs).__name__)


def _from_mapping(runs: Mapping[str, RankingInput]) -> dict[str, RankingInput]:
    iterators = [name for name, run in runs.items() if isinstance(run, Iterator)]
    if len({id(runs[name]) for name in iterators}) < len(iterators):  # the first run would leave nothing of it
        raise RankgaugeError("same-run", got=f"the iterator of {iterators[-1]}")
    runs = {name: as_batches(run) for name, run in runs.items()}
    for name, run in runs.items():
        if not (isinstance(run, Mapping | str | os.PathLike | Ranking) or frames.is_frame(run) or _has_lists(run)):
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


def files_of(path: str | os.PathLike[str]) -> list[str]:
    """Return the files of a folder or of a pattern, or the path itself.

    >>> files_of("bm25.run")
    ['bm25.run']
    """
    text = os.fspath(path)
    if Path(text).is_dir():
        return sorted(str(file) for file in Path(text).iterdir() if file.is_file() and not file.name.startswith("."))
    if _PATTERN.isdisjoint(text) or Path(text).exists():
        return [text]
    from glob import glob

    return sorted(filter(os.path.isfile, glob(text, recursive=True)))  # noqa: PTH207 - patterns with a folder


def files_of_all(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Return the files of all paths; a folder beside other paths is one run, in pieces.

    >>> files_of_all(["bm25.run", "dense.run"])
    ['bm25.run', 'dense.run']
    """
    if len(paths) == 1:
        return files_of(paths[0])
    return [file for path in paths for file in ([os.fspath(path)] if Path(path).is_dir() else files_of(path))]


def _from_paths(paths: Sequence[str]) -> dict[str, RankingInput]:
    return dict(zip(names_of(paths), paths, strict=True))


def names_of(paths: Sequence[str]) -> list[str]:
    """Name each file without folder and suffixes, or by its path where two would have one name.

    >>> names_of(["runs/bm25.txt.gz", "runs/dense.txt"])
    ['bm25', 'dense']
    """
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise RankgaugeError("same-run", got=twice)
    stems = [name_of(path) or path for path in paths]
    return [stem if stems.count(stem) == 1 else path for stem, path in zip(stems, paths, strict=True)]


def name_of(path: str) -> str:
    """Return what a file is called, without its folder, the suffixes of formats, and the table of a database.

    >>> name_of("runs/bm25.k1=0.9.txt.gz"), name_of("runs.duckdb::bm25")
    ('bm25.k1=0.9', 'runs')
    """
    name = Path(split_table(path)[0]).name
    while (suffix := Path(name).suffix) and suffix.lower() in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _from_frame(frame: Any) -> dict[str, RankingInput]:  # noqa: ANN401 - of any library
    import narwhals as nw

    table = nw.from_native(frame)
    names = table.collect_schema().names()
    column = next((name for wanted in COLUMNS for name in names if name.lower() == wanted), None)
    if column is None:
        raise RankgaugeError("no-run-column", known=", ".join(COLUMNS), got=", ".join(names))
    distinct = table.lazy().select(column).unique().collect()
    values = sorted(distinct.get_column(column).to_list(), key=str)
    others = [name for name in names if name != column]
    return {str(value): table.filter(nw.col(column) == value).select(others).to_native() for value in values}
