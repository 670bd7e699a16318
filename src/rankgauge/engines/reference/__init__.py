"""The reference engine: pure Python that reads like the formulas, one file per family of measures."""
