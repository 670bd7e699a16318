"""The guide from a laptop to a cluster, in a process of its own: Spark forks to start Java, which JAX forbids."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.required_programs import require_program

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "laptop-to-cluster.md"


def test_guide_prints_what_it_says(tmp_path: Path) -> None:
    require_program("java", "openjdk-17-jre-headless")
    options = [part for name in ("ELLIPSIS", "NORMALIZE_WHITESPACE") for part in ("-o", name)]
    command = [sys.executable, "-m", "doctest", *options, str(GUIDE)]
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
