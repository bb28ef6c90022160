"""Declarative shadow roots: the parts of web components that a page holds in `<template shadowrootmode>`.

A browser shows the shadow root in place of what stands in its host; slots show the children of the host. Other
templates are not shown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from colde.ingest.html.elements import children
from colde.text.word_lists.stop_words import words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MARK = "shadowrootmode"
_HOSTS = words("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span")
"""Elements that may have a shadow root, beside those with a hyphen in their name (HTML, `attachShadow`)."""
_START_TAG = re.compile(r"\A<template(?:[^\">]|\"[^\"]*\")*>")
_MAX_NESTING = 40  # shadow roots inside each other; deeper ones are not read
_MAX_DEPTH = 2_000  # elements inside each other, counted for the order of the hosts


def show_shadow_roots(tree: LexborHTMLParser, source: str) -> None:
    """Put the shadow roots of a page in the place of what their hosts hold.

    The source of the page tells quickly whether there may be any.
    """
    if _MARK in source.lower() and tree.root is not None:
        _show_in(tree.root, _MAX_NESTING)


def _show_in(root: LexborNode, levels: int) -> None:
    """Show the shadow roots in an element; those of inner hosts first, since their hosts may be moved into a slot."""
    templates = [t for t in root.css(f"template[{_MARK}]") if _is_shadow_root(t)]
    for template in sorted(templates, key=_depth, reverse=True):
        host = template.parent
        if levels and host is not None:
            _show(template, host, levels)


def _is_shadow_root(template: LexborNode) -> bool:
    host = template.parent
    mode = (template.attributes.get(_MARK) or "").lower()
    first = host is not None and next((n for n in children(host) if _is_marked(n)), None)
    if not first or first.mem_id != template.mem_id or host is None:
        return False
    return mode in ("open", "closed") and (host.tag in _HOSTS or "-" in (host.tag or ""))


def _is_marked(node: LexborNode) -> bool:
    return node.tag == "template" and _MARK in node.attributes


def _depth(node: LexborNode) -> int:
    depth, parent = 0, node.parent
    while parent is not None and depth < _MAX_DEPTH:
        depth, parent = depth + 1, parent.parent
    return depth


def _show(template: LexborNode, host: LexborNode, levels: int) -> None:
    from selectolax.lexbor import LexborHTMLParser

    content = _START_TAG.sub("", template.html or "", count=1).removesuffix("</template>")
    shadow = LexborHTMLParser(f"<body>{content}")
    if shadow.body is None:
        return
    for style in shadow.css("style"):  # holds for this shadow root alone
        style.decompose()
    _show_in(shadow.body, levels - 1)
    light = [node for node in children(host) if node.mem_id != template.mem_id]
    by_slot = _by_slot(light)
    for slot in shadow.body.css("slot"):
        shown = by_slot.pop(slot.attributes.get("name") or "", None)
        for node in shown or list(children(slot)):
            slot.insert_before(node)
        slot.decompose()
    for node in [template, *light]:
        node.decompose()
    for node in list(children(shadow.body)):
        host.insert_child(node)


def _by_slot(light: Iterable[LexborNode]) -> dict[str, list[LexborNode]]:
    """The children of a host by the name of the slot that shows them, blank texts left out."""
    by_slot: defaultdict[str, list[LexborNode]] = defaultdict(list)
    for node in light:
        if node.tag != "-text":
            by_slot[node.attributes.get("slot") or ""].append(node)
        elif (node.text(deep=False) or "").strip():
            by_slot[""].append(node)
    return by_slot
