"""The report of a collection."""
