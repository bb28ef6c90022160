"""What a reader sees of a comparison: terminal, tables, HTML."""
