"""The documentation site: parts of its pages that are made from the code, and the hooks that MkDocs calls."""
