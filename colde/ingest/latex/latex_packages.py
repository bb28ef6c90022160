"""Macros of LaTeX and its packages whose arguments are not all text: which of them are read, and which are settings.

The argument of a macro that stands neither here nor in the library is text.
"""

from __future__ import annotations

from colde.ingest.latex.latex_definitions import Macro, xparse_arguments
from colde.text.word_lists.stop_words import words

LEVELS = {
    "part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5, "paragraph": 6, "subparagraph": 7,
    "frametitle": 6,
}  # fmt: skip
"""Levels of headings."""
REFERENCES = words(
    "cite citep citet citealp citealt parencite textcite autocite footcite footcitetext smartcite supercite "
    "fullcite Citet Citep Parencite Textcite Autocite citeauthor citeyear citeyearpar citetitle nocite ref eqref "
    "autoref cref Cref nameref vref Vref pageref labelcref subref label thanks footnotemark"
)
"""Marks of citations and of places in the text, which are left out."""
SKIPPED_MACROS = words(
    "bibliographystyle bibliography includegraphics maketitle tableofcontents listoffigures listoftables "
    "documentclass usepackage RequirePackage setcounter setlength addtolength pagestyle thispagestyle index "
    "hypersetup addcontentsline author date thanks affiliation email bibitem centering title def let label"
)
"""Macros that the reader leaves out with their arguments."""
KEPT_MACROS = (
    words(
        "begin end footnote footnotetext endnote caption captionof subcaption item par input include subfile "
        "abstract newpage clearpage bigskip medskip and"
)
    | frozenset(LEVELS) | REFERENCES | SKIPPED_MACROS
)  # fmt: skip
"""Macros that make the structure of a document; definitions do not replace them."""
WITHOUT_ARGUMENTS = words(
    "par item newpage clearpage bigskip medskip smallskip centering hline and tiny scriptsize footnotesize small "
    "normalsize large Large LARGE huge Huge it bf rm sf tt sc sl em itshape slshape upshape scshape bfseries mdseries "
    "rmfamily sffamily ttfamily normalfont ldots dots"
)
"""Macros that take no argument: braces behind them are a group."""
CODE_ENVIRONMENTS = words(
    "verbatim lstlisting minted Verbatim BVerbatim LVerbatim SaveVerbatim alltt verbatimtab filecontents "
    "VerbatimOut tcblisting"
)
"""Environments whose content is no LaTeX."""
TITLED_ENVIRONMENTS = {
    "frame": "frametitle", "block": "subparagraph", "alertblock": "subparagraph", "exampleblock": "subparagraph",
}  # fmt: skip
"""Environments of slides whose first argument is a title, and the macro for a heading of that kind."""
OVERLAID = words("item only uncover visible onslide alert alt textbf emph pause framesubtitle")
"""Macros that may name the steps of a slide in angle brackets."""
_TEXT_ARGUMENT = {
    "m #1": "textsf textmd textup textsl textrm textnormal text mbox hbox vbox fbox frame uline uuline uwave "
            "dashuline dotuline ul hl so caps centerline leftline rightline rlap llap clap mathclap reflectbox "
            "MakeUppercase MakeLowercase MakeTextUppercase MakeTextLowercase uppercase lowercase alert structure "
            "texttt ensuremath textsw textulc textin textnumero textinit textlf textsmaller textlarger ce",
    "o m #2": "textls smash shortstack hyperref added highlight subfloat tcbox",
    "o o m #3": "makebox framebox",
    "m m #1": "texorpdfstring",
    "m m #2": "hyperlink hypertarget adjustbox foreigntextquote",
    "m m m #3": "multicolumn",
    "o m m #3": "textcolor colorbox foreignlanguage rotatebox",
    "o m m #2": "replaced",
    "o m m #2#3": "lettrine",
    "o m m \\frac{#2}{#3}": "nicefrac sfrac textfrac xfrac",
    "o m o m m #5": "fcolorbox",
    "o o o m m #5": "parbox",
    "m o o m #4": "raisebox",
    "m o m #3": "scalebox",
    "s m m m #4": "resizebox",
    "o m o m o m #6": "multirow",
    "s o m #3": "makecell thead",
    "s m “#2”": "enquote",
    "m “#1”": "say",
    "o o m o “#3”": "textquote blockquote blockcquote textcquote",
    "o m \\footnote{#2}": "marginpar marginnote",
    "o o m \\footnote{#3}": "sidenote sidenotetext",
    "m \\textsuperscript{#1}": "up fup uptext",
}  # fmt: skip
"""How arguments are taken, what is read of them, and the macros."""
_NO_TEXT = {
    "": "protect xspace noindent indent allowbreak sloppy fussy raggedright raggedleft leavevmode phantomsection "
        "frontmatter mainmatter backmatter appendix printindex makeindex makeglossaries printglossaries listoftodos "
        "null relax strut break smallbreak filbreak goodbreak raggedbottom flushbottom onecolumn normalcolor "
        "boldmath unboldmath singlespacing onehalfspacing doublespacing "
        "long outer pause protected immediate expandafter noexpand unskip ignorespaces",
    "m": "setstretch fontfamily fontseries fontshape selectlanguage newlength newsavebox usebox stepcounter "
         "refstepcounter theoremstyle hyphenation graphicspath lstset tikzset pgfplotsset usetikzlibrary "
         "pgfplotstableset usepgfplotslibrary markright cline pagenumbering urlstyle geometry phantom typeout "
         "message value arabic roman Roman alph Alph fnsymbol vphantom DeclareGraphicsExtensions setcitestyle "
         "externaldocument includeonly sisetup addfontfeatures addfontfeature tcbset hypersetup "
         "newacronymstyle bibpunct numberline linenumbers setdefaultlanguage setmainlanguage setotherlanguage "
         "setotherlanguages microtypesetup addtokomafont ihead ohead chead institute",
    "o": "linebreak pagebreak nopagebreak nolinebreak newline printbibliography addlinespace footnotemark "
         "newrefsection printglossary printacronyms",
    "s m": "vspace hspace enlargethispage addvspace",
    "m m": "fontsize addtolength addtocounter settowidth settoheight settodepth markboth addtocontents numberwithin "
           "counterwithin counterwithout DeclareUnicodeCharacter PassOptionsToPackage pgfmathsetmacro setkeys "
           "newcites DeclareSymbolFont sbox setbeamercolor setbeamerfont setkomafont addtokomafont newglossary "
           "AtBeginEnvironment AtEndEnvironment",
    "m o": "newcounter",
    "m m m": "specialrule Crefname crefname",
    "m m m m": "usefont DeclareSymbolFontAlphabet",
    "o m": "color pagecolor rowcolor cellcolor columncolor todo missingfigure fixme fxnote fxwarning fxerror "
           "fxfatal includepdf usetheme usecolortheme usefonttheme captionsetup addbibresource deleted fancyhead "
           "fancyfoot fancyhf lhead rhead lfoot cfoot rfoot linespread setmathfont savebox keywords arrayrulecolor "
           "setlist hphantom comment",
    "o m o": "setmainfont setsansfont setmonofont setromanfont",
    "o m m": "rule pdfbookmark definechangesauthor newfontfamily savesymbol",
    "o m m m": "definecolor providecolor",
    "o d() m": "cmidrule",
    "s m m m m o": "titlespacing",
    "s m o m m m m o": "titleformat",
    "s o o m": "includegraphics",
    "s m o m o": "newtheorem",
    "m o m": "newcolumntype setbeamertemplate colorlet",
}  # fmt: skip
"""How arguments are taken, and macros of which nothing is read."""
_BLANKS = words("hspace hfill hfil quad qquad enspace thinspace newline linebreak break addlinespace")
SETTINGS_WITH_NUMBER = words(
    "vskip hskip kern mkern mskip parindent parskip baselineskip hsize vsize hoffset voffset tabcolsep columnsep "
    "itemsep parsep topsep partopsep labelsep leftskip rightskip topskip lineskip textwidth textheight topmargin "
    "oddsidemargin evensidemargin penalty tolerance pretolerance emergencystretch hyphenpenalty exhyphenpenalty "
    "clubpenalty widowpenalty looseness interlinepenalty brokenpenalty hangindent hangafter footskip headheight "
    "headsep headwidth abovedisplayskip belowdisplayskip fboxsep fboxrule lefthyphenmin righthyphenmin"
)
"""Lengths and penalties, which may be followed by a number that is no text."""


def _macros() -> dict[str, Macro]:
    made = {}
    for description, names in _NO_TEXT.items():
        for name in words(names):
            made[name] = Macro(xparse_arguments(description), " " if name in _BLANKS else "")
    for description, names in _TEXT_ARGUMENT.items():
        types, _, body = description.rpartition(" ")
        for name in words(names):
            made[name] = Macro(xparse_arguments(types), f"{{{body}}}" if body.startswith("#") else body)
    return made


PACKAGE_MACROS = _macros()
"""Macros of packages, as the document itself might define them."""
