"""Every convention equals the real tool, asked now where it lives beside the tests, or as `make parity` recorded it."""

from __future__ import annotations

import pytest
from tests.golden.cases import WORKED
from tests.parity import environments, proofs
from tests.parity.cases import TRAITS, all_cases

from rankgauge.conventions import NAMED, UNCLAIMED

LIVE = [module for module in proofs.modules() if module not in environments.TOOLS]
RECORDED = sorted(path.stem for path in proofs.RECORDED.glob("*.jsonl"))
# What the formula's own conventions are proven by: worked examples, to the last digit, in tests/golden.
TEXTBOOK = ("textbook", "textbook-clipped", "burges", "jarvelin", "implicit-feedback", "kaggle")


def check(proof: proofs.Proof) -> None:
    convention = NAMED[proof.convention]
    assert proofs.comparisons(proof, convention) >= 30
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
        if trait in UNCLAIMED
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
