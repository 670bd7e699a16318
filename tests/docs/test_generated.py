"""The generated pages are what the declarations say, the declarations say enough, and no link is dead."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from tests.parity.cases import all_cases

import rankgauge as rg
from rankgauge import conventions, measures
from rankgauge.conventions import search
from rankgauge.engines.reference import counted as counted_functions
from rankgauge.measures import counted

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")


def load_script(name: str) -> ModuleType:
    spec = spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATED = ["conventions.md", "decisions/README.md", "learn/ndcg.html", "measures.md", "remarks.md"]
GENERATED += [f"conventions/{name}.md" for name in conventions.NAMED]


@pytest.mark.parametrize("name", GENERATED)
def test_page_is_what_the_declarations_give(name: str) -> None:
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == load_script("generate_docs").PAGES[name](), "run `make docs`"


def test_main_writes_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = load_script("generate_docs")
    monkeypatch.setattr(script, "FOLDER", tmp_path)
    script.main()
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
    assert written == set(GENERATED)


def test_pages_of_conventions_that_are_gone_are_deleted() -> None:
    assert {path.stem for path in (ROOT / "docs" / "conventions").glob("*.md")} == set(conventions.NAMED)


@pytest.mark.parametrize("name", conventions.NAMED)
@pytest.mark.parametrize("note", ["summary", "reproduces", "source", "cite"])
def test_convention_says_where_it_comes_from(name: str, note: str) -> None:
    assert conventions.NAMED[name][note].strip()


@pytest.mark.parametrize("name", measures.NAMED)
@pytest.mark.parametrize("note", ["title", "formula", "cite"])
def test_measure_says_what_it_is(name: str, note: str) -> None:
    assert getattr(measures.NAMED[name], note).strip()


def test_citation_has_the_version() -> None:
    assert f"\nversion: {rg.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_examples_of_contributing_are_all_that_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", CONTRIBUTING.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names = {**vars(search), **vars(counted_functions), **vars(counted)}
    monkeypatch.setitem(sys.modules, "my_tool", SimpleNamespace(ndcg_score=lambda *_: 1.0))
    for block in blocks:
        exec(block, names)  # noqa: S102 - our own page
    (adapter,) = names["ADAPTERS"]
    assert adapter.convention == names["MY_TOOL"].name
    assert adapter.ask(all_cases()[0], 3).mean == 1.0
    convention, measure = names["MY_TOOL"], names["FIRST_RANK"]
    monkeypatch.setitem(counted_functions.FORMULAS, measure.counts, names["first_rank"])
    judgments, ranking = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 0}}, {"q1": ["d2", "d3", "d1"], "q2": ["d3"]}
    result = rg.evaluate(judgments, ranking, measure @ 5, convention=convention, engine="reference")
    assert list(result.evaluation.values[measure @ 5]) == [3.0, 6.0]
    assert len(blocks) == 4


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_to_files_that_exist(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    files = [link.partition("#")[0] for link in links if "://" not in link and not link.startswith(("#", "mailto:"))]
    assert [file for file in files if not (page.parent / file).exists()] == []
