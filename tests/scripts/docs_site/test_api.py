"""The API reference has every public name, every parameter and every example."""

from __future__ import annotations

import inspect
import re
from types import ModuleType

import pytest
from tests.parameter_lists import methods_with_parameters, unlisted_of_method

import rankgauge as rg
from docs_site import api

PAGES = api.pages()
RETURNED = api.returned()
MODULES = {"rg": rg, **{name: getattr(rg, name) for name in rg.__all__ if inspect.ismodule(getattr(rg, name))}}


@pytest.mark.parametrize("name", MODULES)
def test_page_of_a_module_has_its_public_names(name: str) -> None:
    page, module = PAGES[f"docs/api/{name}.md"], MODULES[name]
    names = [public for public in module.__all__ if not _is_elsewhere(module, public)]
    prefix = "rg" if name == "rg" else f"rg.{name}"
    assert [public for public in names if f"\n## {public}\n" not in page and f"`{prefix}.{public}`" not in page] == []


def _is_elsewhere(module: ModuleType, name: str) -> bool:
    return inspect.ismodule(getattr(module, name)) or name == "__version__"


@pytest.mark.parametrize("function", [rg.evaluate, rg.compare, rg.grading.returns, rg.stocks.study])
def test_every_parameter_is_explained(function: object) -> None:
    assert inspect.isfunction(function)
    text = "".join(PAGES.values())
    part = re.split(r"\n## ", text[text.index(f"\n## {function.__name__}\n") + 1 :])[0]
    terms = " ".join(line for line in part.splitlines() if line.startswith("`"))
    assert [name for name in inspect.signature(function).parameters if f"`{name}`" not in terms] == []


def test_examples_of_docstrings_are_there() -> None:
    text = "".join(PAGES.values())
    for thing in (rg.evaluate, rg.Result, rg.conventions.why, rg.grading.actions):
        prompts = re.findall(r"^ *>>> .*$", thing.__doc__ or "", re.MULTILINE)
        assert prompts
        assert [prompt for prompt in prompts if prompt.strip() not in text] == []


def test_classes_that_functions_return_have_a_page() -> None:
    page = PAGES["docs/api/results.md"]
    assert all(f"\n## {name}\n" in page for name in ("Segments", "Explanation", "PerQuery", "Interval", "Plan"))
    assert "\n## AtLevel\n" not in page, "a measure is described by its public class"
    assert "\n### headline { #explanation.headline }" in page


@pytest.mark.parametrize("kind", RETURNED, ids=lambda kind: kind.__name__)
def test_methods_of_a_class_that_is_returned_have_a_list_of_their_parameters(kind: type) -> None:
    lacking = {name: unlisted_of_method(kind, name) for name in methods_with_parameters(kind)}
    assert {name: parameters for name, parameters in lacking.items() if parameters} == {}


def test_long_signature_has_a_line_per_parameter() -> None:
    written = api.written("rg.evaluate", inspect.signature(rg.evaluate))
    assert written.startswith(
        "rg.evaluate(\n    judgments: JudgmentsInput,\n    ranking: RankingInput | None = None,\n"
    )
    assert "\n    *,\n    convention: str | Convention | None = None,\n" in written
    assert "\n    engine: Engine | None = None,\n" in written
    assert written.endswith("\n) -> Result")
