"""What an evaluation is, and what users hold of it: results and explanations."""
