"""Characters of a page, where they stand, and the letters that a PDF draws in pieces, twice or not at all."""
