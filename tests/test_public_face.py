"""What `import rankgauge` gives, and what it costs."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from types import FunctionType

import pytest

import rankgauge as rg

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


@pytest.mark.parametrize(("name", "function"), list(public_functions()))
def test_public_function_has_a_list_of_its_parameters(name: str, function: FunctionType) -> None:
    listed = re.search(r"^Parameters:?\n(.*?)\n\n", inspect.getdoc(function) or "", re.DOTALL | re.MULTILINE)
    assert listed is not None, name
    words = set(re.findall(r"\w+", listed[1]))
    assert [each for each in inspect.signature(function).parameters if each not in words] == [], name


def test_dir_shows_the_public_names_alone() -> None:
    for module in MODULES:
        assert dir(module) == sorted(module.__all__)
