"""Measures of subtopics from end to end: the numbers of pyndeval, asked through ir_measures, from a TREC file."""

from __future__ import annotations

import random
from pathlib import Path

import ir_measures
import pytest

import rankgauge as rg

NAMES = [
    *("alpha_nDCG@5", "alpha_nDCG@20", "alpha_nDCG(alpha=0.3)@10", "alpha_DCG@10", "ERR_IA@10", "nERR_IA@10"),
    *("P_IA@10", "AP_IA", "NRBP", "nNRBP", "NRBP(alpha=0.5,beta=0.8)", "StRecall@5", "StRecall(rel=2)@10"),
]


def make(seed: int) -> tuple[str, dict[str, dict[str, float]]]:
    """Judgments in TREC's form, subtopics in the second column, and a ranking with distinct scores."""
    source = random.Random(seed)
    documents = [f"d{number}" for number in range(40)]
    lines, ranking = [], {}
    for query in ("1", "2", "10"):
        for document in source.sample(documents, 25):
            subtopics = source.sample(range(1, 6), source.randrange(1, 4))
            lines += [f"{query} {subtopic} {document} {source.choice([0, 0, 1, 1, 2])}" for subtopic in subtopics]
        lines.append(f"{query} 1 certain 2")
        ranking[query] = {document: source.random() for document in source.sample(documents, 30)}
    return "\n".join(lines) + "\n", ranking


@pytest.mark.parametrize("seed", range(10))
def test_diversity_of_a_trec_file_equals_pyndeval(seed: int, tmp_path: Path) -> None:
    text, ranking = make(seed)
    (tmp_path / "diversity.qrels").write_text(text, encoding="utf-8")
    # pyndeval numbers subtopics in the order in which it first meets them, ndeval and rankgauge by their number. Where
    # α is not 0.5 the order decides between equally good items, so pyndeval is given the rows in that order.
    rows = sorted((line.split() for line in text.splitlines()), key=lambda row: int(row[1]))
    judged = [ir_measures.Qrel(query, item, int(grade), topic) for query, topic, item, grade in rows]
    run = [ir_measures.ScoredDoc(q, d, score) for q, scores in ranking.items() for d, score in scores.items()]
    for name in NAMES:
        measure = ir_measures.parse_measure(name)
        theirs = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], judged, run)}
        ours = rg.evaluate(tmp_path / "diversity.qrels", ranking, name, convention="ir_measures").per_query[name]
        assert ours == pytest.approx(theirs, abs=1e-9), name


def test_item_with_several_subtopics_has_its_highest_grade() -> None:
    judgments = {"q": {"a": {"s": 1, "t": 3}, "b": ["s"]}}
    result = rg.evaluate(judgments, {"q": ["b", "a"]}, ["strec@1", "ndcg"])
    plain = rg.evaluate({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, "ndcg")
    assert result["ndcg"] == plain["ndcg"]
    assert result["strec@1"] == 0.5
