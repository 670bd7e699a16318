"""One number for many queries, how sure it is, and the errors of time series."""
