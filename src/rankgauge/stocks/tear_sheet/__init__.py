"""The tear sheet of a study, and the report of a comparison of models: one HTML page each.

`page.py` puts the sections together; each has a file: `over_time.py`, `horizons.py`, `returns.py`, `regimes.py`,
`days.py` (and what a grade is), `provenance.py`. `comparison.py` is about several models. How parts look is in
`rankgauge.presentation.report`.
"""
