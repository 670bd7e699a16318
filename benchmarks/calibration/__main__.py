"""`python -m benchmarks.calibration [REPETITIONS]`: simulate everything and write docs/calibration.md."""

from __future__ import annotations

import sys

from benchmarks.calibration.page import PAGE, write

if __name__ == "__main__":
    write(int(sys.argv[1]) if len(sys.argv) > 1 else 4_000, lambda text: print(text, file=sys.stderr, flush=True))
    print(f"wrote {PAGE}")
