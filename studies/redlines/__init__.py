"""Redlines, checked with other programs."""
