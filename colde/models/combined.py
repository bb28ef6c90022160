"""Combined: one verdict from the scores of several models (stacking; Wolpert 1992, Breiman 1996).

    log-odds = bias + Σ weight · (score − mean score of the profile)

The weights are those of a logistic regression on validation pairs (`colde.training.combined`). None is negative, as
Breiman asks of stacked models: a pair never looks less alike because a model finds it more alike. Each model's summand
is its share of the log-odds, compared with an average pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from colde import models
from colde.calibration import FALLBACK
from colde.document import Document
from colde.errors import CheckpointError, ModelError
from colde.models.base import Adapting, Card, Matcher, OnProgress, Profile, Progress
from colde.models.checkpoint import read_config, write_checkpoint
from colde.models.registry import CARDS
from colde.similarity import Encoding, Evidence, Reading, Score, ScoreKind, SimilarityMap

DEFAULT = "general"
NEAREST = 1e-4  # a probability is kept so far from 0 and 1: log-odds of ±9.2

Loader = Callable[[str], Matcher]


@dataclass(frozen=True, slots=True)
class Part:
    """One model in a formula: what a point of its score is worth, and its mean over validation pairs."""

    name: str
    weight: float
    centre: float


@dataclass(frozen=True, slots=True)
class Formula:
    """Weights, and the mean scores of one profile; `bias` is the log-odds of a pair that every model finds average."""

    bias: float
    parts: tuple[Part, ...]

    def shares(self, scores: Mapping[str, float]) -> dict[str, float]:
        """What each model adds to the log-odds; with `bias` they add up to it."""
        return {p.name: p.weight * (evidence_of(scores[p.name], kind(p.name)) - p.centre) for p in self.parts}

    def probability(self, scores: Mapping[str, float]) -> float:
        """Of the log-odds."""
        return _sigmoid(self.bias + math.fsum(self.shares(scores).values()))


def kind(name: str) -> ScoreKind:
    """The scale of a model's score."""
    return CARDS[name.partition(":")[0]].score_kind


def evidence_of(score: float, scale: ScoreKind) -> float:
    """A score as the formula takes it: probabilities as log-odds, which add up; others as they are."""
    if scale != "probability":
        return score
    p = min(max(score, NEAREST), 1 - NEAREST)
    return math.log(p / (1 - p))


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


@dataclass(frozen=True, slots=True)
class Said:
    """What a model has said of a pair already: its score, its maps and its evidence."""

    score: Score
    maps: Mapping[str, SimilarityMap]
    evidence: Sequence[Evidence]


@dataclass(frozen=True, slots=True, eq=False)
class CombinedEncoding(Encoding):
    """A document as each model knows it; models that have compared the pair already are left out."""

    of: Mapping[str, Encoding] = field(default_factory=dict)


class Combined:
    """All models as one Matcher."""

    def __init__(
        self,
        formulas: Mapping[str, Formula],
        *,
        card: Card | None = None,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
        profile: str = DEFAULT,
        loader: Loader = models.load,
        said: Mapping[str, Said] | None = None,
    ) -> None:
        self.formulas = formulas
        self.card = card or CARDS["combined"]
        self.profiles = profiles or {}
        self.training = training or {}
        self.profile = profile
        self.formula = formulas.get(profile) or formulas.get(FALLBACK) or formulas[DEFAULT]
        self.loader = loader
        self.said = said or {}
        self._loaded: dict[str, Matcher] = {}

    def within(
        self, profile: str, loader: Loader | None = None, said: Mapping[str, Said] | None = None
    ) -> Combined:
        """The same with the weights of a profile, for one pair of which some models have spoken already.

        Args:
            profile: as everywhere; without weights of its own, those of `papers`.
            loader: how the models are got by name.
            said: by model name; these are not run again.
        """
        return Combined(
            self.formulas,
            card=self.card,
            profiles=self.profiles,
            training=self.training,
            profile=profile,
            loader=loader or self.loader,
            said=said,
        )

    # on disk ------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, folder: Path, card: Card) -> Combined:
        """The weights in config.json.

        Raises:
            ModelError: a model of the formula is not trained.
            CheckpointError: it was trained again since, so that its scores have another meaning.
        """
        stored = read_config(folder)
        try:
            formulas = {
                name: Formula(f["bias"], tuple(Part(**p) for p in f["parts"]))
                for name, f in stored.settings["formulas"].items()
            }
            weights = dict(stored.settings["weights"])
        except (KeyError, TypeError, AttributeError) as error:
            raise CheckpointError(f"{folder}: damaged ({error!r}); fit it again") from None
        for name, known in weights.items():
            if not models.is_trained(name):
                raise ModelError(
                    f"{card.name} needs {name}, which is not trained; train it or fit {card.name} again"
                )
            if models.stored(name).weights != known:
                raise CheckpointError(f"{folder}: {name} was trained again since; fit {card.name} again")
        return cls(formulas, card=card, profiles=stored.profiles, training=stored.training)

    def save(self, folder: Path) -> None:
        write_checkpoint(
            folder,
            name=self.card.name,
            settings={
                "formulas": {name: asdict(f) for name, f in self.formulas.items()},
                "weights": {name: models.stored(name).weights for name in self.members},
            },
            profiles=self.profiles,
            parameters=self.parameters,
            training=self.training,
            base=False,
        )

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the models in any of its formulas."""
        return tuple(dict.fromkeys(p.name for f in self.formulas.values() for p in f.parts))

    @property
    def parameters(self) -> int:
        """Its own numbers; the models' are theirs."""
        return sum(1 + 2 * len(f.parts) for f in self.formulas.values())

    # Matcher ------------------------------------------------------------------------------------------

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Each model encodes the documents once, except those that have spoken already."""
        fresh = [p.name for p in self.formula.parts if p.name not in self.said]
        by_model = {
            name: self._model(name).encode(documents, explain=explain, on_progress=_named(name, on_progress))
            for name in fresh
        }
        if on_progress is not None:
            on_progress(Progress("models", 1, 1))
        found: list[Encoding] = []
        for i, document in enumerate(documents):
            of = {name: encoded[i] for name, encoded in by_model.items()}
            known = [(s.score.read_a, s.score.read_b)[i] for s in self._spoken()] if i < 2 else []
            reading = max((*known, *(e.reading for e in of.values())), key=_share_read)
            found.append(CombinedEncoding(document=document, reading=reading, of=of))
        return found

    def compare(self, a: Encoding, b: Encoding) -> float:
        """The probability by the formula, from 0 to 1."""
        return self.formula.probability(self.scores(a, b))

    def scores(self, a: Encoding, b: Encoding) -> dict[str, float]:
        """The score of each model in the formula."""
        left, right = _of(a), _of(b)
        return {
            p.name: self.said[p.name].score.score
            if p.name in self.said
            else self._model(p.name).compare(left[p.name], right[p.name])
            for p in self.formula.parts
        }

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`section`, from the model with the greatest share that has one; its meaning says all shares."""
        shares = self.formula.shares(self.scores(a, b))
        for name in _greatest_first(shares):
            found = (
                self.said[name].maps
                if name in self.said
                else self._model(name).maps(_of(a)[name], _of(b)[name])
            ).get("section")
            if found is not None:
                meaning = f"{self._account(shares)} The map is that of {_title(name)}: {found.meaning}"
                return {"section": replace(found, meaning=meaning)}
        return {}

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """The evidence of the model with the greatest share that has any."""
        shares = self.formula.shares(self.scores(a, b))
        for name in _greatest_first(shares):
            found = (
                self.said[name].evidence
                if name in self.said
                else self._model(name).explain(_of(a)[name], _of(b)[name])
            )
            if found:
                return [replace(e, model=self.card.name) for e in found]
        return []

    def _account(self, shares: Mapping[str, float]) -> str:
        """The sum that makes the score, in words."""
        parts = ", ".join(f"{_title(n)} {shares[n]:+.2f}" for n in _greatest_first(shares))
        return f"The score's log-odds are {self.formula.bias:+.2f} for an average pair, and of this pair {parts}."

    def _spoken(self) -> list[Said]:
        return [self.said[p.name] for p in self.formula.parts if p.name in self.said]

    def _model(self, name: str) -> Matcher:
        if name not in self._loaded:
            found = self.loader(name)
            self._loaded[name] = found.within(self.profile) if isinstance(found, Adapting) else found
        return self._loaded[name]


def _of(encoding: Encoding) -> Mapping[str, Encoding]:
    assert isinstance(encoding, CombinedEncoding)
    return encoding.of


def _greatest_first(shares: Mapping[str, float]) -> list[str]:
    return sorted(shares, key=lambda name: -abs(shares[name]))


def _title(name: str) -> str:
    return CARDS[name.partition(":")[0]].title


def _share_read(reading: Reading) -> float:
    return reading.tokens_read / max(reading.tokens, 1)


def _named(name: str, on_progress: OnProgress | None) -> OnProgress | None:
    if on_progress is None:
        return None

    def report(progress: Progress) -> None:
        on_progress(replace(progress, stage=f"{_title(name)}, {progress.stage}"))

    return report
