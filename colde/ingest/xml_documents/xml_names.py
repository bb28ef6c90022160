"""The elements of articles (JATS), books (DocBook) and editions (TEI): what they are for."""

from __future__ import annotations

import re

from colde.text.document import Role
from colde.text.word_lists.stop_words import words

ROOTS = words(
    "article book chapter section part appendix preface set refentry sect1 sect2 reference TEI TEI.2 teiCorpus text tt "
    "front-stub body topic"
)
EDITIONS = words("TEI TEI.2 teiCorpus text")
"""Roots of documents whose quotations have their marks in the text, and whose elements `note` are footnotes."""
SECTIONS = words(
    "section sect1 sect2 sect3 sect4 sect5 simplesect chapter part appendix preface sec app refsection refsect1 "
    "refsect2 div div1 div2 div3 div4 glossary bibliography abstract trans-abstract ref-list ack notes "
    "refentry reference topic colophon dedication acknowledgements"
)
BOXES = words("boxed-text sidebar note tip warning caution important danger")
"""Parts beside the text; the title of one is a heading."""
TITLES = words("title head article-title refname")
SKIPPED = words(
    "journal-meta contrib-group aff pub-date permissions kwd-group history funding-group counts custom-meta-group "
    "article-id article-categories teiHeader indexterm fw lb-number metadata styling layout xref-label toc index "
    "object-id supplementary-material graphic inline-graphic media mediaobject inlinemediaobject author-notes alt "
    "alt-text long-desc subtitle titleabbrev self-uri related-article related-object elocation-id authorgroup "
    "copyright legalnotice pubdate revhistory isbn figDesc prolog "
    "remark comment keywordset subjectset itermset biblioid releaseinfo pubsnumber printhistory cover annotation "
    "refmeta beginpage lot shortcut del surplus metamark gap rdg rdgGrp wit witDetail index interp interpGrp"
)
METADATA = {
    "article-meta": words("title-group abstract trans-abstract"), "book-meta": words("abstract trans-abstract"),
    "front-stub": words("title-group abstract trans-abstract"),
}  # fmt: skip
"""Elements about the document, and what is read of them; those of DocBook are recognised by their names."""
READ_OF_INFO = words("title abstract")
CHOSEN = ("corr", "reg", "expan", "ex")
"""Of a word that an edition gives twice, the form that is read: the corrected, regular or written-out one."""
PARAGRAPHS = words(
    "p para simpara formalpara ab l lg term member item li dt dd shortdesc label-para speaker stage def-item "
    "item-text trailer opener closer mixed-citation element-citation citation bibliomixed biblioentry bibl "
    "entry-text subtitle-text refpurpose verse-line salute signed dateline segtitle seglistitem"
)
CODE = words("programlisting screen code-block literallayout preformat synopsis eg codeblock")
ROLES: dict[str, Role] = {
    "caption": "caption", "fig": "caption", "table-wrap": "caption", "fn": "footnote", "footnote": "footnote",
    "ref-list": "references", "bibliography": "references", "listBibl": "references", "disp-formula": "equation",
    "equation": "equation", "informalequation": "equation",
}  # fmt: skip
QUOTATIONS = words("blockquote disp-quote quote-block epigraph cit")
TABLES = words("table informaltable tgroup table-wrap-group")
CAPTIONED = words("figure table informaltable example table-wrap fig caption")
"""Elements whose title is a caption."""
LABELLED = words("fig table-wrap disp-formula figure caption")
"""Elements whose label is read: a figure's, not a section's."""
ROWS, CELLS = words("tr row"), words("td th entry cell")
RAISED, LOWERED = words("sup superscript"), words("sub subscript")
RENDERED_RAISED = re.compile(r"\b(?:sup|super|superscript|exponent)\b", re.IGNORECASE)
RENDERED_LOWERED = re.compile(r"\b(?:sub|subscript)\b", re.IGNORECASE)
BREAKS = {"lb": "\n", "br": "\n", "break": "\n", "sbr": "\n", "pb": " ", "cb": " ", "gb": " "}
"""Elements that end a line or a page, and what stands for them; in an edition a word may go on behind one."""
JOINED = {
    "keycombo": "+", "menuchoice": " > ",
    **dict.fromkeys(
        words("element-citation biblioentry name string-name person-group personname address seglistitem"), " "
    ),
}  # fmt: skip
"""Elements whose parts stand beside each other, and what is put between them."""
FORMULAS = words("math tex-math")
NOTE_REFERENCES = words("fn table-fn aff corresp author-notes contrib")
"""Types of references that are marks of notes."""
INLINE = frozenset(BREAKS) | frozenset(JOINED) | FORMULAS | RAISED | LOWERED | words("choice label hi emph")
"""Elements in a sentence whose text is not that of their parts in a row."""
