"""Thresholds for scores that need no training, and the word statistics two of them share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from colde.corpus.corpus_folder import read_documents
from colde.errors import CorpusError
from colde.judge.calibration import Profile
from colde.models import create
from colde.models.base import Matcher
from colde.results.encoding import Encoding
from colde.results.progress import Progress, Stage
from colde.results.similarity_map import Array
from colde.text.term_weights import IDF, document_shares, inverse_frequencies, save_idf, words_of
from colde.training.labelled_pairs import LabelledCorpus, labelled_corpus
from colde.training.threshold_fit import fit_profiles
from colde.training.training_run import TrainingRun


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


def fit(run: TrainingRun) -> Path:
    """Fit the profiles of a score that needs no training; `colde.training.training_run.FitFunction`.

    Reads the documents of the validation pairs; no encoder is loaded unless the model itself does.
    """
    model = create(run.spec.card.name)
    encoded: dict[str, list[Encoding]] = {}
    corpora = run.named([labelled_corpus(folder) for folder in run.corpora])
    for folder, corpus in zip(run.corpora, corpora, strict=True):
        position = {name: i for i, name in enumerate(corpus.whole.ids)}
        documents = {n: d for n, d in read_documents(folder) if n in position}
        missing = next((n for n in corpus.whole.ids if n not in documents), None)
        if missing is not None:
            raise CorpusError(f"{folder}: a pair names the document {missing!r}, which is not there")
        encoded[corpus.name] = []
        for done, name in enumerate(corpus.whole.ids, 1):
            encoded[corpus.name] += model.encode([documents[name]], explain=False)
            if run.on_progress is not None:
                run.on_progress(Progress(Stage.ENCODING, done, len(position), subject=corpus.name))

    def score(corpus: LabelledCorpus, pairs: np.ndarray) -> Array:
        known = encoded[corpus.name]
        return np.array(
            [model.match(known[i], known[j], explain=False).score for i, j in pairs], dtype=np.float32
        )

    kind = run.spec.card.score_kind
    return save_with_profiles(
        model, fit_profiles(score, corpora, run.seed, kind=kind, folders=run.corpora), run
    )


def save_with_profiles(model: Matcher, profiles: dict[str, Profile], run: TrainingRun) -> Path:
    """Write the model with these profiles to the folder of the run."""
    model.profiles = profiles
    model.save(run.output)
    return run.output
