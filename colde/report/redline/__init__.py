"""Redlines: both texts in one file, with what was inserted, deleted and moved."""
