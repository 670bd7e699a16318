"""The drawing of docs/architecture.md is what the imports in the code give."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from tests.docs.test_generated import load_script

SCRIPT: ModuleType = load_script("draw_architecture")
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_drawing_of_the_page_is_what_the_imports_give() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == SCRIPT.page(text), "run `make docs`"
    assert SCRIPT.drawing() in text


def test_imports_of_the_package_lead_from_the_program_to_the_core() -> None:
    edges = SCRIPT.imports()
    assert ("rankgauge.cli", "rankgauge.evaluate") in edges
    assert ("rankgauge.data", "rankgauge._core") in edges
    assert ("rankgauge.errors", "rankgauge.cli") not in edges


def test_shortest_leaves_out_what_other_imports_imply() -> None:
    assert SCRIPT.shortest({("a", "b"), ("b", "c"), ("a", "c")}) == {("a", "b"), ("b", "c")}


def test_part_of_a_module_in_no_layer_is_refused() -> None:
    assert SCRIPT.part_of("rankgauge.results.result", ["rankgauge.results", "rankgauge.results.result"]) == (
        "rankgauge.results.result"
    )
    with pytest.raises(SystemExit, match=r"rankgauge\.new is in no layer"):
        SCRIPT.part_of("rankgauge.new", ["rankgauge.cli"])
