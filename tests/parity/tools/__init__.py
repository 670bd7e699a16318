"""One adapter per tool: how to ask it for NDCG. Each file imports its tool, and so runs where that is installed."""
