"""Measures how often two sentences that disagree are recognised, and how often two that agree are called opposite.

    python -m studies.quality.measure_opposites

`data/statements.jsonl` holds one document a line: ten sentences, each with a paraphrase and a contradiction, both in
other words. `data/figures.jsonl` holds the same for sentences with figures: paraphrases with rounded or spelled-out
numbers, other forms of dates, converted units and further figures, and sentences with another figure. Paraphrases of
statements have as many negations and opposites as contradictions. The versions of the other development
texts are closer to real rewriting.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from colde.meaning.differences import contradict
from colde.meaning.figures import figures_disagree
from studies.quality.annotated_pairs import DATA, item_pieces, part_of, read_items

REWORDED = ("paraphrase", "retold", "list")


def statement_pairs(file: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield the part of the document, two sentences, and whether they disagree."""
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        for triple in document["triples"]:
            yield part_of(document["name"]), triple["s"], triple["p"], False
            yield part_of(document["name"]), triple["s"], triple["o"], True


def version_pairs() -> Iterator[tuple[str, str, str, bool]]:
    """The same for the versions of the other texts: sentences of one origin."""
    for name, item in read_items():
        source = [text for text, _ in item_pieces(item)["source"]]
        for version in (*REWORDED, "opposite"):
            for entry in item[version]:
                for origin in entry["of"][:1]:
                    yield part_of(name), source[origin], entry["text"], version == "opposite"


def main() -> None:
    print("pairs       part   opposite: called so by figures, by figures or grammar, of   same: the same")
    kinds = {
        "statements": statement_pairs("statements.jsonl"),
        "figures": statement_pairs("figures.jsonl"),
        "versions": version_pairs(),
    }
    for name, pairs in kinds.items():
        counts: Counter[tuple[str, bool, str]] = Counter()
        for part, a, b, disagree in pairs:
            counts[part, disagree, "figures"] += figures_disagree(a, b)
            counts[part, disagree, "any"] += contradict(a, b)
            counts[part, disagree, "pairs"] += 1
        for part in ("train", "valid", "test"):
            row = [
                counts[part, truth, which] for truth in (True, False) for which in ("figures", "any", "pairs")
            ]
            print(f"{name:10s}  {part:5s}  " + "   ".join(f"{n:4d}" for n in row))


if __name__ == "__main__":
    main()
