"""The command line as the tests of the texts ask it: words in, the values of its JSON out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tests.cli.conftest import Run, run, write

__all__ = ["run", "write"]  # pytest finds fixtures among the names of this module

Ask: TypeAlias = Callable[..., Any]
Write: TypeAlias = Callable[[str, str], Path]
Put: TypeAlias = Callable[[str, Any], Path]


@pytest.fixture
def ask(run: Run) -> Ask:
    """Run the program on words, numbers and paths, and return what its JSON says."""

    def answer(*words: object) -> Any:
        return json.loads(run(*map(str, words), "--format", "json").text())

    return answer


@pytest.fixture
def write_json(write: Write) -> Put:
    """Write a value as a JSON file, Korean as it is."""

    def put(name: str, value: Any) -> Path:
        return write(name, json.dumps(value, ensure_ascii=False))

    return put
