"""The Korean catalogue, one file per room of the package."""

from typing import Final

from rankgauge.languages.catalogues import Catalogue
from rankgauge.languages.ko import evaluations, explanations, names

CATALOGUE: Final = Catalogue(
    texts={**explanations.TEXTS, **evaluations.TEXTS, **evaluations.ANSWERS},
    names=names.NAMES,
)
