"""Two documents and a list of models in, a comparison out."""
