"""Closed classes of English words that decide what a change of a sentence means."""

from __future__ import annotations

APPROXIMATE_NEGATIONS = frozenset({"hardly", "barely", "scarcely", "rarely", "seldom"})
"""Adverbs that leave little of a statement: “it hardly warms” agrees with “it warms little”."""
LOW_DEGREE_WORDS = APPROXIMATE_NEGATIONS | {
    "little", "few", "slight", "slightly", "low", "small", "minimal", "minimally", "marginal", "marginally",
    "negligible", "negligibly", "rare", "infrequent", "infrequently",
}  # fmt: skip
"""Words that say the same of a statement as an approximate negation does."""
NEGATION_WORDS = frozenset({
    "not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot", "unless",
    "except", *APPROXIMATE_NEGATIONS,
})  # fmt: skip
"""Words that reverse a statement; words with `n't` or `un…` are recognised by their form."""
NEGATING_VERBS = frozenset({
    "fail", "fails", "failed", "refuse", "refuses", "refused", "decline", "declines", "declined", "deny", "denies",
    "denied", "lack", "lacks", "lacked", "unable",
})  # fmt: skip
"""Words that reverse the verb or noun after them."""
OBLIGATION_WORDS = {
    **dict.fromkeys(["shall", "must"], "must"),
    **dict.fromkeys(["should", "ought"], "should"),
    **dict.fromkeys(["may", "can", "might", "could"], "may"),
    **dict.fromkeys(["will", "would"], "will"),
    **dict.fromkeys(["requires", "require", "required", "obliged", "obligated", "mandatory"], "must"),
    **dict.fromkeys(["permitted", "allowed", "entitled", "optional", "voluntary"], "may"),
    **dict.fromkeys(["recommended", "advised", "encouraged"], "should"),
    **dict.fromkeys(["prohibited", "forbidden", "banned"], "must not"),
}
"""What each word obliges to."""
LIMIT_PHRASES = {
    **dict.fromkeys(
        ["at most", "no more than", "not more than", "not exceed", "not exceeding", "a maximum of"], "upper limit"
    ),
    **dict.fromkeys(
        ["at least", "no less than", "not less than", "no fewer than", "not fewer than", "a minimum of"], "lower limit"
    ),
    **dict.fromkeys(
        ["if", "provided that", "on condition that", "subject to", "unless", "except", "save that", "save for",
         "save where", "save as", "with the exception of"],
        "condition",
    ),
}  # fmt: skip
"""Phrases that limit what a sentence obliges to or permits, and how: a condition is also one that excepts."""
NUMBER_WORDS = {
    word: value
    for value, words in {
        0: "zero", 1: "one once first", 2: "two twice second", 3: "three thrice third", 4: "four fourth",
        5: "five fifth", 6: "six sixth", 7: "seven seventh", 8: "eight eighth", 9: "nine ninth", 10: "ten tenth",
        11: "eleven eleventh", 12: "twelve twelfth dozen", 13: "thirteen thirteenth", 14: "fourteen fourteenth",
        15: "fifteen fifteenth", 16: "sixteen sixteenth", 17: "seventeen seventeenth", 18: "eighteen eighteenth",
        19: "nineteen nineteenth", 20: "twenty twentieth", 30: "thirty thirtieth", 40: "forty fortieth",
        50: "fifty fiftieth", 60: "sixty sixtieth", 70: "seventy seventieth", 80: "eighty eightieth",
        90: "ninety ninetieth", 100: "hundred hundredth", 1000: "thousand", 10**6: "million", 10**9: "billion",
    }.items()
    for word in words.split()
}  # fmt: skip
"""Values of number words; only a difference between two texts counts."""
DATE_WORDS = frozenset({
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "spring", "summer", "autumn",
    "winter",
})  # fmt: skip
"""Parts of dates that are words (not `may`, which mostly permits)."""
_OPPOSITES = (
    "accept reject", "accepted rejected", "accept refuse", "accepted refused", "above below", "after before",
    "agree disagree", "all none", "allow forbid", "allowed forbidden", "always never", "approve reject",
    "approved rejected", "beginning end", "best worst", "better worse", "big small", "bigger smaller", "buy sell",
    "buyer seller", "cheap expensive", "close open", "closed open", "cold hot", "decrease increase",
    "decreased increased", "decreases increases", "deep shallow", "earlier later", "early late", "easy difficult",
    "exclude include", "excluded included", "excluding including", "failure success", "failed succeeded",
    "fall rise", "falls rises", "fell rose", "falling rising", "false true", "fast slow", "faster slower",
    "few many", "fewer more", "first last", "full empty", "gain loss", "gained lost", "good bad", "great small",
    "greater smaller", "guilty innocent", "hard soft", "heavy light", "heavier lighter", "high low", "higher lower",
    "highest lowest", "inside outside", "internal external", "join leave", "joined left", "large small",
    "larger smaller", "largest smallest", "least most", "left right", "less more", "long short", "longer shorter",
    "longest shortest", "major minor", "maximum minimum", "narrow wide", "near far", "negative positive", "new old",
    "newer older", "north south", "over under", "past future", "pass fail", "passed failed", "plus minus",
    "poor rich", "presence absence", "present absent", "private public", "profit loss", "quick slow", "raise lower",
    "raised lowered", "raises lowers", "refuse agree", "refused agreed", "remain leave", "remember forget",
    "safe dangerous", "same different", "slower quicker", "start stop", "started stopped", "strong weak",
    "stronger weaker", "support oppose", "supported opposed", "supports opposes", "tall short", "thick thin",
    "top bottom", "up down", "upper lower", "wet dry", "win lose", "won lost", "with without", "young old",
    "younger older", "east west", "front back", "front rear", "day night", "morning evening",
    "sound unsound", "healthy sick", "alive dead", "love hate", "liked disliked", "rarely often", "seldom often",
    "frequent rare", "hollow solid", "keep discard", "grow shrink", "grew shrank", "grows shrinks", "shut open",
)  # fmt: skip
OPPOSITES = frozenset(frozenset(pair.split()) for pair in _OPPOSITES)
"""Pairs of words with opposite meanings."""
NEGATING_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")
"""Prefixes that turn a word into its opposite where the rest is a word of the other text."""
