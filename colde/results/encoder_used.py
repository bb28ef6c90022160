"""The encoder that a comparison took, and the languages that it was chosen by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from colde.results.similarity_map import Letter
from colde.serialise import JsonFields, JsonObject, Text


@dataclass(frozen=True, slots=True)
class EncoderUsed(JsonObject):
    """The encoder of a comparison.

    Attributes:
        name: `packaged`, `multilingual`, or as the user named it.
        languages: of both texts, ISO 639-1; None where a language is not known.
    """

    name: Text
    languages: Mapping[Letter, str | None]

    JSON: ClassVar = JsonFields("name languages")
