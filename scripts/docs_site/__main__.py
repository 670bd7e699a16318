"""Build the docs site: `python -m docs_site [FOLDER]`; default: the folder site."""

from __future__ import annotations

import sys
from pathlib import Path

from docs_site.build import build
from docs_site.pages import ROOT


def main() -> None:
    """Build into the folder that is named, and say where it is."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    pages = build(folder.resolve())
    print(f"{pages} pages; open {folder / 'index.html'} in a browser")


if __name__ == "__main__":
    main()
