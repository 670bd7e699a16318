"""Every convention equals the real tool, asked now where it lives beside the tests, or as `make parity` recorded it."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli
from tests.golden.cases import WORKED
from tests.parity import environments, proofs
from tests.parity.cases import TRAITS, all_cases
from tests.parity.test_diversity import NAMES as OF_SUBTOPICS

from rankgauge.conventions import NAMED, UNCLAIMED
from rankgauge.measures import parse, trec
from rankgauge.measures.trec import Line

TREC_EVAL = Path(__file__).parents[1] / "golden" / "trec_eval"
LIVE = [module for module in proofs.modules() if module not in environments.TOOLS]
RECORDED = sorted(path.stem for path in proofs.RECORDED.glob("*.jsonl"))
# What the formula's own conventions are proven by: worked examples, to the last digit, in tests/golden.
TEXTBOOK = ("textbook", "textbook-clipped", "burges", "jarvelin", "implicit-feedback", "kaggle")


def check(proof: proofs.Proof) -> None:
    convention = NAMED[proof.convention]
    assert proofs.comparisons(proof, convention) >= 20
    assert not list(proofs.disagreements(proof, convention))[:5]
    assert proof.version in convention.reproduces
    assert set(proof.refuses) <= set(TRAITS)


@pytest.mark.parametrize("module", LIVE)
def test_convention_equals_its_installed_tool(module: str) -> None:
    # `make parity` asks about all seeds.
    for adapter in proofs.adapters(module):
        check(proofs.ask(adapter, all_cases(seeds=(0,))))


@pytest.mark.parametrize("convention", RECORDED)
def test_convention_equals_the_recorded_answers_of_its_tool(convention: str) -> None:
    proof = proofs.recall(convention)
    assert proof is not None
    check(proof)


def test_proven_measures_are_those_that_the_tools_are_asked_for() -> None:
    """What conventions declare as proven is what the adapters ask, and what is recorded of trec_eval."""
    asked: dict[str, set[str]] = {name: set() for name in NAMED}
    for module in LIVE:
        for adapter in proofs.adapters(module):
            asked[adapter.convention].add(parse(adapter.measure).name)
    for convention in RECORDED:
        asked[convention].add("ndcg")
    asked["ir_measures"] |= {parse(name).name for name in OF_SUBTOPICS}
    asked["trec_eval"] |= {line.measure.name for line in recorded_lines() if line.measure}
    assert {name: set(convention.proven) for name, convention in NAMED.items()} == asked


def recorded_lines() -> list[Line]:
    """What trec_eval is recorded to print, and is compared with in tests/cli/test_trec_eval_output.py."""
    requests = tomli.loads((TREC_EVAL / "requests.toml").read_text(encoding="utf-8"))["request"]
    measures = [
        text
        for request in requests
        for switch, text in zip(request["arguments"], request["arguments"][1:], strict=False)
        if switch == "-m"
    ]
    return [line for text in measures for line in trec.lines([text], read_other=lambda _: [])]


def test_named_conventions_all_have_a_proof() -> None:
    live = {adapter.convention for module in LIVE for adapter in proofs.adapters(module)}
    assert live | set(RECORDED) | set(TEXTBOOK) == set(NAMED)
    assert set(TEXTBOOK) <= WORKED


def test_traits_that_a_tool_refuses_are_undefined_in_its_convention() -> None:
    """A convention claims nothing about data for which its tool has no answer."""
    known = [proof for proof in map(proofs.recall, RECORDED) if proof]
    refused = [(proof.convention, trait) for proof in known for trait in proof.refuses if trait in UNCLAIMED]
    refused += [
        (adapter.convention, trait)
        for module in LIVE
        for adapter in proofs.adapters(module)
        for trait in adapter.refuses
        if trait in UNCLAIMED and adapter.measure == "ndcg"
    ]
    for name, trait in refused:
        convention = NAMED[name]
        refuses_too = trait == "negative grades" and convention.negative == "error"
        assert trait in convention.undefined or refuses_too, (name, trait)


def test_proof_of_a_wrong_convention_fails() -> None:
    """The comparison can fail: a convention with another answer does not equal the tool."""
    proof = proofs.recall("cornac")
    assert proof is not None
    assert not list(proofs.disagreements(proof, NAMED["cornac"]))
    for changes in ({"gain": "linear"}, {"discount": "reciprocal"}, {"ideal": "perfect"}, {"nothing_relevant": "zero"}):
        assert list(proofs.disagreements(proof, NAMED["cornac"].replace(**changes)))
