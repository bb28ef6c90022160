"""The mean vector of an encoder over sentences of many languages: what vectors of unrelated texts have in common.

Those of the multilingual encoder ship (`studies/languages/language_means.py` makes the file), since its file is checked
by hash and never changes. Those of other encoders are computed when they are needed.
"""

from __future__ import annotations

import ast
from functools import lru_cache

import numpy as np
from safetensors.numpy import load_file

from colde.assets import asset
from colde.encoders.encoder_names import MULTILINGUAL
from colde.encoders.sentence_encoder import shared_sentence_encoder
from colde.encoders.vector_cache import VectorCache
from colde.encoders.vector_math import normalised
from colde.results.similarity_map import Array
from colde.text.word_lists.stop_words import language_file

LANGUAGES = ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "tr", "zh"]
SENTENCES_OF_LANGUAGE = 8
SHIPPED = "multilingual.safetensors"
"""The file of the multilingual encoder: `means`, as `language_means` gives them."""


@lru_cache(maxsize=4)
def background_centre(encoder: str) -> Array:
    """The mean over languages of the mean unit vectors of example sentences: [width]."""
    if encoder == MULTILINGUAL:
        means = load_file(asset("models", "background", SHIPPED))["means"]
    else:
        means = language_means(encoder)
    return np.asarray(means.mean(0), dtype=np.float32)


def language_means(encoder: str) -> Array:
    """The mean unit vectors of spaCy's example sentences by language: [languages, width]."""
    shared = shared_sentence_encoder(encoder)
    by_language = [_examples(language) for language in LANGUAGES]
    first, last = shared.tokenizer.first, shared.tokenizer.last
    tokens = shared.tokenizer([sentence for sentences in by_language for sentence in sentences])
    ids = [np.concatenate(([first], t.ids, [last])).astype(np.int32) for t in tokens]
    cache = VectorCache.from_environment(f"sentences-{shared.encoder.tag}")
    vectors = None if cache is None else cache.load(ids)
    if vectors is None:
        order = np.argsort([len(i) for i in ids], kind="stable")
        vectors = np.empty((len(ids), shared.width), dtype=np.float32)
        vectors[order] = normalised(shared.encoder.mean_states([ids[i] for i in order]))
        if cache is not None:
            cache.save(ids, vectors)
    borders = np.cumsum([len(sentences) for sentences in by_language])[:-1]
    return np.asarray([part.mean(0) for part in np.split(vectors, borders)], dtype=np.float32)


def _examples(language: str) -> list[str]:
    """The first example sentences of a language in spaCy's files, read without importing spaCy."""
    file = language_file(language, "examples.py")
    assert file is not None
    values = (
        node.value
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
    )
    sentences: list[str] = ast.literal_eval(next(iter(values)))
    return sentences[:SENTENCES_OF_LANGUAGE]
