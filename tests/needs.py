"""What a test needs of the machine beside Python packages: it fails where that is missing, and says what to install."""

from __future__ import annotations

import shutil

import pytest


def require_program(program: str, package: str) -> None:
    """Fail with the name of the Debian package where a program is missing."""
    if shutil.which(program) is None:
        pytest.fail(f"this test runs {program}: install it with `apt-get install {package}`", pytrace=False)
