"""Headings, their numbers and levels, the title, and tables of contents."""
