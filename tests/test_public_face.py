"""What `import rankgauge` gives, and what it costs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from types import FunctionType

import pytest

import rankgauge as rg
from tests.parameter_lists import methods_with_parameters, unlisted_of_method, unlisted_parameters

OPTIONAL = ("numpy", "pandas", "polars", "scipy", "rich", "click", "pyarrow", "sqlglot", "rankgauge.cli")
MODULES = (rg, rg.measures, rg.conventions, rg.grading, rg.sql, rg.stocks)


def test_public_names_are_few_and_exist() -> None:
    assert len(rg.__all__) <= 25
    assert all(hasattr(rg, name) for name in rg.__all__)


def test_import_of_the_package_loads_nothing_optional() -> None:
    code = f"import sys, rankgauge; print([name for name in {OPTIONAL!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"


def test_verbs_named_like_their_modules_are_functions() -> None:
    code = "import rankgauge as rg, rankgauge.evaluate, rankgauge.explain, rankgauge.cli.demo; rg.evaluate, rg.explain"
    check = f"{code}; print(callable(rg.evaluate), callable(rg.explain))"
    printed = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "True True"


def test_core_is_compiled_with_optimisation() -> None:
    from rankgauge import _core

    assert not _core.DEBUG


def public_functions() -> Iterator[tuple[str, FunctionType]]:
    for module in MODULES:
        for name in module.__all__:
            if isinstance(function := getattr(module, name), FunctionType):
                yield f"{module.__name__}.{name}", function


def public_methods() -> Iterator[tuple[str, type, str]]:
    """Yield each method of the classes that have a public name: how it is called, the class, and its name."""
    things = [getattr(module, name) for module in MODULES for name in module.__all__]
    for kind in sorted({thing for thing in things if isinstance(thing, type)}, key=lambda kind: kind.__name__):
        for method in methods_with_parameters(kind):
            yield f"{kind.__name__}.{method}", kind, method


@pytest.mark.parametrize(("name", "function"), list(public_functions()))
def test_public_function_has_a_list_of_its_parameters(name: str, function: FunctionType) -> None:
    assert unlisted_parameters(function) == [], name


@pytest.mark.parametrize(("name", "kind", "method"), list(public_methods()))
def test_method_of_a_public_class_has_a_list_of_its_parameters(name: str, kind: type, method: str) -> None:
    assert unlisted_of_method(kind, method) == [], name


def test_dir_shows_the_public_names_alone() -> None:
    for module in MODULES:
        assert dir(module) == sorted(module.__all__)
