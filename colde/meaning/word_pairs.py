"""Two corresponding sentences: which of their words correspond, and which differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property

from colde.meaning.grammar import Doc, Token

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
"""Parts of speech of words with a meaning of their own."""
IN_PLACE = 0.85
"""Share of equal words from which it is certain that words in one place stand for each other."""
FORMS = {"n't": "not", "ca": "can", "wo": "will", "sha": "shall", "'re": "are", "'ll": "will", "'m": "am"}
"""Parts of contractions, and the words they stand for."""


def plain(word: Token) -> str:
    """The word in lower case, without contraction."""
    return str(FORMS.get(word.lower_, word.lower_))


def lemma(word: Token) -> str:
    """The lemma in lower case; of a language without grammar the word."""
    return str(word.lemma_.lower() or word.lower_)


@dataclass(frozen=True)
class WordPairs:
    """The words of two sentences that correspond and differ.

    Attributes:
        to_b: positions in b by positions in a: equal words in the same order, then words of one lemma elsewhere.
        gaps: runs of words between words that are equal in the same order; at least one of both is not empty.
    """

    a: Doc
    b: Doc
    to_b: dict[int, int]
    gaps: tuple[tuple[range, range], ...] = field(default=())

    @classmethod
    def of(cls, a: Doc, b: Doc) -> WordPairs:
        """Pairs the words of two sentences."""
        one, other = ([plain(w) for w in doc] for doc in (a, b))
        to_b: dict[int, int] = {}
        gaps = []
        for tag, i0, i1, j0, j1 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            if tag == "equal":
                to_b |= zip(range(i0, i1), range(j0, j1), strict=True)
            else:
                gaps.append((range(i0, i1), range(j0, j1)))
        free: dict[str, list[int]] = defaultdict(list)
        for _, js in gaps:
            for j in js:
                free[lemma(b[j])].append(j)
        for words, _ in gaps:
            for i in words:
                same = free[lemma(a[i])]
                if same and a[i].pos_ in CONTENT:
                    to_b[i] = same.pop(0)
        return cls(a, b, to_b, tuple(gaps))

    @cached_property
    def to_a(self) -> dict[int, int]:
        """Positions in a by positions in b."""
        return {j: i for i, j in self.to_b.items()}

    @cached_property
    def swapped(self) -> WordPairs:
        """The same with the sides exchanged."""
        return WordPairs(self.b, self.a, self.to_a, tuple((js, i) for i, js in self.gaps))

    @cached_property
    def lemmas_b(self) -> Counter[str]:
        """The lemmas of b."""
        return Counter(lemma(w) for w in self.b)

    @cached_property
    def equal(self) -> float:
        """Words that both have, as a share of the words of both."""
        return 2 * len(self.to_b) / max(1, len(self.a) + len(self.b))

    @cached_property
    def held(self) -> float:
        """Words that both have, as a share of the words of the shorter sentence."""
        return len(self.to_b) / max(1, min(len(self.a), len(self.b)))

    def only_a(self) -> list[Token]:
        """Words of a without a partner."""
        return [w for w in self.a if w.i not in self.to_b]

    def replaced(self) -> Iterator[tuple[Token, Token]]:
        """Yield words without partner that stand in the place of each other.

        They are alone between corresponding words, or have the same relation to corresponding words.
        """
        places = set()
        for ours, theirs in self.gaps:
            left = [i for i in ours if i not in self.to_b]
            right = [j for j in theirs if j not in self.to_a]
            if len(left) == len(right) == 1:
                places.add((left[0], right[0]))
        others = [w for w in self.b if w.i not in self.to_a]
        places |= {(x.i, y.i) for x in self.only_a() for y in others if self.same_place(x, y)}
        yield from ((self.a[i], self.b[j]) for i, j in sorted(places))

    def same_place(self, x: Token, y: Token) -> bool:
        """Whether two words have the same relation to corresponding words."""
        if _relation(x) != _relation(y):
            return False
        if x.dep_ == y.dep_ == "ROOT":
            return any(
                self.to_b.get(c.i) in {d.i for d in y.children} for c in x.children if c.pos_ in CONTENT
            )
        return bool(x.head.i != x.i and self.to_b.get(x.head.i) == y.head.i)


RELATIONS = {"nsubjpass": "dobj", "agent": "nsubj", "acomp": "attr", "ccomp": "xcomp", "oprd": "attr"}


def _relation(word: Token) -> str:
    return str(RELATIONS.get(word.dep_, word.dep_))
