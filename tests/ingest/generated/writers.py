"""The writers of all formats, and what of a tree of blocks their readers give back."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import HealthCheck, settings

from tests.ingest.generated import markup_writers, office_writers
from tests.ingest.generated.block_trees import CARRIED_BY_ALL, CONTROLS, KINDS, SURROGATES, Tree, tree_of

EXAMPLES = int(os.environ.get("COLDE_EXAMPLES", "12"))
"""Documents that are made of each format; a run that looks for faults takes some thousand."""


@dataclass(frozen=True, slots=True)
class Writer:
    """How a format is written, and what of a tree its reader gives back.

    Attributes:
        format: the row of the table of formats.
        write: makes the file.
        suffix: of its name.
        kinds: what a tree may hold so that the blocks are told exactly.
        odd: odd characters that its paragraphs may hold.
        marks: whether the text of an item begins with its mark.
        headings: whether there are headings.
    """

    format: str
    write: Callable[[Tree], bytes]
    suffix: str
    kinds: tuple[str, ...] = KINDS
    odd: tuple[str, ...] = CARRIED_BY_ALL
    marks: bool = False
    headings: bool = True


IN_BYTES = (*CARRIED_BY_ALL, *CONTROLS)
ALL_CHARACTERS = (*IN_BYTES, *SURROGATES)
RUNNING_TEXT = ("plain", "link", "fraction", "power", "heading")
TEX_AS_WRITTEN = tuple(kind for kind in KINDS if kind != "fraction")
WITH_LISTS = (*RUNNING_TEXT, "bullets", "numbers")
NO_MARKUP = tuple(odd for odd in IN_BYTES if "<" not in odd)
LATIN = ("", "é ", "ü ", "& < > \" ' ")
WRITERS = (
    Writer("pdf", office_writers.printed_pages, ".pdf", RUNNING_TEXT, LATIN),
    Writer("docx", office_writers.word_document, ".docx"),
    Writer("epub", office_writers.book, ".epub"),
    Writer("odt", office_writers.opendocument, ".odt"),
    Writer("rtf", office_writers.rich_text, ".rtf", odd=ALL_CHARACTERS),
    Writer("mhtml", markup_writers.saved_page, ".mhtml", odd=ALL_CHARACTERS),
    Writer("html", markup_writers.web_page, ".html", odd=ALL_CHARACTERS),
    Writer("markdown", markup_writers.markdown, ".md", TEX_AS_WRITTEN, IN_BYTES),
    Writer("rst", markup_writers.restructured, ".rst", TEX_AS_WRITTEN, IN_BYTES),
    Writer("latex", markup_writers.latex, ".tex", odd=IN_BYTES),
    Writer("xml", markup_writers.jats, ".xml"),
    Writer("xml", markup_writers.docbook, ".dbk"),
    Writer("xml", markup_writers.tei, ".tei"),
    Writer("notebook", markup_writers.notebook, ".ipynb", TEX_AS_WRITTEN, ALL_CHARACTERS),
    Writer("subtitles", markup_writers.subtitles, ".srt", RUNNING_TEXT, NO_MARKUP, headings=False),
    Writer("text", markup_writers.plain_text, ".txt", WITH_LISTS, IN_BYTES, marks=True),
)  # fmt: skip
each_writer = pytest.mark.parametrize("writer", WRITERS, ids=lambda w: f"{w.format}{w.suffix}")
examples = settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))


@cache
def whole_file(writer: Writer) -> bytes:
    """A file with all kinds of blocks that the format holds."""
    kinds = [(i, kind) for i, kind in enumerate(KINDS * 2) if kind in writer.kinds]
    return writer.write(tree_of([(kind, 2, writer.odd[i % len(writer.odd)]) for i, kind in kinds]))
