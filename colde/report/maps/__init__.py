"""Maps of a model: their names, colours, drawings, and the values that a page gets."""
