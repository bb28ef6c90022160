"""Measures the kinds that `colde.meaning.differences` gives to pairs of sentences with a known relation.

    python -m studies.quality.measure_differences FOLDER [--half dev|test]

FOLDER holds what is there of `conj_dev.tsv` (ConjNLI), `SICK.txt`, `mrpc_train.txt` and `mrpc_test.txt` (MRPC), and
`verses.tsv` (two translations of a verse a line). Every second pair is for development, the others for the result; of
MRPC these are the two files. A contradiction should be a change of meaning; an entailment or a paraphrase should not.
None of the files is part of the repository: SICK may be used for research that is not commercial.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from colde.meaning.differences import change_kind, find_differences

MOST = 1_500
"""Pairs of each label that are read."""
Row = tuple[str, str, str]
"""Label and two sentences."""


def read_pairs(folder: Path, half: str) -> Iterator[tuple[str, Row]]:
    """Yield the name of each set with its pairs."""
    for name, file, columns in (
        ("ConjNLI", "conj_dev.tsv", (2, 0, 1)),
        ("SICK", "SICK.txt", (4, 1, 2)),
        ("MRPC", f"mrpc_{'train' if half == 'dev' else 'test'}.txt", (0, 3, 4)),
        ("translations", "verses.tsv", (0, 1, 2)),
    ):
        if not (folder / file).exists():
            continue
        lines = (folder / file).read_text(encoding="utf-8-sig").splitlines()[1:]
        halved = lines if name == "MRPC" else lines[half == "test" :: 2]
        for fields in (line.split("\t") for line in halved):
            label, a, b = (fields[k] for k in columns)
            yield name, (label.lower(), a, b)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("dev", "test"), default="test")
    options = parser.parse_args()
    sets: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for name, (label, a, b) in read_pairs(options.folder, options.half):
        if len(sets[name, label]) < MOST:
            sets[name, label].append((a, b))
    print("set  label  pairs  changes of meaning  by kind")
    for (name, label), pairs in sets.items():
        kinds = Counter(change_kind(differences)[0] for differences in find_differences(pairs))
        meaning = 1 - kinds.pop("wording", 0) / len(pairs)
        shares = ", ".join(f"{kind} {count / len(pairs):.3f}" for kind, count in kinds.most_common())
        print(f"{name}  {label}  {len(pairs)}  {meaning:.3f}  {shares}")


if __name__ == "__main__":
    main()
