"""Translated sentences, by vectors drawn here: of both languages each is a shared meaning, its language, and noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from colde import ingest
from colde.alignment.translations import centred_alone, in_two_languages, translated_sentences
from colde.encoders.vector_math import normalised
from colde.explain.translation_maps import translation_maps
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.document import Chunk, Document

WIDTH = 64
NO_BACKGROUND = np.zeros(WIDTH, np.float32)


def document(words: str, language: str, count: int = 40) -> Document:
    text = " ".join(f"{words} {n} times over and again." for n in range(count))
    return replace(ingest.read_text(text), language=language)


def vectors(meaning: Array, language: int) -> Array:
    """Unit vectors of sentences with these meanings in a language, which takes most of each vector."""
    random = np.random.default_rng(language)
    direction = random.normal(size=WIDTH)
    return normalised(
        3 * normalised(direction) + normalised(meaning + 0.3 * random.normal(size=meaning.shape))
    )


def meanings(seed: int, count: int) -> Array:
    return np.random.default_rng(seed).normal(size=(count, WIDTH)).astype(np.float32)


A, B = document("The lamp was lit", "en"), document("Die Lampe wurde angezündet", "de")


def test_translations_are_found_in_their_order() -> None:
    meaning = meanings(1, 40)
    order = np.random.default_rng(2).permutation(40)
    left, right = vectors(meaning, 10), vectors(meaning[order], 11)
    pairs = translated_sentences(A, B, *(centred_alone(v, NO_BACKGROUND) for v in (left, right)))
    assert len(pairs.rows) >= 36
    np.testing.assert_array_equal(order[pairs.columns], pairs.rows)


def test_unrelated_sentences_are_no_translations() -> None:
    left, right = vectors(meanings(1, 40), 10), vectors(meanings(3, 40), 11)
    pairs = translated_sentences(A, B, *(centred_alone(v, NO_BACKGROUND) for v in (left, right)))
    assert len(pairs.rows) <= 1


def test_the_mean_of_a_few_sentences_is_drawn_towards_the_background() -> None:
    one = normalised(meanings(5, 1))
    np.testing.assert_allclose(centred_alone(one, NO_BACKGROUND), one, atol=1e-6)
    many = vectors(meanings(6, 400), 12)
    assert np.abs(centred_alone(many, NO_BACKGROUND).mean(0)).max() < 0.02


def test_short_sentences_of_a_script_without_spaces_count_by_characters() -> None:
    chinese = replace(ingest.read_text("软件包管理器在安装之前解决依赖关系。好的。" * 10), language="zh")
    meaning = meanings(7, 20)
    count = sum(1 for _ in chinese.sentences())
    assert count == 20
    left, right = vectors(meaning[:20], 10), vectors(meaning, 11)
    short = document("The lamp was lit", "en", 20)
    pairs = translated_sentences(short, chinese, *(centred_alone(v, NO_BACKGROUND) for v in (left, right)))
    assert set(pairs.columns % 2) == {0}  # every second sentence has two characters
    assert len(pairs.columns) >= 5


def test_maps_cover_all_sentences() -> None:
    meaning = meanings(8, 40)
    encodings = [
        Encoding(
            d,
            Coverage(1, 1),
            chunk_spans=(Chunk(0, len(d.text) // 2, 0, 99), Chunk(len(d.text) // 2, len(d.text), 0, 99)),
            sentences=vectors(meaning, language),
        )
        for d, language in ((A, 10), (B, 11))
    ]
    maps = translation_maps(*encodings, NO_BACKGROUND)
    assert maps["sentence"].values.shape == (40, 40) and maps["passages"].values.shape == (2, 2)
    assert maps["sentence"].values.diagonal().mean() > 0.6 > maps["sentence"].values.mean() * 4
    assert np.argmax(maps["passages"].values, axis=1).tolist() == [0, 1]


def test_languages_must_be_known_and_differ() -> None:
    assert in_two_languages(A, B) and not in_two_languages(A, A)
    assert not in_two_languages(A, replace(B, language=None))
