"""Train every default model and write what ships in assets/models:

    python -m studies.release.train_shipped ../shared/corpora --work runs --output assets/models

`--work` keeps sentence vectors, so that a second run takes minutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from safetensors.numpy import save_file

from colde.corpus.corpus_folder import read_documents
from colde.judge.profiles import corpora
from colde.models import DEFAULTS
from colde.text.word_weights.term_weights import BUCKETS, IDF, counts, inverse_frequencies, words_of
from colde.training.training_run import train
from studies.arguments import command_line
from studies.papers.baselines_table import printer
from studies.tables import write_json


def main(arguments: Sequence[str] | None = None) -> None:
    """Word statistics first, for two models need them; then every default model."""
    parser = command_line(__doc__, "corpora", "--seed")
    parser.add_argument("--work", type=Path, default=Path("runs"))
    parser.add_argument("--output", type=Path, default=Path("assets/models"))
    parser.add_argument("--models", default=",".join(DEFAULTS))
    chosen = parser.parse_args(arguments)
    console = Console()
    folders = [chosen.corpora / name for name in corpora()]
    if not (chosen.output / "words").is_dir():
        write_word_statistics(folders, chosen.output / "words")
    settings = chosen.work / "settings.json"
    write_json(settings, {"sentences": str(chosen.work / "sentences")})
    for name in chosen.models.split(","):
        run = chosen.work / name
        train(name, folders, run, settings, chosen.seed, resume=True, on_progress=printer(console, name))
        target = chosen.output / name
        target.mkdir(parents=True, exist_ok=True)
        for file in ("config.json", "model.safetensors"):
            if (run / file).is_file():
                (target / file).write_bytes((run / file).read_bytes())


def write_word_statistics(corpora: Sequence[Path], folder: Path) -> Path:
    """Inverse document frequencies over the corpora, each with the same weight; returns the file."""
    shares, lengths = [], []
    for corpus in corpora:
        texts = [d.text for _, d in read_documents(corpus, sentences=False)]
        shares.append(document_shares(texts))
        lengths.append(np.mean([len(words_of(t)) for t in texts]))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / IDF
    idf = inverse_frequencies(np.mean(shares, axis=0)).astype(np.float16)
    save_file({"idf": idf, "mean_length": np.array([np.mean(lengths)], np.float32)}, path)
    return path


def document_shares(texts: Iterable[str]) -> NDArray[np.float64]:
    """Share of the texts that hold a word: [BUCKETS]."""
    total = np.zeros(BUCKETS)
    number = 0
    for text in texts:
        total[counts([text]).indices] += 1
        number += 1
    return total / max(number, 1)


if __name__ == "__main__":
    main()
