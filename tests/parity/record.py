"""Ask the tools of this environment and keep what they say: `python -m tests.parity.record MODULE…`, for `run.py`."""

from __future__ import annotations

import sys

from tests.parity import proofs
from tests.parity.cases import all_cases


def main(modules: list[str]) -> None:
    """Record every adapter of the modules."""
    for module in modules:
        for adapter in proofs.adapters(module):
            proof = proofs.ask(adapter, all_cases())
            proofs.record(proof)
            print(f"   {proof.package} {proof.version}: {proof.convention}, {len(proof.answers)} answers", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
