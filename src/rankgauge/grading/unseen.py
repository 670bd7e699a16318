"""A ranking → the same without what the user has in training."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.interactions import FLOATS, whole_counts
from rankgauge.grading.source import Frame, Given, Opened, arrays, flag, open_table, rows
from rankgauge.inputs import files, formats, read_ranking
from rankgauge.inputs import roles as ranking_roles
from rankgauge.ranking import Ranking

TABLE: Final = "ranking"
_PAIR: Final = ("rankgauge_user", "rankgauge_item")
_ROW: Final = "rankgauge_row"


class _Counts(NamedTuple):
    """What became of a ranking."""

    rows: int
    seen: int
    users: int
    # Users who lost items, and who lost all.
    lost: int
    emptied: int
    # Users of the truth, and those whom the ranking lacks.
    judged: int
    absent: int


def unseen_rows(train: Frame, truth: Audited, roles: Mapping[str, str], ranking: Frame, given: Given) -> Audited:
    """Return the ranking without the pairs in training."""
    pairs = pairs_of(train, roles)
    users = pairs_of(truth.frame, truth.roles).select(_PAIR[0]).unique()
    found = _open(ranking, given)
    if isinstance(found, Mapping):
        return _unseen_mapping(found, pairs, users)
    frame, names = found.frame, ranking_roles.find(found.names, "ranking", found.by_role(given))
    if names.value is None and isinstance(frame, nw.LazyFrame):
        return _unseen_mapping(_in_order(ranking, given, found), pairs, users)
    _require_ids(frame, (names.query, names.item))
    frame = frame.with_columns(*_texts(names.query, names.item))
    pairs, users = (_brought(each, frame).with_columns(rankgauge_seen=nw.lit(1)) for each in (pairs, users))
    audit = _audit(_count(frame, pairs, users))
    result = _without(frame, pairs).select(*found.names).to_native()
    value = {"score" if names.descending else "rank": names.value} if names.value else {}
    return Audited(result, audit, {"query": names.query, "item": names.item, **value})


def pairs_of(table: Frame, roles: Mapping[str, str]) -> Frame:
    """Return the users and items of a table as texts."""
    return nw.from_native(table).select(*_texts(roles["query"], roles["item"]))


def _texts(query: str, item: str) -> list[nw.Expr]:
    return [nw.col(name).cast(nw.String).alias(own) for name, own in zip((query, item), _PAIR, strict=True)]


def _open(ranking: Frame, given: Given) -> Opened | Mapping[Any, Any]:
    if isinstance(ranking, Mapping):
        return ranking
    if hasattr(ranking, "to_native") and isinstance(ranking.to_native(), Mapping):
        return _open(ranking.to_native(), given)
    if isinstance(ranking, Ranking):
        return {query: dict(own) for query, own in ranking.to_dict().items()}
    if isinstance(ranking, str | os.PathLike) and _is_run(ranking):
        return _open(read_ranking(ranking), given)
    return open_table(ranking, TABLE, given)


def _in_order(ranking: Frame, given: Given, found: Opened) -> Mapping[Any, Any]:
    """A ranking by the order of its rows, which a file has, and a lazy table has not."""
    if not found.is_file:
        expected = "a ranking with scores or ranks, or one in memory"
        hint = "the rows of a lazy table have no order; add a column of ranks, or collect it"
        raise RankgaugeError("bad-shape", expected=expected, got="neither", hint=hint)
    by_query = read_ranking(ranking, columns=given).to_dict()
    return {query: [item for item, _ in sorted(own, key=lambda each: -each[1])] for query, own in by_query.items()}


def _is_run(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a run of TREC, which has no header."""
    file = files.locate(path)
    files.require_file(file)
    return formats.detect(file.path, "ranking", file.label) == "trec"


def _require_ids(frame: Frame, names: Iterable[str]) -> None:
    """Ids that are fractions, or lists, are equal to none in training: nothing would be left out, and nobody told."""
    schema = frame.collect_schema()
    for name in names:
        if schema[name] in FLOATS or schema[name].is_nested():
            expected = f"ids as texts or whole numbers in the column {name!r}"
            raise RankgaugeError("bad-column", TABLE, expected=expected, got=str(schema[name]))


def _brought(pairs: Frame, frame: Frame) -> Frame:
    """Return a table in the library of another, so that they can be joined."""
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


def _brought_to_duckdb(pairs: Frame, frame: Frame) -> Frame:
    """Each file has a connection of its own, and so may relations: a join wants one connection."""
    ranking, listed = frame.to_native(), ", ".join(f"{name}::varchar as {name}" for name in pairs.columns)
    if pairs.implementation.is_duckdb():
        try:
            frame.join(pairs, on=pairs.columns[:1], how="anti")
        except Exception as error:
            if "duckdb" not in type(error).__module__:
                raise
        else:
            return pairs
    import numpy as np

    # DuckDB finds it by its name in the query.
    brought = {name: np.array(values, dtype=object) for name, values in _lists(pairs).items()}  # noqa: F841
    return nw.from_native(ranking.query("ranking", f"select {listed} from brought"))  # noqa: S608 - names of our own


def _lists(frame: Frame) -> dict[str, list[str]]:
    return {name: column.tolist() for name, column in arrays(frame).items()}


def _without(frame: Frame, pairs: Frame) -> Frame:
    if isinstance(frame, nw.LazyFrame):
        return frame.join(pairs, on=list(_PAIR), how="anti")
    # Without scores the order of the rows is that of the items.
    left = frame.with_row_index(_ROW).join(pairs, on=list(_PAIR), how="anti")
    return left.sort(_ROW)


def _count(frame: Frame, pairs: Frame, users: Frame) -> _Counts:
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
    (found,) = rows(by_user.select(**{name: each.sum() for name, each in sums.items()}))
    judged = users.join(by_user.select(_PAIR[0], "rows"), on=_PAIR[0], how="left")
    (absent,) = rows(judged.select(judged=nw.len(), absent=flag(nw.col("rows").is_null()).sum()))
    return _Counts(**whole_counts({**found, **absent}))


def _audit(counts: _Counts) -> Audit:
    many = "user" if counts.users == 1 else "users"
    remarks = [f"{counts.lost:,} of {counts.users:,} ranked {many} lost items, {counts.emptied:,} of them all"]
    if counts.absent:
        remarks.append(f"{counts.absent:,} of {counts.judged:,} users of the truth are not in the ranking")
    else:
        remarks.append("every user of the truth is in the ranking")
    dropped = {"seen in training": counts.seen}
    return Audit("unseen", counts.rows, dropped, counts.rows - counts.seen, remarks=tuple(remarks), outcome="left")


def _unseen_mapping(ranking: Mapping[Any, Any], pairs: Frame, users: Frame) -> Audited:
    ranked = {_text(query) for query in ranking}
    seen: dict[str, set[str]] = {}
    for own, other in zip(*_lists(pairs).values(), strict=True):
        if own in ranked:
            seen.setdefault(own, set()).add(other)
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
        absent=sum(own not in ranked for own in judged),
    )
    return Audited(result, _audit(counts), {})


def _left(items: Any, seen: set[str]) -> Any:  # noqa: ANN401 - a mapping or a list
    if not seen:
        return items
    if isinstance(items, Mapping):
        return {item: score for item, score in items.items() if _text(item) not in seen}
    return [item for item in items if _text(item[0] if isinstance(item, tuple) else item) not in seen]


def _text(own: object) -> str:
    """An id as text: 7, '7' and b'7' are the same."""
    return own.decode("utf-8", "replace") if isinstance(own, bytes) else str(own)
