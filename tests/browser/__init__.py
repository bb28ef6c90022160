"""Tests of pages in a browser; a package, so that a fixture can belong to all of its files."""
