"""Measure which lines of the Rust crates the tests reach, and fail below the floor in pyproject.toml.

Both crates are compiled with counters into target/coverage. The core's own tests run, and then those Python tests whose
paths are the arguments, on a copy of the package with that module: the module that is installed stays as it is. What
they counted is read with llvm-profdata and llvm-cov of rustup's component `llvm-tools`, or, where rustup has none, of
the package of the LLVM that rustc was built with, such as Debian's llvm-22.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import tomli

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "target" / "coverage"
PACKAGE: Final = FOLDER / "python" / "rankgauge"
PROFILE: Final = FOLDER / "all.profdata"
# The module with counters is compiled without optimisation, which this test forbids.
OF_OPTIMISATION: Final = "tests/test_public_face.py::test_core_is_compiled_with_optimisation"
COUNTERS: Final = {
    "RUSTFLAGS": "-C instrument-coverage",
    "CARGO_TARGET_DIR": str(FOLDER),
    "LLVM_PROFILE_FILE": str(FOLDER / "counts" / "%p-%m.profraw"),
}


def floor() -> float:
    """Return the share of lines, in percent, that must be reached."""
    settings = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return float(settings["tool"]["rankgauge"]["rust_coverage_floor"])


def run(*command: str, **environment: str) -> str:
    """Run a command with the counters on and return its output; if it fails, print the output and stop."""
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **COUNTERS, **environment}, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout}\n{' '.join(command[:4])} … failed")
    return done.stdout


def llvm_tool(name: str) -> str:
    """Return the path of rustc's own tool, or of the one with the same LLVM, since the format changes between them."""
    own = Path(run("rustc", "--print", "target-libdir").strip()).parent / "bin" / name
    if own.exists():
        return str(own)
    version = run("rustc", "--version", "--verbose").partition("LLVM version: ")[2].partition(".")[0]
    installed = shutil.which(f"{name}-{version}")
    if installed is None:
        packages = f"`rustup component add llvm-tools` or `apt-get install llvm-{version}`"
        raise SystemExit(f"{name} is missing: install it with {packages}")
    return installed


def cargo(*arguments: str) -> list[str]:
    """Compile, and return the messages of cargo in JSON."""
    return run("cargo", *arguments, "--quiet", "--locked", "--message-format=json").splitlines()


def compiled(lines: Iterable[str], kind: str) -> list[str]:
    """Return the files that cargo made, from its messages in JSON: `bin` for tests, `cdylib` for the module."""
    messages: list[dict[str, Any]] = [json.loads(line) for line in lines if line.startswith("{")]
    made = [message for message in messages if message["reason"] == "compiler-artifact"]
    if kind == "bin":
        return [message["executable"] for message in made if message["executable"]]
    return [file for message in made if kind in message["target"]["kind"] for file in message["filenames"]]


def run_tests(python_tests: list[str]) -> list[str]:
    """Run the tests of both languages, and return the programs that have counters."""
    programs = compiled(cargo("test", "-p", "rankgauge-core", "--no-run"), "bin")
    for program in programs:
        run(program, "--quiet")
    (module,) = compiled(cargo("build", "-p", "rankgauge-python", "--features", "pyo3/abi3-py310"), "cdylib")
    shutil.copytree(ROOT / "src" / "rankgauge", PACKAGE, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(module, PACKAGE / "_core.abi3.so")
    # In one process: xdist kills workers that take ten seconds to exit, and counts are written at the exit.
    options = ("-q", f"--deselect={OF_OPTIMISATION}")
    run(sys.executable, "-m", "pytest", *options, *python_tests, PYTHONPATH=str(PACKAGE.parent))
    return [*programs, module]


def share_of_lines(programs: list[str]) -> float:
    """Return how many percent of the lines were reached, and print the share of each file."""
    counts = [str(file) for file in (FOLDER / "counts").glob("*.profraw")]
    # Programs that tests kill, or limit to short files, may leave a file that is cut off: it is named and left out.
    run(llvm_tool("llvm-profdata"), "merge", "--sparse", "--failure-mode=all", *counts, "-o", str(PROFILE))
    objects = [word for program in programs for word in ("--object", program)]
    command = (
        llvm_tool("llvm-cov"),
        "export",
        "--summary-only",
        "--instr-profile",
        str(PROFILE),
        *objects,
        "--sources",
    )
    report = json.loads(run(*command, str(ROOT / "crates")))["data"][0]
    for file in report["files"]:
        lines = file["summary"]["lines"]
        print(f"{lines['percent']:6.2f} % of {lines['count']:4} lines  {Path(file['filename']).relative_to(ROOT)}")
    return float(report["totals"]["lines"]["percent"])


def main() -> None:
    """Run, report, and exit with 1 below the floor."""
    shutil.rmtree(FOLDER / "counts", ignore_errors=True)
    shutil.rmtree(PACKAGE, ignore_errors=True)
    share = share_of_lines(run_tests(sys.argv[1:]))
    print(f"{share:6.2f} % of all lines; the floor is {floor()} %")
    raise SystemExit(share < floor())


if __name__ == "__main__":
    main()
