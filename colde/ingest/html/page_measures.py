"""How much text each element of a page holds: words, words in sentences, words in links, headings, controls."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from colde.ingest.html.elements import (
    BLOCKS,
    CONTROLS,
    NEVER_TEXT,
    Attributes,
    children_backwards,
    heading_level,
    is_hidden,
)
from colde.text.word_lists.stop_words import words
from colde.text.words import count_words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_COUNTED_TAGS = words("form aside button dialog object")
_STOP = re.compile(r"[.!?…。！？؟।][\"'”’»)\]」』]*(?=\s|$)|[。！？]")
_ENDS = re.compile(r"[.!?…。！？؟।][\"'”’»)\]」』]*$")
_MAX_END = 5  # characters of a full stop and the marks behind it
_MIN_SENTENCE_WORDS = 5
_MIN_OPEN_SENTENCE_WORDS = 20  # of a paragraph without a full stop at its end
_MIN_NOSCRIPT_WORDS = 30  # in sentences; hints that scripts are needed are shorter


@dataclass(slots=True)
class Measure:
    """What an element holds.

    Attributes:
        level: its own level where it is a heading, else 0.
        words: all words that are shown.
        linked_words: those in links.
        prose_words: those in paragraphs with a sentence that is no link.
        sentences: how many sentences these paragraphs have.
        texts: paragraphs and headings outside links that end as sentences do, or are headings.
        headings: how many headings.
        heading_level: the level of the first one; 0 without any.
        controls: buttons and fields.
    """

    level: int = 0
    words: int = 0
    linked_words: int = 0
    prose_words: int = 0
    sentences: int = 0
    texts: int = 0
    headings: int = 0
    heading_level: int = 0
    controls: int = 0

    def add(self, inner: Measure) -> None:
        """Count what an element inside holds."""
        if not (inner.words or inner.controls):
            return
        self.words += inner.words
        self.linked_words += inner.linked_words
        self.prose_words += inner.prose_words
        self.sentences += inner.sentences
        self.texts += inner.texts
        self.headings += inner.headings
        self.heading_level = self.heading_level or inner.heading_level
        self.controls += inner.controls


_NOTHING = Measure()


@dataclass(slots=True)
class PageMeasures:
    """The measures of the elements of a page.

    Attributes:
        whole: of the page.
        scripts_replaced: whether the text of the page stands in what browsers show that run no scripts.
        host: of the site, where the page names it.
        by_element: by the identity of each element.
        prose_by_tag: words in sentences of all elements with a tag, those in others with the same tag counted once.
    """

    whole: Measure = field(default_factory=Measure)
    scripts_replaced: bool = False
    host: str = ""
    by_element: dict[int, Measure] = field(default_factory=dict)
    prose_by_tag: Counter[str] = field(default_factory=Counter)

    def of(self, node: LexborNode) -> Measure:
        """The measure of an element; an empty one for what is never shown."""
        return self.by_element.get(node.mem_id, _NOTHING)

    def share_of_tag(self, node: LexborNode) -> float:
        """The share of all elements with the tag of this one; 0 for tags of any text."""
        return self.prose_by_tag[node.tag or ""] / max(1, self.whole.prose_words)

    def is_shown(self, node: LexborNode) -> bool:
        """Whether an element is shown: no code, no field, not hidden itself."""
        return node.mem_id in self.by_element

    def share(self, node: LexborNode) -> float:
        """The share of an element in the words of all sentences of the page, 0 to 1."""
        return self.of(node).prose_words / max(1, self.whole.prose_words)


def measure_page(root: LexborNode, host: str = "") -> PageMeasures:
    """Measure all elements in the body of a page. What stands in `noscript` counts where it is more than the rest."""
    measures = _Measuring().measure(root)
    for_browsers_without_scripts = Measure()
    for node in root.css("noscript"):
        for_browsers_without_scripts.add(measures.of(node))
    alternative = for_browsers_without_scripts.prose_words
    if alternative > measures.whole.prose_words and alternative >= _MIN_NOSCRIPT_WORDS:
        measures = _Measuring(count_noscript=True).measure(root)
        measures.scripts_replaced = True
    measures.host = host
    return measures


class _OpenElement(NamedTuple):
    tag: str
    measure: Measure
    is_block: bool
    is_link: bool


class _Measuring:
    """One walk over a page. The run is the text since the last begin or end of a block."""

    def __init__(self, *, count_noscript: bool = False) -> None:
        self._count_noscript = count_noscript
        self._run: list[tuple[str, bool]] = []  # texts, and whether each is in a link
        self._links = 0  # open links
        self._open: list[_OpenElement] = []

    def measure(self, root: LexborNode) -> PageMeasures:
        """The measures of a root and of all elements in it."""
        page = PageMeasures()
        stack: list[tuple[LexborNode, bool]] = [(root, False)]
        while stack:
            node, closing = stack.pop()
            tag = node.tag or ""
            if closing:
                self._close(node, tag, page)
            elif tag == "-text":
                self._run.append((node.text(deep=False) or "", self._links > 0))
            elif tag == "br":
                self._run.append(("\n", False))
            elif tag not in NEVER_TEXT and not is_hidden(attributes := node.attributes):
                self._begin(tag, attributes)
                stack.append((node, True))
                stack.extend((child, False) for child in children_backwards(node))
            elif tag in CONTROLS and self._open:
                self._open[-1].measure.controls += 1
        return page

    def _begin(self, tag: str, attributes: Attributes) -> None:
        level = heading_level(tag, attributes)
        block = tag in BLOCKS or level > 0 or not self._open
        if block:
            self._end_run(0)
        measure = Measure(level, controls=int(tag == "button"))
        link = tag == "a" and "href" in attributes
        self._open.append(_OpenElement(tag, measure, block, link))
        self._links += link

    def _close(self, node: LexborNode, tag: str, page: PageMeasures) -> None:
        _, measure, is_block, is_link = self._open[-1]
        if is_block:
            self._end_run(measure.level)
        self._open.pop()
        self._links -= is_link
        page.by_element[node.mem_id] = measure
        if tag in _COUNTED_TAGS and not any(element.tag == tag for element in self._open):
            page.prose_by_tag[tag] += measure.prose_words
        if not self._open:
            page.whole = measure
        elif tag != "noscript" or self._count_noscript:
            self._open[-1].measure.add(measure)

    def _end_run(self, level: int) -> None:
        """Count the text of a run for the innermost open block."""
        run, self._run = self._run, []
        text = "".join([part for part, _ in run])
        count = count_words(text)
        if not count:
            return
        measure = next(e.measure for e in reversed(self._open) if e.is_block)
        linked = min(count, sum(count_words(part) for part, in_link in run if in_link))
        measure.words += count
        measure.linked_words += linked
        in_links = 2 * linked > count
        if level:
            measure.headings += 1
            measure.heading_level = measure.heading_level or level
            measure.texts += not in_links
        elif not in_links:
            ends = _ENDS.search(text.rstrip()[-_MAX_END:]) is not None
            measure.texts += ends and count > 1
            if count >= (_MIN_SENTENCE_WORDS if ends else _MIN_OPEN_SENTENCE_WORDS):
                measure.prose_words += count - linked
                measure.sentences += max(1, len(_STOP.findall(text)))
