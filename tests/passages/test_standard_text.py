"""Standard text is searched, and its passages are marked."""

from __future__ import annotations

import numpy as np

import colde
from colde.passages.sentence_words import SentenceWords
from colde.passages.standard_text import standard_seeds, standard_spans
from colde.results.seeds import certain_seeds
from colde.text.not_compared.boilerplate import searched_text, without_boilerplate

TEXT = (
    "# Sea\n\nThe keeper lights the lamp.\n\n# Acknowledgements\n\nWe thank the crew of the boat for bread.\n"
)


def test_standard_sections_are_searched_though_no_model_reads_them() -> None:
    document = without_boilerplate(colde.read_text(TEXT))
    (standard,) = standard_spans(document)
    assert "We thank the crew" in document.text[standard.start : standard.end]
    assert not any(s.overlaps(standard) for _, s in document.sentences())
    searched = searched_text(document)
    assert searched.text == document.text
    assert any(s.overlaps(standard) for _, s in searched.sentences())


def test_pairs_with_a_standard_sentence_on_either_side_are_standard() -> None:
    document = without_boilerplate(colde.read_text(TEXT))
    words = SentenceWords.of(searched_text(document))
    places = np.array([0, 0, 1, 1])
    seeds = certain_seeds(places, np.array([0, 1, 0, 1]))
    standard = standard_spans(document)
    assert standard_seeds(seeds, (words, words), (standard, standard)).tolist() == [False, True, True, True]
    assert standard_seeds(seeds, (words, words), (standard, ())).tolist() == [False, False, True, True]
