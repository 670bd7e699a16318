"""Build the site: stage the pages, write the settings, run Zensical, and finish its pages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from docs_site import api, commands
from docs_site.navigation import navigation
from docs_site.pages import ROOT, is_page, sources
from docs_site.staging import staged

HERE: Final = Path(__file__).parent
KOREAN: Final = "docs/ko/"
ALTERNATE: Final = re.compile(r'^ *<link rel="alternate"[^>]*hreflang[^>]*>\n', re.MULTILINE)


def build(folder: Path) -> int:
    """Build the site into a folder, which is replaced, and return how many pages it has."""
    texts = page_texts()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        stage(work / "pages", texts)
        shutil.copytree(HERE / "theme", work / "theme")
        (work / "zensical.toml").write_text(settings(texts), encoding="utf-8")
        run_zensical(work)
        finish(work / "html")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work / "html", folder)
    return len(texts)


def page_texts() -> dict[str, str]:
    """Return every page of the site by its path: those of the repository, and the references."""
    pages = {path: (ROOT / path).read_text(encoding="utf-8") for path in sources() if is_page(path)}
    return {**pages, **api.pages(), **commands.pages()}


def stage(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the pages and what they show into a folder, at the paths that they have in the repository."""
    known = {*sources(), *texts}
    for path in sorted(known):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(".md"):
            target.write_text(staged(path, texts[path], known), encoding="utf-8")
        else:
            shutil.copyfile(ROOT / path, target)
    shutil.copytree(HERE / "assets", folder / "assets")


def settings(texts: Mapping[str, str]) -> str:
    """Return zensical.toml with the navigation, and which page is which in the other language."""
    text = (HERE / "zensical.toml").read_text(encoding="utf-8")
    text = text.replace("nav = []", f"nav = {_toml(navigation(texts))}", 1)
    return f"{text}\n[project.extra.translations]\n" + "".join(
        f"{json.dumps(one)} = {json.dumps(other)}\n" for one, other in translations(texts).items()
    )


def translations(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the address of the same page in the other language, by address; docs/ko/x.md is docs/guides/x.md."""
    pairs = {"README.ko.md": "README.md", f"{KOREAN}README.md": "docs/README.md"}
    pairs = {path: path.replace(KOREAN, "docs/guides/") for path in texts if path.startswith(KOREAN)} | pairs
    both = {_address(korean): _address(english) for korean, english in pairs.items() if english in texts}
    return both | {english: korean for korean, english in both.items()}


def _address(path: str) -> str:
    return re.sub(r"README\.md$", "index.md", path).removesuffix(".md") + ".html"


def run_zensical(work: Path) -> None:
    """Run Zensical, which ends with an error where a link or an anchor leads nowhere."""
    program = Path(sys.executable).with_name("zensical")
    command = [str(program), "build", "--clean", "--strict"]
    outcome = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if outcome.returncode:
        raise SystemExit(f"zensical failed:\n{outcome.stdout}{outcome.stderr}")


def finish(html: Path) -> None:
    """Set what Zensical has for the whole site only: the language of Korean pages, and no links between languages.

    For those links in the head of a page, its script would ask for sitemap.xml, which a page in a file must not.
    """
    for page in html.rglob("*.html"):
        text = ALTERNATE.sub("", page.read_text(encoding="utf-8"))
        if _is_korean(page.relative_to(html).as_posix()):
            text = text.replace('<html lang="en"', '<html lang="ko"', 1)
        page.write_text(text, encoding="utf-8")


def _is_korean(address: str) -> bool:
    return address.startswith(KOREAN) or address == "README.ko.html"


def _toml(value: Any) -> str:  # noqa: ANN401 - lists, tables and texts
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {_toml(item)}" for key, item in value.items())
            + "}"
        )
    return json.dumps(value, ensure_ascii=False)
