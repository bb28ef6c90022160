"""The kinds of two documents, and the profile of the pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from colde.serialise import JsonFields, JsonObject, Share

MOST_EVIDENCE = 2.0
"""Log-odds. The evidence of one document can make up for at most this much doubt about the other one."""


@dataclass(frozen=True, slots=True)
class DocumentKind(JsonObject):
    """The kind of a document.

    Attributes:
        likely: name of the most likely profile; None where no detector has read the text.
        certainty: probability that the document is of its most likely kind.
        evidence: log-odds of the certainty less those of the least certainty that gives a kind; negative below it.
    """

    likely: str | None
    certainty: Share
    evidence: float

    JSON: ClassVar = JsonFields("name certainty")

    @property
    def name(self) -> str | None:
        """The profile of the document; None where its kind is not certain enough."""
        return self.likely if self.evidence >= 0 else None


NO_KIND = DocumentKind(None, 0.0, -MOST_EVIDENCE)
"""Of a text that is too short, or that no detector has read."""


@dataclass(frozen=True, slots=True)
class PairKind(JsonObject):
    """The kinds of the two documents of a pair."""

    a: DocumentKind
    b: DocumentKind

    @property
    def profile(self) -> str | None:
        """The most likely profile of both documents, where their evidence is enough together; else None."""
        evidence = sum(min(kind.evidence, MOST_EVIDENCE) for kind in (self.a, self.b))
        return self.a.likely if self.a.likely == self.b.likely and evidence >= 0 else None
