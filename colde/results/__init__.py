"""Results of a comparison, as plain typed values. Nothing here knows a model, a page or a file format."""
