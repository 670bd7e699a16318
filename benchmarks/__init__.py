"""Benchmarks: one case per row, each contender in a process of its own, values shown so that equal work is visible."""
