"""Sentences and their vectors: what is read, and how often."""

from __future__ import annotations

import numpy as np
import pytest

import colde
from colde.encoders.encoder import shared_encoder
from colde.encoders.sentence_encoder import CachedSentenceEncoder, first_occurrences
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.text.chunks import default_tokenizer

TIDE, MOON = "The tide follows the moon with a delay of an hour.", "The moon follows its own path."


def test_equal_sentences_of_a_document_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    document = colde.read_text(f"# Tides\n\n{TIDE} {MOON} {TIDE}\n\n# Moons\n\n{MOON} {TIDE} It turns.\n")
    found = read_sentences(document, default_tokenizer())
    of = first_occurrences(found.ids)
    different = sorted({ids.tobytes() for ids in found.ids})
    assert len(different) == len(set(of.tolist())) == 5 and len(found.ids) == 8
    reader, read = CachedSentenceEncoder(shared_encoder()), []
    real = reader.read_batch

    def counted(of_whom: Sentences, some: np.ndarray) -> np.ndarray:
        read.extend(of_whom.ids[i].tobytes() for i in some)
        return real(of_whom, some)

    monkeypatch.setattr(reader, "read_batch", counted)
    (vectors,) = reader.read([document], [found])
    assert sorted(read) == different
    for own, vector in zip(found.ids, vectors, strict=True):
        (alone,) = shared_encoder().mean_states([own])
        np.testing.assert_allclose(vector, alone / np.linalg.norm(alone), atol=1e-5)
    np.testing.assert_array_equal(reader.read_all(found), vectors)
