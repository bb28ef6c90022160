"""Loads what a comparison needs, so that the first one of a server does not wait for it."""

from __future__ import annotations

import gc
from collections.abc import Iterable

from colde.comparison.model_run import Loader
from colde.comparison.pipeline import compare
from colde.text.document import Document, Section, Sentence

_SENTENCES = (
    "The pilot reads the {} tide before dawn.",
    "His boat reaches the harbour wall in ten minutes.",
    "Nobody else is on the water.",
)


def warm_up(names: Iterable[str], load: Loader) -> None:
    """Compare two short texts that differ in one word: this loads encoder, standard texts, grammar and opposites.

    What is loaded stays as long as the process, so later collections of garbage leave it out: they would look through
    a million objects, for 0.15 s in each comparison.
    """
    compare(_document("low"), _document("high"), list(names), loader=load)
    gc.collect()
    gc.freeze()


def _document(word: str) -> Document:
    sentences: list[Sentence] = []
    text = ""
    for sentence in _SENTENCES:
        start = len(text)
        text += sentence.format(word)
        sentences.append(Sentence(start, len(text)))
        text += " "
    return Document(text, (Section(0, len(text), sentences=tuple(sentences)),), language="en")
