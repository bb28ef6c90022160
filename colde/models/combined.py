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
from colde.errors import CheckpointError, ModelError
from colde.judge.calibration import Profile
from colde.judge.log_odds import from_log_odds, log_odds
from colde.models.base import Card, Matcher, ProfileAware
from colde.models.checkpoint import read_config, write_checkpoint
from colde.models.combined_parts import MemberMaps, combined_contributions
from colde.models.registry import CARDS
from colde.results.encoding import Encoding
from colde.results.maps import SimilarityMap
from colde.results.pair import PairResult
from colde.results.progress import OnProgress, Progress
from colde.results.score import Coverage, ScoreKind
from colde.text.document import Document

DEFAULT = "general"
CLIP = 1e-4  # a probability is kept so far from 0 and 1: log-odds of ±9.2

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
        """Share of each model in the log-odds; with `bias` they add up to it."""
        return {p.name: p.weight * (to_log_odds(scores[p.name], kind(p.name)) - p.centre) for p in self.parts}

    def probability(self, scores: Mapping[str, float]) -> float:
        """Probability that a pair of these scores is similar."""
        return float(from_log_odds(self.bias + math.fsum(self.shares(scores).values())))


def kind(name: str) -> ScoreKind:
    """The scale of a model's score."""
    return models.card(name).score_kind


def to_log_odds(score: float, scale: ScoreKind) -> float:
    """A score as the formula takes it: probabilities as log-odds, which add up; others as they are."""
    if scale != "probability":
        return score
    return float(log_odds(score, CLIP))


@dataclass(frozen=True, slots=True, eq=False)
class CombinedEncoding(Encoding):
    """A document as each member knows it."""

    of: Mapping[str, Encoding] = field(default_factory=dict)


class Combined:
    """Several models as one `Ensemble`."""

    def __init__(
        self,
        formulas: Mapping[str, Formula],
        *,
        card: Card | None = None,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
        profile: str = DEFAULT,
        members: Mapping[str, Matcher] | None = None,
        loader: Loader = models.load,
    ) -> None:
        self.formulas = formulas
        self.card = card or CARDS["combined"]
        self.profiles = profiles or {}
        self.training = training or {}
        self.profile = profile
        self.formula = formulas.get(profile) or formulas[DEFAULT]
        self.loader = loader
        self._members: dict[str, Matcher] = dict(members or {})

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> Combined:
        """Take the weights of a profile, or those of all profiles together, and members adapted to it."""
        found = Combined(
            self.formulas,
            card=self.card,
            profiles=self.profiles,
            training=self.training,
            profile=profile,
            loader=self.loader,
        )
        if reference:
            for name in found.needs:
                member = self.member(name)
                if isinstance(member, ProfileAware):
                    known = [_of(e)[name] for e in reference if name in _of(e)]
                    found._members[name] = member.for_profile(profile, known)
        return found

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
    def needs(self) -> tuple[str, ...]:
        """Names of the models in the formula of its profile."""
        return tuple(p.name for p in self.formula.parts)

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the models in any of its formulas."""
        return tuple(dict.fromkeys(p.name for f in self.formulas.values() for p in f.parts))

    @property
    def parameters(self) -> int:
        """Its own numbers; the models' are theirs."""
        return sum(1 + 2 * len(f.parts) for f in self.formulas.values())

    # Ensemble -----------------------------------------------------------------------------------------

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Each member encodes the documents once."""
        by_member = {
            name: self.member(name).encode(
                documents, explain=explain, on_progress=_with_subject(name, on_progress)
            )
            for name in self.needs
        }
        found: list[Encoding] = []
        for i, document in enumerate(documents):
            of = {name: encoded[i] for name, encoded in by_member.items()}
            coverage = max((e.coverage for e in of.values()), key=_share_read)
            found.append(CombinedEncoding(document=document, coverage=coverage, of=of))
        return found

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Each member matches the pair once; their answers are combined."""
        left, right = _of(a), _of(b)
        return self.combine(
            {name: self.member(name).match(left[name], right[name], explain=explain) for name in self.needs}
        )

    def combine(self, members: Mapping[str, PairResult]) -> PairResult:
        """The probability by the formula; section map and evidence of the member with the greatest share that has any.

        The map's meaning says all shares. What made the score is put together from all members that know it of theirs.
        """
        shares = self.formula.shares({name: members[name].score for name in self.needs})
        ranked = sorted(shares, key=lambda name: -abs(shares[name]))
        maps: dict[str, SimilarityMap] = {}
        for name in ranked:
            section = members[name].maps.get("section")
            if section is not None:
                account = self._account(shares, ranked)
                meaning = f"{account} The map is that of {_title(name)}: {section.meaning}"
                maps["section"] = replace(section, meaning=meaning)
                break
        maps |= self._contributions(members)
        evidence = next((members[name].evidence for name in ranked if members[name].evidence), ())
        return PairResult(
            score=self.formula.probability({name: members[name].score for name in self.needs}),
            coverage_a=max((members[n].coverage_a for n in self.needs), key=_share_read),
            coverage_b=max((members[n].coverage_b for n in self.needs), key=_share_read),
            maps=maps,
            evidence=tuple(replace(e, model=self.card.name) for e in evidence),
        )

    def _contributions(self, members: Mapping[str, PairResult]) -> dict[str, SimilarityMap]:
        """Contributions to the probability: the members' own, each as far as it moves the log-odds."""
        found = []
        for part in self.formula.parts:
            scale = kind(part.name)

            def moved(score: float, part: Part = part, scale: ScoreKind = scale) -> float:
                return part.weight * (to_log_odds(score, scale) - part.centre)

            found.append(MemberMaps(members[part.name], moved))
        return combined_contributions(found, self.formula.bias)

    def _account(self, shares: Mapping[str, float], ranked: Sequence[str]) -> str:
        """The sum that makes the score, in words."""
        parts = ", ".join(f"{_title(name)} {shares[name]:+.2f}" for name in ranked)
        return f"The score's log-odds are {self.formula.bias:+.2f} for an average pair, and of this pair {parts}."

    def member(self, name: str) -> Matcher:
        """One of the models it is made of, as it judges by the profile; loaded when it is first asked for."""
        if name not in self._members:
            found = self.loader(name)
            self._members[name] = (
                found.for_profile(self.profile) if isinstance(found, ProfileAware) else found
            )
        return self._members[name]


def _of(encoding: Encoding) -> Mapping[str, Encoding]:
    assert isinstance(encoding, CombinedEncoding)
    return encoding.of


def _title(name: str) -> str:
    return models.card(name).title


def _share_read(coverage: Coverage) -> float:
    return coverage.tokens_read / max(coverage.tokens, 1)


def _with_subject(name: str, on_progress: OnProgress | None) -> OnProgress | None:
    if on_progress is None:
        return None

    def report(progress: Progress) -> None:
        on_progress(replace(progress, subject=_title(name)))

    return report
