"""How the memory of a process that compares again and again grows: resident megabytes after each ten comparisons.

    python -m studies.speed.memory_growth --comparisons 200 --models tfidf,colde

As the page and the service do it: models loaded once, files read in the confined process, results let go. The texts are
made up, of other words and another length each time, so that nothing is known from before.
"""

from __future__ import annotations

import gc
import os
import random
from functools import cache

import colde
from colde import models
from colde.encoders.memory import release_memory
from studies.arguments import command_line
from studies.speed.process_memory import resident_megabytes
from studies.speed.sample_texts import sample_paragraphs

WARM = 20
"""Comparisons before the growth is counted: products are compiled, and pools filled, in the first ones."""


def text(chance: random.Random, words: list[str]) -> bytes:
    """A Markdown file of three to six sections of a hundred words or two."""
    parts = []
    for number in range(chance.randint(3, 6)):
        lines = [
            " ".join(chance.choices(words, k=chance.randint(8, 24))) + "."
            for _ in range(chance.randint(6, 10))
        ]
        parts.append(f"## Part {number} {chance.choice(words)}\n\n{' '.join(lines)}")
    return "\n\n".join(["# A made-up text", *parts]).encode()


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--comparisons", type=int, default=200)
    parser.add_argument("--models", default=",".join(models.DEFAULTS))
    asked = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"  # as the page
    words = [w.strip(".,:;()").lower() for w in " ".join(sample_paragraphs()).split() if w.isascii()]
    chance = random.Random(0)
    load = cache(models.load)
    lengths = []
    for number in range(1, asked.comparisons + 1):
        a, b = (colde.read(text(chance, words), name=f"{side}{number}.md") for side in "ab")
        result = colde.compare(a, b, asked.models, loader=load)
        lengths.append(len(result.to_json()))
        del a, b, result
        release_memory()
        if number == WARM:
            gc.collect()
            begun = resident_megabytes()
        if number % 10 == 0:
            print(f"{number:4} comparisons: {resident_megabytes():7.1f} MB", flush=True)
    gc.collect()
    print(
        f"growth from {WARM} to {asked.comparisons}: {100 * (resident_megabytes() / begun - 1):.2f} % of {begun:.1f} MB"
    )


if __name__ == "__main__":
    main()
