"""The comparison of `example` with two more models: one that counts words, one that reads only the beginning and
says what it looked at. Their numbers are made up, and easy to find again."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from colde.results.comparison import Comparison
from colde.results.model_score import Coverage
from colde.results.similarity_map import SimilarityMap, sides
from colde.text.document import Document, Span
from tests.report.example import drawn, example, score

WORD = re.compile(r"\w+")
WORDS_READ = 60
SENTENCES_READ = 4


def several() -> Comparison:
    """Models `colde` (sections, chunks, sentences), `counter` (sections), `reader` (first sentences, and weights)."""
    found = example()
    section = found.maps["colde"]["section"]
    rows, columns = section.values.shape
    cells = np.arange(rows * columns).reshape(rows, columns)
    counted = drawn(cells, section.rows, section.columns, "words", "Cells, counted.", kind="term weight")
    results = (
        found.models[0],
        *(score(n, n.title(), 0.5, 0.4, Coverage(1, 1)) for n in ("counter", "reader")),
    )
    maps = {"colde": found.maps["colde"], "counter": {"section": counted}, "reader": reader(found.a, found.b)}
    return replace(found, models=results, maps=maps)


def reader(a: Document, b: Document) -> dict[str, SimilarityMap]:
    """Maps as models with attention give them: lying and standing, shares that sum to one and others."""
    left, right = first_sentences(a), first_sentences(b)
    values = np.linspace(0.1, 0.8, len(left) * len(right), dtype=np.float32).reshape(len(left), len(right))
    found = {"sentence": drawn(values, left, right, "topic", "Sentences, in rising order.", level="sentence")}
    for side, (document, sentences) in sides((a, left), (b, right)):
        words = first_words(document)
        shares = np.arange(1, len(words) + 1, dtype=np.float32)
        whole = (Span(0, len(document.text)),)
        found[f"{side}_word_attention_p"] = drawn(
            (shares / shares.sum())[None], whole, words, "attention", "Later words got more.", level="word",
            kind="attention", side=side, form="weights", label="paragraph hierarchy",
        )  # fmt: skip
        ranks = np.linspace(1.0, 0.25, len(sentences), dtype=np.float32)[:, None]
        found[f"{side}_sentence_rank"] = drawn(
            ranks, sentences, whole, "rank", "Earlier sentences rank higher.", level="sentence", kind="term weight",
            side=side, form="weights",
        )  # fmt: skip
        itself = np.eye(len(sentences))
        found[f"{side}_sentence"] = drawn(itself, sentences, sentences, "topic", level="sentence", side=side)
    return found


def first_sentences(document: Document) -> tuple[Span, ...]:
    return tuple(Span(s.start, s.end) for _, s in document.sentences())[:SENTENCES_READ]


def first_words(document: Document) -> tuple[Span, ...]:
    return tuple(Span(*m.span()) for m in WORD.finditer(document.text))[:WORDS_READ]
