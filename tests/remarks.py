"""What tests ask of remarks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rankgauge import Result
from rankgauge.remarks import Remark


def lines(remarks: Iterable[Remark], *codes: str) -> list[str]:
    """Return the remarks as they are printed; with codes, only those of these kinds."""
    return [str(remark) for remark in remarks if not codes or remark.code in codes]


def without_columns(result: Result) -> dict[str, Any]:
    """Return a result as plain values, but for the note on which columns were taken: mappings have none."""
    values = json.loads(result.to_json(per_query=True))
    return {**values, "remarks": [remark for remark in values["remarks"] if remark["code"] != "columns"]}
