"""What the view of sources shows, as JSON (`colde/report/linked_view/sources/sources_view.js`)."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

from colde.index.counted_sources import Sources
from colde.report.view_payload import document_payload
from colde.serialise import to_value
from colde.text.document import Span


def sources_payload(sources: Sources) -> dict[str, Any]:
    """The document with its stretches, all documents that share a passage with it, with their texts, and the review."""
    sharing = sources.sharing
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
            }
            for s in sharing
        ],
        "passages": [
            {
                "source": number,
                "a": _ends(passage.a),
                "b": _ends(passage.b),
                "kind": passage.kind,
                "standard": passage.standard,
            }
            for number, s in enumerate(sharing)
            for passage in s.passages
        ],
        "stretches": [asdict(stretch) for stretch in sources.stretches],
        "exclusions": to_value(sources.exclusions),
        "marks": {str(p): {"decision": m.decision, "note": m.note} for p, m in sources.marks.items()},
    }


def _ends(span: Span) -> list[int]:
    return [span.start, span.end]
