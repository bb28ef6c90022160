"""Which language a text is written in, by its script and its commonest words.

A document of some hundred words holds dozens of these words, so that short lists tell the languages apart; a
statistical model would cost a second at start, for an answer that is used for one warning.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict

_COMMON = {
    "en": "the of and to in is that for it as was with be by on not are this which from or at have an but a we "
    "can has its how what why when will more than our you if do all they their where",
    "de": "der die und das den von zu mit sich des auf für ist im dem nicht ein eine als auch es an",
    "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont",
    "es": "de la que el en y a los se del las un por con no una su para es al lo como más o pero",
    "it": "di e il la che in a per un del è una si con non sono le dei da al della nel come più i gli",
    "pt": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas ao foi",
    "nl": "de het een en van in is dat op te zijn met voor niet aan er die ook als door bij maar om wordt",
    "sv": "och i att det som en på är av för med till den har de inte om ett men var sig så från kan",
    "da": "og i at det som en på er af for med til den har de ikke om et men var sig så fra kan der",
    "fi": "ja on ei että se oli hän joka mutta kun myös ovat niin sen tai kuin hänen mukaan sekä jos",
    "pl": "w i na z się do nie że jest to o jak za od po przez dla są oraz jego ale co był tym",
    "cs": "a v se na je že to s z do o i za od jako pro by ale jsou po byl který podle není",
    "tr": "ve bir bu için ile de da olarak olan çok daha en gibi kadar sonra ise değil veya her ne",
    "hu": "a az és hogy nem is egy ez volt meg de csak ha vagy mint már még el sem azt",
    "ro": "de și în a la cu pe nu un o este din care pentru mai că se fi sunt al ca dar",
    "id": "yang dan di dengan untuk dari pada dalam ini itu adalah tidak ke oleh akan juga atau sebagai",
    "vi": "và của là có trong được cho các một với không những người này để khi đã từ về như",
    "ru": "и в не на что с по как это к из у за от так для но о же бы или были он",
    "uk": "і в не на що з по як це до із у за від так для але про та або були він є",
    "bg": "и в не на че с по като това да се от за са е до но или той към през",
}
_SCRIPTS = (
    ("HIRAGANA", "ja"), ("KATAKANA", "ja"), ("HANGUL", "ko"), ("CJK", "zh"), ("ARABIC", "ar"),
    ("HEBREW", "he"), ("GREEK", "el"), ("THAI", "th"), ("DEVANAGARI", "hi"), ("BENGALI", "bn"),
    ("TAMIL", "ta"), ("GEORGIAN", "ka"), ("ARMENIAN", "hy"),
)  # fmt: skip
NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian",
    "pt": "Portuguese", "nl": "Dutch", "sv": "Swedish", "da": "Danish", "fi": "Finnish", "pl": "Polish",
    "cs": "Czech", "tr": "Turkish", "hu": "Hungarian", "ro": "Romanian", "id": "Indonesian",
    "vi": "Vietnamese", "ru": "Russian", "uk": "Ukrainian", "bg": "Bulgarian", "ja": "Japanese",
    "ko": "Korean", "zh": "Chinese", "ar": "Arabic", "he": "Hebrew", "el": "Greek", "th": "Thai",
    "hi": "Hindi", "bn": "Bengali", "ta": "Tamil", "ka": "Georgian", "hy": "Armenian",
}  # fmt: skip
_WORDS: dict[str, list[str]] = {}
for _code, _list in _COMMON.items():
    for _word in _list.split():
        _WORDS.setdefault(_word, []).append(_code)
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 20_000  # characters looked at
_LEAST = 0.08  # share of words that are common words of the language; running text reaches .25
_DIFFERENT = 4  # different common words that must occur: "is" and "de" alone belong to many languages
_LETTER = 0.5  # weight of words of one letter: names of variables and items are such, too
_LEAD = 1.1  # over the next language
_WORDS_ENOUGH = 12  # in shorter texts chance decides
_WORDS_FEW = 8  # of shorter texts not even a guess is made


def detect_language(text: str, *, sure: bool = True) -> str | None:
    """ISO 639-1 code of the language of most of the text; None where it cannot be told (short, lists, code).

    Args:
        text: of any length; its middle is looked at.
        sure: whether to answer only where the evidence suffices; else the likeliest language is good enough.
    """
    middle = max(0, (len(text) - _SAMPLE) // 2)
    sample = text[middle : middle + _SAMPLE].lower()
    letters = (
        [c for c in sample[::7] if c.isalpha()] if len(sample) > 500 else [c for c in sample if c.isalpha()]
    )
    scripts = Counter(_script(c) for c in letters)
    share = {code: n / len(letters) for code, n in scripts.items() if code}
    if share.get("ja", 0) > 0.1 and share.get("ja", 0) + share.get("zh", 0) > 0.4:
        return "ja"
    for code, part in share.items():
        if part > 0.4:
            return code
    words = _WORD.findall(sample)
    votes: dict[str, float] = defaultdict(float)
    different: Counter[str] = Counter()
    for word, times in Counter(words).items():
        for code in _WORDS.get(word, ()):
            votes[code] += times * (1 if len(word) > 1 else _LETTER)
            different[code] += len(word) > 1
    if len(words) < _WORDS_FEW or not votes:
        return None
    (best, most), *others = sorted(votes.items(), key=lambda vote: -vote[1])
    second = others[0][1] if others else 0.0
    if most < _LEAST * len(words) or most == second:
        return None
    enough = len(words) >= _WORDS_ENOUGH and different[best] >= _DIFFERENT and most >= _LEAD * second
    return best if enough or not sure else None


def _script(character: str) -> str | None:
    if character < "\u0370":
        return None
    name = unicodedata.name(character, "")
    return next((code for script, code in _SCRIPTS if name.startswith(script)), None)
