"""What the report of a comparison holds, in whatever format: its parts, tables, record and the review."""
