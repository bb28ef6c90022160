"""Measures of how good a model is, and scores for tables of pairs."""
