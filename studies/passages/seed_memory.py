"""Pairs of texts with the seeds of their passages, searched once and kept, so that the joining is fitted in minutes."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import colde
from colde.alignment.sentence_matches import sentence_matches
from colde.alignment.shared_runs import compared_words
from colde.passages.find_passages import shared_blocks
from colde.passages.fitted_limits import FittedLimits
from colde.passages.joining import Block
from colde.passages.run_seeds import RunsOfTexts, with_runs
from colde.passages.sentence_words import SentenceWords
from colde.passages.word_ends import passage_spans
from colde.results.seeds import Seeds
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import searched_text
from studies.passages.detection_measures import Case, Stretch, characters

LOOK_AHEAD = 400
"""Characters of a file in which a character of the text that was read is looked for."""


@dataclass(frozen=True, slots=True)
class SearchedPair:
    """What the joining of passages reads of two texts.

    Attributes:
        places: of each text: [characters], the place of each in the file.
    """

    seeds: Seeds
    texts: tuple[SentenceWords, SentenceWords]
    places: tuple[NDArray[np.int32], NDArray[np.int32]]

    def detections(self, limits: FittedLimits) -> list[Case]:
        """The passages that the two texts share, as characters of the files."""
        blocks = shared_blocks(self.seeds, self.texts, limits=limits)
        return [self.detection(block, limits) for block in blocks]

    def detection(self, block: Block, limits: FittedLimits) -> Case:
        """A block as characters of the files."""
        a, b = passage_spans(block, *self.texts, limits.ends)
        return self._in_file(0, a), self._in_file(1, b)

    def share(self, detections: Sequence[Case]) -> float:
        """Share of the first text that lies in detections."""
        return characters([a for a, _ in detections]) / max(1, len(self.places[0]))

    def _in_file(self, side: int, span: Span) -> Stretch:
        return int(self.places[side][span.start]), int(self.places[side][span.end - 1]) + 1


class SeedMemory:
    """Searched pairs, each in a file of its own in a folder of `runs`; a stopped search goes on with the next pair."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, tuple[Document, NDArray[np.int32]]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def pair(self, name: str, a: tuple[str, str], b: tuple[str, str]) -> SearchedPair:
        """A pair of files, each given as its name and content."""
        path = self._folder / f"{name}.pickle"
        if path.is_file():
            searched: SearchedPair = pickle.loads(path.read_bytes())  # noqa: S301 - written below
            return searched
        (one, places_a), (two, places_b) = self._document(*a), self._document(*b)
        texts = (SentenceWords.of(one), SentenceWords.of(two))
        searched = SearchedPair(text_seeds(one, two, texts), texts, (places_a, places_b))
        path.write_bytes(pickle.dumps(searched))
        return searched

    def _document(self, name: str, content: str) -> tuple[Document, NDArray[np.int32]]:
        if name not in self._read:
            document = searched_text(colde.read(content.encode(), name=f"{name}.txt"))
            self._read[name] = document, places_in_file(document.text, content)
        return self._read[name]


def text_seeds(a: Document, b: Document, texts: tuple[SentenceWords, SentenceWords]) -> Seeds:
    """All seeds of two documents as they are searched."""
    runs = RunsOfTexts.of(compared_words(a), compared_words(b))
    return with_runs(sentence_matches(a, b, lambda progress: None).seeds, runs.lengths(*texts), *texts)


def places_in_file(text: str, content: str) -> NDArray[np.int32]:
    """For each character of a text that was read, its place in the file: the same letters in order, spaces skipped."""
    places = np.zeros(len(text), dtype=np.int32)
    at = 0
    for k, character in enumerate(text):
        if not character.isspace():
            while at < len(content) and content[at].isspace():
                at += 1
            if at < len(content) and content[at] != character:
                place = content.find(text[k : k + 8], at, at + LOOK_AHEAD)
                at = place if place >= 0 else at
        places[k] = min(at, len(content) - 1)
        at += not character.isspace()
    return places
