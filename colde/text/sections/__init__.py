"""Edits of the sections of a document."""
