"""Does the sentence map find sentences that say the same in other words? Whichever way it is weighed.

python -m studies.explanations.planted_sentences CITANCES [--memory FILE.npz]

Each passage of passages.json is planted in one paper and its edited or paraphrased form in another, unrelated one, both
shortened to 160 sentences. hit@1 and hit@5: a pair of planted sentences is the strongest cell of all, or one of five;
rows: of the planted sentences, those whose strongest answer is planted, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np

from colde.alignment.sentence_similarity import (
    base_similarities,
    character_ngram_cosines,
    excess_self_similarity,
    rare_word_overlap,
    sentence_similarities,
    smooth_over_neighbours,
)
from colde.encoders.vector_math import cosines, normalised
from colde.explain.background_corpus import background_sentences
from colde.explain.sentence_pairs import sentence_strengths
from colde.text.sentences.citations import without_citations
from studies.arguments import command_line
from studies.explanations.citances import SHARES_AROUND, SHARES_REPEATED, WEIGHTS, read_cases
from studies.explanations.planting import Form, written
from studies.explanations.vector_memory import VectorStore
from studies.tables import table_head, table_row

AT_A, AT_B, SENTENCES = 60, 90, 160
APART = 7
"""Places between a paper and the one it is paired with."""


def main() -> None:
    parser = command_line(__doc__, "--memory")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    papers = list({c.cited: c.sentences for c in read_cases(options.folder)}.values())
    memory = VectorStore(options.memory)
    passages = written()
    known = background_sentences()
    assert known is not None
    forms: tuple[Form, ...] = ("edited", "paraphrase")
    ranks: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for k, passage in enumerate(passages):
        original = _sentences(passage.original)
        a = _planted(papers[k % len(papers)], original, AT_A)
        for form in forms:
            other = _sentences(passage.form(form))
            b = _planted(papers[(k + APART) % len(papers)], other, AT_B)
            vectors = [normalised(memory.texts(sentences)) for sentences in (a, b)]
            background = known.background_similarity(vectors[0]), known.background_similarity(vectors[1])
            centre = (vectors[0].mean(0) + vectors[1].mean(0)) / 2
            one, two = (normalised(v - centre) for v in vectors)
            bare = [[without_citations(text) for text in sentences] for sentences in (a, b)]
            meaning, words = cosines(one, two), character_ngram_cosines(*bare) + rare_word_overlap(*bare)
            usual = excess_self_similarity(one), excess_self_similarity(two)
            maps = {
                "the sentence map": sentence_strengths((a, b), (one, two), background),
                "similarity alone": sentence_similarities(one, two, a, b),
                "mean of the cosines of meaning and letters": meaning + character_ngram_cosines(a, b),
            }
            for x, u, c in product(WEIGHTS, SHARES_REPEATED, SHARES_AROUND):
                base = base_similarities(meaning, words, *usual, weight=x, share=u)
                maps[f"words {x:g}, repeated {u:g}, around {c:.2f}"] = smooth_over_neighbours(base, c)
            rows, columns = (np.isin(sentences, new) for sentences, new in ((a, original), (b, other)))
            right = np.outer(rows, columns)
            for name, values in maps.items():
                rank = 1 + int((values[~right] >= values[right].max()).sum())
                answered = float(columns[values[rows].argmax(1)].mean())
                ranks[name, form].append((rank, answered))
    memory.save()
    print(f"{len(passages)} passages\n\n{table_head(['map, form', 'hit@1', 'hit@5', 'rows'])}")
    for (name, form), all_found in ranks.items():
        rank, answered = np.array(all_found).T
        shares = (np.mean(rank == 1), np.mean(rank <= 5), answered.mean())
        print(table_row([f"{name}, {form}", *(f"{share:.3f}" for share in shares)]))


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!])\s+(?=[A-Z])", text)


def _planted(paper: tuple[str, ...], passage: list[str], at: int) -> list[str]:
    return [*paper[:at], *passage, *paper[at:SENTENCES]]


if __name__ == "__main__":
    main()
