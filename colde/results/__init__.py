"""What a comparison yields, as plain typed values. Nothing here knows a model, a page or a file format."""
