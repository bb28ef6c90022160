"""Training on kept sentence vectors (`sentence_vectors`) of networks that read the frozen encoder's sentences.

In training a document is read as far as in use, but of a long one only the sentences that are kept: a sample of about
4,000 tokens, 6,000 where it stands in a validation pair.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from colde.corpus.corpus_folder import read_pairs
from colde.errors import ModelError
from colde.judge.profiles import profile_of
from colde.models.shared.bi_cross_encoder import BaselineNetwork
from colde.results.progress import OnProgress
from colde.training.baseline_fit import BaselineTrainer
from colde.training.corpora.corpus_cache import SPLITS
from colde.training.corpora.labelled_pairs import pair_arrays
from colde.training.corpora.sentence_vectors import CorpusLayout, load_layout, open_stored_vectors
from colde.training.pair_networks.prepared_corpora import PreparedCorpus
from studies.papers.bert_han import BertHanNetwork, SentenceVectors


class SentenceVectorTrainer(BaselineTrainer):
    """Trains on the vectors kept in `sentences` of the settings, else in the work folder."""

    def load(self, corpus: Path) -> PreparedCorpus:
        kept = Path(self.run.settings.get("sentences") or self.run.work / "sentences")
        return load(self.network, corpus, kept=kept)


fit = SentenceVectorTrainer.fit


def load(
    network: BaselineNetwork, corpus: Path, on_progress: OnProgress | None = None, *, kept: Path
) -> PreparedCorpus:
    """The corpus as the network reads it.

    Raises:
        ModelError: sentence vectors of the corpus are missing in `kept`.
    """
    assert isinstance(network, BertHanNetwork)
    layouts = load_layout(corpus, kept)
    vectors = open_stored_vectors(corpus, kept, layouts)
    documents = []
    for d in range(len(layouts.names)):
        rows = np.arange(vectors.first[d], vectors.first[d + 1])
        rows = rows[vectors.sentence[rows] - layouts.first[d] < network.config.sentences]
        if not vectors.ready[rows].all():
            raise ModelError(
                f"{kept}: vectors of {corpus.name} are missing; make them by "
                f"python -m studies.papers.sentence_vectors --output {kept} {corpus}"
            )
        documents.append(SentenceVectors.hold(np.asarray(vectors.vectors[rows])))
    return _corpus(corpus, layouts, tuple(documents))


def _corpus(corpus: Path, layouts: CorpusLayout, documents: tuple[SentenceVectors, ...]) -> PreparedCorpus:
    position = {name: i for i, name in enumerate(layouts.names)}
    pairs, labels = {}, {}
    for split in SPLITS:
        pairs[split], labels[split] = pair_arrays(read_pairs(corpus / f"{split}.tsv"), position, corpus)
    return PreparedCorpus(corpus.name, layouts.names, documents, pairs, labels, profile_of(corpus.name))
