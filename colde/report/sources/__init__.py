"""The report of a document's sources."""
