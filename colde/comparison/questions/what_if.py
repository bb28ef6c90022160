"""What if: a comparison made again without some passages, and the scores and verdicts before and after.

Only what changed is encoded again where a model uses the shared encoder: chunks and sentences with the same text keep
their vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from colde.comparison.checks import check_comparable
from colde.comparison.model_run import RunOptions
from colde.comparison.part_notation import Part
from colde.comparison.pipeline import compare
from colde.comparison.questions.model_probe import ModelProbe, documents_without, require_reference
from colde.errors import ModelError, PartError, ReadError
from colde.explain.counterfactual import Place, VerdictSearch, fewest_kept, smallest_change
from colde.results.comparison import Comparison
from colde.results.similarity_map import Letter, SimilarityMap
from colde.serialise import to_value
from colde.text.document import Chunk, Document, Section, Span
from colde.text.sections.passage_removal import keep_only, leave_out

__all__ = ["Part", "WhatIf", "enough", "smallest", "spans_of", "without"]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A comparison before and after.

    Attributes:
        left_out: the passages of each document that are left out.
        smallest: the search for the fewest removals that flip the verdict, where that was asked for.
        enough: the search for the fewest sections that keep the verdict, where that was asked for.
    """

    before: Comparison
    after: Comparison
    left_out: Mapping[Letter, tuple[Span, ...]]
    smallest: VerdictSearch | None = None
    enough: VerdictSearch | None = None

    @property
    def documents(self) -> dict[Letter, Document]:
        """Both documents before, by letter."""
        return {"a": self.before.a, "b": self.before.b}

    def to_dict(self) -> dict[str, Any]:
        """The `colde what-if --json` object."""
        answer: dict[str, Any] = {
            "set_aside": {"before": self.before.set_aside, "after": self.after.set_aside},
            "warnings": self.before.warnings,
            "before": self.before.models,
            "after": self.after.models,
            "without": self._with_sections(self.left_out),
        }
        if (search := self.smallest) is not None:
            answer["smallest"] = {"model": search.model, "turned": search.found, "tries": search.tries}
        if (search := self.enough) is not None:
            kept = self._with_sections(_by_document(search.places))
            answer["enough"] = {
                "model": search.model,
                "found": search.found,
                "tries": search.tries,
                "kept": kept,
            }
        written: dict[str, Any] = to_value(answer)
        return written

    def _with_sections(self, spans: Mapping[Letter, Iterable[Span]]) -> dict[Letter, list[dict[str, Any]]]:
        return {
            letter: [
                {"section": document.section_at(s.start), "start": s.start, "end": s.end}
                for s in spans[letter]
            ]
            for letter, document in self.documents.items()
        }


def spans_of(document: Document, chunks: Sequence[Chunk], parts: Iterable[Part]) -> tuple[Span, ...]:
    """The spans of sections, chunks and passages of a document, in reading order.

    Raises:
        PartError: there is no such section, chunk or passage, or it takes no part in the comparison.
    """
    return tuple(sorted({_span(document, chunks, part) for part in parts}, key=lambda s: (s.start, s.end)))


def _span(document: Document, chunks: Sequence[Chunk], part: Part) -> Span:
    name = document.title or document.source or "the text"
    if isinstance(part, Span):
        if part.end > len(document.text):
            raise PartError(f"{name}: it has {len(document.text):,} characters, none at {part.end - 1:,}")
        if not any(part.overlaps(section) for _, section in document.compared()):
            raise PartError(f"{name}: characters {part.start} to {part.end - 1} are not compared")
        return part
    index, number = part if isinstance(part, tuple) else (part, None)
    section = _compared_section(document, name, index, chunks)
    if number is None:
        return Span(section.start, section.end)
    inside = [c for c in chunks if c.section == index]
    if not 0 <= number < len(inside):
        which = "chunk 0 alone" if len(inside) == 1 else f"chunks 0 to {len(inside) - 1}"
        raise PartError(f"{name}: there is no chunk {index}.{number}; section {index} has {which}")
    return Span(inside[number].start, inside[number].end)


def _compared_section(document: Document, name: str, index: int, chunks: Sequence[Chunk]) -> Section:
    if not 0 <= index < len(document.sections):
        raise PartError(
            f"{name}: there is no section {index}; it has sections 0 to {len(document.sections) - 1} (see colde read)"
        )
    section = document.sections[index]
    if section.role is not None or all(c.section != index for c in chunks):
        why = f"it is set aside ({section.role})" if section.role else "it holds no text"
        raise PartError(f"{name}: section {index} is not compared: {why}")
    return section


def without(
    comparison: Comparison,
    a: Iterable[Part] = (),
    b: Iterable[Part] = (),
    *,
    only: bool = False,
    **options: Unpack[RunOptions],
) -> WhatIf:
    """Compare once more without some parts of either document, or with them alone.

    Args:
        comparison: finished; its models, profile and prior are used again.
        a, b: sections by number, chunks as (section, chunk), and any `Span` of the text.
        only: keep these parts instead; a document of which none is named stays whole.
        options: `reference`, the one that the comparison was made with, if any; `on_progress`; `loader`.

    Raises:
        PartError: there is no such section or chunk.
        ReadError: fewer than 20 words are left of a document.
        ModelError: the comparison was made with a reference, which is missing here.
    """
    spans_a = spans_of(comparison.a, comparison.chunks_a, a)
    spans_b = spans_of(comparison.b, comparison.chunks_b, b)
    changed_a, left_out_a = _change(comparison.a, comparison.chunks_a, spans_a, only)
    changed_b, left_out_b = _change(comparison.b, comparison.chunks_b, spans_b, only)
    after = _compare_again(comparison, [changed_a, changed_b], options)
    return WhatIf(comparison, after, {"a": left_out_a, "b": left_out_b})


def _change(
    document: Document, chunks: Sequence[Chunk], spans: tuple[Span, ...], only: bool
) -> tuple[Document, tuple[Span, ...]]:
    """A document without some spans, or with them alone, and the spans that are left out."""
    left_out = spans
    if only and spans:
        changed = keep_only(document, spans)
        left_out = tuple(Span(c.start, c.end) for c in chunks if not any(s.overlaps(c) for s in spans))
    else:
        changed = leave_out(document, spans)
    try:
        check_comparable(changed)
    except ReadError as error:
        raise ReadError(error.source, "too_short", error.what, "leave less of it out") from None
    return changed, left_out


def smallest(comparison: Comparison, model: str | None = None, **options: Unpack[RunOptions]) -> WhatIf:
    """Find the fewest chunks whose removal flips a model's verdict; greedy, each step checked by the model.

    Args:
        comparison: finished.
        model: whose verdict; by default the first with a contribution map.
        options: as in `without`.

    Raises:
        ModelError: the model has no verdict, or no contribution map to order the chunks; or the reference is missing.
    """
    name, _, contribution = _verdict_of(comparison, model, "contribution_chunk")
    probe = ModelProbe.of(comparison, name, **options)
    search = smallest_change(name, _contributions(contribution), probe.verdict_without)
    after = _compare_again(comparison, documents_without(comparison, search.places), options)
    return WhatIf(comparison, after, _by_document(search.places), smallest=search)


def enough(comparison: Comparison, model: str | None = None, **options: Unpack[RunOptions]) -> WhatIf:
    """Find the fewest sections that alone keep a model's verdict; greedy, each step checked by the model.

    Arguments and errors as in `smallest`.
    """
    name, verdict, contribution = _verdict_of(comparison, model, "contribution_section")
    probe = ModelProbe.of(comparison, name, **options)
    contributions = _contributions(contribution)
    search = fewest_kept(
        name, verdict, contributions, lambda kept: probe.verdict_without(contributions.keys() - kept)
    )
    removed = contributions.keys() - set(search.places)
    after = _compare_again(comparison, documents_without(comparison, removed), options)
    return WhatIf(comparison, after, _by_document(removed), enough=search)


def _verdict_of(comparison: Comparison, model: str | None, view: str) -> tuple[str, bool, SimilarityMap]:
    """Name, verdict and contribution map of a model, by default of the first that has such a map."""
    name = model or next((n for n, maps in comparison.maps.items() if view in maps), "")
    score = next((s for s in comparison.models if s.name == name), None)
    contribution = comparison.maps.get(name, {}).get(view)
    if score is None or contribution is None:
        raise ModelError(
            f"{name or 'no model here'} does not explain its score, and the search follows the contributions to it"
        )
    if score.similar is None:
        raise ModelError(
            f"{name} gives no verdict that could be flipped: {score.no_verdict or 'it has no threshold'}"
        )
    return name, score.similar, contribution


def _contributions(contribution: SimilarityMap) -> dict[Place, float]:
    rows = zip(contribution.rows, contribution.values.sum(1), strict=True)
    columns = zip(contribution.columns, contribution.values.sum(0), strict=True)
    contributions = {Place("a", Span(s.start, s.end)): float(v) for s, v in rows}
    return contributions | {Place("b", Span(s.start, s.end)): float(v) for s, v in columns}


def _by_document(places: Iterable[Place]) -> dict[Letter, tuple[Span, ...]]:
    spans: dict[Letter, tuple[Span, ...]] = {"a": (), "b": ()}
    for place in sorted(places, key=lambda p: p.span.start):
        spans[place.letter] += (place.span,)
    return spans


def _compare_again(comparison: Comparison, documents: Sequence[Document], options: RunOptions) -> Comparison:
    require_reference(comparison, options.get("reference"))
    a, b = documents
    names = [s.name for s in comparison.models]
    return compare(
        a,
        b,
        names,
        comparison.profile,
        prior=comparison.prior,
        encoder=comparison.encoder,
        kind=comparison.kind,  # a part may look like another kind than its document
        **options,
    )
