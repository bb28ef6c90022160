"""Formulas and raised figures on one line, in every format."""
