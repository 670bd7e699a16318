"""Tables as comma-separated values, with all digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankgauge.presentation.table import Table


def table_to_csv(table: Table) -> str:
    r"""Write comma-separated values: a header and a line per row.

    >>> from rankgauge.presentation.table import Table
    >>> table_to_csv(Table(["item", "gain"], [["a,b", 0.1], ["c", None]]))
    'item,gain\n"a,b",0.1\nc,\n'
    """
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.headers)
    writer.writerows(table.rows)
    return text.getvalue()
