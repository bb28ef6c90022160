"""Reports of a comparison: terminal, tables, HTML."""
