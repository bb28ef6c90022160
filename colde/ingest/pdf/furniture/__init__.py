"""What belongs to pages and not to the text: running heads, page and line numbers, watermarks, repeated pages."""
