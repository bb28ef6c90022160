"""The numbers of `passages.json`, fitted on pairs of PAN's text alignment task by studies/passages/fit_passages.py."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from colde.passages.joining import JoiningLimits
from colde.passages.summaries import SummaryFeatures, SummaryLimits
from colde.passages.word_ends import EndLimits

PATH = Path(__file__).with_name("passages.json")


@dataclass(frozen=True, slots=True)
class FittedLimits:
    """What makes passages of seeds: joining, summaries, and their ends."""

    joining: JoiningLimits
    summaries: SummaryLimits
    ends: EndLimits


@lru_cache(maxsize=1)
def fitted_limits() -> FittedLimits:
    """The limits that ship."""
    stored = json.loads(PATH.read_text(encoding="utf-8"))
    summaries = stored["summaries"]
    return FittedLimits(
        JoiningLimits(**stored["joining"]),
        SummaryLimits(**summaries | {"weights": SummaryFeatures(**summaries["weights"])}),
        EndLimits(**stored["ends"]),
    )
