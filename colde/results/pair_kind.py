"""The kinds of two documents, and the profile on which they agree."""

from __future__ import annotations

from dataclasses import dataclass

from colde.serialise import JsonObject, Share


@dataclass(frozen=True, slots=True)
class DocumentKind(JsonObject):
    """The kind of a document.

    Attributes:
        name: of its profile; None for a document of no kind that has a profile.
        certainty: probability that the document is of its most likely kind, whether or not it is high enough for
            `name`.
    """

    name: str | None
    certainty: Share


@dataclass(frozen=True, slots=True)
class PairKind(JsonObject):
    """The kinds of the two documents of a pair."""

    a: DocumentKind
    b: DocumentKind

    @property
    def profile(self) -> str | None:
        """The profile of both documents; None where they differ or have none."""
        return self.a.name if self.a.name == self.b.name else None
