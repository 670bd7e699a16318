"""One Chromium per process of tests, without network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.required_programs import require_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium without a window; Playwright's own download is not asked for."""
    from playwright.sync_api import sync_playwright

    program = require_program("chromium", "chromium")
    # Chromium refuses its sandbox to root, as whom containers run.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()
