"""How long what made the score takes after the score: each model with a contribution map, over two documents.

    python -m studies.speed.contribution_time A.pdf B.pdf [--models colde,smith]

Both documents are encoded first, where the model can. Seconds of processor time of the score alone, and of the score
with everything that explains it, of which the maps of all levels, evidence and words are a part.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import colde
from colde import models
from studies.arguments import command_line


def seconds(name: str, a: colde.Document, b: colde.Document) -> tuple[float, float] | None:
    """Of the score, and of the score with its explanation; None for a model without a contribution map."""
    model = models.load(name)
    encoded = model.encode([a, b], explain=True)
    begun = process_time()
    model.match(*encoded, explain=False)
    scored = process_time()
    found = model.match(*encoded, explain=True)
    ended = process_time()
    if not any(key.startswith("contribution") for key in found.maps):
        return None
    return scored - begun, ended - scored


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("a", type=Path)
    parser.add_argument("b", type=Path)
    parser.add_argument("--models", help="names with commas; by default all that are trained")
    chosen = parser.parse_args()
    a, b = colde.read(chosen.a), colde.read(chosen.b)
    count = [len(d.text.split()) for d in (a, b)]
    print(f"{count[0]:,} and {count[1]:,} words\n\n| | the score | with what made it |\n| --- | --- | --- |")
    names = chosen.models.split(",") if chosen.models else models.resolve("all")
    for name in names:
        found = seconds(name, a, b)
        if found is not None:
            print(f"| {name} | {found[0]:.2f} s | {found[1]:.2f} s |", flush=True)


if __name__ == "__main__":
    main()
