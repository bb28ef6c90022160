"""Lists of words: stop words, English words, names of languages."""
