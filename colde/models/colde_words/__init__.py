"""CoLDE + words: a weighted mean of CoLDE's score, the cosine of trained word vectors, and the cosine of TF-IDF."""

from __future__ import annotations

from colde.models.colde_words.mixture_matcher import ColdeWords

__all__ = ["ColdeWords"]
