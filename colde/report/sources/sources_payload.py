"""What the view of sources shows, as JSON (`colde/report/linked_view/sources/sources_view.js`)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from colde.index.sources.counted_sources import Sources
from colde.report.content.review_export import mark_to_dict
from colde.report.html.view_payload import document_payload
from colde.serialise import to_value
from colde.text.document import Span


def sources_payload(
    sources: Sources, reviews: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """The document with its stretches, all documents that share a passage with it, with their texts and reviews.

    Args:
        reviews: of the document with each of them, by id, as the linked view takes them; by default the marks of
            `sources`, which the browser does not keep.
    """
    sharing = sources.sharing
    held = _reviews(sources) if reviews is None else reviews
    ids = "\n".join([sources.document.text, *(s.document.id for s in sharing)])
    return {
        "id": hashlib.sha256(ids.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        "document": document_payload(sources.document, boxes=False),
        "sources": [
            {
                "id": s.document.id,
                "name": s.document.name,
                "title": s.document.title,
                "version": s.version,
                "document": document_payload(s.text, boxes=False),
                "review": held[s.document.id],
            }
            for s in sharing
        ],
        "passages": [
            {
                "source": number,
                "a": _ends(passage.a),
                "b": _ends(passage.b),
                "kind": passage.kind,
                "certainty": passage.certainty,
                "standard": passage.standard,
            }
            for number, s in enumerate(sharing)
            for passage in s.passages
        ],
        "stretches": [asdict(stretch) for stretch in sources.stretches],
        "exclusions": to_value(sources.exclusions),
    }


def _reviews(sources: Sources) -> dict[str, dict[str, Any]]:
    owners = [one.document.id for one, _ in sources.passages]
    return {
        s.document.id: {
            "id": "",
            "marks": [mark_to_dict(mark) for p, mark in sources.marks.items() if owners[p] == s.document.id],
        }
        for s in sources.sharing
    }


def _ends(span: Span) -> list[int]:
    return [span.start, span.end]
