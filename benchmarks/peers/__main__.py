"""Run one contender: `python -m benchmarks.peers process|call|cpu|tree FAMILY.NAME ARGUMENT…`.

It prints the value, and how long a second, warm evaluation took. Under `process` the whole process is what is timed,
from outside. Under `call` the set-up does not count: it prints how long the first evaluation took, and how much memory
the input took before. Under `cpu` it evaluates again and again, and prints the median CPU time of an evaluation. Under
`tree` the CPU time of the process and of those below it counts: of the first evaluation, and the least of some more.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import median

from benchmarks.peers.work import Work
from benchmarks.process_tree import cpu_seconds

# How much CPU time is spent on evaluating again and again, and how many times that is at least.
SECONDS = 1.5
CALLS = 5
# Warm evaluations on Spark: how many there are, and from what CPU time on the least number is enough.
WARM = (3, 12)
WARM_SECONDS = 120


def settled_megabytes() -> float:
    """The memory in use now; the peak counts from here, so that how the input was made is left out (Linux)."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def median_cpu_seconds(work: Work) -> float:
    """The median CPU time of a warm evaluation, that of all its threads added up."""
    work()
    gc.disable()
    times: list[float] = []
    while len(times) < CALLS or sum(times) < SECONDS:
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return median(times)


def tree_seconds(work: Work) -> dict[str, float]:
    """The value, and the CPU time of all processes: of the first evaluation, the least of those after it, and in all.

    Java goes on compiling for some time, and collects garbage when it likes: the least is what the work itself takes.
    """
    least, most = WARM
    times = [cpu_seconds()]
    while len(times) < 2 + least or (len(times) < 2 + most and times[-1] - times[0] < WARM_SECONDS):
        value = work()
        times.append(cpu_seconds())
    first, *others = (end - start for start, end in pairwise(times))
    return {"value": value, "cold": first, "warm": min(others), "used": times[-1]}


def main() -> None:
    timed, name, *arguments = sys.argv[1:]
    family, _, contender = name.partition(".")
    work = getattr(import_module(f"benchmarks.peers.{family}"), contender)(*arguments)
    if timed == "cpu":
        print(json.dumps({"value": work(), "cpu": median_cpu_seconds(work)}))
        return
    if timed == "tree":
        print(json.dumps(tree_seconds(work)))
        return
    result = {"input": settled_megabytes()} if timed == "call" else {}
    start = time.perf_counter()
    result["value"] = work()
    first = time.perf_counter()
    work()
    result["warm"] = time.perf_counter() - first
    if timed == "call":
        result["cold"] = first - start
    print(json.dumps(result))


if __name__ == "__main__":
    main()
