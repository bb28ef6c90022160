"""Sentences about results: the verdict and what it rests on, contributions, shared words, disagreement."""
