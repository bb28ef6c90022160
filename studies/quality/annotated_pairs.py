"""Pairs of documents with known relations between their sentences, built from the development texts.

Each text file in `data/` holds a source and versions of it. A version is compared with its source and with other
versions. The truth of a sentence pair follows from the indices of the source sentences that both sides were made of.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import colde
from colde.text.document import Document

DATA = Path(__file__).with_name("data")
VERSIONS = ("paraphrase", "light", "spun", "summary", "list", "retold")
PARTS = ("train", "train", "valid", "test")


@dataclass(frozen=True)
class Side:
    """A document, and for each of its sentences the source sentences that it was made of."""

    document: Document
    origins: tuple[frozenset[int], ...]


@dataclass(frozen=True)
class TextPair:
    """Two documents with the truth of each pair of sentences."""

    name: str  # the item, and the two versions
    genre: str
    part: str  # train, valid or test; all pairs of an item are in the same part
    kind: str  # the version that was compared, e.g. paraphrase, independent
    a: Side
    b: Side

    def shared(self, i: int, j: int) -> bool:
        """Whether sentence i of a and sentence j of b were made of the same source sentence."""
        return bool(self.a.origins[i] & self.b.origins[j])


def part_of(name: str) -> str:
    """The part of an item, from a hash of its name: half of the items are for training."""
    return PARTS[zlib.crc32(name.encode()) % len(PARTS)]


Pieces = list[tuple[str, frozenset[int]]]


def side(pieces: Pieces, title: str, before: str = "", after: str = "") -> Side:
    """A document of these pieces between two texts.

    Each sentence that the splitter makes gets the origins of the pieces it overlaps.
    """
    text, places = f"{before}# {title}\n\n", []
    for piece, origins in pieces:
        if piece == "\n":
            text = text.rstrip(" ") + "\n\n"
            continue
        places.append((len(text), len(text) + len(piece), origins, piece))
        text += piece + ("\n" if piece.startswith("- ") else " ")
    document = colde.read_text(text + after)
    at, spans = 0, []
    for _, _, origins, piece in places:
        start = document.text.find(piece.removeprefix("- "), at)
        if start < 0:
            raise ValueError(f"{title}: {piece!r} is not in the text as it was read")
        end = start + len(piece.removeprefix("- "))
        spans.append((start, end, origins))
        at = max(at, end - 2)
    sentence_origins = []
    for _, s in document.sentences():
        held = [
            o for start, end, o in spans if min(end, s.end) - max(start, s.start) > 0.3 * (s.end - s.start)
        ]
        sentence_origins.append(frozenset().union(*held))
    return Side(document, tuple(sentence_origins))


def item_pieces(item: dict[str, Any]) -> dict[str, Pieces]:
    """The pieces of the source and of every version of an item."""
    source = [(s, frozenset([k]) if s != "\n" else frozenset[int]()) for k, s in enumerate(item["source"])]
    changed = {v["of"][0]: v["text"] for v in item["opposite"] if v["of"]}
    pieces = {"source": source, "opposite": [(changed.get(k, s), of) for k, (s, of) in enumerate(source)]}
    pieces |= {version: [(v["text"], frozenset(v["of"])) for v in item[version]] for version in VERSIONS}
    pieces |= {
        version: [(s, frozenset[int]()) for s in item[version]] for version in ("independent", "other")
    }
    return pieces


def read_items(folder: Path = DATA) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and content of every text file."""
    for path in sorted(folder.glob("*.json")):
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))


def text_pairs(folder: Path = DATA) -> Iterator[TextPair]:
    """Every pair: source and version, version and version, source and unrelated texts of the genre."""
    sources: dict[tuple[str, str], list[tuple[str, Side]]] = {}
    for name, item in read_items(folder):
        sides = {version: side(pieces, item["title"]) for version, pieces in item_pieces(item).items()}
        genre, part = item["genre"], part_of(name)
        for version in (*VERSIONS, "opposite", "independent", "other"):
            yield TextPair(
                f"{name}: source, {version}", genre, part, version, sides["source"], sides[version]
            )
        for one, other in combinations(
            ("paraphrase", "summary", "list", "retold", "independent", "other"), 2
        ):
            kind = other if other in ("independent", "other") else one
            yield TextPair(f"{name}: {one}, {other}", genre, part, f"{kind} 2", sides[one], sides[other])
        blank = Side(sides["source"].document, tuple(frozenset[int]() for _ in sides["source"].origins))
        sources.setdefault((genre, part), []).append((name, blank))
    for (genre, part), held in sources.items():
        for (one, a), (other, b) in combinations(held, 2):
            yield TextPair(f"{one}, {other}", genre, part, "same genre", a, b)
