"""Keep the paths of this machine out of the compiled module: `flags` for the compiler, and `check` of what it made.

Panics carry the path of their source file, so a module knows the folders of whoever built it, unless rustc is told
other names for them. Cargo's own setting for that, `trim-paths`, is not stable yet.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from zipfile import ZipFile, is_zipfile

ROOT = Path(__file__).resolve().parents[1]
SEPARATOR = "\x1f"  # of the flags in CARGO_ENCODED_RUSTFLAGS, so that a path may have blanks
MODULES = (".so", ".pyd", ".dylib")


def folders(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return folder → the name that stands for it; of two that match, rustc takes the later."""
    home = environment.get("HOME") or str(Path.home())
    cargo = environment.get("CARGO_HOME") or f"{home}/.cargo"
    return {home: "/home", cargo: "/cargo", str(ROOT): "/rankgauge"}


def flags() -> str:
    """Return what CARGO_ENCODED_RUSTFLAGS must be."""
    return SEPARATOR.join(f"--remap-path-prefix={folder}={name}" for folder, name in folders().items())


def leaks(files: Iterable[Path]) -> list[str]:
    """Return which compiled modules, or wheels that hold one, name a folder of this machine."""
    return [
        f"{file}: {name} has {folder}"
        for file in files
        for name, content in _modules(file)
        for folder in folders()
        if f"{folder}/".encode() in content
    ]


def _modules(file: Path) -> list[tuple[str, bytes]]:
    if not is_zipfile(file):
        return [(file.name, file.read_bytes())]
    with ZipFile(file) as wheel:
        return [(name, wheel.read(name)) for name in wheel.namelist() if name.endswith(MODULES)]


def main(arguments: list[str]) -> None:
    """Print the flags, or check files and fail if one names a folder of this machine."""
    if arguments == ["flags"]:
        sys.stdout.write(flags())
        return
    command, *files = arguments or [""]
    if command != "check" or not files:
        raise SystemExit("expected `flags`, or `check FILE…`")
    leaking = leaks(map(Path, files))
    if leaking:
        raise SystemExit(
            "\n".join([*leaking, "build with the flags of scripts/machine_paths.py, as `make wheel` does"])
        )


if __name__ == "__main__":
    main(sys.argv[1:])
