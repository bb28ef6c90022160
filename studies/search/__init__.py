"""Recall, cost and workers of the index."""
