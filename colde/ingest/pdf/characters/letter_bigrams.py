"""Which Latin letters follow one another in words, whatever the language.

Counted over the example sentences and stop words of the 43 languages in Latin letters that spaCy knows, each with the
same weight (English six times that), accents left out (`studies/reading/garbled_text.py --table`). No text is kept,
and no
language needs to be known: Finnish and Yoruba differ less from this table than any of them from its own letters in
another order.
"""

from __future__ import annotations

from itertools import pairwise

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORD_EDGE = "|"  # the beginning and the end of a word
_BITS_PER_STEP = 0.4  # bits
_MAX_BITS_PER_LETTER = 5.2  # bits a letter, mean over a word
_ROWS = (
    "geddlhefdhcab7idl9baffiogg5",
    "6gkj6wwe7wwcwn8wwchk9wgwblb",
    "8njp7mq57neirl7wqjlfapwwrh9",
    "7ptg5yye8mojnf8oycgichjygg7",
    "fgfdfkeidfdac8kit7abgfimkg5",
    "7uum9dog8fueuu6uu7n8cuuuiu7",
    "6fxf8xfd9fhgmg9xxeegapfxex5",
    "6xjk5xxo9ojioi7noejbadixhn7",
    "cgedaidijfcac6diob9afgljih5",
    "6vki4vvk9hjjmg7mvohi9lvvvi8",
    "6mni7yif7hddpi8yygddagnyem7",
    "6jkg6ghh8ff8gjawqnecbgjzdq8",
    "6fqm6rjh8jqjdi8esqekarpyim6",
    "8nda9n9hafhinbaqmncaeqozdl5",
    "idfdhhekdedba7gfq9bbbdenmg5",
    "6wqq7mohaukbsm7bw7beawlwjq9",
    "cppgdpppipppppppippp1pppep9",
    "7hhd6ljl8hhhfg9kpgcbdkizfj5",
    "8ndl7zsf8mdijjbgmmd7dhnzkh5",
    "7poq7mua8klgpj8rubfcbjhqfi6",
    "chfebjdkbidbb7edt99ajhlnif6",
    "5mmn4wqw7khhwi8wwffqdmwwhoa",
    "5vvv6vv69evpve8vvvfpevlvjj9",
    "anbgannn8nnnnnbdhne8ci9nin4",
    "6pfj9mngclkebh8rvecdjkevlg4",
    "7kmd6uul8meiueauuungasfudj5",
    "9bcabdeccebcaacbhe99eddmgfz",
)
"""A row a first letter, a column a second one, a to z and the edge: bits / 0.4, in base 36."""

_BITS = {
    (first, second): int(bits, 36) * _BITS_PER_STEP
    for first, row in zip(LETTERS + WORD_EDGE, _ROWS, strict=True)
    for second, bits in zip(LETTERS + WORD_EDGE, row, strict=True)
}


def is_unlikely_word(word: str) -> bool:
    """Whether hardly any language would make such a word of the letters a to z."""
    marked_word = WORD_EDGE + word + WORD_EDGE
    bits = sum(map(_BITS.__getitem__, pairwise(marked_word)))
    return bits > _MAX_BITS_PER_LETTER * (len(marked_word) - 1)
