"""The two nouns that every input becomes: judgments and a ranking."""
