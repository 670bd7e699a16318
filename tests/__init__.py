"""The tests of rankgauge: a package, since a library in the test group installs one of the same name."""
