"""The learner's page as one HTML file."""

from __future__ import annotations

from typing import Final

from rankgauge.conventions import NAMED
from rankgauge.conventions.terms import DISCOUNTS, GAINS, IDEALS
from rankgauge.presentation.learner.initial_state import CANDIES, EXAMPLES, InitialState
from rankgauge.presentation.learner.rules import conventions_by_rules
from rankgauge.presentation.standalone_html import asset, standalone_page
from rankgauge.presentation.table import PLACES

_HERE: Final = __package__
_SCRIPTS: Final = (
    "arithmetic.js",
    "words.js",
    "formulas.js",
    "model.js",
    "rows.js",
    "panels.js",
    "moving.js",
    "page.js",
)


def learner_page(
    start: InitialState = CANDIES, *, places: int = PLACES, lang: str | None = None, in_full: str = ""
) -> str:
    """Return a page on which items are moved up and down, and NDCG changes with them.

    Parameters:
        start: what it shows first.
        places: digits after the point.
        lang: the language, `en` or `ko`; None is that of the browser. The page has a switch for it.
        in_full: HTML below, such as the tables of an explanation.

    """
    groups = conventions_by_rules(NAMED.values())
    data = {
        "start": start.to_dict(),
        "examples": {name: example.to_dict() for name, example in EXAMPLES.items()},
        "conventions": [{"names": names, "rules": rules.to_dict()} for rules, names in groups.items()],
        "terms": {"gain": list(GAINS), "discount": [*DISCOUNTS, "none"], "ideal": list(IDEALS)},
        "places": places,
        "lang": lang,
    }
    heading = '<h2 data-say="inFull">The explanation in full</h2>'
    below = f'\n<section class="in-full">{heading}{in_full}</section>' if in_full else ""
    return standalone_page(
        title="NDCG, moved by hand",
        style=asset("rankgauge.presentation", "theme.css") + "\n" + asset(_HERE, "learner.css"),
        script='"use strict";\n' + asset(_HERE, *_SCRIPTS),
        body=asset(_HERE, "body.html") + below,
        data={"data": data},
    )
