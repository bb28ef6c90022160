"""Compute and keep the sentence vectors that several trainings read, or go on with it:

python -m studies.papers.sentence_vectors --output FOLDER CORPUS…
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from colde.encoders.encoder_names import PACKAGED
from colde.training.corpora.sentence_vectors import (
    TOKEN_BUDGETS,
    MissingVectorWriter,
    load_layout,
    open_stored_vectors,
)
from studies.arguments import command_line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--encoder", default=PACKAGED, help="packaged, multilingual, a name or a folder")
    parser.add_argument("--tokens", type=int, help="of each document; by default those of a training")
    chosen = parser.parse_args(arguments)
    budgets = TOKEN_BUDGETS if chosen.tokens is None else dict.fromkeys(TOKEN_BUDGETS, chosen.tokens)
    writer = MissingVectorWriter(chosen.encoder)
    torch.set_num_threads(chosen.threads)
    for corpus in chosen.corpora:
        layouts = load_layout(corpus, chosen.output, encoder=chosen.encoder)
        kept = open_stored_vectors(corpus, chosen.output, layouts, chosen.encoder, budgets)
        for done, total in writer.complete(layouts, kept):
            print(f"{corpus.name}: {done} of {total} documents", flush=True)


if __name__ == "__main__":
    main()
