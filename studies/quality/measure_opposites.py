"""Measures how often two sentences that disagree are recognised, and how often two that agree are called opposite.

    python -m studies.quality.measure_opposites

`data/statements.jsonl` holds one document a line: ten sentences, each with a paraphrase and a contradiction, both in
other words. Paraphrases have as many negations and opposites as contradictions. The versions of the other development
texts are closer to real rewriting.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from colde.explain.change_kinds import statements_disagree
from studies.quality.annotated_pairs import DATA, item_pieces, part_of, read_items

STATEMENTS = DATA / "statements.jsonl"
REWORDED = ("paraphrase", "retold", "list")


def statement_pairs() -> Iterator[tuple[str, str, str, bool]]:
    """Yield the part of the document, two sentences, and whether they disagree."""
    for line in STATEMENTS.read_text(encoding="utf-8").splitlines():
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
    print("pairs       part   opposite: called so, of   same: called opposite, of")
    for name, pairs in (("statements", statement_pairs()), ("versions", version_pairs())):
        counts: Counter[tuple[str, bool, bool]] = Counter()
        for part, a, b, disagree in pairs:
            counts[part, disagree, statements_disagree(a, b)] += 1
        for part in ("train", "valid", "test"):
            row = [counts[part, truth, called] for truth in (True, False) for called in (True, False)]
            print(
                f"{name:10s}  {part:5s}  {row[0]:4d} {row[0] + row[1]:4d}   {row[2]:4d} {row[2] + row[3]:4d}"
            )


if __name__ == "__main__":
    main()
