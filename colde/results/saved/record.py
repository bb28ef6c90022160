"""What a comparison was made from, so that it can be made again: files, texts, weights, settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from colde.results.saved.review_decisions import Decisions
from colde.results.shared_text import Exclusion
from colde.results.similarity_map import Letter
from colde.serialise import JsonFields, JsonObject, Text
from colde.text.document import EXCLUDED_ROLE, Document, Role, Span


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document of a comparison.

    Attributes:
        file: SHA-256 of the file; None where the text is from no file.
        text: SHA-256 of the text as read, in UTF-8.
    """

    file: str | None
    text: Text


@dataclass(frozen=True, slots=True)
class SettingsRecord:
    """The settings of a comparison.

    Attributes:
        include: roles of sections that were compared although reading set them aside.
        leave_out: kinds of passage that were not counted as shared.
        reference: name of the reference set.
    """

    profile: Text
    prior: float
    encoder: Text
    reference: str | None
    include: tuple[Role, ...]
    leave_out: tuple[Exclusion, ...]


@dataclass(frozen=True, slots=True)
class Record(JsonObject):
    """What a comparison was made from.

    Attributes:
        version: of the program.
        weights: SHA-256 of the weights, settings and profiles of each model, and of the weights of the encoder.
        templates: SHA-256 of the texts of the templates.
        excluded: the sections of each document that the user left out.
        review: SHA-256 of the decisions of the review; None without one.
    """

    version: Text
    documents: Mapping[Letter, DocumentRecord]
    weights: Mapping[str, str]
    settings: SettingsRecord
    templates: tuple[str, ...]
    excluded: Mapping[Letter, tuple[Span, ...]]
    review: str | None

    JSON: ClassVar = JsonFields("version documents weights settings templates excluded review")


def document_record(document: Document) -> DocumentRecord:
    """The record of a document."""
    return DocumentRecord(document.file or None, text_hash(document))


def text_hash(document: Document) -> str:
    """SHA-256 of a document's text."""
    return hashlib.sha256(document.text.encode()).hexdigest()


def review_hash(review: Decisions | None) -> str | None:
    """SHA-256 of the decisions of a review; None without one."""
    if not review:
        return None
    return hashlib.sha256(json.dumps(review.to_dict(), sort_keys=True).encode()).hexdigest()


def included_roles(*documents: Document) -> tuple[Role, ...]:
    """The roles of sections that are compared although reading set them aside."""
    roles = {s.included_role for document in documents for s in document.sections}
    return tuple(sorted(role for role in roles if role is not None))


def excluded_sections(document: Document) -> tuple[Span, ...]:
    """Where the sections are that the user left out."""
    return tuple(Span(s.start, s.end) for s in document.sections if s.role == EXCLUDED_ROLE)
