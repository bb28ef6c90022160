"""The sample pairs that come with the program, so that there is something to look at before any upload."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from colde.assets import asset


@dataclass(frozen=True, slots=True)
class WrittenPassage:
    """A passage that was written into both texts of a pair, in the same words or in others.

    `a` and `b` are the passages exactly as they stand in the two Markdown files, and equal where `kind` is
    "identical".
    """

    kind: Literal["identical", "paraphrased"]
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A pair of texts written for this program, as Markdown (`a`, `b`) and as PDF (`a_pdf`, `b_pdf`).

    `key` names the pair in a link, `title` and `description` (one sentence) present it, `related` says whether both
    texts were written on one subject, `shared` lists passages that were written into both texts; it is empty for two
    versions of one text and for the pair that shares only words.
    """

    key: str
    title: str
    description: str
    a: Path
    b: Path
    a_pdf: Path
    b_pdf: Path
    related: bool
    shared: tuple[WrittenPassage, ...] = ()


def samples() -> tuple[Sample, ...]:
    """All sample pairs, in the order in which they are offered.

    Raises:
        FileNotFoundError: the installation lacks its `samples` folder.
    """
    listing = asset("samples", "samples.json")
    folder = listing.parent
    return tuple(
        Sample(
            key=pair["key"],
            title=pair["title"],
            description=pair["description"],
            a=folder / pair["a"]["text"],
            b=folder / pair["b"]["text"],
            a_pdf=folder / pair["a"]["pdf"],
            b_pdf=folder / pair["b"]["pdf"],
            related=pair["related"],
            shared=tuple(WrittenPassage(p["kind"], p["a"], p["b"]) for p in pair["shared"]),
        )
        for pair in json.loads(listing.read_text(encoding="utf-8"))["pairs"]
    )


def sample_named(key: str) -> Sample:
    """The sample pair of this key.

    Raises:
        KeyError: there is no such pair.
    """
    return {sample.key: sample for sample in samples()}[key]
