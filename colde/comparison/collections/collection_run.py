"""Encodings and scores of all documents of a collection by each of several models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from colde import models as registry
from colde.comparison.collections.faulty_documents import Faults
from colde.comparison.fitted_model import JudgedDocument, PairJudge
from colde.comparison.model_run import Loader
from colde.errors import ReadError
from colde.judge.reference import Reference
from colde.results.encoding import Encoding
from colde.results.model_score import unread_text
from colde.results.progress import OnProgress, Progress, Stage, ignore_progress
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.text.not_compared.set_aside import SetAside

PAIRS_PER_REPORT = 500  # pairs between two reports of progress


class CollectionRun:
    """Encodings and scores of all documents by each of the models, computed once for each model.

    A document whose processing raises an exception is among `faults` until it is left out.

    Attributes:
        documents: those that are not left out; numbers: of each, among all that were given.
        scores: model name → [documents, documents].
    """

    def __init__(
        self,
        documents: tuple[Document, ...],
        profile: str,
        *,
        reference: Reference | None = None,
        on_progress: OnProgress | None = None,
        loader: Loader = registry.load,
    ) -> None:
        self.documents = documents
        self.numbers = tuple(range(len(documents)))
        self.profile, self.reference = profile, reference
        self.report, self.loader = on_progress or ignore_progress, loader
        self.scores: dict[str, Array] = {}
        self.faults = self._no_faults()
        self._judges: dict[str, PairJudge] = {}
        self._known: list[JudgedDocument | None] = []
        self._encodings: dict[tuple[str, str], list[Encoding | None]] = {}

    def _no_faults(self) -> Faults:
        names = zip(self.numbers, self.documents, strict=True)
        return Faults([document.source or f"document {number + 1}" for number, document in names])

    def leave_out_faulty(self) -> list[ReadError]:
        """Leave out the documents that failed since the last call, and return why."""
        left_out = self.faults.take()
        kept = [i for i in range(len(self.documents)) if i not in left_out]
        self.documents = tuple(self.documents[i] for i in kept)
        self.numbers = tuple(self.numbers[i] for i in kept)
        self.scores = {name: scores[np.ix_(kept, kept)] for name, scores in self.scores.items()}
        self._known = [self._known[i] for i in kept]
        self._encodings = {key: [encoded[i] for i in kept] for key, encoded in self._encodings.items()}
        self.faults = self._no_faults()
        return [left_out[i] for i in sorted(left_out)]

    def judge(self, name: str) -> PairJudge:
        """A loaded model, which judges each pair by the profile or the reference."""
        if name not in self._judges:
            self.report(Progress(Stage.LOADING, 0, 1, model=name))
            self._judges[name] = PairJudge(
                self.loader(name), self.profile, self.reference, on_progress=self.report
            )
        return self._judges[name]

    def known(self, name: str, number: int) -> JudgedDocument:
        """Kind and language of a document that has not failed."""
        if not self._known:
            self._known = [None] * len(self.documents)
            for i, document in enumerate(self.documents):
                with self.faults.around(i):
                    self._known[i] = self.judge(name).document(document)
        known = self._known[number]
        assert known is not None
        return known

    def profile_of(self, name: str, a: int, b: int) -> str:
        """The profile by which a model judges a pair."""
        return self.judge(name).profile(self.known(name, a), self.known(name, b))

    def encoding(self, name: str, profile: str, number: int) -> Encoding:
        """The encoding of a document that has not failed; made once, so that a stopped run continues from the cache."""
        encoded = self._encoding(name, profile, number)
        assert encoded is not None
        return encoded

    def _encoding(self, name: str, profile: str, number: int) -> Encoding | None:
        """The encoding of a document; None if it has failed."""
        if (name, profile) not in self._encodings:
            self._encodings[name, profile] = [None] * len(self.documents)
        encodings = self._encodings[name, profile]
        if encodings[number] is None and not self.faults.hit(number):
            model = self.judge(name).matcher(profile)
            self.report(Progress(Stage.ENCODING, number, len(self.documents), model=name))
            with self.faults.around(number):
                (encodings[number],) = model.encode(
                    [self.documents[number]], explain=name == next(iter(self._judges))
                )
        return encodings[number]

    def unread_text(self, number: int) -> Iterator[SetAside]:
        """The words of a document beyond what a model reads, for each model with such a limit."""
        for name, profile in dict(self._encodings.keys()).items():
            title = self.judge(name).model.card.title
            coverage = self.encoding(name, profile, number).coverage
            yield from unread_text(self.documents[number], name, title, coverage)

    def score(self, name: str, on_score: Callable[[int, int], None] | None = None) -> None:
        """Score each pair by one model.

        The pairs of a document and those before it follow its encoding, so that results come from the start on.

        Args:
            on_score: called with the numbers of a pair when its score is known.
        """
        card = self.judge(name).model.card
        count = len(self.documents)
        self.scores[name] = scores = np.zeros((count, count), dtype=np.float32)
        cells = [*((a, b) for b in range(count) for a in range(b)), *((i, i) for i in range(count))]
        if not card.symmetric:
            cells += [(b, a) for a, b in combinations(range(count), 2)]
        for done, (a, b) in enumerate(cells):
            if done % PAIRS_PER_REPORT == 0:
                self.report(Progress(Stage.PAIRS, done, len(cells), model=name))
            with self.faults.around(a, b):
                scores[a, b] = self._score(name, a, b)
            if card.symmetric:
                scores[b, a] = scores[a, b]
            if on_score is not None and a < b and not self.faults.hit(a, b):
                on_score(a, b)

    def _score(self, name: str, a: int, b: int) -> float:
        """The score of a pair; 0 where a document has failed."""
        if self.faults.hit(a, b):
            return 0.0
        profile = self.profile_of(name, a, b)
        one, other = (self._encoding(name, profile, i) for i in (a, b))
        if one is None or other is None:
            return 0.0
        return self.judge(name).matcher(profile).match(one, other, explain=False).score
