from __future__ import annotations

import pytest
from hypothesis import given
from tests.properties.strategies import measures as any_measure

from rankgauge import measures
from rankgauge.conventions.textbook import TEXTBOOK
from rankgauge.errors import RankgaugeError
from rankgauge.measures import DCG, NAMED, NDCG, Gains, Measure, parse, parse_all
from rankgauge.terms import EXP2


@given(any_measure())
def test_a_measure_prints_as_it_is_typed(measure: Measure) -> None:
    assert parse(str(measure)) == measure
    assert repr(measure) == str(measure)


@pytest.mark.parametrize("text", ["ndcg", "ndcg@10", "dcg@1", "ndcg(gain=exp2)@10", "idcg(discount=log(10))", "cg@3"])
def test_the_text_form(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize("text", ["NDCG@10", " ndcg@10 ", "nDCG@10", "ndcg @10"])
def test_case_and_space_do_not_matter(text: str) -> None:
    assert parse(text) == NDCG @ 10


def test_the_notation_in_python() -> None:
    assert NDCG(gain="exp2") @ 10 == parse("ndcg(gain=exp2)@10")
    assert parse(DCG @ 5) == DCG @ 5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ndgc",
        "ndcg@0",
        "ndcg@-1",
        "ndcg@1.5",
        "ndcg@",
        "ndcg(gain)",
        "ndcg(gain=)",
        "ndcg(k=3)",
        "ndcg(gain=exp2",
        "cg(discount=log2)",
        "dcg(ideal=judged)",
        "ndcg)",
        "ndcg@10@5",
        "ndcg@2147483648",
    ],
)
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        parse(text)


@pytest.mark.parametrize("k", [0, -1, True, 1.5, 2**31])
def test_a_cutoff_is_a_whole_number_from_1(k: int) -> None:
    with pytest.raises(RankgaugeError, match="expected a cutoff"):
        NDCG @ k


def test_several() -> None:
    assert parse_all("ndcg@5,dcg") == (NDCG @ 5, DCG)
    assert parse_all([NDCG @ 5, "NDCG@5"]) == (NDCG @ 5,)
    with pytest.raises(RankgaugeError, match="at least one measure"):
        parse_all([])


@pytest.mark.parametrize("measure", NAMED.values(), ids=str)
def test_each_has_a_title_a_formula_and_a_citation(measure: Measure) -> None:
    assert measure.title
    assert measure.formula
    assert measure.cite
    assert measures.parse(measure.name) == measure


def test_terms_come_from_the_convention_unless_given() -> None:
    full = NDCG(gain="exp2").under(TEXTBOOK)
    assert isinstance(full, Gains)
    assert (full.gain, full.discount, full.ideal) == (EXP2, TEXTBOOK.discount, TEXTBOOK.ideal)


def test_perfect_positions_have_a_limit() -> None:
    with pytest.raises(RankgaugeError, match="1,000,000 perfect positions"):
        (NDCG(ideal="perfect") @ 1_000_001).under(TEXTBOOK)
    with pytest.raises(RankgaugeError, match="1,000,000 perfect positions"):
        NDCG.under(TEXTBOOK.replace(ideal="perfect", default_cutoff=2_000_000))


def test_the_names_of_trec_eval() -> None:
    assert parse("ndcg_cut_10") == parse("ndcg_cut.10") == NDCG @ 10
    assert parse_all("ndcg_cut.5,ndcg") == (NDCG @ 5, NDCG)
    with pytest.raises(RankgaugeError, match="Hint: "):
        parse("ndcg_cut")


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("ndcg_cut.10", "ndcg@10"),
        ("ndcg_cut_10", "ndcg@10"),
        ("nDCG@10", "ndcg@10"),
        ("nDCG(dcg='exp-log2')@10", "ndcg(gain=exp2)@10"),
        ("recip_rank", "mrr"),
        ("mrr@10", "mrr@10"),
        ("RR@10", "mrr@10"),
        ("map_cut.100", "map@100"),
        ("AP@100", "map@100"),
        ("P@5", "precision@5"),
        ("p_5", "precision@5"),
        ("precision@5", "precision@5"),
        ("P(rel=2)@5", "precision(rel=2)@5"),
        ("recall_1000", "recall@1000"),
        ("R@1000", "recall@1000"),
        ("hit_rate@10", "success@10"),
        ("Success@10", "success@10"),
        ("Rprec", "r_precision"),
        ("r-precision", "r_precision"),
        ("Bpref", "bpref"),
        ("f1@10", "f@10"),
        ("Judged@10", "judged@10"),
        ("RBP(p=0.5,rel=1)@10", "rbp(rel=1,p=0.5)@10"),
    ],
)
def test_what_users_of_other_tools_type_is_understood(typed: str, printed: str) -> None:
    assert str(parse(typed)) == printed


def test_no_name_means_two_measures() -> None:
    names = [name for measure in NAMED.values() for name in (measure.name, *measure.aliases)]
    assert len(names) == len(set(names))
    assert names == [name.lower() for name in names]


@pytest.mark.parametrize(
    "text", ["precision(rel=x)@5", "rbp(p=1)", "rbp(p=0)", "f(beta=0)@5", "bpref@5", "map(gain=exp2)"]
)
def test_parameters_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        parse(text)
