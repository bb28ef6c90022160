"""Readers of PDF compared, and text that no reader can decode."""
