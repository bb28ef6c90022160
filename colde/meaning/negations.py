"""Negations in the scope of a predicate that two sentences share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from colde.meaning.grammar import Doc, Token
from colde.meaning.word_pairs import CONTENT, WordPairs

NEGATIVE_WORDS = frozenset({"none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "noone"})
DETERMINERS = frozenset({"no", "neither", "zero"})
NEGATIVE_VERBS = frozenset({
    "fail", "refuse", "decline", "deny", "lack", "prevent", "refrain", "prohibit", "forbid", "ban", "unable",
    "impossible",
})  # fmt: skip
"""Words that negate what depends on them."""
APPROXIMATE = frozenset({"hardly", "barely", "scarcely", "rarely", "seldom"})
"""Adverbs that leave little of a statement: “it hardly warms” agrees with “it warms little”."""
LOW_DEGREE = APPROXIMATE | {
    "little", "few", "slight", "slightly", "low", "small", "minimal", "minimally", "marginal", "marginally",
    "negligible", "negligibly", "rare", "infrequent", "infrequently",
}  # fmt: skip
BELOW = frozenset({
    "dobj", "attr", "acomp", "xcomp", "oprd", "prep", "pobj", "agent", "dative", "pcomp", "acl", "relcl", "advmod",
    "amod", "compound", "nummod", "npadvmod", "prt", "ccomp", "nsubjpass", "poss",
})  # fmt: skip
"""Relations along which the scope of a negation goes down."""
CERTAIN, PROBABLE = 0.9, 0.65
ALIKE = 0.6
"""Share of the words of the shorter sentence in the other one, from which a noun or the words below a verb suffice."""


@dataclass(frozen=True)
class Negation:
    """A word that negates.

    Attributes:
        targets: what it negates: the predicate, and the noun of "no".
        scope: positions of the words of a meaning of their own below them.
    """

    word: Token
    targets: tuple[Token, ...]
    scope: frozenset[int]

    @property
    def reach(self) -> frozenset[int]:
        """Positions of the targets and the words of the scope."""
        return self.scope | {t.i for t in self.targets}


def negations(doc: Doc) -> list[Negation]:
    """The negations of a sentence; bounds such as "no later than" are none."""
    listed = []
    for word in doc:
        targets = tuple(_targets(word)) if not _leaves_something(word) else ()
        if targets:
            listed.append(Negation(word, targets, frozenset(w.i for t in targets for w in _below(t))))
    return listed


def _targets(word: Token) -> Iterator[Token]:
    """The words that a word negates; none where it does not negate."""
    lower = word.lower_
    if _is_bound(word):
        return iter([word.nbor()])
    if word.dep_ == "neg" or lower in APPROXIMATE or lower == "unless":
        return _of_adverb(word)
    if lower in ("neither", "nor") and word.dep_ in ("preconj", "cc"):
        return (w for joined in _joined(word) for w in _predicate(joined))
    if lower in DETERMINERS and word.dep_ in ("det", "advmod", "nummod"):
        return _of_determiner(word)
    if lower in NEGATIVE_WORDS:
        return iter(word.children) if lower == "without" else _governor(word)
    return _of_verb(word)


def _of_adverb(word: Token) -> Iterator[Token]:
    """The predicate that "not", "never" or "hardly" negates."""
    if not _is_alternative(word):
        yield from _predicate(word.head)
        if word.head.dep_ == "advmod":  # "hardly ever"
            yield from _predicate(word.head.head)


def _of_determiner(word: Token) -> Iterator[Token]:
    """The noun after "no", and the predicate that it is an argument of."""
    noun = word.head
    yield noun
    yield from _governor(noun)
    if noun.head.lemma_ == "be":  # "there is no man who sings": no man sings
        yield from (c for c in noun.children if c.dep_ in ("acl", "relcl"))


def _of_verb(word: Token) -> Iterator[Token]:
    """What a verb such as "fail" negates below it; also of "yet to"."""
    if word.lower_ == "yet":
        yield from (w for w in word.doc[word.i + 2 : word.i + 3] if word.nbor().lower_ == "to")
    elif word.lemma_ in NEGATIVE_VERBS and not (word.pos_ == "VERB" and word.dep_ == "amod"):
        below = ("xcomp", "ccomp", "dobj") if word.lemma_ in ("lack", "deny") else ("xcomp", "ccomp")
        passive = ("nsubjpass",) if word.tag_ == "VBN" else ()
        yield from (c for c in word.children if c.dep_ in (*below, *passive))
        yield from (c for p in word.children if p.dep_ == "prep" for c in p.children if c.dep_ == "pcomp")


def _joined(word: Token) -> Iterator[Token]:
    """What "neither … nor" stands before, once for both words; of "nor" alone, what follows it."""
    conjuncts = [c for c in word.head.children if c.dep_ == "conj" and c.i > word.i]
    if word.lower_ == "neither":
        yield word.head
        yield from conjuncts
    elif not any(c.lower_ == "neither" for c in word.head.lefts):
        yield from conjuncts


def _predicate(head: Token) -> Iterator[Token]:
    """A word; for a copula, its complement."""
    yield head
    if head.lemma_ == "be":
        yield from (
            c for c in head.children if c.dep_ in ("attr", "acomp", "prep", "advmod") and c.pos_ != "PART"
        )


def _governor(word: Token) -> Iterator[Token]:
    """The predicate that a noun is an argument of."""
    while word.dep_ in ("pobj", "conj", "prep", "nmod", "compound", "det", "poss") and word.head.i != word.i:
        if word.lower_ in ("with", "without"):
            return
        word = word.head
    if word.head.i != word.i and word.dep_ not in ("appos",):
        yield from _predicate(word.head)


def _is_bound(word: Token) -> bool:
    """Whether a negation belongs to a comparison, as in "no later than"."""
    following = [w.lower_ for w in word.doc[word.i + 1 : word.i + 3]]
    return word.lower_ in ("no", "not") and following[1:] == ["than"]


def _leaves_something(word: Token) -> bool:
    """Whether a negation has an exception, as in "nothing but" and "not only"."""
    return any(w.lower_ in ("but", "except", "only") for w in word.doc[word.i + 1 : word.i + 2])


def _is_alternative(word: Token) -> bool:
    """Whether a negation says the other case, too: "whether or not", "may or may not"."""
    return "or" in {w.lower_ for w in word.doc[max(0, word.i - 2) : word.i]}


def _below(word: Token) -> Iterator[Token]:
    """The words of a meaning of their own in the scope of a negated word."""
    if word.pos_ in CONTENT:
        yield word
    for child in word.children:
        if child.dep_ in BELOW or _goes_on(child):
            yield from _below(child)


def _goes_on(word: Token) -> bool:
    """Whether a conjunct shares subject and auxiliary with the word before it."""
    complete = ("aux", "nsubj", "auxpass", "neg")
    return word.dep_ == "conj" and not any(c.dep_ in complete for c in word.children)


@dataclass(frozen=True)
class NegationPairs:
    """The negations of two sentences that negate nothing that the other one negates, too.

    Attributes:
        pairs: the words of both.
        words: all words of both that negate.
        a, b: the negations of each.
    """

    pairs: WordPairs
    words: frozenset[Token]
    a: tuple[Negation, ...]
    b: tuple[Negation, ...]

    @classmethod
    def of(cls, pairs: WordPairs) -> NegationPairs:
        """From the words of two sentences; "nobody did not" and "not without" cancel out."""
        sides = negations(pairs.a), negations(pairs.b)
        ours, theirs = _uncancelled(sides[0]), _uncancelled(sides[1])
        for close in (True, False):
            for x in list(ours):
                partner = next((y for y in theirs if _same(pairs, x, y, close)), None)
                if partner is not None:
                    ours.remove(x)
                    theirs.remove(partner)
        return cls(
            pairs,
            frozenset(n.word for side in sides for n in side),
            tuple(n for n in ours if not _covered(pairs, n, sides[1])),
            tuple(n for n in theirs if not _covered(pairs.swapped, n, sides[0])),
        )

    def of_one(self, x: Token, y: Token) -> Token | None:
        """The word that negates one of two words, a word of a and one of b, and not the other."""
        ours = next((n.word for n in self.a if x.i in n.reach), None)
        theirs = next((n.word for n in self.b if y.i in n.reach), None)
        return (ours or theirs) if ours is None or theirs is None else None

    def changes(self) -> Iterator[tuple[Token, float]]:
        """Yield the negating words whose predicate the other sentence has without them, with a certainty."""
        for side, negated in ((self.pairs, self.a), (self.pairs.swapped, self.b)):
            low = {w.lower_ for w in side.b} & LOW_DEGREE - {w.lower_ for w in side.a}
            for negation in negated:
                if not (negation.word.lower_ in APPROXIMATE and low):
                    certainty = _shared(side, negation)
                    if certainty:
                        yield negation.word, certainty


def _uncancelled(listed: Sequence[Negation]) -> list[Negation]:
    """The negations without pairs of them that negate the same word."""
    left: list[Negation] = []
    for negation in listed:
        other = next((n for n in left if _cancel(n, negation)), None)
        if other is not None:
            left.remove(other)
        else:
            left.append(negation)
    return left


def _cancel(x: Negation, y: Negation) -> bool:
    heads = [{t.i for t in n.targets} for n in (x, y)]
    joined = {x.word.lower_, y.word.lower_} & {"neither", "nor"}
    return not joined and bool(heads[0] & heads[1] or x.word.i in heads[1] or y.word.i in heads[0])


def _same(pairs: WordPairs, x: Negation, y: Negation, close: bool) -> bool:
    mine = {t.i for t in x.targets} if close else x.scope
    other = {t.i for t in y.targets} if close else y.scope
    if close and pairs.to_b.get(x.word.i) == y.word.i:
        return True
    return any(pairs.to_b.get(i) in other and pairs.a[i].lemma_ != "be" for i in mine)


def _covered(pairs: WordPairs, negation: Negation, others: Sequence[Negation]) -> bool:
    """Whether a negation of several words in the other sentence negates the same: "neither old nor large"."""
    negated = {w.i for n in others for t in n.targets for w in (t, *filter(_goes_on, t.conjuncts))}
    return any(pairs.to_b.get(t.i) in negated for t in negation.targets if t.lemma_ != "be")


def _shared(pairs: WordPairs, negation: Negation) -> float:
    """How certain it is that the other sentence has what a negation negates, without it."""
    noun = negation.word.head if negation.word.dep_ == "det" else None
    shared = [t for t in negation.targets if t.i in pairs.to_b and (t.pos_ in CONTENT or _is_main(t))]
    predicates = [t for t in shared if t != noun and t.lemma_ != "be"]
    if predicates or (noun in shared and len(shared) > 1):
        return CERTAIN
    return (
        PROBABLE * min(1.0, pairs.held / ALIKE) if noun in shared or _verb_replaced(pairs, negation) else 0.0
    )


def _verb_replaced(pairs: WordPairs, negation: Negation) -> bool:
    """Whether a negation negates a verb, and the other sentence has half of the words below it."""
    below = sum(i in pairs.to_b for i in negation.scope)
    return below > 0 and 2 * below >= len(negation.scope) and any(t.pos_ == "VERB" for t in negation.targets)


def _is_main(word: Token) -> bool:
    """Whether a word is the "be" of a main clause."""
    return bool(word.lemma_ == "be" and word.head.i == word.i)
