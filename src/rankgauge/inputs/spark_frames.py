"""DataFrames of Spark, classic and Connect, known by the module of their type: pyspark is not imported for it.

A DataFrame of Spark Connect takes any name for that of a column, so `hasattr` is true of whatever is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def is_spark(source: object) -> bool:
    """Whether this is a DataFrame of Spark.

    >>> is_spark({"q1": ["d1"]})
    False
    """
    kind = type(source)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql")


def is_pandas_api(source: object) -> bool:
    """Whether this is a DataFrame of Spark with the methods of pandas: `frame.pandas_api()`.

    >>> is_pandas_api({"q1": ["d1"]})
    False
    """
    kind = type(source)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.pandas")


def without_pandas_api(source: Any) -> Any:  # noqa: ANN401 - of any library
    """Return the DataFrame inside a frame of pandas on Spark, whose index is no column; anything else as it is.

    >>> without_pandas_api({"q1": ["d1"]})
    {'q1': ['d1']}
    """
    if not is_pandas_api(source):
        return source
    return source.spark.frame()  # which is `to_spark()` without its warning that the index is lost


def backquoted(name: str) -> str:
    """Return a name as Spark reads it, which takes a dot for the path to a field.

    >>> backquoted("user.id")
    '`user.id`'
    """
    return "`" + name.replace("`", "``") + "`"


def literal(text: str) -> str:
    """Return a text as Spark reads it in an expression, whatever characters it has.

    >>> literal("it's")
    "CAST(X'69742773' AS string)"
    """
    return f"CAST(X'{text.encode().hex()}' AS string)"


def selected(frame: Any, names: Sequence[str]) -> Any:  # noqa: ANN401 - a DataFrame of Spark
    """Return a DataFrame with some of its columns."""
    return frame.select(*(frame[backquoted(name)] for name in names))
