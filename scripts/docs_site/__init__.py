"""The docs site: pages of the repository, and those that are made of docstrings and benchmarks, built with Zensical.

`make site` runs `python -m docs_site`. The pages are copied to a folder of their own at the same paths, so that their
links work as they are, and a few are changed there (`staging.py`). The navigation is read from docs/README.md.
"""
