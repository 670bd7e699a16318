"""DuckDB with the least rights; after a fork, and after a file that broke its database."""

from __future__ import annotations

import gzip
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from tests.inputs.files import TWO, Put, refusal

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import connections, memory_budget

ROWS = pl.DataFrame({"query": ["q1", "q1"], "item": ["d1", "d2"], "score": [0.5, 0.25]})


def made(path: Path, *statements: str) -> Path:
    """A database of these statements, which may read files: whoever made it had the rights."""
    with duckdb.connect(path) as database:
        for statement in statements:
            database.execute(statement)
    return path


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.csv"
    path.write_text("query,item,score\nq1,password,1\n")
    return path


READS = {
    "a text": "select 'q1' as query, content as item, 1 as score from read_text('{}')",
    "a table": "select * from read_csv('{}')",
    "a name": "select * from '{}'",
    "a pattern": "select 'q1' as query, file as item, 1 as score from glob('{}*')",
}


@pytest.mark.parametrize("query", READS.values(), ids=READS)
def test_read_view_that_reads_another_file_is_refused(tmp_path: Path, secret: Path, query: str) -> None:
    path = made(tmp_path / "run.duckdb", f"create view rows as {query.format(secret)}")
    error = refusal(f"{path}::rows")
    assert error.code in ("reads-elsewhere", "unreadable-table")
    assert "password" not in str(error)


def test_read_view_that_reads_another_file_names_it_and_the_way_out(tmp_path: Path, secret: Path) -> None:
    path = made(tmp_path / "run.duckdb", f"create view rows as {READS['a table'].format(secret)}")
    error = refusal(f"{path}::rows")
    assert error.code == "reads-elsewhere"
    assert error.place == str(path)
    assert f'"{secret}"' in str(error)
    assert "give the relation" in str(error)


@pytest.mark.parametrize("address", ["https://127.0.0.1:9/run.csv", "s3://bucket/run.parquet"])
def test_database_address_is_refused(tmp_path: Path, address: str) -> None:
    connection = connections.database(str(made(tmp_path / "run.duckdb", "create table rows as select 1 as x")))
    with pytest.raises(duckdb.PermissionException):
        connection.sql(f"from '{address}'")


def test_read_views_and_tables_of_the_same_file_are_read(tmp_path: Path) -> None:
    rows = "select 'q1' as query, 'd1' as item, 0.5::double as score union all select 'q1', 'd2', 0.25"
    stem = tmp_path / "run.duckdb"
    path = made(stem, f"create table rows as {rows}", "create view seen as from run.main.rows where score > 0")
    for table in ("rows", "seen"):
        assert rg.read_ranking(f"{path}::{table}").to_dict() == TWO


@pytest.mark.parametrize("name", ["memory.duckdb", "temp.duckdb", "system.duckdb", "a b'c.duckdb", "main.duckdb"])
def test_read_database_of_any_name_is_read(tmp_path: Path, name: str) -> None:
    made(tmp_path / "made.duckdb", "create table rows as select 'q1' as query, 'd1' as item, 0.5 as score")
    path = (tmp_path / "made.duckdb").rename(tmp_path / name)
    assert rg.read_ranking(path).to_dict() == {"q1": [("d1", 0.5)]}


BEYOND_READING = [
    "load httpfs",
    "install httpfs",
    "attach 'other.duckdb'",
    "set threads = 1",
    "set enable_external_access = true",
    "copy (select 1) to 'out.csv'",
]


@pytest.mark.parametrize("statement", BEYOND_READING)
def test_reader_anything_but_to_read_is_refused(
    statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    connection = connections.reader()
    with pytest.raises(duckdb.Error):
        connection.execute(statement)
    assert not list(tmp_path.iterdir())


def test_reader_reads_the_file_that_was_named_and_no_other(put: Put) -> None:
    named, other = put("a,b\n1,2\n", "named.csv"), put("a,b\n1,2\n", "other.csv")
    connection = connections.reader(str(named))
    assert connection.sql(f"from read_csv('{named}')").fetchall() == [(1, 2)]
    with pytest.raises(duckdb.PermissionException):
        connection.sql(f"from read_csv('{other}')")


def test_reader_link_and_relative_path_are_the_file(put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ROWS.write_parquet(tmp_path / "run.parquet")
    (tmp_path / "link").symlink_to("run.parquet")
    monkeypatch.chdir(tmp_path)
    assert rg.read_ranking("link").to_dict() == TWO
    assert rg.read_ranking("./run.parquet").to_dict() == TWO


def test_read_spills_to_a_private_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = connections.reader().sql("select current_setting('temp_directory')").fetchall()[0][0]
    assert "rankgauge-" in folder
    assert Path(folder).parent.stat().st_mode & 0o077 == 0


def test_read_relation_of_the_caller_leaves_its_connection_as_it_is(secret: Path) -> None:
    with duckdb.connect() as connection:
        settings = "select name, value from duckdb_settings() order by name"
        before = connection.execute(settings).fetchall()
        relation = connection.sql(f"from read_csv('{secret}')")
        assert rg.read_ranking(relation).to_dict() == {"q1": [("password", 1.0)]}
        assert connection.execute(settings).fetchall() == before


SETTINGS = "select current_setting('memory_limit'), current_setting('threads')::int"


def kept_limits() -> list[str]:
    return [kept.cursor().execute(SETTINGS).fetchall()[0][0] for kept in connections._KEPT.values()]


@pytest.mark.parametrize(
    ("memory", "limit"), [("1MB", "128.0 MiB"), ("1GB", "256.0 MiB"), ("8GiB", "4.0 GiB"), (None, "1.0 GiB")]
)
def test_evaluate_file_that_duckdb_reads_has_half_of_the_memory(
    put: Put, monkeypatch: pytest.MonkeyPatch, memory: str | None, limit: str
) -> None:
    monkeypatch.setattr(memory_budget, "free", lambda: 3 << 30)
    connections._KEPT.clear()
    path = put('query,item,score\n"q1","d1",1\n"q1","d2",0.5\n', "run.csv")
    assert rg.evaluate({"q1": {"d1": 1}}, path, "mrr", memory=memory)["mrr"] == 1.0
    assert kept_limits() == [limit]


def test_evaluate_database_has_half_of_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = f"select 'q1' as query, 'd1' as item, {SETTINGS.removeprefix('select ').partition(',')[0]} as grade"
    path = made(tmp_path / "run.duckdb", f"create view rows as {rows}")
    assert "256.0 MiB" in str(refusal_of_evaluate({"q1": ["d1"]}, f"{path}::rows"))


def refusal_of_evaluate(judgments: Any, path: str) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(judgments, path, columns_ranking={"score": "grade"}, memory="1GB")
    return caught.value


def test_reader_with_little_memory_has_few_threads() -> None:
    ((limit, threads),) = connections.reader(memory=1).execute(SETTINGS).fetchall()
    assert (limit, threads) == ("128.0 MiB", min(2, connections.reader().execute(SETTINGS).fetchall()[0][1]))


def test_evaluate_text_that_duckdb_cannot_hold_says_how_to_give_more(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_LEAST", 1 << 21)  # it reads 32 MB of JSON at once
    path = put('{"query": "q1", "item": "d1", "score": 1}\n', "run.jsonl")
    with pytest.raises(RankgaugeError, match=r"memory='8GB' in Python, --memory 8GB") as caught:
        rg.evaluate({"q1": {"d1": 1}}, path, memory=1)
    assert caught.value.code == "too-little-memory"
    assert caught.value.place == str(path)
    assert "Possible solutions" not in str(caught.value)


def test_read_after_a_database_that_broke_opens_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ROWS.write_parquet(tmp_path / "run.parquet")
    assert rg.read_ranking(tmp_path / "run.parquet").to_dict() == TWO

    class Broken:
        def cursor(self) -> Any:
            return self

        def execute(self, _: str) -> Any:
            raise duckdb.FatalException("database has been invalidated because of a previous fatal error")

    for path in connections._KEPT:
        monkeypatch.setitem(connections._KEPT, path, Broken())
    assert rg.read_ranking(tmp_path / "run.parquet").to_dict() == TWO


ENDLESS = "select 'q1' as query, range as item, 1 as score from range(1000000000000000)"


def test_read_endless_view_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", "16M")
    error = refusal(made(tmp_path / "run.duckdb", f"create view rows as {ENDLESS}"))
    assert error.code == "too-much-unpacked"
    assert "16777216" in str(error)


def test_read_view_that_never_has_a_row_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_MAX_SECONDS", "1")
    error = refusal(made(tmp_path / "run.duckdb", f"create view rows as {ENDLESS} where md5(range::varchar) = ''"))
    assert error.code == "unreadable-table"


def endless_sqlite(path: Path, condition: str) -> Path:
    numbers = "with recursive n(x) as (select 1 union all select x + 1 from n)"
    rows = f"select 'q1' as query, x as item, 1 as score from n where {condition}"  # noqa: S608
    database = sqlite3.connect(path)
    database.execute(f"create view rows as {numbers} {rows}")
    database.close()
    return path


def test_read_endless_view_of_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", "1M")
    assert refusal(endless_sqlite(tmp_path / "run.sqlite", "x > 0")).code == "too-much-unpacked"


def test_read_view_of_sqlite_that_never_has_a_row_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_MAX_SECONDS", "1")
    assert refusal(endless_sqlite(tmp_path / "run.sqlite", "x < 0")).code == "unreadable-table"


def test_seconds_that_are_none_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_MAX_SECONDS", "soon")
    path = made(tmp_path / "run.duckdb", "create table rows as select 'q1' as query, 'd1' as item, 1 as score")
    with pytest.raises(RankgaugeError, match="RANKGAUGE_MAX_SECONDS to be a whole number of seconds, got 'soon'"):
        rg.read_ranking(path)


FORKED = """
import gzip, multiprocessing, os, sys
import rankgauge as rg

judged, paths = sys.argv[1], sys.argv[2:]

def value(path):
    return rg.evaluate(judged, path, "ndcg")["ndcg"]

before = list(map(value, paths))
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map_async(value, paths, chunksize=1).get() == before
child = os.fork()
if not child:
    assert list(map(value, paths)) == before
    sys.exit(0)  # which frees what was made before the fork
assert os.waitpid(child, 0)[1] == 0
assert list(map(value, paths)) == before
print(len(before))
"""


def test_evaluate_in_a_forked_child_gives_the_values_of_its_parent(tmp_path: Path) -> None:
    """Every kind of file, in a pool and in a child that ends as Python does; the parent evaluated them before."""
    frame = pl.DataFrame(
        {
            "query": [f"q{row // 20}" for row in range(4000)],
            "item": [f"d{row % 20}" for row in range(4000)],
            "score": [row * 7 % 31 / 4 for row in range(4000)],
        }
    )
    frame.select("query", "item", grade=pl.col("score").cast(int) % 3).write_parquet(tmp_path / "judged.parquet")
    frame.write_parquet(tmp_path / "run.parquet")
    frame.write_csv(tmp_path / "run.csv")
    frame.write_csv(tmp_path / "quoted.csv", quote_style="always")
    frame.write_ndjson(tmp_path / "run.jsonl")
    frame.write_ipc(tmp_path / "run.arrow")
    made(tmp_path / "run.duckdb", f"create table rows as from read_parquet('{tmp_path}/run.parquet')")
    lines = "".join(f"{query} Q0 {item} 1 {score} t\n" for query, item, score in frame.rows())
    (tmp_path / "run.txt.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "run.txt").write_text(lines)
    runs = sorted(str(path) for path in tmp_path.glob("*") if path.stem != "judged")
    command = [sys.executable, "-c", FORKED, str(tmp_path / "judged.parquet"), *runs]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, done.stdout.strip()) == (0, "8"), done.stderr


def test_folder_of_a_child_is_its_own_and_goes_with_it(tmp_path: Path) -> None:
    script = """
import multiprocessing, os, sys
from rankgauge.inputs.temporary_folder import folder
ours = folder()
with multiprocessing.get_context("fork").Pool(1) as pool:
    theirs = pool.apply(folder)
    pool.close(); pool.join()
child = os.fork()
if not child:
    sys.exit(0)
os.waitpid(child, 0)
print(ours != theirs, os.path.isdir(ours), os.path.isdir(theirs), ours)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=600)
    *flags, ours = done.stdout.split()
    assert flags == ["True", "True", "False"]
    assert not Path(ours).exists()
