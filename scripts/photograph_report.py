"""Take the picture of a report that the README and the guide show, in the browser of the tests.

    PYTHONPATH=. python scripts/photograph_report.py

The data is drawn with a seed: a collection of 200 queries and three runs, the last of which is clearly the best.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Final

from tests.browser.launch import chromium

import rankgauge as rg

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs" / "images" / "report.png"
QUALITY: Final = {"bm25": 0.95, "dense": 1.0, "hybrid": 1.35}
SIZE: Final = {"width": 1120, "height": 900}


def data() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Return judgments and runs of known quality."""
    source = random.Random(17)
    judgments: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {name: {} for name in QUALITY}
    for number in range(200):
        query, items = f"q{number:03}", [f"d{source.randrange(10**6)}" for _ in range(40)]
        judgments[query] = {item: source.choice((0, 0, 1, 1, 2, 3)) for item in items[: source.randint(5, 25)]}
        for name, quality in QUALITY.items():
            grades = judgments[query]
            runs[name][query] = {item: quality * grades.get(item, 0) + source.gauss(0, 1.1) for item in items}
    return judgments, runs


def main() -> None:
    """Write the picture."""
    judgments, runs = data()
    comparison = rg.compare(judgments, runs, ["ndcg@10", "map", "mrr", "P@10"], baseline="bm25")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        path = Path(folder) / "report.html"
        comparison.report(path)
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=true]")
        PICTURE.parent.mkdir(exist_ok=True)
        page.screenshot(path=PICTURE)
    print(f"{PICTURE}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
