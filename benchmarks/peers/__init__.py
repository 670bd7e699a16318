"""The contenders, one file per family: a function takes paths, sets up, and returns the work that is timed."""
