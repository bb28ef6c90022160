"""Thresholds for scores that need no training, and the word statistics two of them share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from colde.corpus import read_documents
from colde.models.base import Matcher
from colde.models.bm25 import Bm25
from colde.models.lexical import Lexical
from colde.models.minilm import MiniLm
from colde.models.registry import CARDS
from colde.models.tfidf import TfIdf
from colde.similarity import Array, Encoding
from colde.training.pairs import TrainingCorpus
from colde.training.profiles import fit_profiles
from colde.vectors import normalised
from colde.words import IDF, document_shares, inverse_frequencies, save_idf, words_of

LEXICAL: dict[str, type[Lexical]] = {"tfidf": TfIdf, "bm25": Bm25}


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
    name: str, folders: Sequence[Path], corpora: Sequence[TrainingCorpus], output: Path, seed: int = 0
) -> Path:
    """Fit the profiles of `tfidf`, `bm25` or `minilm` on validation pairs and write the checkpoint."""
    model: Matcher
    if name == "minilm":
        model = MiniLm(CARDS[name], fit_profiles(_mean_cosines, corpora, seed))
    else:
        lexical = LEXICAL[name](CARDS[name])
        known: dict[str, dict[int, Encoding]] = {}
        for folder, corpus in zip(folders, corpora, strict=True):
            index = corpus.whole.index
            known[corpus.name] = {
                index[name]: lexical.encode([d], explain=False)[0]
                for name, d in read_documents(folder, sentences=False)
                if name in index
            }

        def score(corpus: TrainingCorpus, pairs: np.ndarray) -> Array:
            encoded = known[corpus.name]
            return np.array([lexical.compare(encoded[i], encoded[j]) for i, j in pairs], dtype=np.float32)

        lexical.profiles = fit_profiles(score, corpora, seed)
        model = lexical
    model.save(output)
    return output


def _mean_cosines(corpus: TrainingCorpus, pairs: np.ndarray) -> Array:
    members, position = np.unique(pairs, return_inverse=True)
    means = np.stack([normalised(corpus.whole.of(int(d))).mean(0) for d in members])
    means = normalised(means)
    ends = position.reshape(-1, 2)
    return np.asarray((means[ends[:, 0]] * means[ends[:, 1]]).sum(-1), dtype=np.float32)
