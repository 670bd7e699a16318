"""The built site: once for all tests of a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_site.build import build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    build(folder)
    return folder
