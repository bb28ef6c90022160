"""Layers of a PDF (optional content) that are switched off: viewers do not show them, PDFium's text has them all.

A file that has such layers is written anew without their text, in memory, before PDFium reads it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pikepdf

_MAX_DEPTH = 32  # of expressions, page trees and forms in forms
_MAX_GROUPS = 10_000
_SHOWS_TEXT = {"Tj", "TJ", "'", '"'}
_TEXT_IN_STREAM = (b"Tj", b"TJ", b"'", b'"')

Visible = Callable[[Any], bool]


def without_hidden_layers(pdf: pikepdf.Pdf) -> tuple[bytes | None, list[int]]:
    """The file without the text of layers that are off by default, and the pages that lost text.

    None instead of the file where no text is hidden.

    Raises:
        pikepdf.PdfError, ValueError, TypeError: the file is damaged.
    """
    properties = pdf.Root.get("/OCProperties")
    if not isinstance(properties, pikepdf.Dictionary):
        return None, []
    layers = _Layers(properties)
    cleaner = _Cleaner(pdf, layers.visible)
    hidden_on = [number for number, page in enumerate(pdf.pages, 1) if cleaner.clean_page(page.obj)]
    if not hidden_on:
        return None, []
    out = io.BytesIO()
    pdf.save(out, encryption=False, compress_streams=False)
    return out.getvalue(), hidden_on


class _Layers:
    """Which layers the default configuration among the `OCProperties` of the catalog shows."""

    def __init__(self, properties: Any) -> None:
        default = properties.get("/D", pikepdf.Dictionary())
        groups = {g.objgen: g for g in _array(properties, "/OCGs") if isinstance(g, pikepdf.Dictionary)}
        off = set(groups) if default.get("/BaseState") == "/OFF" else set()
        off.difference_update(g.objgen for g in _array(default, "/ON"))
        off.update(g.objgen for g in _array(default, "/OFF"))
        off.update(at for at, group in groups.items() if _is_off_on_screens(group))
        self._off = {at for at in off if at not in groups or _is_for_viewing(groups[at])}

    def visible(self, content: Any) -> bool:
        """Whether a group or a membership of groups is shown; what is neither is."""
        if not isinstance(content, pikepdf.Dictionary):
            return True
        if content.get("/Type") != "/OCMD":
            return content.objgen not in self._off
        expression = content.get("/VE")
        if isinstance(expression, pikepdf.Array):
            return self._holds(expression, _MAX_DEPTH)
        members = content.get("/OCGs")
        groups = list(members) if isinstance(members, pikepdf.Array) else [members]
        states = [g.objgen not in self._off for g in groups if isinstance(g, pikepdf.Dictionary)]
        if not states:
            return True
        policy = str(content.get("/P", "/AnyOn"))
        rules = {"/AllOn": all(states), "/AnyOff": not all(states), "/AllOff": not any(states)}
        return rules.get(policy, any(states))

    def _holds(self, expression: Any, depth: int) -> bool:
        """Whether a visibility expression holds: a group, or /And, /Or, /Not with expressions."""
        if not isinstance(expression, pikepdf.Array):
            return self.visible(expression)
        if depth == 0 or len(expression) < 2:
            return True
        parts = [self._holds(part, depth - 1) for part in list(expression)[1:]]
        match str(expression[0]):
            case "/And":
                return all(parts)
            case "/Not":
                return not parts[0]
            case _:
                return any(parts)


def _is_off_on_screens(group: Any) -> bool:
    """Whether the file says that screens do not show a layer; browsers follow this."""
    view = group.get("/Usage", pikepdf.Dictionary()).get("/View", pikepdf.Dictionary())
    return bool(view.get("/ViewState") == "/OFF")


def _is_for_viewing(group: Any) -> bool:
    """Whether the state of a layer matters to viewers; one for design alone is always shown."""
    intent = group.get("/Intent", pikepdf.Name("/View"))
    names = list(intent) if isinstance(intent, pikepdf.Array) else [intent]
    return any(str(name) in ("/View", "/All") for name in names)


def _array(holder: Any, key: str) -> list[Any]:
    value = holder.get(key)
    return list(value)[:_MAX_GROUPS] if isinstance(value, pikepdf.Array) else []


class _Cleaner:
    """Takes the hidden text out of the content of pages; `visible` says whether a group or membership is shown."""

    def __init__(self, pdf: pikepdf.Pdf, visible: Visible) -> None:
        self._pdf = pdf
        self._visible = visible
        self._forms: dict[tuple[int, int], bool] = {}  # forms that are clean now: whether they lost text

    def clean_page(self, page: Any) -> bool:
        """Take out what a page hides; returns whether that was text."""
        resources = _inherited(page, "/Resources")
        lost = self._clean_forms(resources, 0)
        names = self._hidden_names(resources)
        if names and "/Contents" in page:
            content = self._without_hidden_text(page, names)
            if content is not None:
                page.Contents = self._pdf.make_stream(content)
                lost = True
        return self._clean_annotations(page) or lost

    def _clean_annotations(self, page: Any) -> bool:
        annotations = _array(page, "/Annots")
        shown = [a for a in annotations if not isinstance(a, pikepdf.Dictionary) or self._shown(a)]
        if len(shown) == len(annotations):
            return False
        page.Annots = pikepdf.Array(shown)
        return True

    def _shown(self, holder: Any) -> bool:
        return "/OC" not in holder or self._visible(holder["/OC"])

    def _hidden_names(self, resources: Any) -> set[str]:
        """Names under which marked content refers to layers that are not shown."""
        properties = resources.get("/Properties") if resources is not None else None
        if not isinstance(properties, pikepdf.Dictionary):
            return set()
        return {str(name) for name, content in properties.items() if not self._visible(content)}

    def _clean_forms(self, resources: Any, depth: int) -> bool:
        """Take hidden text out of the forms that content may draw; returns whether any had some."""
        forms = resources.get("/XObject") if resources is not None else None
        if not isinstance(forms, pikepdf.Dictionary) or depth > _MAX_DEPTH:
            return False
        lost = False
        for form in forms.values():
            if not isinstance(form, pikepdf.Stream) or form.get("/Subtype") != "/Form":
                continue
            if form.objgen not in self._forms:
                self._forms[form.objgen] = False  # a form that draws itself ends here
                self._forms[form.objgen] = self._clean_form(form, resources, depth)
            lost = lost or self._forms[form.objgen]
        return lost

    def _clean_form(self, form: Any, outer: Any, depth: int) -> bool:
        if not self._shown(form):
            had_text = any(sign in form.read_bytes() for sign in _TEXT_IN_STREAM)
            form.write(b"")
            return had_text
        resources = form.get("/Resources", outer)
        lost = self._clean_forms(resources, depth + 1)
        names = self._hidden_names(resources)
        content = self._without_hidden_text(form, names) if names else None
        if content is not None:
            form.write(content)
        return lost or content is not None

    def _without_hidden_text(self, holder: Any, names: set[str]) -> bytes | None:
        """The content of a page or form without text and forms in hidden marked content; None where it has none."""
        kept: list[Any] = []
        marks: list[bool] = []  # of the open marked content, outermost first: whether it hides
        changed = False
        for step in pikepdf.parse_content_stream(holder):
            operator = str(step.operator)
            if operator in ("BDC", "BMC"):
                marks.append(operator == "BDC" and _marks_hidden(step.operands, names))
            elif operator == "EMC" and marks:
                marks.pop()
            elif any(marks) and (operator in _SHOWS_TEXT or operator == "Do"):
                changed = True
                kept.extend(_line_steps(operator, step.operands))
                continue
            kept.append(step)
        return pikepdf.unparse_content_stream(kept) if changed else None


def _marks_hidden(operands: Any, names: set[str]) -> bool:
    return len(operands) == 2 and str(operands[0]) == "/OC" and str(operands[1]) in names


def _line_steps(operator: str, operands: Any) -> Iterator[Any]:
    """What a step that shows text does to the lines after it."""
    if operator == '"' and len(operands) == 3:
        yield pikepdf.ContentStreamInstruction([operands[0]], pikepdf.Operator("Tw"))
        yield pikepdf.ContentStreamInstruction([operands[1]], pikepdf.Operator("Tc"))
    if operator in ("'", '"'):
        yield pikepdf.ContentStreamInstruction([], pikepdf.Operator("T*"))


def _inherited(page: Any, key: str) -> Any:
    """An entry of a page, or of the nodes of the page tree above it."""
    node: Any = page
    for _ in range(_MAX_DEPTH):
        if not isinstance(node, pikepdf.Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None
