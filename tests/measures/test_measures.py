from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from tests.properties.strategies import measures as any_measure

import rankgauge as rg
from rankgauge import _core, measures
from rankgauge.conventions.terms import EXP2
from rankgauge.conventions.textbook import TEXTBOOK
from rankgauge.errors import RankgaugeError
from rankgauge.measures import DCG, NAMED, NDCG, Gains, Measure, parse, parse_all
from rankgauge.measures.registry import FAMILIES

ROOT = Path(__file__).parents[2]


@given(any_measure())
def test_parse_text_of_a_measure_returns_the_same_measure(measure: Measure) -> None:
    assert parse(str(measure)) == measure
    assert repr(measure) == str(measure)


@pytest.mark.parametrize("text", ["ndcg", "ndcg@10", "dcg@1", "ndcg(gain=exp2)@10", "idcg(discount=log(10))", "cg@3"])
def test_str_of_a_parsed_measure_is_its_text(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize("text", ["NDCG@10", " ndcg@10 ", "nDCG@10", "ndcg @10"])
def test_parse_ignores_case_and_space(text: str) -> None:
    assert parse(text) == NDCG @ 10


def test_measure_written_in_python_equals_its_text() -> None:
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
def test_parse_invalid_text_is_refused(text: str) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        parse(text)


@pytest.mark.parametrize("k", [0, -1, True, 1.5, 2**31])
def test_cutoff_that_is_not_a_positive_whole_number_is_refused(k: int) -> None:
    with pytest.raises(RankgaugeError, match="expected a cutoff"):
        NDCG @ k


def test_parse_all_of_text_and_list_returns_each_measure_once() -> None:
    assert parse_all("ndcg@5,dcg") == (NDCG @ 5, DCG)
    assert parse_all([NDCG @ 5, "NDCG@5"]) == (NDCG @ 5,)
    with pytest.raises(RankgaugeError, match="at least one measure"):
        parse_all([])


@pytest.mark.parametrize("measure", NAMED.values(), ids=str)
def test_named_measure_has_title_formula_and_citation(measure: Measure) -> None:
    assert measure.title
    assert measure.formula
    assert measure.cite
    assert measures.parse(measure.name) == measure


def test_under_a_convention_keeps_given_terms_and_fills_in_the_others() -> None:
    full = NDCG(gain="exp2").under(TEXTBOOK)
    assert isinstance(full, Gains)
    assert (full.gain, full.discount, full.ideal) == (EXP2, TEXTBOOK.discount, TEXTBOOK.ideal)


def test_perfect_positions_beyond_the_limit_are_refused() -> None:
    with pytest.raises(RankgaugeError, match="1,000,000 perfect positions"):
        (NDCG(ideal="perfect") @ 1_000_001).under(TEXTBOOK)
    with pytest.raises(RankgaugeError, match="1,000,000 perfect positions"):
        NDCG.under(TEXTBOOK.replace(ideal="perfect", default_cutoff=2_000_000))


def test_parse_ndcg_cut_of_trec_eval_returns_ndcg_with_its_cutoff() -> None:
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
        ("rbp.95", "rbp(p=0.95)"),
        ("rbp.p=0.7,1=3", "rbp(gain=linear(1=3),p=0.7)"),
        ("ndcg_burges@10", "ndcg(gain=exp2)@10"),
        ("dcg_burges", "dcg(gain=exp2)"),
        ("hits@5", "hits@5"),
        ("IPrec@0.1", "iprec(recall=0.1)"),
        ("iprec_at_recall_0.10", "iprec(recall=0.1)"),
        ("Rprec_mult.0.5", "r_precision(times=0.5)"),
        ("map-l2", "map(rel=2)"),
        ("P@10-l2", "precision(rel=2)@10"),
        ("ndcg@10-l2", "ndcg(gain=linear(1=0))@10"),
        ("ndcg-l1", "ndcg"),
        ("rbp.80-l3", "rbp(gain=linear(1=0,2=0),p=0.8)"),
        ("nDCG(gains={0: 0, 1: 3})@10", "ndcg(gain=linear(0=0,1=3))@10"),
        ("nDCG(gains={1:3}, dcg='log2')@10", "ndcg(gain=linear(1=3))@10"),
        ("nDCG(judged_only=True,cutoff=3)", "ndcg(judged_only=true)@3"),
        ("P(rel=2,cutoff=3)", "precision(rel=2)@3"),
        ("utility.1,-1,0,0", "utility(hit=1,noise=-1,miss=0,rest=0)"),
        ("utility.2,-1,0,0.5", "utility(hit=2,noise=-1,miss=0,rest=0.5)"),
        ("ndcg.1=3,2=9", "ndcg(gain=linear(1=3,2=9))"),
        ("set_F.4", "f(beta=2)"),
        ("SetF(beta=4)", "f(beta=2)"),
        ("SetP", "precision"),
        ("SetP(relative=True)", "relative_precision"),
        ("SetRelP", "relative_precision"),
        ("NumRet", "num_ret"),
        ("NumRet(rel=2)", "num_rel_ret(rel=2)"),
        ("11pt_avg.0.2,0.5", "11pt_avg(points=0.2/0.5)"),
        ("relstring.20", "relstring@20"),
        ("Compat(p=0.9,normalize=False)", "compat(p=0.9,normalised=0)"),
        ("INST(T=2,max_rel=3)", "inst(gain=share(3),t=2)"),
        ("SDCG(max_rel=3)@10", "sdcg(gain=share(3))@10"),
        ("alpha_nDCG(alpha=0.3)@10", "alpha_ndcg(alpha=0.3)@10"),
        ("StRecall@5", "strec@5"),
        ("auroc", "auc"),
        ("fall_out@10", "fallout@10"),
        ("mapk@12", "capped_map@12"),
    ],
)
def test_parse_name_of_another_tool_returns_its_measure(typed: str, printed: str) -> None:
    assert str(parse(typed)) == printed


def test_parse_all_of_a_trec_eval_list_returns_its_measures() -> None:
    official = [str(measure) for measure in parse_all("official")]
    assert official[:3] == ["num_q", "num_ret", "num_rel"]
    assert official[-1] == "precision@1000"
    assert len(parse_all("all_trec")) > 90
    assert parse_all("set")[-1] == parse("set_F")
    assert [str(measure) for measure in parse_all("success.1,5,map")] == ["success@1", "success@5", "map"]


def test_parse_all_of_a_residual_returns_its_low_and_high_bounds() -> None:
    assert [str(measure) for measure in parse_all("residual(rbp(p=0.9)),ndcg")] == [
        "rbp(residual=low,p=0.9)",
        "rbp(residual=high,p=0.9)",
        "ndcg",
    ]


def test_names_and_aliases_are_unique_and_lower_case() -> None:
    names = [name for measure in NAMED.values() for name in (measure.name, *measure.aliases)]
    assert len(names) == len(set(names))
    assert names == [name.lower() for name in names]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "precision(rel=x)@5",
            "rbp(p=1)",
            "rbp(p=0)",
            "f(beta=-1)@5",
            "set_F.-1",
            "bpref@5",
            "map(gain=exp2)",
            "err(gain=exp2)@5",
        ),
        *("ndcg_burges@5-l2", "nDCG(gains=5)", "nDCG(cutoff=3)@4", "nDCG(gains={1:3},dcg='exp-log2')"),
        *("iprec(recall=1.5)", "11pt_avg(points=0.5/2)", "utility.1,2", "map.5", "P.0.5", "ndcg.1,2", "relstring@2000"),
        *("inst(gain=table(1=2))", "ndcg(residual=middle)", "residual(map)", "strec(alpha=1)", "chance", "rbp.p=2"),
    ],
)
def test_parse_invalid_parameters_are_refused(text: str) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        parse(text)


def test_families_in_python_are_those_of_the_core() -> None:
    assert {measure.family for measure in NAMED.values()} == set(_core.FAMILIES) == set(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_family_has_one_name_in_the_declaration_the_reference_and_the_core(family: str) -> None:
    assert import_module(f"rankgauge.measures.{family}")
    assert import_module(f"rankgauge.engines.reference.{family}")
    in_core = ROOT / "crates" / "core" / "src" / "measures"
    if family != "letters":  # the core computes nothing for them: it copies the grades
        assert (in_core / f"{family}.rs").exists() or (in_core / family / "mod.rs").exists()


def test_native_engine_given_an_unknown_family_refuses_it() -> None:
    class Stray(Gains):
        family = "stray"

    stray = Stray(name="stray", title="", formula="", cite="", sums="ranked")
    request = replace(rg.Request.of("ndcg"), measures=(stray,))
    with pytest.raises(ValueError, match="does not know"):
        request.plan()


@pytest.mark.parametrize("text", ["NERR8(max_rel=3)@10", "NERR11", "Accuracy@5"])
def test_measure_of_ir_measures_that_is_not_here_is_refused_without_another_one(text: str) -> None:
    with pytest.raises(rg.RankgaugeError, match="of ir_measures is not here") as refusal:
        rg.measures.parse(text)
    assert "did you mean" not in str(refusal.value)
