"""`rankgauge stocks`: prices or returns and the scores or ranks of a model in, the study out."""

from __future__ import annotations

import os
from typing import Any

import click

from rankgauge import stocks
from rankgauge.cli import options, terminal
from rankgauge.cli.returns_options import returns_options

EXAMPLES = """
\b
Examples:
  rankgauge stocks prices.parquet scores.csv
  rankgauge stocks prices.csv scores.csv -k 20 --horizon 10 --lag 1 --per-date --format csv -o days.csv
  rankgauge stocks prices.csv momentum.csv reversal.csv          (is one better than the other?)
  rankgauge stocks returns.csv ranks.csv -k 5                     (known returns, and predicted ranks)
  rankgauge stocks table.csv -k 5                                 (both in one table)
"""


@click.command(short_help="Study how good a model orders stocks, date by date.", epilog=EXAMPLES)
@click.argument("prices", type=click.Path())
@click.argument("scores", type=click.Path(), required=False)
@click.argument("other", type=click.Path(), required=False)
@click.option("-k", type=int, default=10, show_default=True, help="How many stocks the best are.")
@click.option(
    "--gain", metavar="GAIN", help="The gain of a grade: linear, exp2, …; that of the convention unless said."
)
@returns_options
@options.convention_option
@click.option("--per-date", is_flag=True, help="Show the numbers of each date too.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the intervals.")
@options.columns_option("prices", "date=day,ticker=symbol,close=price or return=r5")
@options.columns_option("scores", "date=day,ticker=symbol,score=signal or rank=place")
@options.format_option("table", "json", "csv", "markdown", "latex")
@options.output_option
def command(
    prices: str,
    scores: str | None,
    other: str | None,
    per_date: bool,
    format_: str,
    output: str | None,
    **switches: Any,  # noqa: ANN401
) -> None:
    """Study how well the scores in the file SCORES order the stocks whose prices are in the file PRICES.

    Prices have a date, a ticker and a close per row, or a date and a column per ticker; scores have a date, a ticker
    and a score, or a column per ticker. With the scores of an OTHER model, the two are compared on the same dates.

    Instead of a close there may be a return, as in 0.12 or +12%, and instead of a score a rank, where 1 is the best.
    Then dates are optional in both. Without SCORES, the file PRICES has both columns.
    """
    found = terminal.watched(lambda: stocks.study(prices, scores, **switches), "studying")
    if scores is not None and other is not None:
        second = terminal.watched(lambda: stocks.study(prices, other, **switches), "studying")
        names = [os.path.splitext(os.path.basename(path))[0] for path in (scores, other)]  # noqa: PTH119, PTH122 - quicker to start
        own, others = names if names[0] != names[1] else (scores, other)
        compared = found.compare(second, names=(own, others))
        options.present(compared.parts(), compared.table(), compared.to_json, format_, output)
        return
    table = found.per_date.table() if per_date else found.table()
    options.present(found.parts(per_date=per_date), table, lambda: found.to_json(per_date=per_date), format_, output)
