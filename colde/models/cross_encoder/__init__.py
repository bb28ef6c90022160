"""A cross-encoder over the words that a filter keeps."""
