"""Engines compute: the same answers from `reference` (pure Python) and `native` (Rust)."""
