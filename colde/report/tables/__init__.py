"""A comparison as tables and lines for other programs, and the files that all tables become."""
