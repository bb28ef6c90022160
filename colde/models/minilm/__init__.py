"""Mean vectors of the packaged encoder."""
