"""The guide from a laptop to a cluster, in a process of its own: Spark forks to start Java, which JAX forbids."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.required_programs import require_program

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "laptop-to-cluster.md"
# Runs the examples, and prints what they wrote to disk.
PROGRAM = """
import doctest, sys
from tests.scale.parts_on_disk import watched
with watched() as on_disk:
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failures, _ = doctest.testfile(sys.argv[1], module_relative=False, optionflags=options)
print(*(noun.__name__ for noun in on_disk.written), on_disk.parts > 1)
sys.exit(failures)
"""


def test_guide_prints_what_it_says_and_its_small_budget_writes_both_sides_to_disk(tmp_path: Path) -> None:
    require_program("java", "openjdk-17-jre-headless")
    command = [sys.executable, "-c", PROGRAM, str(GUIDE)]
    more = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": str(ROOT)}
    environment = os.environ | more
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "Judgments Ranking True\n"), done.stdout + done.stderr
