"""Profiles that ship: kinds of documents, their titles, and the corpora they are fitted on (profiles.toml).

Other profiles have a name only: those of a user (`colde fit`, `colde.models.user_profiles`), and those of a checkpoint
that was trained with `--profile NAME`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from colde.results.verdicts.pair_kind import PairKind

GENERAL = "general"
"""The profile of all kinds of documents together."""
DETECT = "auto"
"""In place of a profile: that of the kind of both documents."""
NONE = "none"
"""In place of a profile, for a pair of no kind that has one: the threshold of `general`, and no probability."""


@dataclass(frozen=True, slots=True)
class ProfileInfo:
    """A kind of documents.

    Attributes:
        name: as in commands and checkpoints.
        title: as a choice on the page.
        documents: the documents of its corpus, as in a sentence after “pairs of”; empty without a corpus.
        related: what counts as related, as in a sentence, after “Related means:”; empty for a user's profile.
        corpus: folder name of the corpus its pairs come from; None for `general` and for a user's profile.
    """

    name: str
    title: str
    documents: str = ""
    related: str = ""
    corpus: str | None = None


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8"))


@cache
def profile_table() -> Mapping[str, ProfileInfo]:
    """Profiles that ship, by name, in the order in which they are offered."""
    return {name: ProfileInfo(name=name, **entry) for name, entry in _table()["profiles"].items()}


def profile_for(asked: str, kind: PairKind, fitted: Container[str]) -> str:
    """The profile by which a model judges a pair: the one asked for, or for `auto` that of both documents.

    Args:
        fitted: profiles of the model. `auto` gives `none` where it lacks that of the kind, and `general` where it has
            none of the kinds: it was trained on a user's documents, and these are like them.
    """
    if asked != DETECT:
        return asked
    if not any(p.corpus is not None and p.name in fitted for p in profile_table().values()):
        return GENERAL
    return kind.profile if kind.profile is not None and kind.profile in fitted else NONE


def threshold_profile(name: str) -> str:
    """The profile whose threshold, weights and languages hold: `general` for `none`."""
    return GENERAL if name == NONE else name


def describe(name: str) -> ProfileInfo:
    """The description of a profile; the name, for one that a user trained."""
    return profile_table().get(name) or ProfileInfo(name, name)


def profile_of(corpus: str) -> str:
    """The profile that is fitted on a corpus; the name of the corpus, where it is not in the table."""
    return next((p.name for p in profile_table().values() if p.corpus == corpus), corpus)


def corpora() -> tuple[str, ...]:
    """Folder names of the corpora that ship profiles, in their order."""
    return tuple(p.corpus for p in profile_table().values() if p.corpus is not None)
