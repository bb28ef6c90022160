"""Rows and lines of words, the style of most of them, and rules that decide what a line is."""
