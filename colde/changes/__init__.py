"""What changed between two versions of a text: one list of changes."""
