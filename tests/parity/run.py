"""Prove every convention against the real tools: `make parity`.

Tools that cannot live together get environments of their own below .parity/, where they are asked about every case;
their answers are kept in tests/parity/recorded, and `make test` compares with those. What installs beside the tests
is asked anew each time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.parity import environments, proofs
from tests.parity.cases import all_cases
from tests.parity.environments import Environment

from rankgauge.conventions import NAMED
from rankgauge.presentation.table import Table

ROOT: Final = Path(__file__).parents[2]
HOME: Final = ROOT / ".parity"


def main(names: Sequence[str]) -> int:
    """Record in every environment, or in those named; then compare all, and return 0 if all is proven."""
    chosen = [environment for environment in environments.ALL if not names or environment.name in names]
    for environment in chosen:
        if missing := [variable for variable in environment.needs if variable not in os.environ]:
            _say(f"{environment.name}: {' and '.join(missing)} is not set, so what was recorded is compared")
            continue
        _say(f"{environment.name}: asking {', '.join(environment.tools)}")
        command = [str(_prepare(environment)), "-m", "tests.parity.record", *environment.tools]
        subprocess.run(command, check=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    _say("asking the tools that live beside the tests, and comparing all")
    return _compare()


def _prepare(environment: Environment) -> Path:
    """Make the environment unless it is there, and return its Python."""
    folder = HOME / environment.name
    python = folder / "bin" / "python"
    wanted = "\n".join([environment.python, *environment.requires, *environment.alone])
    done = folder / "installed.txt"
    if done.exists() and done.read_text(encoding="utf-8") == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([_interpreter(environment.python), "-m", "venv", str(folder)], check=True)
    for packages, options in ((environment.requires, []), (environment.alone, ["--no-deps"])):
        if packages:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *options, *packages], check=True)
    done.write_text(wanted, encoding="utf-8")
    return python


def _interpreter(version: str) -> str:
    if f"{sys.version_info.major}.{sys.version_info.minor}" == version:
        return sys.executable
    interpreter = shutil.which(f"python{version}")
    if interpreter is None:
        raise SystemExit(f"python{version} is not on the path, and some tools need it")
    return interpreter


def _compare() -> int:
    rows: list[list[str | int]] = []
    failures: list[str] = []
    for proof in _all_proofs():
        convention = NAMED[proof.convention]
        wrong = list(proofs.disagreements(proof, convention))
        rows.append([proof.convention, proof.package, proof.version, proofs.comparisons(proof, convention), len(wrong)])
        failures += wrong
    print(Table(["convention", "library", "version", "comparisons", "disagreements"], rows).to_text())
    print("\n".join(failures[:20]))
    libraries = {row[1] for row in rows}
    compared = sum(int(row[3]) for row in rows)
    _say(
        f"{len(libraries)} libraries, {len({row[0] for row in rows})} conventions, {compared:,} comparisons, "
        f"{len(failures):,} disagreements"
    )
    return 1 if failures else 0


def _all_proofs() -> list[proofs.Proof]:
    live = [
        proofs.ask(adapter, all_cases())
        for module in proofs.modules()
        if module not in environments.TOOLS
        for adapter in proofs.adapters(module)
    ]
    recorded = [proofs.recall(path.stem) for path in sorted(proofs.RECORDED.glob("*.jsonl"))]
    return live + [proof for proof in recorded if proof is not None]


def _say(text: str) -> None:
    print(f"== {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
