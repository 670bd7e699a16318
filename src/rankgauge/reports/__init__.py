"""What a report says: the parts of a page about a result, a comparison or an audit.

`report_function.py` has the function behind the method `report`. `runs.py` holds the runs that a report is about, and
`reevaluation.py` evaluates them again for what the result itself lacks: values at other cutoffs and the first ranks.
Each section has a file: `means.py`, `queries.py`, `cutoffs.py`, `ranks.py`, `segments.py`, `conventions.py`,
`explorer.py`, `provenance.py`; `common_sections.py` has those that several reports share. How parts look is in
`rankgauge.presentation.report`.
"""
