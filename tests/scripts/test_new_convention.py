"""`scripts/new_convention.py`, run in a copy of the tree: what it writes parses, imports and is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.scripts.copy_of_the_tree import CopyOfTheTree

FOUND = """
from tests.golden.cases import WORKED
from tests.parity import proofs
from rankgauge.conventions import NAMED

assert "my-tool" in WORKED
print(NAMED["my-tool"].reproduces, [adapter.convention for adapter in proofs.adapters("my_tool")])
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CopyOfTheTree:
    return CopyOfTheTree.make(tmp_path_factory.mktemp("tree"))


@pytest.mark.parametrize("field", ["search", "learning_to_rank", "recommenders"])
def test_new_convention_of_a_field_is_found_and_has_an_adapter(tmp_path: Path, field: str) -> None:
    tree = CopyOfTheTree.make(tmp_path)
    tree.run("scripts/new_convention.py", "my-tool", "--field", field, "--version", "1.2.0")
    assert tree.python(FOUND) == "my-tool 1.2.0, FILL IN: the function ['my-tool']\n"
    assert "my-tool" in tree.rankgauge("conventions")
    tree.check_python()


def test_new_convention_before_it_is_filled_in_fails_its_own_tests_only(tmp_path: Path) -> None:
    tree = CopyOfTheTree.make(tmp_path)
    tree.run("scripts/new_convention.py", "my-tool", "--field", "search")
    failed = tree.failures("tests/golden/test_conventions.py", "-k", "candies or worked")
    assert len(failed) == 2
    assert all("my-tool: candies" in line for line in failed)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ranx", "--field", "search"], "ranx is a convention already"),
        (["ranx-mine", "--field", "search", "--package", "ranx"], "ranx.py asks this tool already"),
        (["My Tool", "--field", "search"], "expected a name such as my-tool, got 'My Tool'"),
    ],
)
def test_new_convention_that_cannot_be_is_refused(tree: CopyOfTheTree, arguments: list[str], says: str) -> None:
    assert says in tree.refusal("scripts/new_convention.py", *arguments)
