"""Random tests explore on a developer's machine, and repeat the same examples where a change is checked."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("check", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("check")

# Each adapter imports its tool, which may live in an environment of its own; tests/parity asks those that are here.
collect_ignore_glob = ["parity/tools/*"]
