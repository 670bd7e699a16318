"""RankLib: `NDCGScorer` of lists that a `Ranker` has sorted, in Java, with the class path in the variable RANKLIB.

It is no Python package, so "ranklib" names no distribution: it is org.codelibs:ranklib 2.10.1 of Maven Central.
RankLib's own command rounds the mean to four decimals, so that a small program asks the same classes.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import IO, Final

from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

ALL: Final = 0
VERSION: Final = "2.10.1"  # its classes do not tell
MEAN: Final = "all"
# Reads a cutoff and a number of rows, then these rows in RankLib's format with the score as the comment; then again.
PROGRAM: Final = """
import ciir.umass.edu.learning.*;
import ciir.umass.edu.metric.*;
import java.io.*;
import java.util.*;

public class Ask {
    static class Given extends Ranker {
        public double eval(DataPoint point) { return Double.parseDouble(point.getDescription().substring(1)); }
        public void init() {}
        public void learn() {}
        public Ranker createNew() { return new Given(); }
        public String toString() { return ""; }
        public String model() { return ""; }
        public void loadFromString(String text) {}
        public void printParameters() {}
        public String name() { return "Given"; }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String head = in.readLine(); head != null; head = in.readLine()) {
            int k = Integer.parseInt(head.split(" ")[0]);
            int rows = Integer.parseInt(head.split(" ")[1]);
            Map<String, List<DataPoint>> queries = new LinkedHashMap<>();
            for (int row = 0; row < rows; row++) {
                DataPoint point = new DenseDataPoint(in.readLine());
                queries.computeIfAbsent(point.getID(), id -> new ArrayList<>()).add(point);
            }
            List<RankList> lists = new ArrayList<>();
            for (List<DataPoint> points : queries.values()) lists.add(new RankList(points));
            List<RankList> ranked = new Given().rank(lists);
            NDCGScorer scorer = new NDCGScorer(k);
            for (RankList list : ranked) System.out.println(list.getID() + " " + scorer.score(list));
            System.out.println("all " + scorer.score(ranked));
        }
    }
}
"""


@cache
def _program() -> tuple[IO[str], IO[str]]:
    """Start one Java for all questions; it ends when its input does."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "Ask.java"
        source.write_text(PROGRAM, encoding="utf-8")
        command = ["java", "-cp", os.environ["RANKLIB"], str(source)]
        java = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        if java.stdin is None or java.stdout is None:
            raise RuntimeError
        # A question about no rows is answered once the source has been read.
        java.stdin.write("1 0\n")
        java.stdout.readline()
    return java.stdin, java.stdout


def ask(case: Case, k: int | None) -> Printed:
    """Ask with the rows of every query, and read its values until the mean comes."""
    rows = [
        f"{case.judgments[query].get(item, 0.0)} qid:{query} 1:0 #{score!r}"
        for query in case.common()
        for item, score in case.ranking[query].items()
    ]
    questions, answers = _program()
    questions.write("\n".join([f"{k or ALL} {len(rows)}", *rows]) + "\n")
    questions.flush()
    values: dict[str, float] = {}
    while MEAN not in values:
        query, value = answers.readline().split()
        values[query] = float(value)
    mean = values.pop(MEAN)
    return Printed(values, mean)


ADAPTERS = [
    Adapter(
        convention="ranklib",
        package="ranklib",
        ask=ask,
        refuses={
            "negative grades": "labels must not be negative",
            "missing queries": "there are only rows",
        },
        version=lambda: VERSION,
    )
]
