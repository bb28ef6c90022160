"""Which parts of two texts correspond: candidate pairs of sentences, equal runs of words, translations."""
