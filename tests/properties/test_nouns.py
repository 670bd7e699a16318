"""Pickles of judgments and rankings: any rows come back as they were, and any bytes are read or refused."""

from __future__ import annotations

import pickle
import zlib
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples
from tests.properties.strategies import GRADES, ITEMS, QUERIES, SCORES, rows

import rankgauge as rg
from rankgauge._core import Judgments, Ranking
from rankgauge.errors import RankgaugeError

SOME = examples(300)
NUMBERS = [0, 1, 7, 10, -3, 2**40]


def unpickled(noun: Any) -> Any:
    return pickle.loads(pickle.dumps(noun))  # noqa: S301 - what it has just written


def frame(judged: Any, value: str) -> pl.DataFrame:
    return pl.DataFrame(judged, schema=["query", "item", value], orient="row")


def outcome(judgments: Any, ranking: Any, measures: Any) -> Any:
    try:
        result = rg.evaluate(judgments, ranking, measures, missing="zero")
        return result.per_query.to_dict(), result.counts
    except RankgaugeError as error:
        return str(error)


@SOME
@given(rows(GRADES), rows(SCORES))
def test_nouns_of_any_rows_when_pickled_evaluate_the_same(judged: Any, ranked: Any) -> None:
    judgments, ranking = rg.read_judgments(frame(judged, "grade")), rg.read_ranking(frame(ranked, "score"))
    copies = unpickled((judgments, ranking))
    assert copies == (judgments, ranking)
    assert outcome(copies[0], copies[1], ["ndcg@3", "map"]) == outcome(judgments, ranking, ["ndcg@3", "map"])


@SOME
@given(st.lists(st.tuples(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS), st.sampled_from(GRADES)), min_size=1))
def test_nouns_of_whole_ids_when_pickled_keep_them(judged: Any) -> None:
    judgments = rg.read_judgments(frame(judged, "grade"))
    assert unpickled(judgments).to_dict() == judgments.to_dict()
    expected: dict[int, list[tuple[int, float]]] = {}
    for query, item, grade in judged:
        expected.setdefault(query, []).append((item, grade))
    assert judgments.to_dict() == expected
    assert judgments.queries == sorted(expected)


subtopics = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(
        st.sampled_from(ITEMS),
        st.dictionaries(st.sampled_from(["a", "b", "9", "10", "é"]), st.sampled_from(GRADES), max_size=4),
        max_size=4,
    ),
    min_size=1,
    max_size=4,
)


@SOME
@given(subtopics)
def test_judgments_of_any_subtopics_when_pickled_keep_them(mapping: Any) -> None:
    judgments = rg.read_judgments(mapping, annotation="subtopic")
    again = unpickled(judgments)
    assert again == judgments
    for query, items in mapping.items():
        assert again.annotations(query) == {item: graded for item, graded in items.items() if graded}


def content() -> bytes:
    judgments = rg.read_judgments({"q": {"a": {"s": 1, "t": 0}, "b": ["t"]}, "p": {"a": ["u"]}}, annotation="subtopic")
    return judgments.handle.to_bytes()


def read_or_refuse(kind: type[Judgments | Ranking], content: bytes) -> Judgments | Ranking | None:
    try:
        return kind(content)
    except RankgaugeError as error:
        if error.code != "bad-bytes":
            raise
        return None


@SOME
@given(st.binary(max_size=200), st.sampled_from([Judgments, Ranking]), st.booleans())
def test_nouns_from_any_bytes_are_refused_or_read(
    middle: bytes, kind: type[Judgments | Ranking], with_head: bool
) -> None:
    head = (b"rgju" if kind is Judgments else b"rgra") + b"\x02\0\0\0" if with_head else b""
    sealed = head + middle
    handle = read_or_refuse(kind, sealed + zlib.crc32(sealed).to_bytes(4, "little"))
    if handle is not None:
        assert len(handle.groups(native=False)) == len(handle)


@SOME
@given(st.data())
def test_nouns_from_changed_bytes_are_refused(data: st.DataObject) -> None:
    whole = content()
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))
    assert read_or_refuse(Judgments, whole[:place] + bytes([byte]) + whole[place + 1 :]) is None
    assert read_or_refuse(Judgments, whole[:place]) is None


@SOME
@given(st.data())
def test_nouns_from_changed_bytes_with_a_good_checksum_are_refused_or_evaluated(data: st.DataObject) -> None:
    whole = bytearray(content()[:-4])
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(8, len(whole) - 1))] = data.draw(st.integers(0, 255))
    handle = read_or_refuse(Judgments, bytes(whole) + zlib.crc32(whole).to_bytes(4, "little"))
    if isinstance(handle, Judgments):
        judgments = rg.Judgments(handle)
        measures = {"subtopic": ["alpha_ndcg@5", "map_ia"], None: ["ndcg@5"]}.get(judgments.annotation, ["ips_dcg"])
        assert outcome(judgments, {"q": ["a", "b"], "p": ["b"]}, measures)


def test_nouns_from_a_pickle_of_another_version_are_refused() -> None:
    other = content()[:4] + b"\x09" + content()[5:]
    with pytest.raises(RankgaugeError, match="got bytes of another version"):
        Judgments(other)
