"""Measures the differences that are listed between a source and its versions.

    python -m studies.quality.measure_changes

A contradiction should be listed with the kind it was written as. An edit that keeps the meaning should be listed as
wording or not at all.
"""

from __future__ import annotations

from collections import Counter

from colde.alignment.document_alignment import align
from colde.alignment.sentence_matches import sentence_matches
from colde.changes.text_changes import find_changes
from colde.passages.find_passages import find_passages
from studies.quality.annotated_pairs import item_pieces, part_of, read_items, side

SAME = {"antonym": "opposite", "date": "number"}


def main() -> None:
    listed: dict[str, Counter[str]] = {}
    kept: Counter[str] = Counter()
    for name, item in read_items():
        if part_of(name) == "train":
            continue
        pieces = item_pieces(item)
        source = side(pieces["source"], item["title"])
        for version in ("opposite", "light"):
            other = side(pieces[version], item["title"])
            matches = sentence_matches(source.document, other.document, lambda progress: None)
            shared = find_passages(source.document, other.document, matches)
            changes = find_changes(
                align(source.document, other.document, matches.corresponding), matches.corresponding, shared
            )
            kinds: dict[int, str] = {}
            for change in changes:
                if change.b is not None:
                    places = [s.start for _, s in other.document.sentences()]
                    for origin in other.origins[places.index(change.b.start)]:
                        kinds.setdefault(origin, change.kind)
            if version == "opposite":
                for change in item["opposite"]:
                    truth = SAME.get(change["kind"], change["kind"])
                    listed.setdefault(truth, Counter())[kinds.get(change["of"][0], "not listed")] += 1
            else:
                for entry in item["light"]:
                    kept.update(kinds.get(origin, "not listed") for origin in entry["of"][:1])
    for truth, counts in sorted(listed.items()):
        print(f"{truth:12s} {sum(counts.values()):4d}  {dict(counts.most_common())}")
    print("edits that keep the meaning", dict(kept.most_common()))


if __name__ == "__main__":
    main()
