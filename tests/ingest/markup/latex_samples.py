"""LaTeX documents made of a preamble and a body, and what is read of them."""

from __future__ import annotations

from colde.ingest import read
from colde.text.document import Document


def latex(body: str, preamble: str = "") -> Document:
    """The Document of a small LaTeX file."""
    source = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    return read(source.encode(), name="x.tex", sandbox=False)


def latex_text(body: str, preamble: str = "") -> str:
    """The text of a small LaTeX file."""
    return latex(body, preamble).text
