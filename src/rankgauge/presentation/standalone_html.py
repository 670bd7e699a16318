"""One HTML file that needs nothing else: style, script and data inside, and a policy that lets nothing else run.

The policy names the hash of the style and of the script, so that neither an id from users' data nor an extension of
the text can add to them, and it allows no request at all.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any


def standalone_page(
    *, title: str, style: str, script: str, body: str, data: Mapping[str, Any] | None = None, images: bool = False
) -> str:
    """Return an HTML page, to be saved as UTF-8.

    Parameters:
        title: what the window is called; it is escaped.
        style: CSS; below the policy, elements cannot have a `style` of their own.
        script: JavaScript, run after the body is there.
        body: HTML, in which texts of users are escaped.
        data: JSON blocks by the id of their element, for the script to read.
        images: whether the script makes images, from `blob:` and `data:`.

    """
    blocks = "".join(
        f'<script type="application/json" id="{name}">{json_in_html(values)}</script>\n'
        for name, values in (data or {}).items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{content_policy(style, script, images=images)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f"{blocks}<script>{script}</script>\n</body>\n</html>\n"
    )


def content_policy(style: str, script: str, *, images: bool = False) -> str:
    """Return the policy under which this style and this script run and nothing else, and nothing is requested.

    >>> content_policy("", "")[:66]
    "default-src 'none'; script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeR"
    """
    sources = {
        "default-src": "'none'",
        "script-src": _hash(script),
        "style-src": _hash(style),
        **({"img-src": "blob: data:"} if images else {}),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {source}" for name, source in sources.items())


def json_in_html(values: Any) -> str:  # noqa: ANN401 - any plain values
    r"""Return JSON for a script element, which nothing inside can close.

    >>> json_in_html(["</script>", "사"])
    '["\\u003c/script>","\\uc0ac"]'
    """
    return json.dumps(values, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


@cache
def asset(package: str, *names: str) -> str:
    """Return files of a package, one below the other.

    Parameters:
        package: such as `rankgauge.presentation`; its folder `assets` has the files.
        names: of the files.

    """
    folder = files(package) / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8").strip() for name in names)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
