"""A file of a test's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.inputs.files import Put


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def put(content: str | bytes, name: str = "file.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put
