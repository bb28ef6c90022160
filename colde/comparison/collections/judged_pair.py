"""Pairs of documents of a collection with their verdicts and reasons, each by itself."""

from __future__ import annotations

from colde.comparison.collections.collection_run import CollectionRun
from colde.comparison.collections.reasons import DocumentFacts, reason
from colde.judge.profiles import NONE
from colde.judge.unknown_kinds import DocumentTraits
from colde.results.collection import NO_REASON, StrongPair


class PairJudgements:
    """Verdicts and reasons of the pairs of a run, by one model. What they need of a document is computed on demand."""

    def __init__(self, run: CollectionRun, name: str) -> None:
        self._run, self._name = run, name
        self._traits: dict[int, DocumentTraits] = {}
        self._facts: dict[tuple[int, str], DocumentFacts] = {}

    def facts(self, a: int, b: int) -> tuple[DocumentFacts, DocumentFacts]:
        """What the reason of a pair needs of its documents."""
        profile = self._run.profile_of(self._name, a, b)
        return self._facts_of(a, profile), self._facts_of(b, profile)

    def _facts_of(self, number: int, profile: str) -> DocumentFacts:
        if (number, profile) not in self._facts:
            encoding = self._run.encoding(self._name, profile, number)
            self._facts[number, profile] = DocumentFacts(self._run.documents[number], encoding)
        return self._facts[number, profile]

    def traits(self, number: int) -> DocumentTraits:
        """What the threshold of an unknown kind needs of a document."""
        if number not in self._traits:
            words = self._run.known(self._name, number).words
            self._traits[number] = DocumentTraits(words, self._self_similarity(number))
        return self._traits[number]

    def pair(self, a: int, b: int, *, explain_all: bool = True) -> StrongPair:
        """The verdict of a pair whose score is known, with the reasons.

        Args:
            explain_all: False leaves the reasons of a pair below the threshold out.
        """
        score = float(self._run.scores[self._name][a, b])
        one, other = (self._run.known(self._name, i) for i in (a, b))
        unknown = self._run.profile_of(self._name, a, b) == NONE
        alike = (self._self_similarity(a), self._self_similarity(b)) if unknown else (None, None)
        judged = self._run.judge(self._name).judge(score, one, other, ("one", "the other"), alike)
        explained = explain_all or judged.similar is not False
        return StrongPair(
            a,
            b,
            score,
            judged.probability,
            reason(*self.facts(a, b)) if explained else NO_REASON,
            judged.no_verdict,
            judged.profile,
            judged.similar,
            judged.same_kind,
        )

    def _self_similarity(self, number: int) -> float | None:
        with self._run.faults.around(number):
            return self._run.encoding(self._name, NONE, number).self_similarity
        return None
