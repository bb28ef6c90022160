"""Sentence-BERT on the first tokens of a document."""
