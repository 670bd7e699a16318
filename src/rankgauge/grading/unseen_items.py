"""A ranking → the ranking without the items that the user has in training."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import narwhals as nw

from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.interactions import FLOATS, whole_counts
from rankgauge.grading.source import NwFrame, SourceTable, arrays, flag, open_table, rows
from rankgauge.inputs import connections, duckdb_tables, files, formats, read_ranking
from rankgauge.inputs import roles as ranking_roles
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.spark_frames import is_spark, without_pandas_api
from rankgauge.inputs.types import RankingInput
from rankgauge.languages import Text
from rankgauge.remarks import Remark

TABLE: Final = "ranking"
_PAIR: Final = ("rankgauge_user", "rankgauge_item")
_ROW: Final = "rankgauge_row"


class _Counts(NamedTuple):
    """How many rows and users of a ranking were left out."""

    rows: int
    seen: int
    users: int
    # Users who lost items, and who lost all.
    lost: int
    emptied: int
    # Users of the truth, and those whom the ranking lacks.
    judged: int
    absent: int


def unseen_rows(
    train: NwFrame, truth: Audited, roles: Mapping[str, str], ranking: RankingInput, columns: ColumnsInput
) -> Audited:
    """Return the ranking without the pairs in training."""
    pairs = pairs_of(train, roles)
    users = pairs_of(truth.frame, truth.roles).select(_PAIR[0]).unique()
    opened = _open(ranking, columns)
    if isinstance(opened, Mapping):
        return _unseen_mapping(opened, pairs, users)
    frame, names = opened.frame, ranking_roles.find(opened.names, "ranking", opened.by_role(columns))
    if names.value is None and isinstance(frame, nw.LazyFrame):
        return _unseen_mapping(_in_order(ranking, columns, opened), pairs, users)
    _require_ids(frame, (names.query, names.item))
    frame = frame.with_columns(*_texts(names.query, names.item))
    pairs, users = (_brought(each, frame).with_columns(rankgauge_seen=nw.lit(1)) for each in (pairs, users))
    audit = _audit(_count(frame, pairs, users))
    result = _without(frame, pairs).select(*opened.names).to_native()
    value = {"score" if names.descending else "rank": names.value} if names.value else {}
    return Audited(result, audit, {"query": names.query, "item": names.item, **value})


def pairs_of(table: NwFrame, roles: Mapping[str, str]) -> NwFrame:
    """Return the users and items of a table as texts."""
    return nw.from_native(table).select(*_texts(roles["query"], roles["item"]))


def _texts(query: str, item: str) -> list[nw.Expr]:
    return [nw.col(name).cast(nw.String).alias(text) for name, text in zip((query, item), _PAIR, strict=True)]


def _open(ranking: Any, columns: ColumnsInput) -> SourceTable | Mapping[Any, Any]:  # noqa: ANN401 - of any kind
    if isinstance(ranking, Mapping):
        return ranking
    ranking = without_pandas_api(ranking)
    if is_spark(ranking):
        return open_table(ranking, TABLE, columns)
    if hasattr(ranking, "to_native") and isinstance(ranking.to_native(), Mapping):
        return _open(ranking.to_native(), columns)
    if isinstance(ranking, Ranking):
        return {query: dict(rows_of) for query, rows_of in ranking.to_dict().items()}
    if isinstance(ranking, str | os.PathLike) and _is_run(ranking):
        return _open(read_ranking(ranking), columns)
    return open_table(ranking, TABLE, columns)


def _in_order(ranking: RankingInput, columns: ColumnsInput, source: SourceTable) -> Mapping[Any, Any]:
    """A ranking by the order of its rows; a file has one, a lazy table has none."""
    if not source.is_file:
        expected = "a ranking with scores or ranks, or one in memory"
        hint = "the rows of a lazy table have no order; add a column of ranks, or collect it"
        raise RankgaugeError("bad-shape", expected=expected, got="neither", hint=hint)
    by_query = read_ranking(ranking, columns=columns).to_dict()
    return {
        query: [item for item, _ in sorted(scored, key=lambda each: -each[1])] for query, scored in by_query.items()
    }


def _is_run(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a run of TREC, which has no header."""
    file = files.locate(path)
    files.require_file(file)
    return formats.detect(file.path, "ranking", file.label) == "trec"


def _require_ids(frame: NwFrame, names: Iterable[str]) -> None:
    """Raise on ids that are fractions or lists: they match no id in training, so nothing would be left out."""
    schema = frame.collect_schema()
    for name in names:
        if schema[name] in FLOATS or schema[name].is_nested():
            expected = f"ids as texts or whole numbers in the column {name!r}"
            raise RankgaugeError("bad-column", TABLE, expected=expected, got=str(schema[name]))


def _brought(pairs: NwFrame, frame: NwFrame) -> NwFrame:
    """Convert a table to the library of another, so that they can be joined."""
    library = frame.implementation
    if library.is_duckdb():
        return _brought_to_duckdb(pairs, frame)
    if pairs.implementation == library:
        if isinstance(frame, nw.LazyFrame):
            return pairs.lazy()
        return pairs.collect() if isinstance(pairs, nw.LazyFrame) else pairs
    if isinstance(frame, nw.LazyFrame) and not library.is_polars():
        expected = f"a ranking of the library of the interactions, {pairs.implementation.value}, or one in memory"
        hint = "convert one of them, or collect the ranking, or give its path"
        raise RankgaugeError("bad-shape", expected=expected, got=f"one of {library.value}", hint=hint)
    brought = nw.from_dict(_lists(pairs), dict.fromkeys(pairs.columns, nw.String()), backend=library)
    return brought.lazy() if isinstance(frame, nw.LazyFrame) else brought


def _brought_to_duckdb(pairs: NwFrame, frame: NwFrame) -> NwFrame:
    """Copy pairs to the connection of the ranking: each file has its own, and a join needs a single one."""
    ranking, listed = frame.to_native(), ", ".join(f"{name}::varchar as {name}" for name in pairs.columns)
    if pairs.implementation.is_duckdb():
        try:
            frame.join(pairs, on=pairs.columns[:1], how="anti")
        except Exception as error:
            if "duckdb" not in type(error).__module__:
                raise
        else:
            return pairs
    if connections.is_ours(ranking):
        brought = connections.bring(duckdb_tables.from_columns(_lists(pairs)), ranking)
        return nw.from_native(brought.project(listed))
    import numpy as np

    # DuckDB finds it by its name in the query.
    brought = {name: np.array(values, dtype=object) for name, values in _lists(pairs).items()}
    return nw.from_native(ranking.query("ranking", f"select {listed} from brought"))  # noqa: S608 - names of our own


def _lists(frame: NwFrame) -> dict[str, list[str]]:
    return {name: column.tolist() for name, column in arrays(frame).items()}


def _without(frame: NwFrame, pairs: NwFrame) -> NwFrame:
    if isinstance(frame, nw.LazyFrame):
        return frame.join(pairs, on=list(_PAIR), how="anti")
    # Without scores the order of the rows is that of the items.
    left = frame.with_row_index(_ROW).join(pairs, on=list(_PAIR), how="anti")
    return left.sort(_ROW)


def _count(frame: NwFrame, pairs: NwFrame, users: NwFrame) -> _Counts:
    seen = nw.col("rankgauge_seen")
    ranked = frame.select(*_PAIR).join(pairs, on=list(_PAIR), how="left").with_columns(seen=flag(~seen.is_null()))
    by_user = ranked.group_by(_PAIR[0]).agg(rows=nw.len(), seen=nw.col("seen").sum())
    sums = {
        "rows": nw.col("rows"),
        "seen": nw.col("seen"),
        "users": flag(nw.col("rows") > 0),
        "lost": flag(nw.col("seen") > 0),
        "emptied": flag(nw.col("seen") == nw.col("rows")),
    }
    (totals,) = rows(by_user.select(**{name: each.sum() for name, each in sums.items()}))
    judged = users.join(by_user.select(_PAIR[0], "rows"), on=_PAIR[0], how="left")
    (absent,) = rows(judged.select(judged=nw.len(), absent=flag(nw.col("rows").is_null()).sum()))
    return _Counts(**whole_counts({**totals, **absent}))


def _audit(counts: _Counts) -> Audit:
    lost = Text.counted(
        counts.users,
        "{lost:,} of {n:,} ranked user lost items, {emptied:,} of them all",
        "{lost:,} of {n:,} ranked users lost items, {emptied:,} of them all",
        lost=counts.lost,
        emptied=counts.emptied,
    )
    remarks = [Remark.of("seen", lost)]
    if counts.absent:
        absent = Text("{:,} of {:,} users of the truth are not in the ranking", counts.absent, counts.judged)
        remarks.append(Remark.of("not-ranked", absent))
    else:
        remarks.append(Remark.of("truth", Text("every user of the truth is in the ranking")))
    dropped: dict[str, int] = {Text("seen in training"): counts.seen}
    return Audit("unseen", counts.rows, dropped, counts.rows - counts.seen, remarks=tuple(remarks), outcome="left")


def _unseen_mapping(ranking: Mapping[Any, Any], pairs: NwFrame, users: NwFrame) -> Audited:
    ranked = {_text(query) for query in ranking}
    seen: dict[str, set[str]] = {}
    for user, item in zip(*_lists(pairs).values(), strict=True):
        if user in ranked:
            seen.setdefault(user, set()).add(item)
    result = {query: _left(items, seen.get(_text(query), set())) for query, items in ranking.items()}
    sizes = [(len(items), len(result[query])) for query, items in ranking.items()]
    judged = _lists(users)[_PAIR[0]]
    counts = _Counts(
        rows=sum(before for before, _ in sizes),
        seen=sum(before - after for before, after in sizes),
        users=len(sizes),
        lost=sum(before > after for before, after in sizes),
        emptied=sum(before > after == 0 for before, after in sizes),
        judged=len(judged),
        absent=sum(user not in ranked for user in judged),
    )
    return Audited(result, _audit(counts), {})


def _left(items: Any, seen: set[str]) -> Any:  # noqa: ANN401 - a mapping or a list
    if not seen:
        return items
    if isinstance(items, Mapping):
        return {item: score for item, score in items.items() if _text(item) not in seen}
    return [item for item in items if _text(item[0] if isinstance(item, tuple) else item) not in seen]


def _text(id_: object) -> str:
    """An id as text: 7, '7' and b'7' are the same."""
    return id_.decode("utf-8", "replace") if isinstance(id_, bytes) else str(id_)
