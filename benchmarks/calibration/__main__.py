"""`python -m benchmarks.calibration [REPETITIONS] [SECTION…]`: simulate, and write docs/calibration.md.

With sections (intervals, human, tests, families, studies, portfolios, tries), the others stay as they are in the page.
"""

from __future__ import annotations

import sys

from benchmarks.calibration.page import PAGE, write

if __name__ == "__main__":
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    write(repetitions, lambda text: print(text, file=sys.stderr, flush=True), sys.argv[2:])
    print(f"wrote {PAGE}")
