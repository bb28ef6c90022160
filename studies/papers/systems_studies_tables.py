"""The tables of the studies in systems.md, from what studies/papers/systems_studies.py has kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from studies.papers.systems_rows import head

RANKED = ("p_at_1", "mrr", "map")
Row = Mapping[str, Any]


def study_tables(found: Mapping[str, Row], names: Sequence[str]) -> str:
    """Every study, a line a system.

    Args:
        found: the studies of each system.
        names: of the corpora.
    """
    lines: list[str] = []
    for study, write in WRITERS.items():
        own = {_title(row): row[study] for row in found.values() if study in row}
        lines += [*write(own, names), ""] if own else []
    return "\n".join(lines)


def _title(own: Row) -> str:
    return f"{own['title']}, seed {own['seed']}" if own.get("seed") else str(own["title"])


def _table(heads: Iterable[str], rows: Mapping[str, Iterable[str]]) -> Iterator[str]:
    yield from head("", list(heads))
    for title, cells in rows.items():
        yield f"| {title} | " + " | ".join(cells) + " |"


def _lengths(found: Mapping[str, Row], names: Sequence[str]) -> Iterator[str]:
    yield "**By the longer document of a pair**, in words, all corpora; accuracy (pairs)."
    yield ""
    rows = {t: [f"{c['accuracy']:.3f} ({c['pairs']})" for c in own.values()] for t, own in found.items()}
    yield from _table(next(iter(found.values())), rows)


def _ranking(found: Mapping[str, Row], names: Sequence[str]) -> Iterator[str]:
    yield "**Ranking among ten**, P@1 / MRR / MAP."
    yield ""
    yield from _ranks(found, names)


def _ranking_by_length(found: Mapping[str, Row], names: Sequence[str]) -> Iterator[str]:
    yield "**Ranking among ten by the length of the source**, in words, all corpora; P@1 / MRR / MAP."
    yield ""
    yield from _ranks(found, list(next(iter(found.values()))))


def _ranks(found: Mapping[str, Row], names: Sequence[str]) -> Iterator[str]:
    first = next(iter(found.values()))
    rows = {t: [" / ".join(f"{own[n][k]:.3f}" for k in RANKED) for n in names] for t, own in found.items()}
    yield from _table([f"{n} ({first[n]['lists']} lists)" for n in names], rows)


def _changed(what: str, corpus: str) -> Any:
    def write(found: Mapping[str, Row], names: Sequence[str]) -> Iterator[str]:
        yield f"**{what}** ({corpus}), accuracy / area under the curve."
        yield ""
        rows = {
            t: [f"{c['accuracy']:.3f} / {c['roc_auc']:.3f}" for c in own.values()] for t, own in found.items()
        }
        yield from _table(next(iter(found.values())), rows)

    return write


WRITERS = {
    "lengths": _lengths,
    "ranking": _ranking,
    "ranking_by_length": _ranking_by_length,
    "paragraphs": _changed("Paragraphs in random order", "wiki"),
    "sections": _changed("Sections in random order", "acl"),
    "first_words": _changed("Only the first words of a text", "acl"),
}
