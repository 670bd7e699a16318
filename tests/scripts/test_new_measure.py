"""`scripts/new_measure.py`, run in a copy of the tree: what it writes parses, imports and is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.scripts.copy_of_the_tree import CopyOfTheTree

FILES = {
    "counted": "crates/core/src/measures/counted/ranks.rs",
    "graded": "crates/core/src/measures/graded/cascade.rs",
    "diversity": "crates/core/src/measures/diversity.rs",
}
FOUND = """
from importlib import import_module
from rankgauge import measures

measure = measures.FIRST_RANK
assert measures.NAMED["first_rank"] is measure
formulas = import_module(f"rankgauge.engines.reference.{measure.family}").FORMULAS
print(formulas["first-rank"].__name__)
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CopyOfTheTree:
    return CopyOfTheTree.make(tmp_path_factory.mktemp("tree"))


def test_new_measure_of_gains_has_a_value_at_once(tmp_path: Path) -> None:
    tree = CopyOfTheTree.make(tmp_path)
    printed = tree.run("scripts/new_measure.py", "first_rank", "--family", "gains")
    assert "crates" not in printed
    evaluate = (
        "import rankgauge as rg; print(rg.evaluate({'q': {'a': 1}}, {'q': ['a']}, 'first_rank@3')['first_rank@3'])"
    )
    assert tree.python(evaluate) == "1.0\n"
    tree.check_python()


@pytest.mark.parametrize("family", FILES)
def test_new_measure_of_a_family_is_found_and_formatted(tmp_path: Path, family: str) -> None:
    tree = CopyOfTheTree.make(tmp_path)
    tree.run("scripts/new_measure.py", "first_rank", "--family", family, "--title", "Rank of the first relevant item")
    assert tree.python(FOUND) == "first_rank\n"
    assert "first_rank" in tree.rankgauge("measures")
    tree.check_python()
    tree.check_rust(FILES[family])


def test_new_measure_before_it_is_filled_in_fails_its_own_tests_only(tmp_path: Path) -> None:
    tree = CopyOfTheTree.make(tmp_path)
    tree.run("scripts/new_measure.py", "first_rank", "--family", "counted")
    failed = tree.failures("tests/golden/test_measures.py", "tests/measures/test_first_rank.py")
    assert len(failed) == 4
    assert all("first_rank" in line for line in failed)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("recip_rank", "recip_rank is a measure already: Reciprocal rank"),
        ("relevant_ranks", "counted.py has a function relevant_ranks already"),
        ("First Rank", "expected a name such as first_rank, got 'First Rank'"),
    ],
)
def test_new_measure_with_a_name_that_cannot_be_is_refused(tree: CopyOfTheTree, name: str, says: str) -> None:
    assert says in tree.refusal("scripts/new_measure.py", name, "--family", "counted")


@pytest.mark.parametrize("family", ["clicks", "coverage", "letters"])
def test_new_measure_of_a_family_without_a_template_says_what_to_do(tree: CopyOfTheTree, family: str) -> None:
    refusal = tree.refusal("scripts/new_measure.py", "first_rank", "--family", family)
    assert f"add a literal to src/rankgauge/measures/{family}.py" in refusal
