"""InputPair: judgments and a ranking as the caller gave them, before they are read."""

from __future__ import annotations

import os
from typing import Any, NamedTuple, TypeAlias

from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.remarks import Remark

# Anything that `rg.evaluate` takes.
Source: TypeAlias = Any


class RunOfTable(NamedTuple):
    """One of the runs in a table: the column that names the runs, and the name."""

    column: str
    name: str


class InputFile(NamedTuple):
    """A file that can be read more than once: its path, its name in messages, and a table in it.

    Of several files that are read as one, `pieces` has all, and `path` is the first. `memory` is how many bytes may be
    used to read it; None leaves that to the reader. Of a table with several runs, `run` says whose rows are meant.
    """

    path: str
    label: str
    table: str | None
    pieces: tuple[str, ...] = ()
    memory: int | None = None
    run: RunOfTable | None = None


class InputPair(NamedTuple):
    """Judgments and a ranking; cases have become mappings.

    `plain` says that they were cases or one list, for which the defaults are the formula of the textbook and no cutoff.
    """

    judgments: Source
    ranking: Source
    plain: bool = False
    remarks: tuple[Remark, ...] = ()

    @property
    def one_table(self) -> bool:
        """Whether both sides are the same object or the same file."""
        is_file = isinstance(self.judgments, InputFile) and isinstance(self.ranking, InputFile)
        return self.judgments == self.ranking if is_file else self.judgments is self.ranking

    @property
    def measure(self) -> str:
        """What is measured where nothing else is asked for."""
        return "ndcg" if self.plain else "ndcg@10"

    @property
    def convention(self) -> str:
        """The convention where no other is asked for."""
        return "textbook" if self.plain else "trec_eval"


def shared_column(column: str) -> Remark:
    """Return the remark on a column that is the grade and the score.

    >>> shared_column("y_pred").severity
    'severe'
    """
    return Remark.of("shared-column", Text("{!r} of one table was taken for the grade and for the score", column))


def paired(judgments: Source, ranking: Source = None, *, rows: bool = False) -> InputPair:
    """Return both sides, cases as mappings; `rows` says that a list of dicts is a table, as if columns are named.

    >>> paired("qrels.txt", "bm25.run").ranking.path
    'bm25.run'
    >>> paired([{"A": 1}, {"B": 2}], [["A"], ["C", "B"]]).ranking
    {'0': ['A'], '1': ['C', 'B']}
    """
    if isinstance(judgments, InputPair):
        return judgments
    if isinstance(judgments, str | os.PathLike) and isinstance(ranking, str | os.PathLike):
        if judgments == ranking == "-":
            raise RankgaugeError("one-stream")
        from rankgauge.inputs import file_sets  # imported late: what is in memory does not need it

        judgments, ranking = file_sets.locate(judgments), file_sets.locate(ranking)
        if not any(may_have_cases(file, rows=rows) for file in (judgments, ranking)):
            return InputPair(judgments, ranking)
    from rankgauge.inputs import cases  # imported late: most files do not need it

    return cases.paired(judgments, ranking, rows=rows)


def may_have_cases(file: InputFile, *, rows: bool) -> bool:
    """Whether a file is JSON, and nothing says that it is a table."""
    from rankgauge.inputs import formats

    return not file.pieces and file.run is None and not rows and formats.is_json(file.path)
