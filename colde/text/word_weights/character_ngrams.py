"""Short texts as weighted counts of the runs of letters in their words, for finding one word in another.

What scikit-learn's TfidfVectorizer computes with analyzer `char_wb`, runs of 3 to 5 letters and `sublinear_tf`, over
arrays instead of Python strings: several times as fast, and without the second that its import takes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.text.word_weights.term_weights import Counts, unit_rows

MIN_N, MAX_N = 3, 5
MAX_EXACT_CHARACTERS = 1_000_000  # in longer texts runs of letters are hashed, and two may share a column
_COLUMN_BITS = 22
_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio (Knuth 1973, 6.4)


def character_ngrams(texts: Sequence[str]) -> Counts:
    """TF-IDF of runs of 3 to 5 letters within words: [texts, runs], float32, rows of length one or zero.

    (1 + ln count) · (1 + ln((1 + texts) / (1 + texts with the run))); a word has a space before and behind it. What is
    rare or common is counted among these texts.
    """
    exact = sum(map(len, texts)) <= MAX_EXACT_CHARACTERS
    blocks = [_counts(block, exact) for block in ([texts] if exact else _blocks(texts))]
    ngram_counts: Counts = sparse.vstack(blocks, format="csr") if len(blocks) > 1 else blocks[0]
    shared = np.bincount(ngram_counts.indices, minlength=ngram_counts.shape[1])
    weight = 1 + np.log((1 + len(texts)) / (1 + shared))
    ngram_counts.data = (1 + np.log(ngram_counts.data)) * weight[ngram_counts.indices]
    return sparse.csr_matrix(unit_rows(ngram_counts), dtype=np.float32)


def _blocks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Consecutive texts of at most `MAX_EXACT_CHARACTERS` characters together, or a single longer one."""
    first, block_characters = 0, 0
    for i, text in enumerate(texts):
        if block_characters + len(text) > MAX_EXACT_CHARACTERS and i > first:
            yield texts[first:i]
            first, block_characters = i, 0
        block_characters += len(text)
    yield texts[first:]


def _counts(texts: Sequence[str], exact: bool) -> Counts:
    """Count each run in each text: [texts, runs]."""
    codes, rows = _codes(texts, exact)
    if exact:
        distinct_codes, columns = np.unique(codes, return_inverse=True)
        count = len(distinct_codes)
    else:
        columns = (codes * _HASH_MULTIPLIER >> np.uint64(64 - _COLUMN_BITS)).astype(np.int64)
        count = 2**_COLUMN_BITS
    ones = np.ones(len(codes))
    return sparse.csr_matrix((ones, (rows, columns)), shape=(len(texts), count))  # sums what stands twice


def _codes(texts: Sequence[str], exact: bool) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """A number for every run, the same for the same run, and the text it stands in: [runs], [runs].

    Where `exact`, the letters of these texts are counted: with fewer than 7,100 of them numbers of different runs
    differ. Else, and with more letters, they differ almost surely, and hold for other texts, too.
    """
    words = [text.lower().split() for text in texts]
    letters = "".join(f" {word} " for text_words in words for word in text_words)
    points = np.frombuffer(letters.encode("utf-32-le", errors="surrogatepass"), dtype=np.uint32)
    letter = np.unique(points, return_inverse=True)[1] if exact else points
    digits = letter.astype(np.uint64) + np.uint64(1)  # no zero: runs of different length differ
    base = digits.max(initial=np.uint64(0)) + np.uint64(1) if exact else np.uint64(sys.maxunicode + 2)  # odd
    sizes = np.array([len(word) + 2 for text_words in words for word in text_words], dtype=np.int64)
    word = np.repeat(np.arange(len(sizes)), sizes)  # of each letter
    text_of_word = np.repeat(np.arange(len(texts)), [len(text_words) for text_words in words])
    codes, rows = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    code: NDArray[np.uint64] = digits
    for length in range(2, MAX_N + 1):
        code = code[: len(digits) - length + 1] * base + digits[length - 1 :]
        if length >= MIN_N:
            inside = word[: len(code)] == word[length - 1 :]
            codes.append(code[inside])
            rows.append(text_of_word[word[: len(code)][inside]])
    return np.concatenate(codes), np.concatenate(rows)
