"""The report of the versions of a document."""
