"""The Korean catalogue, one file per room of the package.

Remarks are noun phrases or end in -음, as headings do; sentences that stand alone are polite. A particle that depends
on the last sound of the word before it (은/는, 이/가, 을/를, 으로/로) never follows a placeholder.
"""

from typing import Final

from rankgauge.languages.catalogues import Catalogue
from rankgauge.languages.ko import comparisons, evaluations, explanations, grading, inputs, names, next_steps, stocks

ROOMS: Final = (
    explanations.TEXTS,
    evaluations.TEXTS,
    evaluations.ANSWERS,
    evaluations.DEMO,
    comparisons.RUNS,
    comparisons.SEGMENTS,
    comparisons.LABELS,
    comparisons.CONVENTIONS,
    inputs.TEXTS,
    grading.AUDITS,
    grading.ACTIONS,
    grading.RATINGS,
    grading.HELD_OUT,
    stocks.RETURNS,
    stocks.STUDIES,
    next_steps.TEXTS,
)
CATALOGUE: Final = Catalogue({text: korean for room in ROOMS for text, korean in room.items()}, names.NAMES)
