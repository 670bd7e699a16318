"""How often intervals hold the true mean and tests find what is not there: what docs/calibration.md shows."""
