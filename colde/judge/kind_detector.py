"""The kind of a document: that of a profile, or none.

A linear model for each kind tells its documents from those of the other kinds and of many other genres, by common words
and by style. `studies/accuracy/fit_document_kind.py` fits the models and chooses the least certainty that gives a
kind, so that most documents of kinds that it never saw have none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Self

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

from colde.judge.kind_features import style, term_counts, term_rates
from colde.judge.log_odds import from_log_odds, log_odds
from colde.results.verdicts.pair_kind import NO_KIND, DocumentKind
from colde.text.document import Document

FEWEST_WORDS = 150
"""Shorter texts are of no kind."""
LANGUAGES = (None, "en")
"""A text in another language is of no kind: all texts of the fit are English."""
PARAMETERS = "kind_detector.safetensors"
FARTHEST = 4.0  # standard deviations to which features are clipped
CLIP = 1e-6  # least distance of a limit from 0 and 1

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DocumentKindDetector:
    """Models of the kinds.

    Attributes:
        kinds: names of profiles.
        columns: term → its feature; the features of style follow.
        mean, scale: of the features: [features].
        weights, bias: [kinds, features] and [kinds].
        slope, offset: log-odds of a kind from its score: [kinds] each.
        limit: least certainty that gives a kind: [kinds].
    """

    kinds: tuple[str, ...]
    columns: Mapping[str, int]
    mean: Array
    scale: Array
    weights: Array
    bias: Array
    slope: Array
    offset: Array
    limit: Array

    @classmethod
    def load(cls) -> Self:
        """The detector that ships."""
        with safe_open(str(files(__package__).joinpath(PARAMETERS)), framework="numpy") as file:
            stored = {name: file.get_tensor(name).astype(np.float64) for name in file.keys()}  # noqa: SIM118
            names = file.metadata()
        terms = json.loads(names["terms"])
        return cls(tuple(json.loads(names["kinds"])), {term: i for i, term in enumerate(terms)}, **stored)

    def features(self, text: str) -> Array:
        """Standardised and clipped: [features]."""
        raw = np.concatenate((term_rates(term_counts(text), self.columns), style(text)))
        return np.clip((raw - self.mean) / self.scale, -FARTHEST, FARTHEST)

    def detect(self, text: str) -> DocumentKind:
        """The most likely kind of a text, with the evidence for it."""
        return self.kind(self.weights @ self.features(text) + self.bias)

    def kind(self, scores: Array) -> DocumentKind:
        """The most likely kind of a text with these scores: [kinds]."""
        odds = self.slope * scores + self.offset
        best = int(odds.argmax())
        evidence = odds[best] - log_odds(self.limit[best], CLIP)
        return DocumentKind(
            self.kinds[best], round(float(from_log_odds(odds[best])), 4), round(float(evidence), 4)
        )


def detect_document_kind(document: Document) -> DocumentKind:
    """The kind of a document, from the text that is compared."""
    text = compared_text(document)
    if document.language not in LANGUAGES or len(text.split()) < FEWEST_WORDS:
        return NO_KIND
    return _detector().detect(text)


def compared_text(document: Document) -> str:
    """Headings and text of the sections that are compared."""
    return "\n\n".join(document.text[s.start : s.end] for _, s in document.compared())


@lru_cache(maxsize=1)
def _detector() -> DocumentKindDetector:
    return DocumentKindDetector.load()
