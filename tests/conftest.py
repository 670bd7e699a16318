"""Settings of all tests, and the browser. Property tests draw more in `make test-full`, anew in `make explore`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.watched_page import WatchedPages

# Neither deadline nor speed check: a busy machine is no fault of the code.
explore = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("explore", explore)
settings.register_profile("full", explore, derandomize=True)
settings.register_profile("check", explore, derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "check"))

# ranx runs as plain Python: numba needs two minutes to compile it, which only `make test-full` spends.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

# Spark in tests is over before its code is worth optimising: that would take half of its time.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_SPARK = " ".join(f'--conf spark.{process}.extraJavaOptions="{_JAVA}"' for process in ("driver", "executor"))
os.environ.setdefault("PYSPARK_SUBMIT_ARGS", f"{_SPARK} pyspark-shell")

# Each adapter imports its tool, which may live in an environment of its own; tests/parity asks those that are here.
collect_ignore_glob = ["parity/tools/*"]

# Programs that tests start and send a signal to inherit signals that are ignored, as under `nohup` or in a script that
# runs in the background, and would wait for ever; signals with a handler are reset. This one ignores them as before.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this process; it starts with the first that asks."""
    from tests.browser.launch import chromium

    with chromium() as opened:
        yield opened


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[WatchedPages]:
    """Opens an HTML file: `open_page(path, width=400, dark=True)`. The test fails where a page has a problem."""
    from tests.browser.watched_page import WatchedPages

    pages = WatchedPages(browser, tmp_path)
    yield pages
    pages.close()
    pages.require_no_problems()


@pytest.fixture(scope="module")
def tiny_parts() -> Iterator[None]:
    """Parts of rows on disk are as small as `memory=` says; else they have at least what saves no memory."""
    from rankgauge.data import rows_on_disk

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_on_disk, "LEAST", 1)
        yield
