"""Reports: a list of parts as one HTML file that needs nothing else.

`page.py` writes the page from parts, `tables.py` its tables, `explorer.py` holds what the explorer shows, and
`packing.py` puts numbers and texts into one packed block. What a report of a result or a comparison says is in
`rankgauge.reports`.
"""
