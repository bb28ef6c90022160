"""From nodes of pylatexenc to text on one line: formulas keep their structure, raised figures stay apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latex2text._defaultspecs import unicode_accents_list
from pylatexenc.latexwalker import LatexCharsNode, LatexGroupNode, LatexWalker
from pylatexenc.macrospec import EnvironmentSpec, MacroSpec, MacroStandardArgsParser

from colde.ingest.formulas.formula_notation import fraction, root
from colde.ingest.formulas.raised_figures import lowered_text, raised_text
from colde.ingest.latex.latex_packages import LEVELS, REFERENCES
from colde.text.word_lists.stop_words import words

_RAISED, _LOWERED, _END, _APART = "\ue000", "\ue001", "\ue002", "\ue003"
OWN_SIGNS = dict.fromkeys(map(ord, (_RAISED, _LOWERED, _END, _APART)))
"""Characters that stand for raised and lowered text on the way; the source of a document is freed of them."""
_SCRIPT = re.compile(f"([{_RAISED}{_LOWERED}])([^{_RAISED}{_LOWERED}{_END}]*){_END}")
_NEXT_TO_FRACTION = re.compile(rf"(?<=\w){_APART}(?=\w)")
_SIMPLE_SCRIPT = re.compile(r"[-+−]?(?:\d+(?:[.,]\d+)*|\w+)|[^\w\s]")
_DEGREES = re.compile(r"\^\(?[∘°]\)?")
_ORDINAL = re.compile(r"(?<=\d)\^\(?(st|nd|rd|th)\)?(?![a-z])")
_SPACE_BEFORE_POINT = re.compile(r"\s+([.,;:)])(?!\d)")
_SIGNS = {
    "textgreater": ">", "textless": "<", "textbar": "|", "textasciitilde": "~", "textasciicircum": "^",
    "textquotesingle": "'", "textquotedbl": '"', "textasciigrave": "`", "slash": "/", "-": "", "/": "", "@": "",
    "ne": "≠", "land": "∧", "lor": "∨", "neg": "¬", "lnot": "¬", "colon": ":", "Re": "Re", "Im": "Im", "iff": "⇔",
    "implies": "⇒", "impliedby": "⇐", "gets": "←", "triangle": "△", "bot": "⊥", "models": "⊨", "S": "§", "P": "¶",
    "copyright": "©", "pounds": "£", "ddag": "‡", "ddagger": "‡", "euro": "€", "EUR": "€", "LaTeX": "LaTeX",
    "TeX": "TeX", "flqq": "«", "frqq": "»", "glqq": "„", "grqq": "“", "glq": "‚", "grq": "‘", "og": "« ", "fg": " »",
    "checkmark": "✓", "textunderscore": "_", "textbraceleft": "{", "textbraceright": "}", "ohm": "Ω", "micro": "µ",
    "perthousand": "‰", "nobreakdash": "", "ier": "er", "iere": "re", "ieme": "e",
    **dict.fromkeys(("nonumber", "notag", "left", "right", "middle"), ""),
    **{name: name for name in ("det", "dim", "ker", "deg", "gcd", "Pr", "arg", "mod", "bmod")},
    "prime": "′", "quad": " ", "qquad": " ", "enspace": " ", "degree": "°", "textdegree": "°", "celsius": "°C",
    "footnote": "", "pmod": "(mod %(1)s)", "stackrel": "%(2)s", "overset": "%(2)s", "underset": "%(2)s", "tag": "",
}  # fmt: skip
_ARGUMENTS = {
    "*[{": frozenset(LEVELS), "*[[{": REFERENCES - {"label"}, "{": words(
        "bibliography bibliographystyle affiliation email index hypersetup pagestyle thispagestyle textsubscript "
        "textsuperscript operatorname mathbf mathbb mathcal mathfrak mathsf mathit mathtt mathscr boldsymbol bm pmb "
        "pmod tag overline underline widehat widetilde overrightarrow operatornamewithlimits url frametitle subfile"
    ),
    "[{": words("title bibitem caption subcaption footnotetext endnote sqrt author date documentclass usepackage"),
    "{{": words("captionof def let frac dfrac tfrac cfrac binom dbinom tbinom stackrel overset underset"),
}  # fmt: skip
_ENVIRONMENT_ARGUMENTS = {
    "{": words("thebibliography multicols multicols* spacing otherlanguage CJK rotate turn letter labeling "
               "tabbing* description* SCfigure lrbox environment"),
    "[{": words("minipage longtable varwidth subfigure subtable column adjustbox multline* tabu"),
    "{{": words("tabularx wraptable tabulary adjustwidth adjustwidth* list xltabular"),
    "[{[{": words("wrapfigure"),
}  # fmt: skip
_LETTERS = words("ss SS ae oe AE OE o O l L aa AA i j dh DH th TH glqq flqq glq flq")
"""Macros for parts of a word; the blank behind one only ends its name."""
_INDEX = re.compile(r"(?<![^\W_])([^\W\d_]{1,3})_(\d+|[^\W\d_])(?![\w(])")
"""An index that is written behind its letter in all formats: xi, H2."""
_FRACTIONS = words("frac dfrac tfrac cfrac")


class _OptionalArgument(MacroStandardArgsParser):  # type: ignore[misc]
    """The options of macros and environments that nothing is known of; in formulas, brackets are signs."""

    def __init__(self) -> None:
        super().__init__("[", optional_arg_no_space=True)

    def parse_args(self, w: Any, pos: int, parsing_state: Any = None) -> Any:
        if parsing_state is not None and parsing_state.in_math_mode:
            return MacroStandardArgsParser("").parse_args(w, pos, parsing_state=parsing_state)
        return super().parse_args(w, pos, parsing_state=parsing_state)


@lru_cache(maxsize=1)
def syntax() -> Any:
    """The arguments of macros and environments, for `LatexWalker`."""
    from pylatexenc.latexwalker import get_default_latex_context_db as default_syntax

    context = default_syntax()
    macros = [MacroSpec(name, a) for a, names in _ARGUMENTS.items() for name in names]
    environments = [EnvironmentSpec(n, a) for a, names in _ENVIRONMENT_ARGUMENTS.items() for n in names]
    context.add_context_category("more", prepend=True, macros=macros, environments=environments)
    context.set_unknown_macro_spec(MacroSpec("", args_parser=_OptionalArgument()))
    context.set_unknown_environment_spec(EnvironmentSpec("", args_parser=_OptionalArgument()))
    return context


class _Converter(LatexNodes2Text):  # type: ignore[misc]
    """Makes text of nodes in linear time. What braces group behind `^` and `_` stands in brackets."""

    def nodelist_to_text(self, nodelist: Sequence[Any]) -> str:
        parts: list[str] = []
        previous: Any = None
        for node in nodelist:
            if (
                previous is not None
                and self._is_bare_macro_node(previous)
                and node.isNodeType(LatexCharsNode)
            ):
                parts.append("" if previous.macroname in _LETTERS else previous.macro_post_space)
            text = self.node_to_text(node)
            if parts and parts[-1][-1:] in ("^", "_") and node.isNodeType(LatexGroupNode):
                text = text if _SIMPLE_SCRIPT.fullmatch(text) else f"({text})"
            if text:
                parts.append(text)
            previous = node
        return "".join(parts)

    def math_node_to_text(self, node: Any) -> str:
        text = _INDEX.sub(r"\1\2", super().math_node_to_text(node))
        if text[:1] in ("^", "_"):  # raised or lowered in a sentence
            inner = text[2:-1] if text[1:2] == "(" and text[-1] == ")" else text[1:]
            return f"{_RAISED if text[0] == '^' else _LOWERED}{inner}{_END}"
        return text


@lru_cache(maxsize=1)
def _converter() -> _Converter:
    context = get_default_latex_context_db()
    specs = [MacroTextSpec(name, simplify_repl="") for name in REFERENCES]
    specs += [MacroTextSpec(name, simplify_repl=sign) for name, sign in _SIGNS.items()]
    specs += [MacroTextSpec(name, simplify_repl=_fraction) for name in _FRACTIONS]
    specs += [MacroTextSpec(name, simplify_repl=_binomial) for name in ("binom", "dbinom", "tbinom")]
    specs += [
        *(MacroTextSpec(name, simplify_repl=_accent(mark)) for name, mark in unicode_accents_list),
        MacroTextSpec("sqrt", simplify_repl=_root),
        MacroTextSpec("textsuperscript", simplify_repl=_script(_RAISED)),
        MacroTextSpec("textsubscript", simplify_repl=_script(_LOWERED)),
        MacroTextSpec("url", simplify_repl="%(1)s"),
    ]
    context.add_context_category("changed", prepend=True, macros=specs)
    context.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=_arguments_in_braces))
    return _Converter(latex_context=context, math_mode="text", keep_comments=False, strict_latex_spaces=False)


def _argument(node: Any, number: int, converter: LatexNodes2Text) -> str:
    arguments = node.nodeargd.argnlist or () if node.nodeargd is not None else ()
    if number >= len(arguments) or arguments[number] is None:
        return ""
    argument = arguments[number]
    inner = argument.nodelist if argument.isNodeType(LatexGroupNode) else [argument]
    return str(converter.nodelist_to_text(inner)).strip()


def _fraction(node: Any, l2tobj: Any) -> str:
    text = fraction(_argument(node, 0, l2tobj), _argument(node, 1, l2tobj)).text
    return f"{_APART}{text}{_APART}"


def _binomial(node: Any, l2tobj: Any) -> str:
    return f"({_argument(node, 0, l2tobj)} {_argument(node, 1, l2tobj)})"


def _root(node: Any, l2tobj: Any) -> str:
    text = root(_argument(node, 1, l2tobj), _argument(node, 0, l2tobj)).text
    return f"{_APART}{text}{_APART}"


def _accent(mark: str) -> Callable[..., str]:
    """An accent stands on the first letter; the library's own function doubles nested ones at each level."""

    def replacement(node: Any, l2tobj: Any) -> str:
        text = _argument(node, 0, l2tobj) or " "
        first = {"ı": "i", "ȷ": "j"}.get(text[0], text[0])
        return unicodedata.normalize("NFC", first + mark) + text[1:]

    return replacement


def _script(sign: str) -> Callable[..., str]:
    def replacement(node: Any, l2tobj: Any) -> str:
        return f"{sign}{_argument(node, 0, l2tobj)}{_END}"

    return replacement


def _arguments_in_braces(node: Any, l2tobj: Any) -> str:
    """The text of a macro that nothing is known of, without its options."""
    arguments = node.nodeargd.argnlist or () if node.nodeargd is not None else ()
    groups = [a for a in arguments if a is not None and getattr(a, "delimiters", ("{",))[0] == "{"]
    return "".join(l2tobj.node_to_text(group) for group in groups)


def text_of(nodes: Sequence[Any]) -> str:
    """The text of nodes on one line; strings among them are text already."""
    made = [LatexCharsNode(parsing_state=None, chars=n) if isinstance(n, str) else n for n in nodes]
    try:
        text = _converter().nodelist_to_text(made)
    except (LookupError, AttributeError, TypeError):  # a macro without its arguments
        text = " ".join(n.latex_verbatim() if hasattr(n, "latex_verbatim") else "" for n in nodes)
    return _SPACE_BEFORE_POINT.sub(r"\1", " ".join(_with_scripts(text).split()))


def formula_from_tex(source: str) -> str:
    """A formula in TeX on one line."""
    text = source.translate(OWN_SIGNS).strip().strip("$").strip()
    nodes, _, _ = LatexWalker(f"$ {text} $", latex_context=syntax(), tolerant_parsing=True).get_latex_nodes()
    return text_of(nodes)


def _with_scripts(text: str) -> str:
    """A text with its raised and lowered parts in their places."""
    text = _NEXT_TO_FRACTION.sub(" ", text).replace(_APART, "")
    if "^" in text:
        text = _ORDINAL.sub(r"\1", _DEGREES.sub("°", text))
    if _END not in text:
        return text
    parts: list[str] = []
    end, before = 0, ""
    for match in _SCRIPT.finditer(text):
        parts.append(text[end : match.start()])
        before = (before + parts[-1])[-2:]
        write = raised_text if match[1] == _RAISED else lowered_text
        parts.append(write(match[2], before, text[match.end() : match.end() + 1]))
        end, before = match.end(), (before + parts[-1])[-2:]
    parts.append(text[end:])
    return "".join(parts).translate(OWN_SIGNS)
