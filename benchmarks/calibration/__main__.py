"""`python -m benchmarks.calibration [REPETITIONS [SECTION…]]`: simulate, and write docs/calibration.md."""

from __future__ import annotations

import sys

from benchmarks.calibration.page import PAGE, write

if __name__ == "__main__":
    repetitions, *only = sys.argv[1:] or ["4000"]
    write(int(repetitions), lambda text: print(text, file=sys.stderr, flush=True), only)
    print(f"wrote {PAGE}")
