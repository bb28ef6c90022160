"""Models of weighted word counts: TF-IDF and BM25."""
