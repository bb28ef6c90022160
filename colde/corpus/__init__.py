"""Documents on disk: corpora with labelled pairs, and the bundled samples."""
