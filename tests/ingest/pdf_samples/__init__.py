"""PDFs of many kinds, set for the tests: what is in them, and where, is known."""
