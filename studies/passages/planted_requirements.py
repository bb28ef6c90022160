"""Sentences of one text, planted in another one in changed form, split over two places, or absent from it.

The sentences are those of the texts written for this project (studies/quality/data): each text has edited, reworded and
paraphrased versions of its sentences, some that say the opposite, and an independent text on the same subject. Document
A is a text among paragraphs of a document of a corpus. B has some of its sentences, each in one form, and the
independent text, among paragraphs of another document of a corpus. No text and no corpus document is in both halves.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

import colde
from colde.corpus.corpus_folder import read_records
from colde.text.document import Document, Span
from studies.quality.annotated_pairs import part_of, read_items

Form = Literal["verbatim", "edited", "reworded", "paraphrased", "negated", "split", "absent"]
FORMS: tuple[Form, ...] = get_args(Form)
VERSIONS: Mapping[Form, str] = {
    "edited": "light",
    "reworded": "spun",
    "paraphrased": "paraphrase",
    "negated": "opposite",
}
"""The versions of the texts that hold a form. Reworded: synonyms; paraphrased: other words in another order."""
WEIGHTS: Mapping[Form, int] = {
    "verbatim": 2, "edited": 3, "reworded": 3, "paraphrased": 4, "negated": 2, "split": 2, "absent": 8,
}  # fmt: skip
Half = Literal["fit", "test"]
HOSTS, PARAGRAPHS = 6, 20
"""Documents of each corpus, and paragraphs of each, that sentences are planted in."""
TEST_DRAWS = 3
"""The half `test` has fewer texts."""
SHORTEST, LONGEST = 150, 900
"""Characters of such a paragraph."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A passage of A.

    Attributes:
        b: where it stands in B, in several places for `split`; nowhere for `absent`.
    """

    form: Form
    a: Span
    b: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class PlantedPair:
    """Two documents with requirements."""

    name: str
    half: Half
    a: Document
    b: Document
    requirements: tuple[Requirement, ...]


def planted_pairs(corpora: Sequence[Path], draws: int) -> Iterator[PlantedPair]:
    """Yield pairs of documents: `draws` for each text of the half `fit`, `TEST_DRAWS` times as many of the other."""
    hosts: dict[Half, list[list[str]]] = {"fit": [], "test": []}
    for folder in corpora:
        for number, host in enumerate(_hosts(folder)):
            hosts["fit" if number % 2 else "test"].append(host)
    for name, item in read_items():
        half: Half = "test" if part_of(name) == "test" else "fit"
        for draw in range(draws if half == "fit" else TEST_DRAWS * draws):
            chance = random.Random(f"{name} {draw}")
            yield _planted(f"{name}-{draw}", half, item, chance.sample(hosts[half], 2), chance)


def _planted(
    name: str, half: Half, item: Mapping[str, Any], hosts: Sequence[Sequence[str]], chance: random.Random
) -> PlantedPair:
    originals, forms, versions = [], [], []
    for numbers in _groups(item["source"], chance):
        form, pieces = _drawn(item, numbers, chance)
        originals.append(" ".join(item["source"][k] for k in numbers))
        forms.append(form)
        versions.append(pieces)
    others = [s for s in item["independent"] if s != "\n"]
    a = colde.read_text(_mixed(hosts[0], originals, chance, apart=True))
    b = colde.read_text(_mixed(hosts[1], [*(p for some in versions for p in some), *others], chance))
    requirements = tuple(
        Requirement(form, _place(a, text), tuple(_place(b, p) for p in pieces))
        for form, text, pieces in zip(forms, originals, versions, strict=True)
    )
    return PlantedPair(name, half, a, b, requirements)


def _groups(source: Sequence[str], chance: random.Random) -> Iterator[list[int]]:
    """Yield the numbers of single sentences, and of some pairs of neighbours."""
    k = 0
    while k < len(source):
        if source[k] == "\n":
            k += 1
        elif (
            k + 1 < len(source)
            and source[k + 1] != "\n"
            and chance.random() < WEIGHTS["split"] / sum(WEIGHTS.values())
        ):
            yield [k, k + 1]
            k += 2
        else:
            yield [k]
            k += 1


def _drawn(item: Mapping[str, Any], numbers: Sequence[int], chance: random.Random) -> tuple[Form, list[str]]:
    """A form that the text has of these sentences, and the pieces of it."""
    if len(numbers) > 1:
        return "split", [
            chance.choice(_version(item, "edited", k) or [[item["source"][k]]])[0] for k in numbers
        ]
    (k,) = numbers
    some: dict[Form, list[list[str]]] = {form: _version(item, form, k) for form in VERSIONS}
    some |= {"verbatim": [[item["source"][k]]], "absent": [[]]}
    possible = [form for form, pieces in some.items() if pieces]
    form = chance.choices(possible, [WEIGHTS[f] for f in possible])[0]
    return form, chance.choice(some[form])


def _version(item: Mapping[str, Any], form: Form, k: int) -> list[list[str]]:
    """The sentences of a version that were made of sentence k alone."""
    return [[v["text"]] for v in item[VERSIONS[form]] if v["of"] == [k]]


def _mixed(host: Iterable[str], planted: Sequence[str], chance: random.Random, *, apart: bool = False) -> str:
    """Paragraphs with sentences planted between their sentences, or as paragraphs of their own."""
    paragraphs = list(host)
    for sentence in chance.sample(planted, len(planted)):
        at = chance.randrange(len(paragraphs))
        ends = [m.end() for m in re.finditer(r"[.!?](?= [A-Z])", paragraphs[at])]
        if apart or not ends or chance.random() < 0.5:
            paragraphs.insert(at, sentence)
        else:
            end = chance.choice(ends)
            paragraphs[at] = f"{paragraphs[at][:end]} {sentence}{paragraphs[at][end:]}"
    return "# Text\n\n" + "\n\n".join(paragraphs)


def _place(document: Document, text: str) -> Span:
    start = document.text.find(text)
    if start < 0:
        raise ValueError(f"{text!r} is not in the text as it was read")
    return Span(start, start + len(text))


def _hosts(folder: Path) -> Iterator[list[str]]:
    """Yield paragraphs of documents of a corpus, in an order that their names decide."""
    records = sorted(read_records(folder), key=lambda record: zlib.crc32(record[0].encode()))
    usual = (
        [p for s in r["sections"] for p in s["paragraphs"] if SHORTEST < len(p) < LONGEST] for _, r in records
    )
    for paragraphs in islice((p for p in usual if len(p) >= PARAGRAPHS), HOSTS):
        yield [" ".join(p.split()) for p in paragraphs[:PARAGRAPHS]]
