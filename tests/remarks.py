"""What tests ask of remarks."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge.remarks import Remark


def lines(remarks: Iterable[Remark], *codes: str) -> list[str]:
    """Return the remarks as they are printed; with codes, only those of these kinds."""
    return [str(remark) for remark in remarks if not codes or remark.code in codes]
