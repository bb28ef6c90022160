"""Damaged, changed and hostile inputs, and killed runs."""
