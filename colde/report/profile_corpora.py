"""Names of the corpora that a threshold was fitted on."""

from __future__ import annotations

from collections.abc import Sequence

from colde.judge.profiles import describe, profile_of, profile_table
from colde.models import cards
from colde.report.formatting import listed


def describe_corpora(model: str, profile: str | None, corpora: Sequence[str]) -> str:
    """Documents and names of corpora, as after “pairs of”; empty where a checkpoint does not record them.

    Args:
        model, profile: their names. Only profiles that ship with a model are known to be fitted on the corpora of
            profiles.toml: a corpus of the user may have the same name.
    """
    packaged = model in cards() and profile in profile_table()
    kinds = [describe(profile_of(name)).documents if packaged else "" for name in corpora]
    if all(kinds):
        return listed([f"{kind} ({name})" for kind, name in zip(kinds, corpora, strict=True)])
    return f"the {'corpora' if len(corpora) > 1 else 'corpus'} {listed([f'“{name}”' for name in corpora])}"
