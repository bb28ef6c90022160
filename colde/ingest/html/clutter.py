"""What is no text of a page: menus, banners, forms, boxes beside the text.

Tags and names only raise a doubt; what an element holds decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colde.ingest.html.elements import Attributes, any_matches, children, is_inside, names
from colde.ingest.html.page_measures import Measure, PageMeasures
from colde.text.word_lists.stop_words import words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

FOOTNOTES = re.compile(r"(?:footnotes?|endnotes?|footnote-list|doc-footnotes?|doc-endnotes?)", re.IGNORECASE)
"""Names of footnotes and of lists of them."""
_CALLOUTS = re.compile(
    "admonition|callout|note|tip|hint|important|warning|caution|danger|attention|example|doc-tip",
    re.IGNORECASE,
)
_ROLES = words("navigation banner contentinfo search menu menubar doc-toc toolbar dialog alertdialog")
_CLUTTER = re.compile(
    r"(?:site-?|page-?|main-?|global-?|top-?)?(?:nav|navbar|navigation|menu|toc|breadcrumbs?|sidebar|"
    r"cookies?|cookie-(?:banner|notice|consent)|share|sharing|social|advert|ads?|advertisement|newsletter|related|"
    r"pagination|pager|skip-link|table-of-contents|contents|navbox|noprint|headerlink|anchor-link|"
    r"mw-editsection|sr-only|visually-hidden|catlinks|printfooter|toctree-wrapper|linenos?|pilcrow)",
    re.IGNORECASE,
)
_METADATA = re.compile(r"(?:field-list|rfc2822|docinfo|metadata|frontmatter|front-matter)", re.IGNORECASE)
_NEVER_CLUTTER = words("html body main article h1 h2 h3 h4 h5 h6")
_HEADINGS = words("h1 h2 h3 h4 h5 h6")
_SECTIONS = words("article main section")
_FALLBACKS = words("form object canvas audio video embed applet map svg dialog button")
"""Elements that hold controls, or what stands for a picture: text only where it is much of the page's."""
_DOUBTFUL = _FALLBACKS | words("aside header footer nav")
_MOST = 0.4  # share of the page's words in sentences; what holds as many is text
_NEARLY_ALL = 0.8  # the same, of what is marked as hidden for some readers
_SOME = 0.15  # the same, for what has headings above its sentences
_MIN_WORDS = 8  # in sentences
_MANY_SENTENCES = 4  # of text without a heading
_MANY_WORDS = 60  # in sentences below a heading, whatever their share
_MOSTLY = 0.6  # share of the words of an element that stand in sentences


def _holds_most(node: LexborNode, measure: Measure, page: PageMeasures) -> bool:
    """Whether much of the text of a page stands in an element, or several sentences below headings."""
    if measure.prose_words < _MIN_WORDS:
        return False
    if page.share(node) >= _MOST or page.share_of_tag(node) >= _MOST:  # whatever menus stand in it, too
        return True
    many_sentences = measure.sentences >= _MANY_SENTENCES and measure.prose_words >= _MANY_WORDS
    return measure.headings > 0 and many_sentences and 2 * measure.linked_words <= measure.words


def _holds_nearly_all(node: LexborNode, measure: Measure, page: PageMeasures) -> bool:
    return page.share(node) >= _NEARLY_ALL and _holds_most(node, measure, page)


def _holds_title(node: LexborNode, measure: Measure, page: PageMeasures) -> bool:
    """Whether the header of a page is the beginning of its text: its title and a sentence, or a section."""
    if _holds_text(node, measure, page):
        return True
    sentences = measure.heading_level == 1 and measure.prose_words >= _MIN_WORDS and not measure.controls
    return sentences and 4 * measure.linked_words <= measure.words


def _holds_article(node: LexborNode, measure: Measure, page: PageMeasures) -> bool:
    """Whether an article, or sections with headings, or most of the text stand in what should be beside it."""
    if _holds_most(node, measure, page):
        return True
    has_article = measure.headings > 1 or node.css_first("article, main, h1") is not None
    return has_article and page.share(node) >= _SOME and 4 * measure.linked_words <= measure.words


def _holds_section(node: LexborNode, measure: Measure, page: PageMeasures) -> bool:
    """Whether an element is a section of the text: sentences below a heading, without buttons and fields."""
    if page.share(node) >= _MOST:
        return measure.prose_words >= _MIN_WORDS
    if measure.controls or not measure.headings or measure.prose_words < _MOSTLY * measure.words:
        return False
    much = page.share(node) >= _SOME or measure.prose_words >= _MANY_WORDS
    return measure.sentences > 1 and (much or _has_sibling_like_it(node, measure, page))


def _holds_text(node: LexborNode, measure: Measure, page: PageMeasures) -> bool:
    """Whether an element is text although its name is one for clutter: a section, or many sentences."""
    if _holds_section(node, measure, page):
        return True
    if measure.controls or measure.prose_words < _MOSTLY * measure.words or not measure.sentences:
        return False
    if measure.headings and _is_named_after_heading(node):
        return True
    return measure.sentences >= _MANY_SENTENCES and page.share(node) >= _SOME


def _has_sibling_like_it(node: LexborNode, measure: Measure, page: PageMeasures) -> bool:
    """Whether another section with headings of the same level and sentences stands beside this one."""
    parent = node.parent
    return parent is not None and any(
        other.tag == node.tag
        and other.mem_id != node.mem_id
        and page.of(other).heading_level == measure.heading_level
        and page.of(other).prose_words >= _MIN_WORDS
        for other in children(parent)
    )


def _is_named_after_heading(node: LexborNode) -> bool:
    """Whether the id of a section is made of its heading, as programs do that write links to sections."""
    heading = node.css_first("h1, h2, h3, h4, h5, h6, [role=heading]")
    return heading is not None and _letters(heading.text()) == _letters(node.attributes.get("id") or "")


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


@dataclass(frozen=True, slots=True)
class _Element:
    """An element with its tag, its attributes, and its classes, id and role."""

    node: LexborNode
    tag: str
    attributes: Attributes
    called: list[str]

    @property
    def role(self) -> str:
        """Its role, as written; empty without one."""
        return self.attributes.get("role") or ""

    def is_of_page(self, *tags: str) -> bool:
        """Whether it has one of these tags and belongs to the page as a whole, not to a section."""
        return self.tag in tags and not is_inside(self.node, _SECTIONS)


_Test = Callable[["LexborNode", Measure, PageMeasures], bool]
_DOUBTS: tuple[tuple[Callable[[_Element], bool], _Test | None], ...] = (
    (lambda e: e.tag == "button" and is_inside(e.node, _HEADINGS), None),  # opens the section below it
    (lambda e: e.tag in _FALLBACKS, _holds_most),
    (lambda e: e.attributes.get("aria-hidden") == "true", _holds_nearly_all),  # it may be seen all the same
    (lambda e: any_matches(FOOTNOTES, e.called), None),
    (lambda e: e.tag == "aside" and any_matches(_CALLOUTS, e.called), None),
    (lambda e: e.tag == "aside" or e.role == "complementary", _holds_article),
    (lambda e: e.is_of_page("header"), _holds_title),
    (lambda e: e.tag == "nav" or e.role in _ROLES or e.is_of_page("footer"), _holds_section),
    (lambda e: e.tag not in _NEVER_CLUTTER and any_matches(_CLUTTER, e.called), _holds_text),
)
"""Kinds of elements that raise a doubt, and the test that one must pass to be text; the first kind counts."""


def is_no_text(node: LexborNode, tag: str, page: PageMeasures) -> bool:
    """Whether an element is no text of its page: code, fields, hidden parts, menus, banners, boxes beside the text."""
    if not page.is_shown(node):
        return True
    measure = page.of(node)
    if tag == "noscript":
        return not page.scripts_replaced or not measure.texts
    attributes = node.attributes
    if not attributes and tag not in _DOUBTFUL:
        return False
    element = _Element(node, tag, attributes, names(attributes))
    test = next((test for applies, test in _DOUBTS if applies(element)), None)
    if test is not None:
        return not test(node, measure, page)
    return tag in ("dl", "table") and any_matches(_METADATA, element.called)
