"""What readers of all formats share: from blocks to a Document, with titles, roles, lines, tables and warnings."""
