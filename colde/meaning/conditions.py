"""Obligations, conditions, limits and quantifiers of a predicate or noun that two sentences share."""

from __future__ import annotations

import re
from collections.abc import Iterator

from colde.meaning.grammar import Doc, Token
from colde.meaning.negations import negations
from colde.meaning.word_pairs import WordPairs, plain
from colde.text.word_lists.stop_words import words

MODALS = {
    **dict.fromkeys(words("shall must"), "must"),
    **dict.fromkeys(words("may can"), "may"),
    **dict.fromkeys(words("should ought"), "should"),
    "will": "will",
    **dict.fromkeys(words("might could would"), "perhaps"),
}
"""What an auxiliary obliges to."""
DEONTIC = {
    **dict.fromkeys(words("require oblige obligate need have bind"), "must"),
    **dict.fromkeys(words("permit allow entitle free authorise authorize"), "may"),
    **dict.fromkeys(words("recommend advise encourage"), "should"),
}
"""What a verb or adjective before "to" obliges to."""
ALONE = {
    **dict.fromkeys(words("mandatory compulsory obligatory required"), "must"),
    **dict.fromkeys(words("optional voluntary permitted allowed"), "may"),
    **dict.fromkeys(words("recommended advised"), "should"),
}
"""What an adjective after "is" obliges to."""
ACTIVE = frozenset({"need", "have"})
"""Verbs that oblige their subject in the active voice."""
QUANTIFIERS = {
    **dict.fromkeys(words("all every each any both entire whole always everybody everyone"), "all"),
    **dict.fromkeys(words("most majority mostly usually mainly primarily generally largely"), "most"),
    **dict.fromkeys(words("many often frequently"), "many"),
    **dict.fromkeys(words("some several certain sometimes occasionally somebody someone few"), "some"),
    **dict.fromkeys(words("rarely seldom hardly barely little"), "few"),
    "half": "half",
}
EXCEPTED = QUANTIFIERS.keys() | words("no none nobody nothing anything everything")
"""Words before a "but" that excepts something."""
EXAMPLES = words("as like including includes include")
"""Words before examples, which "and" and "or" join alike."""
ONLY = words("only solely exclusively merely")
CONDITIONS = words("if unless provided providing except excepting save subject")
WHEN = words("when where whenever wherever")
"""Words that condition, too, and more often only date or place."""
COMPARATIVES = words(
    "more less fewer greater later earlier higher lower older younger above below longer shorter over under smaller"
    " larger"
)
"""Words after a number and "or" that make it a bound."""
_UPPER = (
    r"at most|(?:no|not)(?: \w+){0,2} (?:more|later|longer|greater) than|not (?:to )?exceed(?:ing)?"
    r"|(?:a|the) maximum of|up to"
)
_LOWER = r"at least|(?:no|not)(?: \w+){0,2} (?:less|fewer|earlier|sooner) than|(?:a|the) minimum of"
_LIMIT = re.compile(rf"\b(?:(?P<upper>{_UPPER})|(?P<lower>{_LOWER}))\b", re.IGNORECASE)
CERTAIN, PROBABLE = 0.8, 0.65


def changed_obligations(pairs: WordPairs) -> Iterator[tuple[Token | None, Token | None, float]]:
    """Yield the words that oblige, of predicates that both have with another obligation."""
    for i, j in pairs.to_b.items():
        x, y = pairs.a[i], pairs.b[j]
        if x.pos_ not in ("VERB", "AUX", "ADJ", "NOUN") or x.dep_ in ("aux", "auxpass"):
            continue
        ours, theirs = _force(x), _force(y)
        forces = {ours[0], theirs[0]}
        if len(forces) == 2 and "perhaps" not in forces and forces != {None, "will"}:
            modals = {w.lower_ for w in (ours[1], theirs[1]) if w is not None}
            if modals != {"shall"}:  # "remains" and "shall remain" oblige to the same
                weak = None in forces or forces == {"must", "will"}
                yield ours[1], theirs[1], PROBABLE if weak else CERTAIN
    for x, y in pairs.replaced():
        alone = ALONE.get(x.lower_), ALONE.get(y.lower_)
        if None not in alone and alone[0] != alone[1]:
            yield x, y, CERTAIN


def _force(word: Token) -> tuple[str | None, Token | None]:
    """What a predicate obliges to, and the word that says so."""
    for child in word.children:
        if child.dep_ == "aux" and child.tag_ == "MD" and plain(child) in MODALS:
            return MODALS[plain(child)], child
    head = word.head
    if word.dep_ == "xcomp" and head.lemma_ in DEONTIC and _obliges(head):
        return DEONTIC[head.lemma_], head
    if (
        word.dep_ == "conj"
        and head.i != word.i
        and not any(c.dep_ in ("nsubj", "aux") for c in word.children)
    ):
        return _force(head)
    return None, None


def _obliges(verb: Token) -> bool:
    """Whether a verb obliges its subject: "is required to", "has to"; not "has the mandate to"."""
    relations = {c.dep_ for c in verb.children}
    if verb.lemma_ in ACTIVE:
        return "dobj" not in relations and all(c.lower_ != "yet" for c in verb.children)
    return verb.pos_ == "ADJ" or "auxpass" in relations or verb.tag_ == "VBN"


def changed_quantifiers(pairs: WordPairs) -> Iterator[tuple[Token, Token, float]]:
    """Yield quantifiers of different classes that stand in place of each other."""
    for x, y in pairs.replaced():
        classes = QUANTIFIERS.get(x.lower_), QUANTIFIERS.get(y.lower_)
        if None not in classes and classes[0] != classes[1]:
            yield x, y, CERTAIN


def changed_conditions(pairs: WordPairs) -> Iterator[tuple[Token, float]]:
    """Yield words that limit or condition what one sentence says of something that both say."""
    for side in (pairs, pairs.swapped):
        others = {w.lower_ for w in side.b}
        limits = {kind for kind, _ in _limits(side.b)}
        yield from ((word, CERTAIN) for kind, word in _limits(side.a) if kind not in limits)
        yield from ((word, CERTAIN) for word in side.only_a() if _conditions(word, side, others))
    if not (negations(pairs.a) and negations(pairs.b)):  # "no silver or gold" is "silver and gold, none"
        for x, y in pairs.replaced():
            joined = {x.lower_, y.lower_} == {"and", "or"} and x.dep_ == y.dep_ == "cc"
            if joined and not any(w.lower_ in EXAMPLES for w in x.ancestors):
                yield x, CERTAIN


def _limits(doc: Doc) -> Iterator[tuple[str, Token]]:
    """Upper and lower limits of a sentence, each with its first word."""
    for match in _LIMIT.finditer(doc.text):
        yield from ((str(match.lastgroup), w) for w in doc if w.idx == match.start())


def _conditions(word: Token, side: WordPairs, others: set[str]) -> bool:
    """Whether a word conditions, excepts or limits something that the other sentence has without it."""
    lower, before, after = word.lower_, _neighbour(word, -1), _neighbour(word, 1)
    if lower in ONLY:
        shared = word.head.i in side.to_b or word.head.head.i in side.to_b
        return shared and word.head.pos_ != "NUM" and before != "not" and others.isdisjoint(ONLY)
    if lower in CONDITIONS:
        return others.isdisjoint(CONDITIONS | WHEN) and _begins_condition(word, after)
    if lower in COMPARATIVES:  # "6.0 or greater"
        return before == "or" and any(w.like_num for w in word.doc[max(0, word.i - 3) : word.i])
    if lower == "but":
        return before in EXCEPTED and word.head.pos_ != "VERB"
    return lower == "not" and after in ONLY and not others.isdisjoint(ONLY)


def _neighbour(word: Token, step: int) -> str:
    """The word before or after another one, in lower case; empty beyond the ends."""
    at = word.i + step
    return str(word.doc[at].lower_) if 0 <= at < len(word.doc) else ""


def _begins_condition(word: Token, after: str) -> bool:
    """Whether a word that may begin a condition does."""
    if word.lower_ == "subject":
        return after == "to"
    if word.lower_ in ("save", "provided", "providing"):
        return after in ("that", "for", "where", "as") or word.dep_ == "mark" or word.pos_ in ("SCONJ", "ADP")
    return True
