"""The text that LaTeX prints: arguments of macros and no settings, numbers with units, formulas, hyphens."""

from __future__ import annotations

import pytest

from colde.errors import ReadError
from colde.ingest import read
from tests.ingest.markup.latex_samples import latex, latex_text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\SI{3e8}{\metre\per\second}", "3 × 10^8 m/s"),
        (r"\qty{9.81}{m.s^{-2}}", "9.81 m s^-2"),
        (r"\qty[per-mode=symbol]{5}{\km\per\hour}", "5 km/h"),
        (r"\unit{\kilo\gram\per\cubic\metre}", "kg/m^3"),
        (r"\si{\micro\second} or \unit{\square\metre}", "µs or m^2"),
        (r"\num{12345.678} and \num{1e-6}", "12345.678 and 1 × 10^-6"),
        (r"\num{5 \pm 1}", "5 ± 1"),
        (r"\numrange{10}{20}; \qtyrange{1}{2}{\percent}", "10 to 20; 1 % to 2 %"),
        (r"\numlist{1;2;3}; \SIlist{4;5}{\degreeCelsius}", "1, 2 and 3; 4 °C and 5 °C"),
        (r"\ang{45;30;} \ang{;;3} \qty{20}{\celsius}", "45°30′ 3″ 20 °C"),
        (r"\unit[5]{m} \unit[3--4]{$\Omega$} \unit{m^2} \unit[1.5]{\mu m}", "5 m 3–4 Ω m^2 1.5 µm"),
        (
            r"\unitfrac[5]{m}{s} \unitfrac{kg}{m^3 s} \nicefrac{1}{2} 2\nicefrac[\texttt]{1}{3}",
            "5 m/s kg/(m^3 s) 1/2 2 1/3",
        ),
        (r"\unit[inter-unit-product=.]{\metre\per\second} \unit[qualifier-phrase]{\metre}", "m/s m"),
        (r"\SI{10}[\$]{} \qtyproduct{2 x 3}{\metre}", "$10 2 m × 3 m"),
        (r"\DeclareSIUnit{\bushel}{bu}\qty{7}{\bushel}", "7 bu"),
    ],
)
def test_numbers_have_their_units(body: str, text: str) -> None:
    assert latex_text(body) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"the share $\frac{1}{20}$ of it", "the share 1/20 of it"),
        (r"$2\frac12$ or 2\nicefrac{1}{2} cups", "2 1/2 or 2 1/2 cups"),
        (r"$\frac{a+b}{c}$ and $\sqrt{2}x$ and $\sqrt[3]{8}$", "(a+b)/c and √2 x and ∛8"),
        (r"$10^6$, $10^{-3}$, 10$^{6}$, 10\textsuperscript{9}", "10^6, 10^-3, 10^6, 10^9"),
        (r"$x^{n+1}$ and $\sum_{i=1}^{n} x_i$", "x^(n+1) and ∑_(i=1)^n xi"),
        (r"H$_2$O, $^{14}$C, CO\textsubscript{2}, 20 m\textsuperscript{2}", "H2O, 14C, CO2, 20 m2"),
        (r"$90^\circ$, $4^{th}$, 5\textsuperscript{th}, 101\textsubscript{2}", "90°, 4th, 5th, 101_2"),
        (r"$\binom{n}{k}$ and $n_{max}$ and $\mathrm{CO_2}$", "(n k) and n_max and CO2"),
    ],
)
def test_formulas_and_raised_figures_keep_their_structure(body: str, text: str) -> None:
    assert latex_text(body) == text


@pytest.mark.parametrize(
    "macro",
    [
        "textsl", "textup", "textmd", "textnormal", "emph", "uline", "sout", "mbox", "fbox", "makebox[3cm][c]",
        "raisebox{1ex}", "rotatebox{90}", "scalebox{0.5}[0.3]", "resizebox{!}{2cm}", "fcolorbox{red}{blue}",
        "colorbox{red}", "textcolor[rgb]{1,0,0}", "href{http://x.org/a%20b}", "hyperref[sec:a]", "hyperlink{x}",
        "foreignlanguage{german}", "alert", "parbox[t]{3cm}", "unheardof", "unheardof[option]", "textls[50]",
        "multirow{2}{*}",
    ],
)  # fmt: skip
def test_the_argument_of_a_macro_is_text(macro: str) -> None:
    assert latex_text(f"Rain \\{macro}{{falls \\textsf{{on}}}} Sunday.") == "Rain falls on Sunday."


@pytest.mark.parametrize(
    "setting",
    [
        r"\setstretch{1.2}", r"\vspace*{1cm}", r"\color{red}", r"\fontsize{10}{12}\selectfont", r"\rule{1cm}{2pt}",
        r"\phantom{gone}", r"\definecolor{x}{rgb}{1,0,0}", r"\vskip 1cm plus 2pt", r"\parindent=0pt", r"\itemsep 0pt",
        r"\markboth{gone}{gone}", r"\todo[inline]{gone}", r"\pagenumbering{roman}", r"\titlespacing*{a}{b}{c}{d}",
        r"\label{sec:x}", r"\hspace{1cm}", r"\newtheorem{thm}[thmx]{Theorem}[section]", r"\cite[p.~3]{gone}",
    ],
)  # fmt: skip
def test_settings_are_no_text(setting: str) -> None:
    assert latex_text(f"Rain {setting} falls.") == "Rain falls."


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\begin{theorem}[Pythagoras]Squares add.\end{theorem}", "(Pythagoras) Squares add."),
        (r"\newtheorem{rul}{Rule}\begin{rul}[Ann]Wait.\end{rul}", "(Ann) Wait."),
        (
            r"\begin{enumerate}[label=(\alph*)]\item One.\item[Two] Other.\end{enumerate}",
            "One.\n\nTwo Other.",
        ),
        (r"\begin{tcolorbox}[title={Big Box},colback=red]In it.\end{tcolorbox}", "Big Box\n\nIn it."),
        (r"\begin{mdframed}[linewidth=1pt]Framed.\end{mdframed}", "Framed."),
        ("\\begin{unheardof}[draft]Mine.\\end{unheardof}", "Mine."),
        ("\\begin{unheardof}\n[He] spoke.\\end{unheardof}", "[He] spoke."),
        (r"\begin{adjustwidth}{1cm}{2cm}Adjusted.\end{adjustwidth}", "Adjusted."),
        (r"\begin{minipage}[t]{0.5\textwidth}Small.\end{minipage}", "Small."),
    ],
)
def test_options_of_environments_are_no_text_but_names_and_titles_are(body: str, text: str) -> None:
    assert latex_text(body) == text


def test_titles_of_slides_are_headings_and_steps_are_no_text() -> None:
    document = latex(
        r"\begin{frame}[fragile]{One}\begin{itemize}\item<1-> First.\item<2> Second.\end{itemize}\only<2>{Only.}\pause"
        r"\end{frame}\begin{frame}\frametitle{Two}\begin{block}{Three}Text.\end{block}\end{frame}"
    )
    assert [s.heading for s in document.sections] == ["One", "Two", "Three"]
    assert document.text.startswith("One\n\nFirst.\n\nSecond.\n\nOnly.\n\nTwo")


def test_letters_that_are_macros_stand_in_their_words() -> None:
    assert (
        latex_text(r"Stra\ss e, \o re, na\"ive, \glqq so\grqq{}, \LaTeX{} it is.")
        == "Straße, øre, naïve, „so“, LaTeX it is."
    )


def test_notes_in_headings_and_margins_are_notes() -> None:
    document = latex(
        r"\section{\texorpdfstring{Ponds}{Mark}\footnote{A note.}}One.\marginpar{Aside.} \section{B}Two."
    )
    assert [(s.heading, s.role) for s in document.sections] == [
        ("Ponds", None), (None, "footnote"), ("B", None),
    ]  # fmt: skip
    assert document.text.split("\n\n")[1:4] == ["One.", "A note.", "Aside."]


def test_terms_are_written_out_where_they_stand_first() -> None:
    preamble = (
        r"\newglossaryentry{pan}{name={salt pan},description={A pond, shallow}}"
        r"\newacronym{na}{NA}{Northern Agency}\DeclareAcronym{ea}{short=EA,long={Eastern Agency}}"
    )
    body = r"The \gls{pan}, \glspl{pan}; \gls{na}, \gls{na}; \ac{ea}, \ac{ea}."
    text = "The salt pan, salt pans; Northern Agency (NA), NA; Eastern Agency (EA), EA."
    assert latex_text(body, preamble) == text


def test_words_broken_at_line_ends_are_joined_as_the_document_writes_them() -> None:
    text = latex_text("We ate in the dining-\nhall. The dining-hall was a some-\nthing.\n\nSomething stood.")
    assert text.startswith("We ate in the dining-hall. The dining-hall was a something.")


@pytest.mark.parametrize("depth", [70, 150])
def test_deep_environments_are_read_or_refused_by_name(depth: int) -> None:
    body = "\\begin{center}" * depth + "Deep text." + "\\end{center}" * depth
    try:
        assert latex_text(body) == "Deep text."
    except ReadError as error:
        assert (error.reason, depth) == ("corrupt", 150)


@pytest.mark.parametrize("macro", ["d", "'", "footnote", "emph", "section", "unheardof", "sqrt", "frac{1}"])
def test_macros_inside_each_other_take_linear_time(macro: str) -> None:
    """Time that doubles at each level ends as too large."""
    nested = f"\\{macro}{{" * 40 + "a" + "}" * 40
    source = f"\\documentclass{{article}}\\begin{{document}}Some words. {nested} End.\\end{{document}}"
    assert "End." in read(source.encode(), name="x.tex", sandbox=True).text


@pytest.mark.parametrize("opening", ["{", "\\begin{center}", "\\textbf{", "\\emph{\\textbf{"])
def test_what_is_nested_thousands_of_times_is_refused_by_name(opening: str) -> None:
    with pytest.raises(ReadError, match="nested too deeply") as caught:
        latex(opening * 3000 + "Deep.")
    assert caught.value.reason == "corrupt"
