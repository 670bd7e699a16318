"""Pages opened for a test, with everything noted that a finished page must not do."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

# What these name is inside the page: nothing is asked of a file or of the network.
INSIDE = ("data:", "blob:", "about:")


class WatchedPages:
    """Opens pages from files and lists their problems: console errors and warnings, exceptions, requests.

    The fixture `open_page` is one of these; where `problems` is not empty at the end of a test, the test fails.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.problems: list[str] = []
        self.contexts: list[BrowserContext] = []

    def __call__(
        self,
        path: Path,
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        touch: bool = False,
        fragment: str = "",
        within: Path | None = None,
    ) -> Page:
        """Open a file in a window of its own, offline, and wait until it is loaded.

        Parameters:
            path: the HTML file.
            width: of the window, in CSS pixels; so is `height`.
            dark: the reader's system prefers dark colours.
            touch: a touch screen.
            fragment: what the address has behind the file, with its `#`.
            within: a folder whose files the page may load, for a site of many files; without it, itself alone.
        """
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            offline=True,
            reduced_motion="reduce",
        )
        self.contexts.append(context)
        page = context.new_page()
        self.watch(page, path, within)
        page.goto(path.resolve().as_uri() + fragment)
        return page

    def watch(self, page: Page, path: Path, within: Path | None) -> None:
        """List as problems whatever the page complains of and whatever it asks for beside its own file."""
        own = path.resolve().as_uri()
        folder = f"{within.resolve().as_uri()}/" if within else None

        def on_console(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning", "assert"}:
                self.problems.append(f"console {message.type}: {message.text}")

        def on_request(request: Request) -> None:
            url = request.url.partition("#")[0]
            if url != own and not url.startswith(INSIDE) and not (folder and url.startswith(folder)):
                self.problems.append(f"request: {request.url}")

        page.on("console", on_console)
        page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        page.on("request", on_request)

    def screenshot(self, page: Page, name: str, *, full: bool = True) -> Path:
        """Write `name`.png, into the folder SCREENSHOTS of the environment where it is set; return its path.

        Parameters:
            page: what to photograph.
            name: of the file, without its suffix.
            full: the whole page, not only what the window shows.
        """
        path = Path(os.environ.get("SCREENSHOTS") or self.folder) / f"{name}.png"
        page.screenshot(path=path, full_page=full)
        return path

    def close(self) -> None:
        """Wait for what the pages are still saying, and close them."""
        for context in self.contexts:
            for page in context.pages:
                page.evaluate("() => new Promise(requestAnimationFrame)")
            context.close()

    def require_no_problems(self) -> None:
        """Fail where a page had a problem."""
        if self.problems:
            pytest.fail("the page has problems:\n  " + "\n  ".join(self.problems), pytrace=False)
