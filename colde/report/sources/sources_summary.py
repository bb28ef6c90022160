"""The sentences and the table of a report of sources, the same in every format."""

from __future__ import annotations

from colde.index.sources.counted_sources import Source, SourcePassage, Sources
from colde.index.sources.source_stretches import SourceExclusion
from colde.report.content.report_content import PassagePair, quotation
from colde.report.content.report_tables import ReportTable
from colde.report.formatting import (
    clean,
    counted,
    document_title,
    listed,
    plural,
    precise_percent,
    printable,
)
from colde.results.passage import Passage

EXCLUSION_LABELS: dict[SourceExclusion, str] = {
    "versions": "versions of the document",
    "standard": "standard sentences",
    "quotes": "quotations",
    "references": "references",
}
CAUTION = (
    "Shared passages show where texts agree, not who wrote first, nor whether a passage is quoted as it should be: "
    "read them."
)


def sources_title(sources: Sources) -> str:
    """The title of a report."""
    return f"Sources of {document_title(sources.document)}"


def sources_sentence(sources: Sources) -> str:
    """How much of the document is shared, and with how many documents."""
    if not sources.sources:
        return (
            f"No document of the index shares a passage with it ({sources.searched:,} were compared in full)."
        )
    share = precise_percent(sources.share)
    return (
        f"{share} of its {sources.words:,} words are shared with "
        f"{counted(len(sources), 'document')} of the index; every word counts once."
    )


def left_out_sentence(sources: Sources) -> str:
    """What does not count; empty where everything does."""
    now = sources.exclusions
    parts = [EXCLUSION_LABELS[name] for name in now.leave_out]
    if now.fewest_words:
        parts.append(f"passages below {counted(now.fewest_words, 'word')}")
    if now.documents:
        parts.append(counted(len(now.documents), "excluded source"))
    if sources.rejected:
        parts.append(counted(sources.rejected, "rejected passage"))
    return f"Not counted: {listed(parts)}." if parts else ""


def versions_sentence(sources: Sources) -> str:
    """The versions of the document in the index; empty where there are none."""
    if not sources.versions:
        return ""
    names = listed([f"{clean(v.name)} ({precise_percent(v.share)} of the words)" for v in sources.versions])
    counts = plural(len(sources.versions), "it counts as a source", "they count as sources")
    status = counts if sources.versions[0].counted else "not counted"
    what = plural(len(sources.versions), "a version", "versions")
    return f"The index holds the same document or {what} of it: {names}; {status}."


def also_phrase(passage: SourcePassage) -> str:
    """`also in 2 others (2 and 5)`; empty where no other source has the passage."""
    if not passage.also:
        return ""
    numbers = listed([str(number) for number in passage.also])
    return f"also in {counted(len(passage.also), 'other')} ({numbers})"


def source_label(source: Source) -> str:
    """Its title, else the name of its file."""
    return clean(source.title) or clean(source.name)


def table_of_sources(sources: Sources) -> ReportTable:
    """A row for each source."""
    rows = tuple(
        (
            str(source.number),
            printable(source_label(source)),
            printable(source.name),
            precise_percent(source.share),
            f"{source.words:,}",
            f"{source.own_words:,}",
            f"{source.longest:,}",
            f"{len(source.passages):,}",
        )
        for source in sources
    )
    columns = (
        "#No.",
        "Source",
        "File",
        "#Share",
        "#Words",
        "#Words of no source above",
        "#Longest passage",
        "#Passages",
    )
    return ReportTable(columns, rows)


def passage_pairs(sources: Sources, source: Source) -> tuple[PassagePair, ...]:
    """The passages of a source with both texts."""
    return tuple(
        PassagePair(
            number=number,
            label=f"{p.kind}, standard text" if p.standard else p.kind,
            a=quotation(sources.document, Passage.at(sources.document, p.a)),
            b=quotation(source.text, Passage.at(source.text, p.b)),
            decision=p.decision,
            note=printable(p.note),
            words=f"{p.words:,}",
            description=also_phrase(p),
        )
        for number, p in enumerate(source.passages, 1)
    )
