"""The cases: what is computed, on which data, by whom, and what is asked of rankgauge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple

from benchmarks.contenders import Contender, bare_python, command_line, floor, mapped, on_files, peer, replay, trec_eval
from benchmarks.datasets.arrays import dense_arrays, grouped_arrays
from benchmarks.datasets.folder import made
from benchmarks.datasets.frames import IdKind, RowOrder, recommender_files
from benchmarks.datasets.large import Rows, large_files, large_sources
from benchmarks.datasets.prices import market_files
from benchmarks.datasets.tables import Kind, table_files
from benchmarks.datasets.trec import trec_files
from benchmarks.targets import Column, Target, faster, within

BOTH: tuple[Column, ...] = ("cold", "warm")
SIZES = (10**5, 10**6, 10**7, 10**8)
# Queries of 110 rows.
LARGE = (100_000, 300_000, 1_000_000)
# What hands out rows, beside Parquet files, and its function in benchmarks/peers/memory.py.
SOURCES = {
    "a CSV file": "csv",
    "an Arrow file": "arrow",
    "a Dataset": "dataset",
    "a generator of batches": "generator",
    "a DuckDB relation of 300 MB": "relation",
    "a Polars LazyFrame": "lazy_frame",
}


class Case(NamedTuple):
    """A piece of work that every contender does; the first contender is ours.

    Cold is the whole process, or the first call where the input is in memory; `name` is also that of its chart.
    """

    name: str
    title: str
    contenders: Callable[[], list[Contender]]
    targets: Sequence[Target]
    chart: Literal["bars", "scale"] = "bars"
    axis: str = "rows"
    drawn: Literal["cold", "peak"] = "cold"


def trec() -> list[Contender]:
    files = made(trec_files, 6_980, 1_000)
    return [
        mapped(command_line(files), files),
        mapped(on_files("rankgauge, Python", "files.rankgauge", files), files),
        *(mapped(contender, files) for contender in floor(files)),
        on_files("Polars script", "files.polars", files),
        *trec_eval(files),
        on_files("pytrec_eval-terrier", "files.pytrec_eval", files),
        on_files("ranx", "files.ranx", files),
    ]


def trec_15() -> list[Contender]:
    files = made(trec_files, 6_980, 1_000)
    return [
        mapped(on_files("rankgauge, 15 measures", "files.rankgauge_many", files), files),
        mapped(on_files("rankgauge, ndcg@10 alone", "files.rankgauge", files), files),
    ]


def trec_40() -> list[Contender]:
    files = made(trec_files, 6_980, 1_000)
    return [
        mapped(on_files("rankgauge, 40 measures", "files.rankgauge_forty", files), files),
        mapped(on_files("rankgauge, all_trec", "files.rankgauge_all_trec", files), files),
        mapped(on_files("rankgauge, ndcg@10 alone", "files.rankgauge", files), files),
    ]


def dicts() -> list[Contender]:
    files = made(trec_files, 6_980, 1_000)
    peers = {
        "rankgauge": "rankgauge",
        "pytrec_eval-terrier": "pytrec_eval",
        "ranx": "ranx",
        "ranx, prebuilt and compiled": "ranx_prebuilt",
    }
    paths = (files.judgments, files.ranking)
    return [peer(name, "call", f"dicts.{function}", *paths, rows=files.rows) for name, function in peers.items()]


def dense() -> list[Contender]:
    folder = made(dense_arrays, 10_000, 1_000)
    peers = {
        "rankgauge": "rankgauge",
        "NumPy, reading both arrays once": "reading",
        "NumPy, argpartition": "numpy",
        "scikit-learn": "sklearn",
        "scikit-learn, ignore_ties": "sklearn_ignore_ties",
    }
    return [peer(name, "call", f"dense.{function}", folder, rows=10**7) for name, function in peers.items()]


def small() -> list[Contender]:
    peers = {
        "rankgauge, a plan": "many_plans",
        "rankgauge, evaluate_arrays": "many_arrays",
        "scikit-learn": "many_sklearn",
    }
    return [peer(name, "call", f"small.{function}", rows=10**6) for name, function in peers.items()]


def grouped() -> list[Contender]:
    folder = made(grouped_arrays, 20_000)
    conventions = ("lightgbm", "xgboost", "sklearn")
    ours = [peer(f"rankgauge, {name}", "call", "grouped.rankgauge", folder, name) for name in conventions]
    peers = {"LightGBM": "lightgbm", "XGBoost": "xgboost", "scikit-learn in a loop": "sklearn"}
    return [*ours, *(peer(name, "call", f"grouped.{function}", folder) for name, function in peers.items())]


def sparse_frames(ids: IdKind) -> list[Contender]:
    folder = made(recommender_files, 500_000, 20, ids)
    peers = {
        "rankgauge, Polars": "rankgauge_polars",
        "rankgauge, Polars in chunks": "rankgauge_chunks",
        "rankgauge, pandas": "rankgauge_pandas",
    }
    ours = [peer(name, "call", f"frames.{work}", folder, "trec_eval", rows=10**7) for name, work in peers.items()]
    return [*ours, peer("Polars expressions", "call", "frames.polars", folder, rows=10**7)]


def frames(kind: Literal["pandas", "polars"]) -> list[Contender]:
    folder = made(recommender_files, 500_000, 20)
    work = f"frames.rankgauge_{kind}"
    ours = [peer("rankgauge", "call", work, folder, "trec_eval", rows=10**7)]
    if kind == "polars":
        return [*ours, peer("Polars expressions", "call", "frames.polars", folder, rows=10**7)]
    ours.append(peer("rankgauge, rectools", "call", work, folder, "rectools", rows=10**7))
    return [*ours, peer("RecTools", "call", "frames.rectools", folder, rows=10**7)]


def tables(kind: Kind) -> list[Contender]:
    files = made(table_files, kind, 6_980, 1_000)
    return [
        on_files("rankgauge", "readers.rankgauge", files),
        peer("DuckDB, reading only", "process", "readers.duckdb", files.ranking, rows=files.rows),
        peer("Polars, reading only", "process", "readers.polars", files.ranking, rows=files.rows),
    ]


def bootstrap() -> list[Contender]:
    peers = {"rankgauge": "rankgauge", "SciPy": "scipy", "SciPy, batches of 10": "scipy_batches"}
    return [peer(name, "call", f"intervals.{function}") for name, function in peers.items()]


def scale(ids: IdKind = "dense") -> list[Contender]:
    work = "scale.rankgauge"
    return [peer(f"rankgauge, {rows:,} rows", "call", work, rows, ids, rows=rows) for rows in reversed(SIZES)]


def memory(order: Rows, queries: Sequence[int] = LARGE) -> list[Contender]:
    data_sets = [made(large_files, count, order) for count in reversed(queries)]
    return [
        peer(f"rankgauge, {files.rows:,} rows", "process", "memory.rankgauge", *files[:2], "2GB", rows=files.rows)
        for files in data_sets
    ]


def memory_sources() -> list[Contender]:
    files = made(large_sources, 300_000)
    return [
        peer(f"rankgauge, {name}", "process", "memory.rankgauge", *files[:2], "600MB", source, rows=files.rows)
        for name, source in SOURCES.items()
    ]


def growth(axis: str, sizes: Sequence[int]) -> list[Contender]:
    return [peer(f"rankgauge, {size:,}", "call", f"growth.{axis}", size, rows=size) for size in reversed(sizes)]


def market(stocks: int, days: int) -> list[Contender]:
    folder = made(market_files, stocks, days)
    peers = {"rankgauge, Polars": "rankgauge_polars"}
    if stocks < 1_000:  # 25 million rows are too many for pandas, and so for alphalens
        peers |= {"rankgauge, pandas": "rankgauge_pandas", "rankgauge, pandas, wide": "rankgauge_wide"}
        peers |= {"rankgauge, a study": "study", "alphalens": "alphalens"}
    return [peer(name, "call", f"market.{function}", folder, rows=stocks * days) for name, function in peers.items()]


def spark(order: RowOrder) -> list[Contender]:
    folder, rows = made(recommender_files, 50_000, 100, "strings", order), 5_250_000
    peers = {
        "rankgauge, 8 measures": "rankgauge",
        "Spark, the shuffle of both sides": "shuffle",
        "Spark, the shuffle, rows counted in Python": "crossing",
        "Spark, the same, no limit of bytes": "crossing_unlimited",
        "Spark SQL with windows, 8 measures": "windows",
        "Spark SQL with windows, 6 measures at 10": "windows_10",
        "pyspark.ml RankingEvaluator, 4 measures": "ranking_evaluator_4",
        "pyspark.ml RankingEvaluator, 1 measure": "ranking_evaluator",
    }
    contenders = [peer(name, "tree", f"spark.{function}", folder, rows=rows) for name, function in peers.items()]
    return [*contenders, *replay(folder, rows)]


def start() -> list[Contender]:
    files = made(trec_files, 97, 1_000)
    return [
        command_line(files),
        on_files("rankgauge, Python", "files.rankgauge", files),
        bare_python(),
        *trec_eval(files),
        on_files("Polars script", "files.polars", files),
        on_files("pytrec_eval-terrier", "files.pytrec_eval", files),
        on_files("ranx", "files.ranx", files),
    ]


# What grows, what the case is called, and how far: ten times at each step.
AXES = {
    "rows": ("One query of ever more ranked items", (10**4, 10**5, 10**6, 10**7)),
    "queries": ("Ever more queries of one item", (10**4, 10**5, 10**6, 10**7)),
    "printed": ("Ever more queries of one item, the values of all printed", (10**4, 10**5, 10**6)),
    "judged": ("One query of ever more judged items", (10**4, 10**5, 10**6, 10**7)),
    "explain": ("One query of ever more ranked and judged items, explained", (10**4, 10**5, 10**6)),
    "measures": ("1,000 queries × 100 items, ever more measures", (10, 100, 1_000)),
    "runs": ("100 queries × 100 items, ever more runs compared with the first", (10, 100, 1_000)),
}


def growth_case(axis: str) -> Case:
    """A hundred times as much takes about a hundred times as long; the fixed costs of a call make it less.

    Two steps count, because a single one is steeper where data leave a cache, or the memory that the allocator keeps.
    """
    title, sizes = AXES[axis]
    asked = within(13**2, f"rankgauge, {sizes[-3]:,}", columns=BOTH)
    return Case(f"growth-{axis}", title, partial(growth, axis, sizes), asked, chart="scale", axis=axis)


def sparse_case(ids: IdKind, title: str) -> Case:
    asked = targets(
        faster(3, "Polars expressions", columns=BOTH),
        within(1, "rankgauge, pandas", columns=BOTH, ours="rankgauge, Polars in chunks"),
    )
    return Case(f"frames-{ids}", title, partial(sparse_frames, ids), asked)


def targets(*groups: list[Target]) -> list[Target]:
    return list(chain(*groups))


def spark_case(name: str, title: str, order: RowOrder) -> Case:
    asked = targets(
        within(2.5, "Spark, the shuffle of both sides", columns=BOTH),
        within(1.25, "Spark, the same, no limit of bytes", columns=BOTH),
        # Contenders that do less are shown beside these.
        faster(1, "Spark SQL with windows, 8 measures", columns=BOTH),
        faster(1, "pyspark.ml RankingEvaluator, 4 measures", columns=BOTH),
        faster(1, "RePlay, 6 measures", columns=BOTH),
    )
    return Case(name, f"{title}: CPU seconds of all processes", partial(spark, order), asked)


# Reading and evaluating, against others that only read.
READING = targets(within(1.3, "DuckDB, reading only", columns=BOTH), within(1.3, "Polars, reading only", columns=BOTH))

CASES = (
    Case(
        "trec",
        "TREC files, 6,980 queries × 1,000 rows, ndcg@10",
        trec,
        targets(
            faster(15, "trec_eval"),
            # The rivals that are Python programs are compared with a Python program too, which computes no interval.
            *(faster(20, "pytrec_eval-terrier", ours=ours) for ours in ("", "rankgauge, Python")),
            *(faster(60, "ranx", ours=ours) for ours in ("", "rankgauge, Python")),
            *(faster(4, "Polars script", ours=ours) for ours in ("", "rankgauge, Python")),
            within(1.5, "floor: read and parse only"),
            [Target("below", 150, column="beyond")],
        ),
    ),
    Case(
        "trec-15",
        "The same files, 15 measures at once",
        trec_15,
        within(1.3, "rankgauge, ndcg@10 alone", columns=BOTH),
    ),
    Case(
        "trec-40",
        "The same files, 40 measures of every kind at once",
        trec_40,
        within(2, "rankgauge, ndcg@10 alone", columns=BOTH),
    ),
    Case(
        "dicts",
        "Dicts of the same rows, ndcg@10",
        dicts,
        targets(
            faster(8, "pytrec_eval-terrier", columns=BOTH),
            faster(30, "ranx", columns=BOTH),
            faster(1, "ranx, prebuilt and compiled", columns=BOTH),
        ),
    ),
    Case(
        "dense",
        "Arrays, 10,000 queries × 1,000 items, ndcg@10",
        dense,
        targets(
            faster(50, "scikit-learn", columns=BOTH),
            faster(20, "scikit-learn, ignore_ties", columns=BOTH),
            faster(4, "NumPy, argpartition", columns=BOTH),
            within(2.5, "NumPy, reading both arrays once", columns=("warm",)),
        ),
    ),
    Case(
        "small",
        "1,000 calls on arrays of 10 queries × 100 items, ndcg@10",
        small,
        # 30 µs a call; what the core takes of that is not left out.
        targets(
            [Target("seconds", 0.03, column="warm")],
            faster(10, "scikit-learn", columns=BOTH, ours="rankgauge, evaluate_arrays"),
        ),
    ),
    Case(
        "grouped",
        "Flat arrays, 20,000 groups, 4 million rows, ndcg@10",
        grouped,
        targets(
            faster(2, "LightGBM", columns=BOTH, ours="rankgauge, lightgbm"),
            faster(2, "XGBoost", columns=BOTH, ours="rankgauge, xgboost"),
            faster(100, "scikit-learn in a loop", columns=BOTH, ours="rankgauge, sklearn"),
        ),
    ),
    Case(
        "frames-pandas",
        "pandas frames, 500,000 users × 20 items, ndcg@10",
        partial(frames, "pandas"),
        faster(15, "RecTools", columns=BOTH, ours="rankgauge, rectools"),
    ),
    Case(
        "frames-polars",
        "Polars frames, 500,000 users × 20 items, ndcg@10",
        partial(frames, "polars"),
        faster(3, "Polars expressions", columns=BOTH),
    ),
    sparse_case("sparse", "The same with ids that lie apart: users 7, 20, 33 …, items up to 10⁹"),
    sparse_case("strings", "The same with ids that are texts"),
    Case("csv", "CSV files, 7 million rows, ndcg@10", partial(tables, "csv"), READING),
    Case(
        "parquet-strings",
        "Parquet files, 7 million rows, ids are strings, ndcg@10",
        partial(tables, "parquet-strings"),
        READING,
    ),
    Case(
        "parquet-integers",
        "Parquet files, 7 million rows, ids are integers, ndcg@10",
        partial(tables, "parquet-integers"),
        READING,
    ),
    Case(
        "bootstrap",
        "Bootstrap interval, 10,000 resamples of 7,000 values",
        bootstrap,
        targets(faster(5, "SciPy", columns=BOTH), faster(5, "SciPy, batches of 10", columns=BOTH)),
    ),
    Case(
        "scale",
        "Polars frames, integer ids, 100 rows a query, ndcg@10",
        scale,
        [Target("below", 24_000, column="peak")],
        chart="scale",
    ),
    Case(
        "scale-strings",
        "The same with ids that are texts",
        partial(scale, "strings"),
        [Target("below", 24_000, column="peak")],
        chart="scale",
    ),
    *map(growth_case, AXES),
    Case(
        "memory",
        "Unsorted Parquet files, ids are strings, 8 measures, memory='2GB'",
        partial(memory, "apart"),
        # What does not fit is on disk, so that memory no longer grows with the rows.
        targets([Target("below", 3_000, column="peak")], within(1.25, "rankgauge, 33,000,000 rows", columns=("peak",))),
        chart="scale",
        drawn="peak",
    ),
    Case(
        "memory-grouped",
        "The same rows, those of a query together",
        partial(memory, "together"),
        [Target("below", 1_000, column="peak")],
        chart="scale",
        drawn="peak",
    ),
    Case(
        "memory-sources",
        "33 million unsorted rows of texts from elsewhere, 8 measures, memory='600MB'",
        memory_sources,
        [Target("below", 1_500, column="peak", ours=f"rankgauge, {name}") for name in SOURCES],
        drawn="peak",
    ),
    Case(
        "stocks",
        "Prices of 505 stocks × 1,259 days, graded by 5-day returns and evaluated, ndcg@10",
        partial(market, 505, 1_259),
        targets(
            [Target("seconds", 1, column=column) for column in BOTH],
            [Target("seconds", 1, column="warm", ours="rankgauge, pandas")],
            faster(5, "alphalens", columns=BOTH),
        ),
    ),
    Case(
        "stocks-large",
        "The same for 5,000 stocks × 5,000 days",
        partial(market, 5_000, 5_000),
        [Target("seconds", 20), Target("below", 8_192, column="peak")],
    ),
    spark_case("spark", "Spark on 2 cores, 50,000 queries × 100 rows that lie together, ids are strings", "grouped"),
    spark_case("spark-unordered", "The same rows in random order", "random"),
    Case(
        "start",
        "Start: TREC files, 97 queries × 1,000 rows, ndcg@10",
        start,
        targets(
            within(7.5, "python -c pass"),
            faster(1, "pytrec_eval-terrier"),
            faster(1, "ranx"),
            faster(1, "Polars script"),
        ),
    ),
)
