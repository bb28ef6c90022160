"""Texts at the limits of a comparison, made from a seed: very many equal parts, cells, sections, letters, files."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from colde.comparison.checks import MAX_SENTENCES
from colde.comparison.questions.deletion_test import MOST_SENTENCES

WORDS = [
    "lamp", "keeper", "tower", "glass", "storm", "harbour", "tide", "wick", "beam", "coast", "ship", "rock", "night",
    "signal", "lens", "oil", "stair", "gallery", "brass", "fog", "winter", "island", "crew", "light", "watch", "bell",
]  # fmt: skip
CHINESE = (
    "灯塔的看守人每天晚上都点亮灯火船只靠近礁石之前就能看到光"
    "透镜把光线聚成一束玻璃是在巴黎制造重达两吨冬天风暴持续三个星期"
)
COLLECTION = "60 documents"

Paths = Sequence[Path]
Case = Callable[[random.Random, Path], Paths]


def pair_of(make: Callable[[random.Random], str], suffix: str = ".md") -> Case:
    """A case of two files, made one after the other."""

    def case(chance: random.Random, folder: Path) -> Paths:
        paths = [folder / f"{side}{suffix}" for side in "ab"]
        for path in paths:
            path.write_text(make(chance), encoding="utf-8")
        return paths

    return case


def sentence(chance: random.Random, words: int = 12) -> str:
    return f"The {' '.join(chance.choices(WORDS, k=words - 3))} of {chance.choice(WORDS)}."


def _sentences(count: int, words: int) -> Case:
    """A case of two texts of so many different sentences of about so many words."""
    return pair_of(lambda chance: " ".join(sentence(chance, words) for _ in range(count)))


def _table(chance: random.Random) -> str:
    rows = (
        "| " + " | ".join(str(chance.randrange(100_000)) for _ in range(50)) + " |\n" for _ in range(10_000)
    )
    head = "| " + " | ".join(f"column {k}" for k in range(50)) + " |\n" + "|---" * 50 + "|\n"
    return "# Table\n\n" + " ".join(sentence(chance) for _ in range(20)) + "\n\n" + head + "".join(rows)


def _sections(chance: random.Random) -> str:
    return "".join(f"## Part {k}\n\n{sentence(chance)} {sentence(chance)}\n\n" for k in range(2_000))


def _chinese(chance: random.Random) -> str:
    return "".join("".join(chance.choices(CHINESE, k=19)) + "。" for _ in range(5_000))


def _collection(chance: random.Random, folder: Path) -> Paths:
    files = folder / "files"
    files.mkdir()
    for k in range(60):
        text = "".join(
            f"## Part {p}\n\n{' '.join(sentence(chance) for _ in range(12))}\n\n" for p in range(20)
        )
        (files / f"document{k}.md").write_text(f"# Document {k}\n\n{text}", encoding="utf-8")
    return [files]


CASES: Mapping[str, Case] = {
    "2,000 equal sentences": pair_of(lambda chance: "The cat sat down. " * 2_000),
    "2,000 sentences": _sentences(2_000, 12),
    "as many sentences as have a test of faithfulness": _sentences(MOST_SENTENCES // 2, 12),
    "as many sentences as are compared": _sentences(MAX_SENTENCES, 6),
    "50,000 equal sentences": pair_of(lambda chance: "The cat sat down. " * 50_000),
    "20,000 one-word sentences": pair_of(
        lambda chance: " ".join(chance.choice(WORDS).capitalize() + "." for _ in range(20_000))
    ),
    "table of 10,000 × 50": pair_of(_table),
    "2,000 sections": pair_of(_sections),
    "100,000 Chinese characters": pair_of(_chinese),
    "DNA of 300,000 letters": pair_of(lambda chance: "".join(chance.choices("ACGT", k=300_000)), ".txt"),
    "DNA in lines": pair_of(
        lambda chance: "\n".join("".join(chance.choices("ACGT", k=70)) for _ in range(4_000)), ".txt"
    ),
    COLLECTION: _collection,
}
"""By name; each writes its files into a folder, and returns the paths that are compared."""
