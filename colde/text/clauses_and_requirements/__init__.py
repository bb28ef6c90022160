"""Clauses, their numbers, and what they require."""
