"""Sentence vectors that training has stored, put where the models that ship look for vectors."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from colde.encoders.sentence_encoder import first_occurrences, shared_sentence_encoder
from colde.encoders.vector_cache import VectorCache
from colde.training.corpora.sentence_vectors import load_layout, open_stored_vectors
from studies.papers.new_document_pairs import NewDocumentPairs


def fill_cache(known: NewDocumentPairs, sentences: Path) -> None:
    """Save the stored vectors of the documents in these pairs in the cache of the program.

    Long documents are stored in part. The rows of their other sentences are NaN, and the encoder computes them. Stored
    vectors are in half precision, which moves a score by less than 0.001.
    """
    cache = VectorCache.from_environment(f"sentences-{shared_sentence_encoder().encoder.tag}")
    if cache is None or not (sentences / known.folder.name / "sentences.npz").is_file():
        return
    layout = load_layout(known.folder, sentences)
    stored = open_stored_vectors(known.folder, sentences, layout)
    position = {name: d for d, name in enumerate(layout.names)}
    for name in sorted({n for p in known.pairs for n in (p.source, p.target)}):
        document = layout.of(position[name])
        bounds = layout.offsets[document.start : document.stop + 1]
        ids = [layout.flat[a:b].astype(np.int32) for a, b in pairwise(bounds)]
        if not ids or cache.load(ids) is not None:
            continue
        rows = np.arange(len(stored.sentence))[stored.of(position[name])]
        if not stored.ready[rows].all():
            continue
        vectors = np.full((len(ids), stored.vectors.shape[1]), np.nan, dtype=np.float32)
        vectors[stored.sentence[rows] - document.start] = stored.vectors[rows]
        first = first_occurrences(ids)
        for i in stored.sentence[rows] - document.start:  # equal sentences have equal vectors
            vectors[first[i]] = vectors[i]
        cache.save(ids, vectors[first])
