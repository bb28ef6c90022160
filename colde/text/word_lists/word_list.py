"""A list of English words: the whole words in the vocabulary of the packaged encoder, about 22,000."""

from __future__ import annotations

import json
from functools import cache

from colde.assets import packaged_encoder
from colde.packaged_files import ENCODER_TOKENIZER, check


@cache
def english_words() -> frozenset[str]:
    """Frequent English words, in lower case, with some names and words of other languages among them."""
    check(ENCODER_TOKENIZER)
    tokenizer = json.loads((packaged_encoder() / "tokenizer.json").read_text(encoding="utf-8"))
    return frozenset(piece for piece in tokenizer["model"]["vocab"] if piece.isalpha())
