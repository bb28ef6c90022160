"""Constants of the product that were chosen by measurement: values, studies, and the weights that these ran with.

python -m studies.release.fitted_constants --write      after the studies have been run again with other weights

fitted_constants.json holds, for each row of `ROWS`, the values and a hash of the weights.
`tests/studies/test_fitted_constants.py` fails where a value or the weights have changed and the file has not. Numbers
in files of their own (passages.json, counterparts.json, unknown_kinds.json, profiles) have tests of their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from colde.assets import asset, file_hash, packaged_encoder, weights_hash
from colde.encoders.multilingual_e5 import SHA256
from colde.models.checkpoint import read_config
from studies.arguments import command_line

FILE = Path(__file__).with_suffix(".json")

WEIGHTS: Mapping[str, Callable[[], str]] = {
    "packaged encoder": lambda: weights_hash(packaged_encoder()),
    "multilingual encoder": lambda: SHA256,
    "background corpus": lambda: file_hash(asset("models", "background", "sentences.safetensors")),
    "network of colde": lambda: read_config(asset("models", "colde")).fingerprint(judged=False),
    "network over the multilingual encoder": lambda: file_hash(
        asset("models", "multilingual", "network.safetensors")
    ),
    "nothing trained": lambda: "",
}
"""The hash of what a study ran with, by name."""


class Row(NamedTuple):
    """Constants of one module that were chosen by one study.

    Attributes:
        study: a module of studies/, or a file of tests/ whose examples they were chosen on.
        weights: names in `WEIGHTS`.
    """

    module: str
    constants: str
    study: str
    weights: tuple[str, ...]


ROWS = (
    Row(
        "colde.alignment.sentence_similarity",
        "WORD_WEIGHT SELF_SIMILARITY_WEIGHT NEIGHBOUR_SHARE NEARBY",
        "studies.explanations.citances",
        ("packaged encoder",),
    ),
    Row(
        "colde.explain.sentence_pairs",
        "FRAGMENT_WEIGHT NO_WORD_WEIGHT COMMON",
        "studies.explanations.citances",
        ("packaged encoder", "background corpus"),
    ),
    Row("colde.explain.passage_windows", "HUBNESS", "studies.explanations.planting", ("packaged encoder",)),
    Row(
        "colde.explain.background_corpus",
        "RARE_BELOW COMMON_ABOVE",
        "studies.explanations.background_sentences",
        ("packaged encoder", "background corpus"),
    ),
    Row(
        "colde.passages.word_alignment",
        "LAYERS MIN_COSINE",
        "tests/explain/test_words.py",
        ("packaged encoder",),
    ),
    Row(
        "colde.alignment.translations",
        "MIN_COSINE MIN_MARGIN NEAREST BACKGROUND_SENTENCES",
        "studies.languages.planted_translations",
        ("multilingual encoder",),
    ),
    Row(
        "colde.models.colde.out_of_domain",
        "VECTOR_SHARE",
        "studies.accuracy.unseen_kinds",
        ("network of colde",),
    ),
    Row(
        "colde.models.colde.out_of_domain",
        "BACKGROUND_SEGMENTS TRANSLATED_VECTOR_SHARE TRANSLATION_THRESHOLD",
        "studies.languages.fit_thresholds",
        ("multilingual encoder", "network over the multilingual encoder"),
    ),
    Row("colde.index.passage_rows", "PASSAGE_WORDS", "studies.search.source_recall", ("packaged encoder",)),
    Row(
        "colde.ingest.files.encoding_guess",
        "_WINDOWS_1252_FACTOR _RARE_FACTOR _GARBLED_FACTOR _MIN_SHARE _CLEAR_LEAD",
        "studies.reading.garbled_text",
        ("nothing trained",),
    ),
    Row(
        "colde.ingest.pdf.headings.headings",
        "_NAME_POINTS _MARKED_POINTS _PLAIN_POINTS _CHAIN_POINTS",
        "studies.reading.readers_compared",
        ("nothing trained",),
    ),
)


def present() -> dict[str, dict[str, Any]]:
    """Values and hashes as they are now, by study and module."""
    rows: dict[str, dict[str, Any]] = {}
    for row in ROWS:
        module = import_module(row.module)
        rows[f"{row.module} by {row.study}"] = {
            "values": {name: getattr(module, name) for name in row.constants.split()},
            "weights": {name: WEIGHTS[name]() for name in row.weights},
        }
    return rows


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--write", action="store_true", help="the studies have been run again")
    rows = json.dumps(present(), indent=1) + "\n"
    if parser.parse_args().write:
        FILE.write_text(rows, encoding="utf-8")
    else:
        print(rows, end="")


if __name__ == "__main__":
    main()
