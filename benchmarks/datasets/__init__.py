"""The data that contenders share: made once from a seed, kept in benchmarks/data, one file here per shape."""
