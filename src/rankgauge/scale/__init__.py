"""Evaluation and comparison of data that one machine's memory does not hold: in parts on disk, or on Spark."""
