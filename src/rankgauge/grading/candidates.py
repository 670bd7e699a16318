"""Users with a truth → the items of the truth and random others, the same in every library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import narwhals as nw

from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.interactions import whole_counts, with_number
from rankgauge.grading.random_order import prime_from, seed_key, with_keys, with_mixed, with_shuffled
from rankgauge.grading.source import NwFrame, flag, rows
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark

SAMPLED: Final = Text(
    "measures of sampled candidates are not those of all items: even the order of two systems may change "
    "(Krichene & Rendle 2020, On Sampled Metrics for Item Recommendation); rank all items where you can"
)


def draw_candidates(train: NwFrame, truth: Audited, roles: Mapping[str, str], count: int, seed: int) -> Audited:
    """Return the items of the truth of each user, and `count` items that the user has not had."""
    names = {role: roles[role] for role in ("query", "item")}
    held = _ids(truth.frame, names)
    known = nw.concat([_ids(train, names), held])
    items = known.select("item", "item_text").unique(subset=["item_text"], keep="any")
    items = _numbered(items, "item_text")
    users = held.select("query", "query_text").unique(subset=["query_text"], keep="any")
    users = with_mixed(_numbered(users, "query_text"), "key", nw.col("number"), seed_key(seed)).drop("number")
    (row,) = rows(items.select(size=nw.len()))
    size = int(row["size"])
    drawn = _drawn(users, items, known, size, count)
    both = nw.concat([part.select("query", "item", "query_text", "held_out") for part in (_flagged(held, 1), drawn)])
    audit = _audit(both, size, count)
    frame = both.select(*(nw.col(role).alias(name) for role, name in names.items()), "held_out")
    return Audited(frame.to_native(), audit, {**names, "grade": "held_out"})


def _ids(table: NwFrame, names: Mapping[str, str]) -> NwFrame:
    ids = nw.from_native(table).select(**{role: nw.col(name) for role, name in names.items()})
    return ids.with_columns(*(nw.col(role).cast(nw.String).alias(f"{role}_text") for role in names))


def _flagged(frame: NwFrame, held_out: int) -> NwFrame:
    return frame.with_columns(held_out=nw.lit(held_out, nw.Int64))


def _numbered(frame: NwFrame, column: str) -> NwFrame:
    """Number the rows from 0, in the order of the texts."""
    return with_number(frame, "number", [], [column]).with_columns(nw.col("number") - 1)


def _drawn(users: NwFrame, items: NwFrame, known: NwFrame, size: int, count: int) -> NwFrame:
    """The first `count` items that the user has not had, in a random order that is drawn for each user."""
    prime = prime_from(size)
    turns = count + prime - size
    if size <= turns:
        draws = users.join(items.select("number"), how="cross")
        draws = with_mixed(draws, "turn", nw.col("number"), nw.col("key"))
    else:
        draws = _turns(with_keys(users, "key"), items, known, turns).filter(nw.col("turn") < prime)
        draws = with_shuffled(draws, "number", nw.col("turn"), "key", prime)
    draws = draws.select("query", "query_text", "turn", "number").join(items, on="number", how="inner")
    draws = draws.join(known.select("query_text", "item_text"), on=["query_text", "item_text"], how="anti")
    draws = with_number(draws, "nth", ["query_text"], ["turn"])
    return _flagged(draws.filter(nw.col("nth") <= count), 0)


def _turns(users: NwFrame, items: NwFrame, known: NwFrame, turns: int) -> NwFrame:
    """The draws of each user: `turns`, and one more for each item that the user has had, since it may be drawn.

    Each turn draws another number below the prime, so only numbers that are no item, and items that the user has had,
    are drawn in vain. The rows of the items that the user has had give the additional turns.
    """
    first = users.join(items.filter(nw.col("number") < turns).select(turn=nw.col("number")), how="cross")
    later = with_number(known.select("query_text", "item_text"), "turn", ["query_text"], ["item_text"])
    later = later.with_columns(nw.col("turn") + (turns - 1))
    later = users.join(later.select("query_text", "turn"), on="query_text", how="inner")
    return nw.concat([first, later.select(*first.collect_schema().names())])


def _audit(both: NwFrame, size: int, count: int) -> Audit:
    by_user = both.group_by("query_text").agg(rows=nw.len(), held=nw.col("held_out").sum())
    by_user = by_user.with_columns(one=nw.lit(1), short=flag(nw.col("rows") - nw.col("held") < count))
    (sums,) = rows(by_user.select(*(nw.col(name).sum() for name in ("rows", "held", "one", "short"))))
    counts = whole_counts(sums)
    users = counted(counts["one"], "user", "users")
    drawn = Text("{} with a truth, {:,} random items of {:,} for each", users, count, size)
    remarks = [Remark.of("candidates", drawn), Remark.of("sampled", SAMPLED)]
    if counts["short"]:
        short = Text.counted(
            counts["short"],
            "{n:,} user has fewer, because they had nearly all items",
            "{n:,} users have fewer, because they had nearly all items",
        )
        remarks.insert(1, Remark.of("few-candidates", short))
    return Audit("candidates", counts["held"], {}, counts["rows"], remarks=tuple(remarks), outcome="candidates")
