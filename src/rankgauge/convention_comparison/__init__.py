"""Why tools print different numbers for the same ranking: side by side, step by step, and back from a number."""
