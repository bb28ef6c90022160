"""Thresholds for scores that need no training, and the word statistics two of them share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from colde.corpus import read_documents
from colde.models.base import Matcher, Profile
from colde.models.minilm import MiniLm
from colde.similarity import Array, Encoding
from colde.training.pairs import TrainingCorpus
from colde.training.profiles import fit_profiles
from colde.vectors import normalised
from colde.words import IDF, document_shares, inverse_frequencies, save_idf, words_of


def write_word_statistics(corpora: Sequence[Path], folder: Path) -> Path:
    """Inverse document frequencies over the corpora, each with the same weight; returns the file."""
    shares, lengths = [], []
    for corpus in corpora:
        texts = [d.text for _, d in read_documents(corpus, sentences=False)]
        shares.append(document_shares(texts))
        lengths.append(np.mean([len(words_of(t)) for t in texts]))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / IDF
    save_idf(inverse_frequencies(np.mean(shares, axis=0)), path, float(np.mean(lengths)))
    return path


def fit_untrained(
    model: Matcher, folders: Sequence[Path], corpora: Sequence[TrainingCorpus], seed: int = 0
) -> dict[str, Profile]:
    """Profiles of a score that needs no training, from the validation pairs of the corpora."""
    if isinstance(model, MiniLm):
        return fit_profiles(mean_cosines, corpora, seed)
    known: dict[str, dict[int, Encoding]] = {}
    for folder, corpus in zip(folders, corpora, strict=True):
        index = corpus.whole.index
        known[corpus.name] = {
            index[name]: model.encode([d], explain=False)[0]
            for name, d in read_documents(folder, sentences=False)
            if name in index
        }

    def score(corpus: TrainingCorpus, pairs: np.ndarray) -> Array:
        encoded = known[corpus.name]
        return np.array([model.compare(encoded[i], encoded[j]) for i, j in pairs], dtype=np.float32)

    return fit_profiles(score, corpora, seed)


def mean_cosines(corpus: TrainingCorpus, pairs: np.ndarray) -> Array:
    """MiniLM's scores from the kept vectors, which are the same as encoding again."""
    means = normalised(
        np.stack([normalised(corpus.whole.of(d)).mean(0) for d in range(len(corpus.whole.ids))])
    )
    return np.asarray((means[pairs[:, 0]] * means[pairs[:, 1]]).sum(-1), dtype=np.float32)
