"""Tables of scores of validation pairs by all models, which the combined verdict is fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from colde.data.corpus import read_pairs, read_records, to_document
from colde.errors import CorpusError
from colde.judge.profiles import profile_of
from colde.models.base import Matcher, ProfileAware
from colde.models.combined import DEFAULT
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document

if TYPE_CHECKING:
    from pandas import DataFrame

UNRELATED = 500  # random pairs of each corpus for the background; a cross-encoder takes seconds for each

Tables = tuple["DataFrame", "DataFrame"]
"""Scores of validation pairs and of random pairs, as `fit_combined` takes them."""


def valid_scores(
    matchers: Mapping[str, Matcher],
    folders: Sequence[Path],
    *,
    unrelated: int = UNRELATED,
    seed: int = 0,
    profile: str | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[Tables, Tables]:
    """The tables of `fit_combined`, by scoring valid.tsv of each corpus and random pairs of its documents.

    Each model encodes a document once.

    Returns:
        As the models score under the profile of each corpus, and under `general`.
    """
    import pandas as pd

    found = [
        _corpus_scores(
            folder, matchers, unrelated=unrelated, seed=seed, profile=profile, on_progress=on_progress
        )
        for folder in folders
    ]
    scores, background, general, general_background = (
        pd.concat(tables, ignore_index=True) for tables in zip(*found, strict=True)
    )
    return (scores, background), (general, general_background)


def _corpus_scores(
    folder: Path,
    matchers: Mapping[str, Matcher],
    *,
    unrelated: int,
    seed: int,
    profile: str | None,
    on_progress: OnProgress | None,
) -> list[DataFrame]:
    """The four tables of one corpus: scores and background under its profile, then under `general`."""
    import pandas as pd

    pairs = read_pairs(folder / "valid.tsv")
    ids = sorted({name for p in pairs for name in (p.source, p.target)})
    known = _documents(folder, ids)
    random = _random_pairs(ids, _similar(folder), unrelated, np.random.default_rng((seed, len(ids))))
    own_profile = profile or profile_of(folder.name)
    table = pd.DataFrame(
        {"profile": own_profile, "source": [p.source for p in pairs], "label": [p.label for p in pairs]}
    )
    drawn = pd.DataFrame({"profile": [own_profile] * len(random)})
    tables = [table, drawn, table.copy(), drawn.copy()]
    labelled = [(p.source, p.target) for p in pairs]
    for done, (name, matcher) in enumerate(matchers.items(), 1):
        encoded = dict(zip(ids, matcher.encode([known[i] for i in ids], explain=False), strict=True))
        for filled, judged_as in ((tables[:2], own_profile), (tables[2:], DEFAULT)):
            adapted = matcher.for_profile(judged_as) if isinstance(matcher, ProfileAware) else matcher
            for rows, which in zip(filled, (labelled, random), strict=True):
                rows[name] = [adapted.match(encoded[a], encoded[b], explain=False).score for a, b in which]
        if on_progress is not None:
            subject = f"{folder.name} with {matcher.card.title}"
            on_progress(Progress(Stage.SCORING, done, len(matchers), subject=subject))
    return tables


def _documents(folder: Path, ids: Sequence[str]) -> dict[str, Document]:
    """The documents of a corpus with these names; raises CorpusError where one is not there."""
    wanted = set(ids)
    known = {name: to_document(record) for name, record in read_records(folder) if name in wanted}
    if len(known) < len(ids):
        raise CorpusError(f"{folder}: valid.tsv names documents that are not there")
    return known


def _similar(folder: Path) -> set[frozenset[str]]:
    """Pairs that a label calls similar, of both splits."""
    return {
        frozenset((p.source, p.target))
        for split in ("train", "valid")
        for p in read_pairs(folder / f"{split}.tsv")
        if p.label == 1
    }


def _random_pairs(
    ids: Sequence[str], similar: set[frozenset[str]], count: int, random: np.random.Generator
) -> list[tuple[str, str]]:
    """Pairs of different documents that no label calls similar; fewer where so many were not met."""
    drawn = random.integers(len(ids), size=(4 * count, 2))
    pairs = [(ids[i], ids[j]) for i, j in drawn if i != j and frozenset((ids[i], ids[j])) not in similar]
    return pairs[:count]
