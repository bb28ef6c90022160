"""Training on kept sentence vectors (`sentence_vectors`) of networks that read the frozen encoder's sentences.

In training a document is read as far as in use, but of a long one only the sentences that are kept: a sample of about
4,000 tokens, 6,000 where it stands in a validation pair.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from colde.corpus.corpus_folder import read_pairs
from colde.errors import ModelError
from colde.judge.profiles import profile_of
from colde.models.shared.bi_cross_encoder import BaselineNetwork
from colde.results.progress import OnProgress
from colde.training.baseline_fit import fit_with_loader
from colde.training.prepared_corpora import SPLITS, PreparedCorpus
from colde.training.sentence_vectors import CorpusLayout, TokenBudgets, load_layout, open_stored_vectors
from colde.training.training_run import TrainingRun
from studies.papers.bert_han import BertHanNetwork, SentenceVectors


def fit(run: TrainingRun) -> Path:
    """Train on the vectors kept in `sentences` of the settings, else in the work folder; a `FitFunction`."""
    kept = Path(run.settings.get("sentences") or run.work / "sentences")
    return fit_with_loader(run, partial(load, kept=kept))


def load(
    network: BaselineNetwork, corpus: Path, on_progress: OnProgress | None = None, *, kept: Path
) -> PreparedCorpus:
    """The corpus as the network reads it.

    Raises:
        ModelError: sentence vectors of the corpus are missing in `kept`.
    """
    assert isinstance(network, BertHanNetwork)
    layouts = load_layout(corpus, kept)
    vectors = open_stored_vectors(corpus, kept, layouts, TokenBudgets())
    documents = []
    for d in range(len(layouts.names)):
        rows = np.arange(vectors.first[d], vectors.first[d + 1])
        rows = rows[vectors.sentence[rows] - layouts.first[d] < network.config.sentences]
        if not vectors.ready[rows].all():
            raise ModelError(
                f"{kept}: vectors of {corpus.name} are missing; make them by "
                f"python -m colde.training.sentence_vectors --output {kept} {corpus}"
            )
        documents.append(SentenceVectors.hold(np.asarray(vectors.vectors[rows])))
    return _corpus(corpus, layouts, tuple(documents))


def _corpus(corpus: Path, layouts: CorpusLayout, documents: tuple[SentenceVectors, ...]) -> PreparedCorpus:
    position = {name: i for i, name in enumerate(layouts.names)}
    pairs, labels = {}, {}
    for split in SPLITS:
        known = read_pairs(corpus / f"{split}.tsv")
        pairs[split] = np.array([(position[p.source], position[p.target]) for p in known], np.int64)
        labels[split] = np.array([p.label for p in known], np.int64)
    return PreparedCorpus(corpus.name, layouts.names, documents, pairs, labels, profile_of(corpus.name))
