"""The sources of a document: candidates, their comparison, and the count of shared words."""
