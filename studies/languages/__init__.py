"""Comparisons across languages."""
