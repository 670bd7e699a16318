"""What `import rankgauge` gives, and what it costs."""

from __future__ import annotations

import subprocess
import sys

import rankgauge as rg

OPTIONAL = ("numpy", "pandas", "polars", "scipy", "rich", "click", "pyarrow", "rankgauge.cli")


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


def test_dir_shows_the_public_names_alone() -> None:
    for module in (rg, rg.measures, rg.conventions):
        assert dir(module) == sorted(module.__all__)
