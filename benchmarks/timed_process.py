"""Run a contender in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.cases import Case
from benchmarks.contenders import Contender
from benchmarks.raw_rows import Row


def measure(case: Case, contender: Contender, turn: int) -> Row:
    """Run a contender once; the peak is of the process itself, mapped files included."""
    start, busy = time.perf_counter(), busy_seconds()
    process = subprocess.Popen(contender.command, stdout=subprocess.PIPE, text=True, env=environment())
    output = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{case.name}: {contender.name} failed with exit code {process.returncode}")
    result = parse(output)
    warm = result.get("warm")
    # A process that evaluates twice has run longer by that second time.
    cold = result.get("cold", seconds - (warm or 0.0))
    taken = result.get("input", contender.mapped_bytes / 2**20 or None)
    peak = usage.ru_maxrss / 1024
    used = max(usage.ru_utime + usage.ru_stime, result.get("used", 0.0))
    others = max(busy_seconds() - busy - used, 0.0) / seconds
    value = result.get("value")
    times = (cold, warm, peak, taken)
    return Row(case.name, contender.name, turn, contender.rows, *times, value, round(others, 2), commit())


def busy_seconds() -> float:
    """CPU seconds of everything that the machine has run so far (Linux)."""
    total = Path("/proc/stat").read_text(encoding="ascii").partition("\n")[0].split()
    user, nice, system, _, _, interrupts, soft = map(int, total[1:8])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


@cache
def commit() -> str:
    """The commit that is measured, with a + where files differ from it."""
    command = ["git", "describe", "--always", "--abbrev=7", "--exclude=*", "--dirty=+"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def environment() -> dict[str, str]:
    """Without the variable that would have every process compile its modules again."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def parse(output: str) -> dict[str, Any]:
    """Read JSON with a value, the JSON of rankgauge's command line, trec_eval's line, or nothing."""
    if not output.strip():
        return {}
    if not output.startswith("{"):
        return {"value": float(output.rsplit(maxsplit=1)[-1])}
    result: dict[str, Any] = json.loads(output)
    return {"value": result["means"]["ndcg@10"]} if "means" in result else result
