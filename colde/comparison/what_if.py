"""A comparison once more, without some passages: what they were worth to every model's score.

Only what changed is encoded again where a model builds on the shared encoder: chunks and sentences over the same text
keep their vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from colde import models as registry
from colde.comparison.apply_reference import apply_reference
from colde.comparison.language_coverage import judge_pair
from colde.comparison.part_notation import Part
from colde.comparison.pipeline import Loader, check_comparable, compare
from colde.errors import ModelError, PartError, ReadError
from colde.explain.counterfactual import (
    FewestKept,
    ModelAnswer,
    Place,
    SmallestChange,
    fewest_kept,
    smallest_change,
)
from colde.judge.reference import Reference
from colde.results.comparison import Comparison
from colde.results.progress import OnProgress
from colde.results.similarity_map import Letter, SimilarityMap
from colde.serialise import to_value
from colde.text.document import Chunk, Document, Span
from colde.text.passage_removal import keep_only, leave_out

__all__ = ["Part", "WhatIf", "enough", "smallest", "spans_of", "without"]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A comparison before and after.

    Attributes:
        left_out: by document, what takes part no more.
        smallest: how it was found, where the smallest change was asked for.
        enough: how it was found, where the fewest sections that keep the verdict were asked for.
    """

    before: Comparison
    after: Comparison
    left_out: dict[Letter, tuple[Span, ...]]
    smallest: SmallestChange | None = None
    enough: FewestKept | None = None

    @property
    def documents(self) -> tuple[tuple[Letter, Document], ...]:
        """Both documents before, with their letters."""
        return ("a", self.before.a), ("b", self.before.b)

    def to_dict(self) -> dict[str, Any]:
        """The `colde what-if --json` object."""
        found: dict[str, Any] = {
            "set_aside": to_value({"before": self.before.set_aside, "after": self.after.set_aside}),
            "warnings": to_value(self.before.warnings),
            "before": to_value(self.before.results),
            "after": to_value(self.after.results),
            "without": {
                letter: [_described(document, span) for span in self.left_out[letter]]
                for letter, document in self.documents
            },
        }
        if self.smallest is not None:
            found["smallest"] = {
                "model": self.smallest.model,
                "turned": self.smallest.turned,
                "tries": self.smallest.tries,
            }
        if self.enough is not None:
            found["enough"] = {
                "model": self.enough.model,
                "found": self.enough.found,
                "tries": self.enough.tries,
                "kept": {
                    letter: [_described(document, p.span) for p in self.enough.kept if p.letter == letter]
                    for letter, document in self.documents
                },
            }
        return found


def spans_of(document: Document, chunks: Sequence[Chunk], parts: Iterable[Part]) -> tuple[Span, ...]:
    """Passages that sections, chunks and stretches of the text stand for, in reading order.

    Raises:
        PartError: there is no such section, chunk or stretch, or it takes no part in the comparison.
    """
    return tuple(sorted({_span(document, chunks, part) for part in parts}, key=lambda s: (s.start, s.end)))


def _span(document: Document, chunks: Sequence[Chunk], part: Part) -> Span:
    name = document.title or document.source or "the text"
    if isinstance(part, Span):
        if part.end > len(document.text):
            raise PartError(f"{name}: it has {len(document.text):,} characters, none at {part.end - 1:,}")
        if not any(part.overlaps(section) for _, section in document.compared()):
            raise PartError(
                f"{name}: characters {part.start} to {part.end - 1} take no part in the comparison"
            )
        return part
    index, number = part if isinstance(part, tuple) else (part, None)
    if not 0 <= index < len(document.sections):
        raise PartError(
            f"{name}: there is no section {index}; it has sections 0 to {len(document.sections) - 1} (see colde read)"
        )
    section = document.sections[index]
    section_chunks = [c for c in chunks if c.section == index]
    if section.role is not None or not section_chunks:
        why = f"it is set aside ({section.role})" if section.role else "it holds no text"
        raise PartError(f"{name}: section {index} takes no part in the comparison: {why}")
    if number is None:
        return Span(section.start, section.end)
    if not 0 <= number < len(section_chunks):
        which = "chunk 0 alone" if len(section_chunks) == 1 else f"chunks 0 to {len(section_chunks) - 1}"
        raise PartError(f"{name}: there is no chunk {index}.{number}; section {index} has {which}")
    return Span(section_chunks[number].start, section_chunks[number].end)


def without(
    comparison: Comparison,
    a: Iterable[Part] = (),
    b: Iterable[Part] = (),
    *,
    only: bool = False,
    reference: Reference | None = None,
    on_progress: OnProgress | None = None,
    loader: Loader = registry.load,
) -> WhatIf:
    """Compare once more without these parts of either document, or with them alone.

    Args:
        comparison: finished; its models and profile are used again.
        a, b: sections by number, chunks as (section, chunk), and any `Span` of the text.
        only: keep these instead; a document of which none is named stays whole.
        reference: the one the comparison was made with, where it was made with one.

    Raises:
        PartError: there is no such section or chunk.
        ReadError: fewer than 20 words are left of a document.
        ModelError: the comparison was made with a reference, which is missing here.
    """
    chosen: dict[Letter, tuple[Span, ...]] = {
        "a": spans_of(comparison.a, comparison.chunks_a, a),
        "b": spans_of(comparison.b, comparison.chunks_b, b),
    }
    changed: list[Document] = []
    left_out: dict[Letter, tuple[Span, ...]] = {}
    for letter, document, chunks in _documents(comparison):
        change = keep_only if only and chosen[letter] else leave_out
        changed.append(_enough(change(document, chosen[letter])))
        kept = chosen[letter]
        if only and kept:
            others = [Span(c.start, c.end) for c in chunks if not any(k.overlaps(c) for k in kept)]
            left_out[letter] = tuple(others)
        else:
            left_out[letter] = kept
    after = _compare_again(comparison, changed[0], changed[1], reference, on_progress, loader)
    return WhatIf(comparison, after, left_out)


def smallest(
    comparison: Comparison,
    model: str | None = None,
    *,
    reference: Reference | None = None,
    on_progress: OnProgress | None = None,
    loader: Loader = registry.load,
) -> WhatIf:
    """Look for the fewest chunks without which a model's verdict is another, greedily, each step checked by the model.

    Args:
        comparison: finished.
        model: whose verdict; by default the first that says what made its score.

    Raises:
        ModelError: the model has no verdict, or no map of what made its score to go by; or the reference is missing.
    """
    probe = _probe(comparison, model, "contribution_chunk", reference, on_progress, loader)
    contributions = _contributions(probe.contribution)

    def ask(removed: frozenset[Place]) -> ModelAnswer | None:
        found = probe.of(_by_document(comparison, removed))
        return None if found is None else ModelAnswer(*found, contributions)

    change = smallest_change(probe.name, ask)
    left_out = _by_document(comparison, change.removed)
    changed = [leave_out(document, left_out[letter]) for letter, document, _ in _documents(comparison)]
    after = _compare_again(comparison, changed[0], changed[1], reference, on_progress, loader)
    return WhatIf(comparison, after, left_out, change)


def enough(
    comparison: Comparison,
    model: str | None = None,
    *,
    reference: Reference | None = None,
    on_progress: OnProgress | None = None,
    loader: Loader = registry.load,
) -> WhatIf:
    """Look for the fewest sections that alone keep a model's verdict, greedily, each step checked by the model.

    Arguments and errors as in `smallest`.
    """
    probe = _probe(comparison, model, "contribution_section", reference, on_progress, loader)

    def left_out_of(kept: frozenset[Place]) -> dict[Letter, tuple[Span, ...]]:
        return _by_document(comparison, (p for p in contributions if p not in kept))

    contributions = _contributions(probe.contribution)
    found = fewest_kept(probe.name, probe.verdict, contributions, lambda kept: probe.of(left_out_of(kept)))
    left_out = left_out_of(frozenset(found.kept))
    changed = [leave_out(document, left_out[letter]) for letter, document, _ in _documents(comparison)]
    after = _compare_again(comparison, changed[0], changed[1], reference, on_progress, loader)
    return WhatIf(comparison, after, left_out, enough=found)


def _by_document(comparison: Comparison, places: Iterable[Place]) -> dict[Letter, tuple[Span, ...]]:
    """The passages of each document, in reading order."""
    every = list(places)
    return {
        letter: tuple(sorted((p.span for p in every if p.letter == letter), key=lambda s: s.start))
        for letter, *_ in _documents(comparison)
    }


@dataclass(frozen=True, slots=True)
class _ModelProbe:
    """A model that is asked about parts of a comparison: its verdict on the whole, and what made its score."""

    name: str
    verdict: bool
    contribution: SimilarityMap
    of: Callable[[Mapping[Letter, Iterable[Span]]], tuple[bool, float] | None]
    """Verdict and score without some passages; None where too little is left."""


def _probe(
    comparison: Comparison,
    model: str | None,
    view: str,
    reference: Reference | None,
    on_progress: OnProgress | None,
    loader: Loader,
) -> _ModelProbe:
    name = model or next((n for n, maps in comparison.maps.items() if view in maps), "")
    score = next((s for s in comparison.results if s.name == name), None)
    contribution = comparison.maps.get(name, {}).get(view)
    if score is None or contribution is None:
        raise ModelError(
            f"{name or 'no model here'} does not say what made its score, which sets the order of the tries"
        )
    if score.similar is None:
        raise ModelError(
            f"{name} gives no verdict that could turn: {score.no_verdict or 'it has no threshold'}"
        )
    _check_reference(comparison, reference)
    matcher, background = apply_reference(
        loader(name), comparison.profile, reference, on_progress=on_progress
    )

    languages = (comparison.a.language, comparison.b.language)

    def of(removed: Mapping[Letter, Iterable[Span]]) -> tuple[bool, float] | None:
        documents = [leave_out(document, removed[letter]) for letter, document, _ in _documents(comparison)]
        try:
            for document in documents:
                check_comparable(document)
        except ReadError:
            return None
        result = matcher.match(*matcher.encode(documents, explain=False), explain=False)
        judged = judge_pair(result.score, matcher, comparison.profile, languages, background)
        return None if judged.similar is None else (judged.similar, result.score)

    return _ModelProbe(name, score.similar, contribution, of)


def _contributions(found: SimilarityMap) -> dict[Place, float]:
    """Part of the score that each passage of either document adds."""
    rows = zip(found.rows, found.values.sum(1), strict=True)
    columns = zip(found.columns, found.values.sum(0), strict=True)
    contributions = {Place("a", Span(s.start, s.end)): float(v) for s, v in rows}
    return contributions | {Place("b", Span(s.start, s.end)): float(v) for s, v in columns}


def _documents(comparison: Comparison) -> tuple[tuple[Letter, Document, tuple[Chunk, ...]], ...]:
    return ("a", comparison.a, comparison.chunks_a), ("b", comparison.b, comparison.chunks_b)


def _compare_again(
    comparison: Comparison,
    a: Document,
    b: Document,
    reference: Reference | None,
    on_progress: OnProgress | None,
    loader: Loader,
) -> Comparison:
    _check_reference(comparison, reference)
    names = [s.name for s in comparison.results]
    return compare(
        a,
        b,
        names,
        comparison.profile,
        reference=reference,
        prior=comparison.prior,
        on_progress=on_progress,
        loader=loader,
    )


def _check_reference(comparison: Comparison, reference: Reference | None) -> None:
    if comparison.reference is not None and reference is None:
        raise ModelError(f"the comparison was made with the reference {comparison.reference}: name it again")


def _enough(document: Document) -> Document:
    """The document, if enough of it is left to compare."""
    try:
        check_comparable(document)
    except ReadError as error:
        raise ReadError(error.source, "too_short", error.what, "leave less of it out") from None
    return document


def _described(document: Document, span: Span) -> dict[str, Any]:
    index = document.section_at(span.start)
    return {"section": index, "start": span.start, "end": span.end}
