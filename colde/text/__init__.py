"""One text and spans that point into it: documents, sentences, chunks, tokens, weighted words."""
