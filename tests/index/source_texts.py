"""Four short documents, and a text that may take a passage from two of them; all are our own writing."""

from __future__ import annotations

from pathlib import Path

from colde.index.index_results import IndexedDocument
from colde.index.sources.counted_sources import Sources, count_sources
from colde.index.sources.source_stretches import Exclusions, SharingDocument
from colde.ingest import read_text
from colde.results.shared_text import SharedPassage
from colde.text.document import Document, Span

LAMP = (
    "The keeper carried two cans of whale oil up the spiral stair at sunset and poured them into the reservoir below "
    "the seven wicks, which he trimmed with brass scissors until the flame stood even and gave no smoke."
)
HARBOUR = (
    "In the winter of the great frost the harbour board paid forty labourers to break the ice around the mole each "
    "morning, so that the mail packet could leave for the northern islands before the tide turned against her."
)
SOURCES = {
    "lamps.txt": ("Lighthouses burned oil before gas. ", LAMP, " Later lamps used vapour under pressure. "),
    "harbour.txt": ("Harbours in the north froze. ", HARBOUR, " Pilots waited until the channel opened. "),
    "cooking.txt": ("Bread needs flour, water, salt and time. ", "", "Knead the dough and let it rest. "),
    "chess.txt": ("A knight moves two squares and one aside. ", "", "Bishops keep to their colour. "),
}
FILLER = {
    "lamps.txt": "Mariners measured the height of a light above the sea with care. Its range depended on the weather. ",
    "harbour.txt": "Merchants wrote letters to each other about the price of salt fish. Ships lay idle at the quay. ",
    "cooking.txt": "An oven should be hot before the loaf goes in. Steam makes the crust thin and crisp at first. ",
    "chess.txt": "Players learn openings by heart in their youth. An endgame asks for patience more than memory. ",
}
OWN = (
    "My grandfather painted watercolours of ferries and bridges. He sold few of them and gave most to neighbours. "
    "One autumn he walked along the river to its mouth with a box of paints on his back. "
)


def write_sources(folder: Path) -> Path:
    """The four documents as files."""
    folder.mkdir()
    for name, (first, passage, last) in SOURCES.items():
        (folder / name).write_text(first + FILLER[name] * 2 + passage + last + FILLER[name])
    return folder


def query_text(*passages: str) -> str:
    """A text of which these passages are a part."""
    return OWN + " ".join(passages) + " " + OWN.replace("grandfather", "uncle")


def shared_passages(document: Document, names: dict[str, tuple[str, ...]]) -> Sources:
    """The sources of a text without an index: documents by name, each with the passages that it shares word by word."""
    sharing = []
    for name, passages in names.items():
        first, _, last = SOURCES[name]
        text = read_text(first + FILLER[name] + " ".join(passages) + last)
        shared = tuple(
            SharedPassage("identical", _place(document, p), _place(text, p), {"a": 1, "b": 1}, 1.0)
            for p in passages
        )
        sharing.append(SharingDocument(IndexedDocument(name, name, "", 1, 1), text, shared))
    return count_sources(document, sharing, Exclusions(), len(sharing))


def _place(document: Document, passage: str) -> Span:
    start = document.text.index(passage)
    return Span(start, start + len(passage))
