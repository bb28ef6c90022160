"""Compare every pair of a folder of PDFs, check each JSON against the schema that ships, and print counts and times.

    python -m studies.speed.all_paper_pairs ../shared/documents/papers --models colde,tfidf,bm25,minilm

Each model is loaded once; with 16 papers there are 120 pairs. The exit status is 1 where a pair failed or a file does
not validate.
"""

from __future__ import annotations

import itertools
import json
import statistics
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

import colde
from colde import models
from studies import ROOT
from studies.arguments import command_line

SCHEMA = ROOT / "docs" / "schema" / "comparison.schema.json"


def main() -> int:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path, help="a folder of PDFs")
    parser.add_argument("--models", help="names with commas; the defaults where it is not given")
    parser.add_argument("--profile", default="papers")
    asked = parser.parse_args()
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    names, load = models.resolve(asked.models), cache(models.load)
    begun = time.perf_counter()
    documents = [colde.read(path) for path in sorted(asked.folder.glob("*.pdf"))]
    pages = sum(d.pages or 0 for d in documents)
    print(f"{len(documents)} documents, {pages} pages, read in {time.perf_counter() - begun:.1f} s")
    faults: list[str] = []
    sizes: list[int] = []
    seconds: list[float] = []
    similar = dict.fromkeys(names, 0)
    for a, b in itertools.combinations(documents, 2):
        started = time.perf_counter()
        try:
            comparison = colde.compare(a, b, names, asked.profile, loader=load)
            text = comparison.to_json()
            seconds.append(time.perf_counter() - started)
            sizes.append(len(text.encode()))
            data = json.loads(text)
            validator.validate(data)
            check(data)
        except Exception as error:
            faults.append(f"{a.source} × {b.source}: {type(error).__name__}: {error}".splitlines()[0])
            continue
        for result in comparison.models:
            similar[result.name] += bool(result.similar)
    for name in names:
        print(f"{name}: {similar[name]} of {len(seconds)} pairs similar")
    if seconds:
        print(f"a pair: median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s")
        print(f"JSON: median {statistics.median(sizes) / 1e6:.1f} MB, largest {max(sizes) / 1e6:.1f} MB")
    print("\n  ".join([f"{len(faults)} faults", *faults]))
    return 1 if faults else 0


def check(data: dict[str, Any]) -> None:
    """What a schema cannot say: matrices have the shape of their passages, and every span lies in its text."""
    documents = data["documents"]
    for model, maps in data["maps"].items():
        for name, similarity_map in maps.items():
            shape = (len(similarity_map["rows"]), len(similarity_map["columns"]))
            if len(similarity_map["values"]) != shape[0] or any(
                len(row) != shape[1] for row in similarity_map["values"]
            ):
                raise ValueError(f"{model} {name}: the values are no {shape[0]} × {shape[1]} matrix")
            sides = {"within_a_": "aa", "within_b_": "bb"}.get(name[:9], "ab")
            for side, spans in zip(sides, (similarity_map["rows"], similarity_map["columns"]), strict=True):
                inside(spans, documents[side], f"{model} {name}")
    for passage in (data["shared"] or {"passages": []})["passages"]:
        for side in "ab":
            inside([passage[side]], documents[side], "a shared passage")


def inside(spans: list[dict[str, int]], document: dict[str, Any], where: str) -> None:
    """Raise where a span is empty or leaves the text."""
    for span in spans:
        if not 0 <= span["start"] < span["end"] <= len(document["text"]):
            raise ValueError(f"{where}: the span {span['start']}–{span['end']} is not in the text")


if __name__ == "__main__":
    sys.exit(main())
