"""LaTeX by pylatexenc: sections, paragraphs, lists, captions, notes and references, without the preamble."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from colde.ingest.blocks import Block
from colde.ingest.character_encoding import decode
from colde.ingest.layout_tables import table_text
from colde.ingest.line_end_hyphens import join_broken_lines
from colde.ingest.outline import document_from_blocks
from colde.ingest.reading_limits import Reading
from colde.text.document import Document, ReadWarning, Role
from colde.text.stop_words import words

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

SUFFIXES = (".tex", ".latex", ".ltx")
_BEGINNING = re.compile(rb"(?:\s|%[^\n]*\n)*+\\(?:documentclass|documentstyle)\b")
_LEVELS = {
    "part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5, "paragraph": 6, "subparagraph": 7,
}  # fmt: skip
_ENVIRONMENT_ROLES: dict[str, Role] = {
    "thebibliography": "references", "tabular": "table", "tabularx": "table", "longtable": "table", "array": "table",
    "tabular*": "table", "tabulary": "table",
}  # fmt: skip
_EQUATIONS = words("equation align gather multline eqnarray displaymath flalign alignat math subequations")
_CODE = words("verbatim lstlisting minted Verbatim alltt verbatimtab")
_SKIPPED_ENVIRONMENTS = words("tikzpicture comment filecontents picture pgfpicture forest CCSXML titlepage")
_SKIPPED_MACROS = words(
    "label bibliographystyle bibliography includegraphics maketitle tableofcontents listoffigures listoftables "
    "usepackage setcounter setlength addtolength vspace hspace pagestyle thispagestyle newcommand renewcommand index "
    "input include hypersetup addcontentsline author date thanks affiliation email bibitem centering title def let"
)
_LEFT_OUT_TEXT = words(
    "cite citep citet citealp citealt parencite textcite autocite footcite nocite ref eqref autoref cref Cref "
    "pageref label thanks"
)
_ROW_ENDS = ("\\", "tabularnewline", "endhead", "endfirsthead", "endfoot", "endlastfoot")
_RULES = words("hline toprule midrule bottomrule cline cmidrule noalign caption label")
_SECOND_ARGUMENT = words("href hyperlink hypertarget textcolor colorbox foreignlanguage texorpdfstring")
"""Macros whose text is their second argument."""
_SIGNS = {
    "textgreater": ">", "textless": "<", "textbar": "|", "textasciitilde": "~", "textasciicircum": "^",
    "textquotesingle": "'", "textquotedbl": '"', "textasciigrave": "`",
}  # fmt: skip
_ARGUMENTS = {
    "*[{": frozenset(_LEVELS), "*[[{": _LEFT_OUT_TEXT - {"label"},
    "[{": words("title todo bibitem subfile caption subcaption footnotetext endnote"),
    "{{": _SECOND_ARGUMENT | words("def let"), "{{{": words("multicolumn multirow"), "[{{": words("parbox"),
    "{": words("bibliography bibliographystyle affiliation email index hypersetup pagestyle thispagestyle"),
}  # fmt: skip
_ENVIRONMENT_ARGUMENTS = {
    "{": words("thebibliography multicols"), "[{": words("minipage longtable"),
    "{{": words("tabularx wrapfigure tabulary"),
}  # fmt: skip
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_SPACE_BEFORE_POINT = re.compile(r"\s+([.,;:)])")
_MAX_DEPTH = 60


def accepts(data: bytes, name: str) -> bool:
    """Whether a text begins as LaTeX documents do."""
    return _BEGINNING.match(data[:20_000]) is not None


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read the body of a LaTeX document. Other files that it includes are not read; a warning names them."""
    from pylatexenc.latexwalker import LatexWalker

    decoded = decode(data, name)
    source = join_broken_lines(decoded.text)
    walker = LatexWalker(source, latex_context=_syntax(), tolerant_parsing=True)
    nodes, _, _ = walker.get_latex_nodes()
    reader = _Reader(source)
    titles = [n for n in _all_nodes(nodes, _MAX_DEPTH) if _macro(n) == "title"]
    title = reader.argument(titles[0]) if titles else ""
    body = next((n for n in nodes if _environment(n) == "document"), None)
    reader.walk(nodes if body is None else body.nodelist)
    reader.flush()
    warnings = decoded.warnings
    if reader.included:
        files = ", ".join(dict.fromkeys(reader.included))
        warnings = (
            *warnings,
            ReadWarning(f"other files that the document includes were not read: {files[:200]}"),
        )
    return document_from_blocks(
        reader.blocks, name=name, format="latex", title=title, title_in_text=True, warnings=warnings
    )


@lru_cache(maxsize=1)
def _syntax() -> Any:
    """The arguments of macros that the library does not know."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    context = get_default_latex_context_db()
    macros = [MacroSpec(name, arguments) for arguments, names in _ARGUMENTS.items() for name in names]
    environments = [EnvironmentSpec(n, a) for a, names in _ENVIRONMENT_ARGUMENTS.items() for n in names]
    context.add_context_category("more", prepend=True, macros=macros, environments=environments)
    return context


@lru_cache(maxsize=1)
def _converter() -> LatexNodes2Text:
    """Makes text of nodes; marks of references and citations are left out."""
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    context = get_default_latex_context_db()
    left_out = [MacroTextSpec(name, simplify_repl="") for name in _LEFT_OUT_TEXT]
    kept = [MacroTextSpec(name, simplify_repl="%(2)s") for name in _SECOND_ARGUMENT]
    kept += [MacroTextSpec(name, simplify_repl="%(1)s") for name in ("texttt", "url")]
    kept += [MacroTextSpec(name, simplify_repl="%(3)s") for name in ("multicolumn", "multirow")]
    kept += [MacroTextSpec(name, simplify_repl=sign) for name, sign in _SIGNS.items()]
    context.add_context_category("changed", prepend=True, macros=[*left_out, *kept])
    return LatexNodes2Text(
        latex_context=context, math_mode="text", keep_comments=False, strict_latex_spaces=False
    )


class _Reader:
    def __init__(self, source: str) -> None:
        self.blocks: list[Block] = []
        self.included: list[str] = []
        self._source = source
        self._inline: list[Any] = []
        self._notes: list[str] = []
        self._role: Role | None = None
        self._quotations = 0
        self._depth = 0

    def walk(self, nodes: Iterable[Any]) -> None:
        """Read nodes in order."""
        self._depth += 1
        for node in nodes if self._depth < _MAX_DEPTH else ():
            macro, environment = _macro(node), _environment(node)
            if macro:
                self._take_macro(macro, node)
            elif environment:
                self._take_environment(environment.rstrip("*"), node)
            elif hasattr(node, "displaytype") and node.displaytype == "display":
                self._add(_text([node]), "equation")
            elif hasattr(node, "chars"):
                self._take_characters(node)
            elif hasattr(node, "nodelist") and _has_structure(node.nodelist):
                self.walk(node.nodelist)
            elif not hasattr(node, "comment"):
                self._inline.append(node)
        self._depth -= 1

    def flush(self) -> None:
        """End the current paragraph, and put its notes behind it."""
        text, self._inline = _text(self._inline), []
        if text:
            self.blocks.append(Block(text, role=self._role, quoted=self._quotations > 0))
        notes, self._notes = self._notes, []
        self.blocks.extend(Block(note, role="footnote") for note in notes if note)

    def argument(self, node: Any) -> str:
        """The text of the last argument of a macro that is in braces."""
        arguments = [a for a in _arguments(node) if a is not None]
        return _text([arguments[-1]]) if arguments else ""

    def _add(self, text: str, role: Role | None) -> None:
        self.flush()
        if text:
            self.blocks.append(Block(text, role=role))

    def _take_characters(self, node: Any) -> None:
        first, *others = _PARAGRAPH_END.split(node.chars)
        self._inline.append(first)
        for part in others:
            self.flush()
            self._inline.append(part)

    def _take_macro(self, macro: str, node: Any) -> None:
        macro = macro.rstrip("*")
        if macro in _LEVELS:
            self.flush()
            self.blocks.append(Block(self.argument(node), _LEVELS[macro]))
        elif macro in ("footnote", "footnotetext", "endnote"):
            self._notes.append(self.argument(node))
        elif macro in ("caption", "captionof"):
            self._add(self.argument(node), "caption")
        elif macro in ("item", "bibitem"):
            self.flush()
            self._inline.extend(a for a in _arguments(node)[:1] if a is not None and macro == "item")
        elif macro in ("par", "newpage", "clearpage", "bigskip", "medskip"):
            self.flush()
        elif macro in ("input", "include", "subfile"):
            self.included.append(self.argument(node) or "a file")
        elif macro not in _SKIPPED_MACROS:
            self._take_text_macro(macro, node)

    def _take_text_macro(self, macro: str, node: Any) -> None:
        """A macro that changes how text looks; what it holds may be headings and paragraphs, too."""
        arguments = [a for a in _arguments(node) if a is not None]
        arguments = arguments[-1:] if macro in _SECOND_ARGUMENT else arguments
        if _has_structure(arguments):
            self.walk(arguments)
        else:
            self._inline.append(node)

    def _take_environment(self, name: str, node: Any) -> None:
        if name in _SKIPPED_ENVIRONMENTS:
            return
        self.flush()
        if name in _CODE:
            self._add(_verbatim(self._source, node), self._role)
        elif name in _EQUATIONS:
            self._add(_text([node]), "equation")
        elif name in _ENVIRONMENT_ROLES and name != "thebibliography":
            self._add(_table(node.nodelist), "table")
        else:
            if name == "abstract":
                self.blocks.append(Block("Abstract", _LEVELS["section"]))
            role, self._role = self._role, _ENVIRONMENT_ROLES.get(name, self._role)
            self._quotations += name in ("quote", "quotation")
            self.walk(node.nodelist)
            self.flush()
            self._quotations -= name in ("quote", "quotation")
            self._role = role


def _macro(node: Any) -> str:
    return str(getattr(node, "macroname", "") or "")


def _environment(node: Any) -> str:
    return str(getattr(node, "environmentname", "") or "")


def _arguments(node: Any) -> Sequence[Any]:
    arguments = getattr(node, "nodeargd", None)
    return (arguments.argnlist or ()) if arguments is not None else ()


def _all_nodes(nodes: Iterable[Any], depth: int) -> Iterator[Any]:
    """All nodes, with those in groups, environments and arguments."""
    for node in nodes if depth else ():
        if node is not None:
            yield node
            yield from _all_nodes([*(getattr(node, "nodelist", None) or ()), *_arguments(node)], depth - 1)


def _has_structure(nodes: Iterable[Any]) -> bool:
    """Whether headings, notes, captions or paragraphs are among the nodes, at any depth."""
    marks = {*_LEVELS, "footnote", "caption", "item", "par"}
    return any(
        _macro(n).rstrip("*") in marks or _environment(n) or "\n\n" in getattr(n, "chars", "")
        for n in _all_nodes(nodes, 8)
    )


def _text(nodes: Sequence[Any]) -> str:
    """The text of nodes on one line; strings among them are text already."""
    from pylatexenc.latexwalker import LatexCharsNode

    made = [LatexCharsNode(parsing_state=None, chars=n) if isinstance(n, str) else n for n in nodes]
    try:
        text = " ".join(_converter().nodelist_to_text(made).split())
    except (IndexError, AttributeError, TypeError):  # a macro without its arguments
        text = " ".join(n.latex_verbatim() if hasattr(n, "latex_verbatim") else "" for n in nodes)
    return _SPACE_BEFORE_POINT.sub(r"\1", text)


def _table(nodes: Sequence[Any]) -> str:
    rows: list[list[list[Any]]] = [[[]]]
    for node in nodes:
        if _macro(node) in _ROW_ENDS:
            rows.append([[]])
        elif getattr(node, "specials_chars", "") == "&":
            rows[-1].append([])
        elif _macro(node) not in _RULES:
            rows[-1][-1].append(node)
    lines = table_text(map(_text, cells) for cells in rows).split("\n")
    # A head is written twice, again for the second page.
    return "\n".join(line for line, _ in itertools.groupby(lines))


def _verbatim(source: str, node: Any) -> str:
    """The lines of code of an environment."""
    text = source[node.pos : node.pos + node.len]
    inner = re.sub(r"\A\\begin\{[^}]*\}(?:\[[^\]]*\])?|\\end\{[^}]*\}\Z", "", text)
    return inner.expandtabs(4).strip("\n")
