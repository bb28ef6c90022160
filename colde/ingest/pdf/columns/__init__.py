"""Columns, the reading order of lines, and parts of a page that stand by themselves."""
