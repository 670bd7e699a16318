"""What people read, in their language: texts as templates, and a catalogue of templates per language.

English is written in the code, and a text that a catalogue lacks stays English. What programs read, such as JSON, CSV,
codes and switches, is never translated.
"""

from rankgauge.languages.catalogues import ENGLISH, LANGUAGES, Catalogue, catalogue
from rankgauge.languages.text import Text

__all__ = ["ENGLISH", "LANGUAGES", "Catalogue", "Text", "catalogue"]
