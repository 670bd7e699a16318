"""A copy of the sources and the tests, in which scripts may write."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.program import unmeasured

import rankgauge

ROOT = Path(__file__).parents[2]
FOLDERS = ("crates", "scripts", "src", "tests/golden", "tests/measures", "tests/parity")
FILES = ("pyproject.toml", "rustfmt.toml", "tests/__init__.py", "tests/conftest.py")


@dataclass(frozen=True)
class CopyOfTheTree:
    """A folder laid out as the repository is, with the compiled core of the package that is installed."""

    root: Path

    @classmethod
    def make(cls, root: Path) -> CopyOfTheTree:
        leave = shutil.ignore_patterns("__pycache__", "*.so", "recorded")
        for folder in FOLDERS:
            shutil.copytree(ROOT / folder, root / folder, ignore=leave)
        for file in FILES:
            shutil.copy(ROOT / file, root / file)
        (compiled,) = Path(rankgauge.__file__).parent.glob("_core*.so")
        shutil.copy(compiled, root / "src" / "rankgauge")
        return cls(root)

    def start(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = unmeasured({"PYTHONPATH": f"{self.root / 'src'}{os.pathsep}{self.root}", "PYTHONUTF8": "1"})
        return subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)

    def run(self, script: str, *arguments: str) -> str:
        done = self.start(sys.executable, script, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refusal(self, script: str, *arguments: str) -> str:
        done = self.start(sys.executable, script, *arguments)
        assert done.returncode == 2
        return done.stderr

    def python(self, code: str) -> str:
        return self.run("-c", code)

    def rankgauge(self, *arguments: str) -> str:
        return self.run("-m", "rankgauge", *arguments)

    def check_python(self) -> None:
        ruff = str(Path(sys.executable).parent / "ruff")
        for command in (["format", "--check"], ["check", "--ignore", "E501"]):
            done = self.start(ruff, *command, "--no-cache", "src/rankgauge", "tests")
            assert done.returncode == 0, done.stdout

    def check_rust(self, file: str) -> None:
        done = self.start("rustfmt", "--check", "--edition", "2024", file)
        assert done.returncode == 0, done.stdout + done.stderr

    def failures(self, *arguments: str) -> list[str]:
        done = self.start(sys.executable, "-m", "pytest", "-q", "-rf", "--tb=no", *arguments)
        return [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
