"""Problems of what is asked: measures, conventions, numbers, evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rankgauge.errors.problem import Problem

PROBLEMS: Final[Mapping[str, Problem]] = {
    # Requests
    "unknown-measure": Problem(
        "expected a measure ({known}), got {got!r}",
        "{nearest}a measure is a name with an optional cutoff, such as ndcg@10 or ndcg(gain=exp2)@10",
        "separate measures by commas, as in ndcg@5,recall@5, or by another -m on the command line",
        lambda context: context.get("several") is True,
    ),
    "bad-cutoff": Problem(
        "expected a cutoff k from 1 to 2,147,483,647, got {got}", "write ndcg@10, or ndcg for no cutoff"
    ),
    "no-cutoff": Problem("expected {measure} without a cutoff, got {measure}@{got}", "it looks at the whole ranking"),
    "not-explained": Problem(
        "expected a measure of gains ({known}), got {got}", "what counts relevant items has no gain by rank to show"
    ),
    "bad-notation": Problem(
        "expected the form {form}, got {got!r}", "parentheses must close and each parameter is name=value"
    ),
    "request-of-text": Problem(
        "expected measures and a convention as objects, got {got}",
        "Request.of reads text, as in Request.of('ndcg@10,map', 'trec_eval')",
    ),
    "no-measure": Problem("expected at least one measure, got none", "for example ndcg@10"),
    "no-mean": Problem(
        "expected a measure with a mean, got {got}, which is a text of each query", "ask result.per_query for it"
    ),
    "judged-only": Problem(
        "expected judged_only=True of all measures of a request, got it beside {got}",
        "ask for them in a request of their own, or leave out unjudged items of all measures with unjudged=drop",
    ),
    "several-measures": Problem(
        "expected one measure, got {got!r}, which are {count}", "give them in a list, or name one of them"
    ),
    "repeated-parameter": Problem("expected each parameter once, got {got!r} twice", "remove one of them"),
    "unknown-parameter": Problem(
        "expected a parameter of {owner} ({known}), got {got!r}", "{nearest}for example {example}"
    ),
    "unknown-convention": Problem(
        "expected a convention, got {got!r}", "{nearest}`rankgauge conventions` lists all {count}"
    ),
    "too-many-arguments": Problem("expected {expected}, got {got}", "see `rankgauge conventions --help`"),
    "no-data": Problem(
        "expected the files JUDGMENTS and RANKING for {switch}, got none",
        "for example `rankgauge conventions qrels.txt run.txt {switch} …`",
    ),
    "unknown-choice": Problem("expected {field} to be one of {known}, got {got!r}", "{nearest}{question}"),
    "bad-number": Problem("expected {field} to be {expected}, got {got!r}", "{hint}"),
    "no-package": Problem(
        "expected the package {package}, got none of that name", "install it: pip install 'rankgauge[{extra}]'"
    ),
    "not-plotted": Problem(
        "expected what a plot of {got} takes, got a result without it: {reason}", "plot means or queries"
    ),
    "unknown-keyword": Problem("expected a keyword of {function}, got {got}=", "{hint}"),
    # Evaluations
    "bad-bytes": Problem(
        "expected the bytes of {noun}, got {got}",
        "use what to_bytes returned, or a whole pickle, with the version of rankgauge that wrote it",
    ),
    "same-query": Problem(
        "expected evaluations of different queries, got {got} in two of them",
        "a query must be evaluated whole, in one part",
    ),
    "other-request": Problem(
        "expected evaluations of the request '{expected}', got one of '{got}'", "evaluate all parts with one plan"
    ),
    "no-light-form": Problem(
        "expected measures that are numbers, got '{got}', which has texts", "texts have no sums; leave relstring out"
    ),
    "no-queries": Problem(
        "expected an evaluation with values per query, got a light one",
        "give more memory= if they did not fit; keep the evaluation instead of its light form",
    ),
    "values-on-cluster": Problem(
        "expected values per query on this machine, got a result whose values stayed on the cluster",
        "use result.per_query_frame, or engine='native', which brings the rows to this machine",
    ),
    # Clusters
    "no-frame": Problem(
        "expected a result that a cluster computed, got one of this machine, or of another process",
        "values of this machine are in result.per_query; those of a cluster stay in the process that evaluated them",
    ),
    "not-on-cluster": Problem(
        "expected {expected} on a cluster, got {got}",
        "give what is expected, or evaluate on this machine with engine='native'",
        "make a row of each: selectExpr({rows})",
        lambda context: "rows" in context,
    ),
    "no-row-order": Problem(
        "expected order='column' on a cluster, whose rows have no order, got {got}",
        "name the column that gives the order of the rows, or take measures and a convention that need none, such as "
        "ndcg and trec_eval",
        "give the ranking a column of scores or ranks, or name the column that gives the order of its rows",
        lambda context: context.get("unscored") is True,
    ),
    "no-java": Problem(
        "expected Java for Spark, got {got}",
        "install Java 17 or later, or set JAVA_HOME; without --engine spark none is needed",
    ),
    "spark-failed": Problem(
        "expected Spark to run without an error, got {got}",
        "RANKGAUGE_DEBUG=1 shows everything that Spark and Java say",
    ),
    "no-session": Problem(
        "expected Spark at {master}, got {got}",
        "check the address of --master, and that its cluster runs and can be reached from here; RANKGAUGE_DEBUG=1 "
        "shows everything that Spark and Java say",
    ),
    "not-read-by-spark": Problem(
        "expected a file or folder that Spark reads ({known}), got {got}",
        "--format-judgments and --format-ranking say it; other formats are read without --engine spark",
    ),
    "only-on-cluster": Problem(
        "expected {got} with DataFrames of Spark that stay on the cluster, got an evaluation on this machine",
        "order= and persist= apply to DataFrames of Spark only; leave them out",
    ),
    # SQL
    "measure-not-in-sql": Problem(
        "expected measures that SQL computes ({known}), got {got}",
        "compute the others with `rankgauge evaluate`",
    ),
    "convention-not-in-sql": Problem(
        "expected a convention whose answers {dialect} can give exactly, got {got}",
        "write --convention '{instead}', or take one of {known}; a column of ranks, which has no ties, allows more",
    ),
    "bad-name": Problem(
        "expected the name of a table or a column as {dialect} writes it, got {got!r}",
        "a table may have a schema, as in lake.qrels; other names than letters, digits and _ need quotes: {example}",
    ),
    "taken-name": Problem(
        "expected a table with another name than those inside the query ({known}), got {got}",
        "give it with its schema, as in main.{got}",
    ),
    "score-and-rank": Problem(
        "expected a column of scores or one of ranks, got both: {got}", "name the one that items are ordered by"
    ),
}
