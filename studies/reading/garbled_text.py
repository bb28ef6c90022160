"""How well garbled text layers are told from text: clean pages taken for garbled, garbled ones that are missed.

python -m studies.reading.garbled_text PDF_OR_FOLDER …    clean pages of PDFs, and the same pages garbled in eleven ways
python -m studies.reading.garbled_text --table            the table of letter_bigrams.py in colde/ingest/pdf,
from spaCy's languages
"""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
import string
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from spacy import lang

from colde.ingest.pdf.opening.garbled_text import garbling_score
from colde.ingest.pdf.opening.pdf_file import _open_pdf, _pages
from colde.ingest.pdf.words.typed_text import TypedTextReader
from studies.arguments import command_line

RATES = (0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
LEAST = 300  # characters
LETTERS = string.ascii_lowercase
Garble = Callable[[str], str]


def pages(places: list[Path]) -> Iterator[tuple[str, str]]:
    """Name and text of each page of some length."""
    files = [f for p in places for f in (sorted(p.rglob("*.pdf")) if p.is_dir() else [p])]
    for file in files:
        pdf = _open_pdf(file.read_bytes(), file.name, None)
        for page in _pages(pdf, [], TypedTextReader(pdf)):
            text = " ".join(w.text for w in page.words)
            if len(text) >= LEAST:
                yield f"{file.name}, page {page.number}", text
        pdf.close()


def languages() -> dict[str, tuple[str, str]]:
    """Code → example sentences and stop words, for the languages spaCy has them of."""
    by_code = {}
    for module in pkgutil.iter_modules(lang.__path__):
        parts = []
        for name, listed in (("examples", "sentences"), ("stop_words", "STOP_WORDS")):
            try:
                parts.append(
                    " ".join(getattr(importlib.import_module(f"spacy.lang.{module.name}.{name}"), listed))
                )
            except (ImportError, AttributeError):
                parts.append("")
        by_code[module.name] = (parts[0], parts[1])
    return by_code


def shifted(by: int) -> Garble:
    return lambda word: "".join(chr(ord(c) - by) if ord(c) - by >= 32 else "\ufffd" for c in word)


def reordered(rng: random.Random) -> Garble:
    other = "".join(rng.sample(LETTERS, 26))
    table = str.maketrans(LETTERS + LETTERS.upper(), other + other.upper())
    return lambda word: word.translate(table)


def rotated(rng: random.Random) -> Garble:
    by = rng.randrange(1, 26)
    table = str.maketrans(LETTERS, LETTERS[by:] + LETTERS[:by])
    return lambda word: word.lower().translate(table)


def mapped(rng: random.Random, last: int) -> Garble:
    """Every character stands for another one below `last`."""
    table: dict[str, str] = {}

    def one(c: str) -> str:
        code = rng.randrange(1, last)
        return table.setdefault(c, chr(code) if code >= 32 else "\ufffd")

    return lambda word: "".join(map(one, word))


WAYS: dict[str, Callable[[random.Random], Garble]] = {
    "glyph numbers (−29)": lambda rng: shifted(29),
    "shifted by −31": lambda rng: shifted(31),
    "shifted by −61": lambda rng: shifted(61),
    "shifted by −1": lambda rng: shifted(1),
    "shifted by +31": lambda rng: shifted(-31),
    "letters reordered": reordered,
    "letters rotated": rotated,
    "private use": lambda rng: lambda word: "".join(chr(0xF000 + ord(c) % 256) for c in word),
    "no character": lambda rng: lambda word: "\ufffd" * len(word),
    "any character below U+3000": lambda rng: mapped(rng, 0x3000),
    "any ASCII code": lambda rng: mapped(rng, 127),
}


def _garbled(text: str, garble: Garble, rate: float, rng: random.Random) -> str:
    """The text with this share of its words garbled."""
    return " ".join(garble(w) if rng.random() < rate else w for w in text.split())


def measure(clean: dict[str, str]) -> None:
    """Print how many clean pages are taken for garbled, and how many pages garbled in each way are found."""
    values = {name: garbling_score(text) for name, text in clean.items()}
    worst = sorted(values, key=lambda name: -values[name])[:5]
    wrong = sum(v >= 1 for v in values.values())
    print(
        f"clean: {wrong} of {len(values)} taken for garbled; highest: {[(n, round(values[n], 2)) for n in worst]}"
    )
    print(f"{'garbled, share found by share of words':42}" + "".join(f"{r:>6}" for r in RATES))
    latin = [t for t in clean.values() if sum(c.lower() in LETTERS for c in t) > 0.5 * len(t)]
    for way, make in WAYS.items():
        rng = random.Random(0)
        shares = []
        for rate in RATES:
            garbled = (_garbled(text, make(rng), rate, rng) for text in latin)
            shares.append(sum(garbling_score(text) >= 1 for text in garbled) / len(latin))
        print(f"{way:42}" + "".join(f"{s:6.2f}" for s in shares))


def letter_pairs() -> Iterator[str]:
    """The rows of the table."""
    total = np.ones((27, 27))
    for code, (examples, stop_words) in sorted(languages().items()):
        text = f"{examples} {examples} {stop_words}"
        letters = [c for c in text if c.isalpha()]
        latin = sum(c < "\u0250" or "\u1e00" <= c < "\u1f00" for c in letters)
        if len(letters) >= LEAST and latin >= 0.8 * len(letters):
            counted = _pair_counts(text)
            total += counted / counted.sum() * 10_000 * (6 if code == "en" else 1)
    bits = -np.log2(total / total.sum(1, keepdims=True))
    for row in np.clip(np.round(bits / 0.4), 0, 35).astype(int):
        yield "".join(np.base_repr(n, 36).lower() for n in row)


def _pair_counts(text: str) -> np.ndarray:
    """How often each letter follows each other one, accents left out; the last is the end of a word: [27, 27]."""
    folded = unicodedata.normalize("NFD", text.lower())
    folded = "".join(c for c in folded if not unicodedata.combining(c))
    counted = np.zeros((27, 27))
    for word in re.findall("[a-z]+", folded):
        at = [26, *(LETTERS.index(c) for c in word), 26]
        np.add.at(counted, (at[:-1], at[1:]), 1)
    return counted


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("places", nargs="*", type=Path)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.table:
        print(*letter_pairs(), sep="\n")
        return
    clean = dict(pages(options.places))
    for code, (examples, _) in languages().items():
        if len(examples) >= 90:
            clean[f"language {code}"] = " ".join([examples] * (1 + 2 * LEAST // len(examples)))
    measure(clean)


if __name__ == "__main__":
    main()
