"""Abbreviations that a full stop belongs to, so that no sentence ends there."""

from __future__ import annotations

import ast
from functools import lru_cache

from colde.text.word_lists.stop_words import language_file, words

NEVER_END = words(
    "e.g i.e eg ie cf viz vs resp approx ca fig figs eq eqs eqn eqns sec sect secs chap ref refs lem def "
    "thm defn "  # typos: off
    "dr mr mrs ms prof rev hon messrs mme mmes mlle mlles sr sra dra ed eds trans incl esp lit nom rel "
    "capt cpl cmdr insp lt msgr sgt supt "
    "z.b d.h u.a s.o s.u bzw vgl abb kap bd hrsg evtl ggf sog zzgl p.ex c.-à-d p.ej pág pag"
)
"""Always followed by what they belong to."""
TITLES = words(
    "abp archbp bp br bro card fr jn mt rt st ste ven "
    "adm brig col comm comdr comdt const coun det em emer ens ft gen lieut maj radm vadm spec sqn "
    "adv ald amb assoc asst atty chmn cllr commr comr dep dir exec gov min pres rep reps sec sen supr treas "
    "benj chas danl edw geo jas nath patk richd robt saml thos"
)
"""Titles of the church, ranks, offices and shortened given names. Where they begin with a capital and a capital
follows, no sentence ends; in small letters they are words ("one more rep")."""
BEFORE_NUMBER = words(
    "no nos nr p pp vol vols ch art arts app ex exs tab tbl alg cor prop par para paras pt pts col ll fol s ss n "
    "cl cls sch schs reg regs r rr div subdiv subsec subs "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
"""Belong to the number after them; before a word they are words themselves ("No.", "state of the art.")."""
MAY_END = words("etc al inc ltd co corp jr u.s u.k u.s.a e.u ph.d m.d b.a m.a a.m p.m b.c a.d usw ff f dept")
"""May end a sentence; they do where a word follows that begins one."""


_MORE = {
    "de": "Az Urt Beschl Verf Vfg Ziff Buchst Rn Rz Rdnr Randnr Anm Aufl Bearb Drs Nrn Vors Präs Bürgerm Stadtr "
    "Insp Hptm Oblt Ltn Obstlt Maj Gen Uffz Pfr Kard Erzb Mag Lic med jur rer nat phil theol habil vgl "
    "geb gest verh Hrsg zit",
    "fr": "Cass Civ Crim Soc Com Ass Plén Trib Corr Adm Req Ord Bull Rev Gaz Concl Gén Col Cap Cdt Cne Lt Sgt "
    "Adj Brig Mgr Me Mes Pr Préf Prés Min Dép Sén Insp Vve chap éd réf arr préc obs ibid",
    "es": "Sent Trib Supr Const Art Arts Núm Núms Gral Cnel Col Cap Cte Tte Sgto Alm Mons Fr Pbro Excmo Excma "
    "Ilmo Ilma Dña Lic Ing Arq Pdte Pdta Dip Sen Gob Min núm núms cap ed ibíd",
    "it": "Cass Civ Pen Sez Trib App Cost Cons Gen Col Cap Magg Ten Serg Amm Mons Card Avv Ing Arch Geom Rag On "
    "Sen Pres Min Sig Sigg Dott Dr Prof sez civ pen segg cap ed ibid comb disp",
    "pt": "Rec Proc Trib Const Art Arts Gen Cel Cap Maj Ten Sarg Alm Mons Exmo Exma Eng Arq Des Min Dep Sen Gov "
    "Pres Sr Sra Dr Dra núm cap ed",
    "nl": "Rb Gen Kol Kap Maj Lt Luit Sgt Mgr Mr Ir Ing Min Burg Bisch jo nr nrs blz",
}
"""Abbreviations of courts, laws, ranks, offices and titles that spaCy does not list, by language."""


@lru_cache(maxsize=8)
def abbreviations(language: str) -> frozenset[str]:
    """Abbreviations of a language, spaCy's and more, with their full stops, in upper and lower case as listed.

    spaCy's are the strings in its file of exceptions, which is read, not imported: that takes seconds.

    Args:
        language: ISO 639-1 code.
    """
    file = language_file(language, "tokenizer_exceptions.py")
    more = frozenset(f"{word}." for word in _MORE.get(language, "").split())
    if file is None:
        return more
    strings = (
        node.value
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    listed = words(" ".join(strings))
    return more | frozenset(w for w in listed if w.endswith(".") and any(map(str.isalpha, w)))
