"""Macros that a LaTeX document defines stand for their text, and what is switched off is not read."""

from __future__ import annotations

from itertools import pairwise

import pytest

from colde.errors import ReadError
from tests.ingest.markup.latex_samples import latex, latex_text

MARTIN = r"\newcommand{\martin}{house martin}"


@pytest.mark.parametrize(
    ("preamble", "body", "text"),
    [
        (r"\DeclareRobustCommand{\who}[1][Bob]{Dr.~#1 Smith}", r"We met \who[Ann] and \who{} here.",
         "We met Dr. Ann Smith and Dr. Bob Smith here."),
        (r"\newcommand*\mill{Old Mill}\newcommand{\pair}[2]{#2 before #1}", r"\pair{a}{b} at the \mill.",
         "b before a at the Old Mill."),
        (r"\newcommand{\lodge}{Fern Lodge\xspace}", r"The \lodge stands; (\lodge), \lodge's \lodge\ roof.",
         "The Fern Lodge stands; (Fern Lodge), Fern Lodge's Fern Lodge roof."),
        (r"\newcommand{\a}{one}\providecommand{\a}{two}\providecommand\b{bee}\def\c{\a\ and \b}", r"\c, \a.",
         "one and bee, one."),
        (r"\newcommand{\a}{one}\renewcommand{\a}{three}", r"\a{} of them.", "three of them."),
        (r"\def\from #1 to #2.{between #1 and #2,}\def\at(#1,#2){#2 by #1}", r"\from 3 to 9. \at(x,y)",
         "between 3 and 9, y by x"),
        (r"\newcommand{\make}[1]{\newcommand{\city}{#1 city}}", r"\make{Cork}The \city{} is wet.",
         "The Cork city is wet."),
        (r"\newcommand{\x}[1]{\y{#1}{beta}}\newcommand{\y}[2]{\z[#2]{#1}}\newcommand{\z}[2][q]{#1: #2}", r"\x{alpha}",
         "beta: alpha"),
        (r"\newcommand{\hl}[1]{\textbf{#1}}", r"Rain is \hl{a \hl{very great} enemy} here.",
         "Rain is a very great enemy here."),
        (r"\NewDocumentCommand{\g}{s o m}{\IfBooleanTF{#1}{starred}{plain} \IfNoValueTF{#2}{none}{#2} #3}",
         r"\g{x}; \g*{y}; \g[o]{z}", "plain none x; starred none y; plain o z"),
        (r"\NewDocumentCommand\h{D||{dd} +m O{last}}{#1-#2-#3}", r"\h|in|{y} \h{z}[end]", "in-y-last dd-z-end"),
        (r"\newcommandx*{\ferry}[3][1=early,3={north, far}]{the #1 ferry #2 to the #3}",
         r"\ferry{at ten}; \ferry[late]{now}[south].",
         "the early ferry at ten to the north, far; the late ferry now to the south."),
        (r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}", r"$\abs{x}$, $\abs*{y}$, $\abs[\big]{z}$.",
         "|x|, |y|, |z|."),
        (r"\DeclareMathOperator{\Cov}{Cov}\newcommand{\R}{\mathbb{R}}", r"Let $\Cov(X,Y)$ be in $\R$.",
         "Let Cov(X,Y) be in ℝ."),
        (r"\newcommand{\old}[1]{(#1)}\let\kept\old\renewcommand{\old}[1]{\kept{#1}!}", r"\old{a} \kept{b}", "(a)! (b)"),
        (r"\makeatletter\newcommand{\@inner}{Inner text}\newcommand{\pub}{\@inner\ here}\makeatother", r"\pub.",
         "Inner text here."),
        (r"\newcommand{\town}{Ely}\expandafter\def\csname foo\endcsname{Foo}", r"\csname town\endcsname{} and \foo.",
         "Ely and Foo."),
        (r"\def\list{one}\edef\list{\list, two}", r"\list.", "one, two."),
        (r"\newcommand{\k}[1]{% a remark" "\n  word #1% end\n}", r"\k{abc} done.", "word abc done."),
        ("", r"Before. \newcommand{\tern}{Arctic tern} The \tern{} flies.", "Before. The Arctic tern flies."),
        (r"\newenvironment{care}[1]{\textbf{#1!} }{ (End.)}", "\\begin{care}{Stop}Do not run.\\end{care}",
         "Stop! Do not run. (End.)"),
        (r"\NewDocumentEnvironment{bx}{O{D} m}{#1/#2: }{ Done.}", r"\begin{bx}[T]{m}Inner.\end{bx}",
         "T/m: Inner. Done."),
        (r"\NewEnviron{hide}{}\NewEnviron{show}{Seen: \BODY}",
         r"A. \begin{hide}Gone.\end{hide} \begin{show}B.\end{show}", "A. Seen: B."),
        (r"\makeatletter\DeclareRobustCommand\onedot{\futurelet\@next\@onedot}"
         r"\def\@onedot{\ifx\@next.\else.\null\fi\xspace}\def\eg{e.g\onedot}\makeatother",
         r"Gulls, \eg terns, \eg. Here.", "Gulls, e.g. terns, e.g. Here."),
        (r"\newcommand{\salt}{salt}", "\\begin{verbatim}\n\\salt stays.\n\\end{verbatim}", r"\salt stays."),
        (MARTIN, "The \\martin % not here\nflies.\n%\nIt nests.", "The house martin flies. It nests."),
    ],
)  # fmt: skip
def test_macros_stand_for_their_text(preamble: str, body: str, text: str) -> None:
    assert latex_text(body, preamble) == text


BOB = r"\newcommand{\who}{Bob}\newcommand{\other}{Eve}\newif\ifdraft "


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"{\def\who{Ann}\who{} came.} \who{} left.", "Ann came. Bob left."),
        (r"\begingroup\renewcommand{\who}{Ann}\who{} came.\endgroup{} \who{} left.", "Ann came. Bob left."),
        (r"\bgroup\let\who\other \who{} came.\egroup{} \who{} left.", "Eve came. Bob left."),
        (r"\begin{quote}\def\who{Ann}\who{} came.\end{quote} \who{} left.", "Ann came.\n\nBob left."),
        (r"{\large{\def\who{Ann}\who} \who} {{\def\who{Eve}\who} \who}.", "Ann Bob Eve Bob."),
        (r"{\newcommand{\pet}{cat}A \pet.} {\newcommand{\pet}{dog}A \pet.}", "A cat. A dog."),
        (r"{\drafttrue\ifdraft Draft\fi} \ifdraft Draft\else Final\fi.", "Draft Final."),
        (r"\newenvironment{care}[1]{\def\who{#1}\who! }{ \who{} ends.}"
         r"\begin{care}{Ann}It came.\end{care} \who{} left.", "Ann! It came. Ann ends. Bob left."),
        (r"{\gdef\who{Ann}}{\long\global\def\pet{cat}}{\def\who{Eve}}\who{} has a \pet.", "Ann has a cat."),
        (r"\newcommand{\set}[1]{\renewcommand{\who}{#1}}\set{Ann}\who{} left.", "Ann left."),
        (r"\unknown[x]{\def\who{Ann}} \who{} left.", "Ann left."),
        (r"\AtBeginDocument{\renewcommand{\who}{Ann}}\who{} left.", "Ann left."),
        (r"{\def\who{Ann} \begin{quote}It came.} \who{} left.\end{quote}", "It came. Bob left."),
    ],
)  # fmt: skip
def test_a_definition_ends_with_its_group(body: str, text: str) -> None:
    assert latex_text(body, BOB) == text


def test_a_macro_that_makes_headings_makes_them() -> None:
    document = latex(
        r"\chap{First}One. \chap{Second}Two.", r"\newcommand{\chap}[1]{\section{#1}\label{s:#1}}"
    )
    assert [s.heading for s in document.sections] == ["First", "Second"]


def test_definitions_do_not_replace_what_makes_the_structure() -> None:
    document = latex(
        r"\section{Ponds}One. \section{Dykes}Two.",
        r"\renewcommand{\section}[1]{\textbf{#1}}\renewcommand{\cite}[1]{[#1]}",
    )
    assert [s.heading for s in document.sections] == ["Ponds", "Dykes"]


def test_macros_without_end_are_left_out_and_named() -> None:
    document = latex(r"Text \a{} and \b{} goes on.", r"\def\a{x\a}\newcommand{\b}{\c\c}\newcommand{\c}{\b}")
    assert document.text == "Text and goes on."
    assert "repeat themselves without end" in str(document.warnings[0])


def test_macros_that_grow_end_early() -> None:
    """Each of nine macros stands for the next one ten times: 10^9 words."""
    names = "abcdefghij"
    definitions = "".join(f"\\newcommand{{\\{a}}}{{{f'{chr(92)}{b}{{}}' * 10}}}" for a, b in pairwise(names))
    document = latex(r"Text \a{} goes on.", definitions + r"\newcommand{\j}{bang}")
    assert document.text == "Text goes on."
    with pytest.raises(ReadError, match="stand for more than") as caught:
        latex(r"\a" * 200, r"\newcommand{\a}{\b}\newcommand{\b}{" + "word " * 10_000 + "}")
    assert caught.value.reason == "too_large"


@pytest.mark.parametrize(
    ("preamble", "body", "text"),
    [
        ("", r"A. \iffalse B. \iffalse C. \fi D. \fi E.", "A. E."),
        ("", r"A. \iftrue B. \else C. \fi D.", "A. B. D."),
        ("", r"\iffalse A. \else B. \iffalse C. \else D. \fi \fi E.", "B. D. E."),
        (r"\newif\ifdraft", r"\ifdraft Draft.\else Final.\fi \drafttrue \ifdraft Shown.\fi", "Final. Shown."),
        (r"\newif\iflong\longtrue", r"\iflong Long.\fi \longfalse\iflong Gone.\else Short.\fi", "Long. Short."),
        ("", r"\ifnum 3>2 Yes.\else No.\fi \ifodd 4 Odd.\else Even.\fi", "Yes. Even."),
        ("", r"\unless\iffalse A.\else B.\fi \iffalse\unless\ifx a b C.\fi D.\fi{} E.", "A. E."),
        ("", r"\lstinline{f(x)} \textit{is} \mintinline{c}{int {a}} or \mintinline{c}|g|.", "f(x) is int {a} or g."),
        ("", r"\ifcase 1 Zero.\or One.\or Two.\else More.\fi End.", "One. End."),
        (r"\newcommand{\yes}{y}", r"\ifdefined\yes A.\else B.\fi \ifx\nothing\undefined C.\fi", "A. C."),
        (r"\newboolean{full}\setboolean{full}{true}\newtoggle{t}",
         r"\ifthenelse{\boolean{full}}{Full.}{Short.} \iftoggle{t}{On.}{Off.}", "Full. Off."),
        (r"\excludecomment{secret}\includecomment{open}",
         "A.\n\\begin{secret}\nB.\n\\end{secret}\n\\begin{open}\nC.\n\\end{open}", "A.\n\nC."),
        ("", "A.\n\\begin{comment}\n\\end{document}\nB. 100%\n\\end{comment}\nC.", "A.\n\nC."),
        ("", r"A.\end{document} \section{B} B.", "A."),
        ("", r"$a \iff b$ is no condition \iffalse but $c \iff d$ \ifthenelse{x}{y}{z} is off \fi here.",
         "a ⇔ b is no condition here."),
        ("", r"\lstinline[language=C]|int \iffalse| and \lstinline{x} and \verb+a|b+.", r"int \iffalse and x and a|b."),
        ("", "\\verb|\\iffalse| stays. \\url{http://x.org/a%20b} stays.", r"\iffalse stays. http://x.org/a%20b stays."),
        ("", "\\begin{verbatim}\n\\iffalse 100% code\n\\end{verbatim}\nAfter.", "\\iffalse 100% code\n\nAfter."),
    ],
)  # fmt: skip
def test_what_is_switched_off_is_not_read(preamble: str, body: str, text: str) -> None:
    assert latex_text(body, preamble) == text
