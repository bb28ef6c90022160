"""Differences between two texts: changed, moved, added and removed units of their alignment, and cells of tables.

In versions of one text (`SharedText.are_versions`) every token that differs is in a row. In other pairs only the
sentences that correspond are compared.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from colde.alignment.document_alignment import Alignment, UnitGroup
from colde.changes.elsewhere import Elsewhere
from colde.changes.form import is_form
from colde.changes.ranking import importance
from colde.changes.table_changes import table_changes
from colde.meaning.differences import change_kind, find_differences
from colde.results.change import CHANGE_KINDS, Change, ChangeKind, Marks
from colde.results.shared_text import SentenceMatch, SharedText
from colde.results.similarity_map import Letter
from colde.text.clauses_and_requirements.clause_numbers import Renumbering
from colde.text.document import Document, Span
from colde.text.not_compared.set_aside import known_share
from colde.text.tables import is_table


def find_changes(
    alignment: Alignment, matches: Sequence[SentenceMatch], shared: SharedText | None
) -> tuple[Change, ...]:
    """The differences of two texts, most important first.

    Args:
        matches: pairs of sentences that mean the same or the opposite. In texts that are not versions of each other
            these, and sentences with the same words, are compared.
    """
    if shared is not None and shared.are_versions:
        return version_changes(alignment, matches)
    related = shared is not None and "edited" in shared.searched
    groups = list(_corresponding(alignment, matches)) if related else []
    return _listed(alignment, groups, matches, versions=False)


def version_changes(alignment: Alignment, matches: Sequence[SentenceMatch]) -> tuple[Change, ...]:
    """The differences of two versions of one text, most important first; `matches` as in `find_changes`."""
    return _listed(alignment, alignment.groups, matches, versions=True)


def _listed(
    alignment: Alignment, groups: Sequence[UnitGroup], matches: Sequence[SentenceMatch], *, versions: bool
) -> tuple[Change, ...]:
    tables = list(table_changes(alignment.a.document, alignment.b.document, versions=versions))
    opposite = {(m.a.start, m.b.start) for m in matches if m.kind == "opposite"}
    listed = _with_tables(_rows(alignment, groups, opposite), tables)
    return tuple(sorted(listed, key=lambda c: (-c.importance, _place(c))))


def compared_language(a: Document, b: Document) -> str:
    """The language whose grammar names the changes: English, unless one of the texts is in another one."""
    return next((d.language for d in (a, b) if d.language not in (None, "en")), None) or "en"


def _corresponding(alignment: Alignment, matches: Sequence[SentenceMatch]) -> Iterator[UnitGroup]:
    """The groups of compared sentences that were matched, or have the same words."""
    matched = {(m.a.start, m.b.start) for m in matches}
    compared = [
        {s.start for i, s in text.document.sentences() if not is_table(text.document.sections[i])}
        for text in (alignment.a, alignment.b)
    ]
    for group in alignment.groups:
        if group.a and group.b:
            starts = alignment.a.span(group.a).start, alignment.b.span(group.b).start
            is_compared = starts[0] in compared[0] and starts[1] in compared[1]
            if is_compared and (starts in matched or is_form(*_texts(alignment, group))):
                yield group


def _rows(
    alignment: Alignment, groups: Sequence[UnitGroup], opposite: Container[tuple[int, int]]
) -> Iterator[Change]:
    """A row for each group of units that differ or moved.

    Args:
        opposite: first characters of sentences that were matched as opposite.
    """
    renumbering = _renumbering(alignment)
    differing = [g for g in groups if g.edits and g.a and g.b and not _is_form(alignment, g, renumbering)]
    kinds = dict(zip(map(id, differing), _names(alignment, differing, renumbering, opposite), strict=True))
    elsewhere = Elsewhere(alignment)
    for group in groups:
        kind = _kind(alignment, group, kinds.get(id(group)))
        if kind is None:
            continue
        a, b = alignment.a.span(group.a) if group.a else None, alignment.b.span(group.b) if group.b else None
        if _known(alignment, a, b):
            continue
        also = elsewhere.places(group) if kind in ("only in a", "only in b") else {}
        weight = importance(kind, max(_texts(alignment, group), key=len))
        yield Change(kind, a, b, weight, "", _marks(alignment, group, kind), also)


def _names(
    alignment: Alignment,
    groups: Sequence[UnitGroup],
    renumbering: Renumbering,
    opposite: Container[tuple[int, int]],
) -> Iterator[ChangeKind]:
    """The kind of each group of corresponding units; references that follow new numbers are no changed numbers."""
    texts = [_texts(alignment, group) for group in groups]
    language = compared_language(alignment.a.document, alignment.b.document)
    named = find_differences([(renumbering.apply(a), b) for a, b in texts], language)
    for group, differences in zip(groups, named, strict=True):
        kind = change_kind(differences)[0]
        starts = alignment.a.span(group.a).start, alignment.b.span(group.b).start
        disagree = starts in opposite  # by their figures, where no word tells it
        yield "number" if kind == "wording" and disagree else kind


def _texts(alignment: Alignment, group: UnitGroup) -> tuple[str, str]:
    """The text of the units of both sides, without the numbers of their clauses; empty where there are none."""
    return (
        alignment.a.text_of(group.a) if group.a else "",
        alignment.b.text_of(group.b) if group.b else "",
    )


def _kind(alignment: Alignment, group: UnitGroup, named: ChangeKind | None) -> ChangeKind | None:
    """The kind of the row of a group; None where its units are the same and did not move.

    Args:
        named: the kind of a difference of corresponding units that is not of form alone.
    """
    if not group.b or not group.a:
        if is_form(*_texts(alignment, group)):
            return "form"
        return "only in a" if group.a else "only in b"
    if named is None:
        return "moved" if group.moved else "form" if group.edits else None
    return min(named, "moved and changed", key=CHANGE_KINDS.index) if group.moved else named


def _renumbering(alignment: Alignment) -> Renumbering:
    """The new numbers of clauses, from the units that correspond."""
    pairs = ((alignment.a.units[g.a[0]], alignment.b.units[g.b[0]]) for g in alignment.groups if g.a and g.b)
    return Renumbering.of((one.number, two.number) for one, two in pairs if one.number and two.number)


def _is_form(alignment: Alignment, group: UnitGroup, renumbering: Renumbering) -> bool:
    """Whether corresponding units have another number, or differ in form or in references to new numbers alone."""
    a, b = _texts(alignment, group)
    return is_form(renumbering.apply(a), b) or is_form(a, b)


def _marks(alignment: Alignment, group: UnitGroup, kind: ChangeKind) -> Marks:
    """The tokens that differ; whole units where they moved and did not change."""
    if kind == "moved":
        spans = alignment.a.span(group.a), alignment.b.span(group.b)
        return {"a": ((spans[0].start, spans[0].end),), "b": ((spans[1].start, spans[1].end),)}
    sides = (
        [text.mark(tokens) for tokens in ranges if tokens]
        for text, ranges in (
            (alignment.a, [e.a for e in group.edits]),
            (alignment.b, [e.b for e in group.edits]),
        )
    )
    a, b = (tuple((span.start, span.end) for span in side) for side in sides)
    return {"a": a, "b": b}


def _known(alignment: Alignment, a: Span | None, b: Span | None) -> bool:
    """Whether every side of a row lies in a template or in standard text of the reference."""
    sides = ((alignment.a.document, a), (alignment.b.document, b))
    return all(known_share(d, s) == 1.0 for d, s in sides if s is not None)


def _with_tables(rows: Iterable[Change], tables: Sequence[Change]) -> Iterator[Change]:
    """Rows of the text and changes of tables; a row whose marks all lie in changes of tables is not listed twice."""
    held: list[dict[Letter, list[tuple[int, int]]]] = [{"a": [], "b": []} for _ in tables]
    for row in rows:
        holders = [
            (side, mark, next((k for k, c in enumerate(tables) if _holds(c, row.kind, side, mark)), None))
            for side, marks in row.marks.items()
            for mark in marks
        ]
        if any(k is None for *_, k in holders):
            yield row
            continue
        for side, mark, k in holders:
            if k is not None:
                held[k][side].append(mark)
    for change, marks in zip(tables, held, strict=True):
        yield replace(change, marks={side: tuple(sorted(at)) for side, at in marks.items()})


def _holds(table: Change, kind: ChangeKind, side: Letter, mark: tuple[int, int]) -> bool:
    """Whether a mark of a row of the text lies in a change of a table; moved rows lie in moved ones alone."""
    if (table.kind == "moved") != (kind == "moved"):
        return False
    return any(start <= mark[0] and mark[1] <= end for start, end in table.marks.get(side, ()))


def _place(change: Change) -> int:
    return (change.a or change.b or Span(0, 0)).start
