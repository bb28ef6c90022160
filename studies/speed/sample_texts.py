"""Texts made of the samples that come with the program."""

from __future__ import annotations

import random

import colde
from colde.text.document import Document
from studies import ROOT
from studies.corpora import count_words

SAMPLES = sorted((ROOT / "assets" / "samples").glob("*.md"))


def sample_paragraphs() -> list[str]:
    return [p for path in SAMPLES for p in path.read_text("utf-8").split("\n\n")]


def random_pair(words: int, chance: random.Random, *, unseen: bool = False) -> tuple[Document, Document]:
    """Two texts of about so many words, of paragraphs of the samples in random order.

    Args:
        unseen: a number is added to each sentence, so that none was read before.
    """
    paragraphs = sample_paragraphs()
    texts = []
    for side in "ab":
        parts, count = [f"# Text {side}"], 0
        while count < words:
            part = chance.choice(paragraphs)
            if unseen:
                part = f"{part} {chance.random()}".replace(". ", f" {chance.random()}. ")
            parts.append(part)
            count += count_words(part)
        texts.append(colde.read_text("\n\n".join(parts)))
    return texts[0], texts[1]
