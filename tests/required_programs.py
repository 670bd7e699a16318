"""What a test needs of the machine beside Python packages: it fails where that is missing, and says what to install."""

from __future__ import annotations

import shutil

import pytest


def require_program(program: str, package: str) -> str:
    """The path of a program; fails with the name of the Debian package where it is missing."""
    path = shutil.which(program)
    if path is None:
        pytest.fail(f"this test runs {program}: install it with `apt-get install {package}`", pytrace=False)
    return path
