"""`colde train` for scores that need no training: their profiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from colde.corpus.corpus_folder import read_documents
from colde.errors import CorpusError
from colde.models import create
from colde.models.base import Matcher
from colde.results.encoding import Encoding
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.training.corpora.held_out import HeldOutPairs, validation_pairs
from colde.training.profile_scores import Scoring, Scorings
from colde.training.trainer import Trainer


class UntrainedTrainer(Trainer):
    """Fits the profiles of a matcher without weights on the validation pairs."""

    def train(self) -> dict[str, Any]:
        self.matcher = create(self.run.spec.card.name)
        return {}

    def held_out(self) -> Sequence[HeldOutPairs]:
        return [validation_pairs(folder, self.run.profile_of(folder)) for folder in self.run.corpora]

    def scorings(self) -> Scorings:
        show = self.run.on_progress
        encodings = {
            c.name: encode_documents(self.matcher, folder, c, show)
            for folder, c in zip(self.run.corpora, self.held_out(), strict=True)
        }
        return Scorings(matcher_scores(self.matcher, encodings, show))

    def model(self) -> Matcher:
        return self.matcher


fit = UntrainedTrainer.fit


def matcher_scores(
    matcher: Matcher, encodings: Mapping[str, Sequence[Encoding]], on_progress: OnProgress | None
) -> Scoring:
    """Scores of pairs by `Matcher.match`.

    Args:
        encodings: of the documents of each corpus by its name, in the order of `HeldOutPairs.ids`.
    """

    def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
        encoded, scores = encodings[corpus.name], []
        for done, (i, j) in enumerate(pairs, 1):
            scores.append(matcher.match(encoded[i], encoded[j], explain=False).score)
            if on_progress is not None:
                on_progress(Progress(Stage.PAIRS, done, len(pairs), subject=corpus.name))
        return np.array(scores, dtype=np.float32)

    return score


def encode_documents(
    matcher: Matcher, folder: Path, corpus: HeldOutPairs, on_progress: OnProgress | None
) -> list[Encoding]:
    """Encodings of the documents of a corpus, in the order of its ids.

    Raises:
        CorpusError: a pair names a document that the corpus lacks.
    """
    ids = frozenset(corpus.ids)
    documents = {name: document for name, document in read_documents(folder) if name in ids}
    encodings: list[Encoding] = []
    for done, name in enumerate(corpus.ids, 1):
        if name not in documents:
            raise CorpusError(f"{folder}: a pair names the document {name!r}, which is not there")
        encodings += matcher.encode([documents[name]], explain=False)
        if on_progress is not None:
            on_progress(Progress(Stage.ENCODING, done, len(corpus.ids), subject=corpus.name))
    return encodings
