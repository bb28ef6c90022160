"""Layers that are switched off, filled forms and typed notes, XFA forms and portfolios."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from colde.errors import ReadError
from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples.manuscript import Manuscript

TEXT = b"BT /F9 11 Tf 90 60 Td (Words of a layer) Tj ET"
RECTANGLE = [150, 300, 450, 318]
PLACEHOLDER = "Please wait until your viewer shows the form."


def read(
    edit: Callable[[pikepdf.Pdf], None], sections: int = 1, password: str = "", **saving: Any
) -> Document:
    manuscript = Manuscript(sections=sections)
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(manuscript.pdf())) as pdf:
        edit(pdf)
        pdf.save(out, **saving)
    document = convert(out.getvalue(), "edited.pdf", Reading(password=password))
    assert all(s in " ".join(document.text.split()) for s in manuscript.sentences)
    return document


def put(pdf: pikepdf.Pdf, content: bytes, **resources: Dictionary) -> None:
    """Add content to the first page."""
    page = pdf.pages[0]
    page.obj.Resources.Font["/F9"] = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    for name, value in resources.items():
        page.obj.Resources["/" + name] = value
    page.contents_add(pdf.make_stream(b"\nq " + content + b" Q"))


def layers(pdf: pikepdf.Pdf, states: list[bool], **default: Any) -> list[Any]:
    """Layers that are on or off by default."""
    groups = [pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(str(i)))) for i in range(len(states))]
    off = Array([g for g, on in zip(groups, states, strict=True) if not on])
    on = Array([g for g, on in zip(groups, states, strict=True) if on])
    pdf.Root.OCProperties = Dictionary(OCGs=Array(groups), D=Dictionary(OFF=off, ON=on, **default))
    return groups


def form(pdf: pikepdf.Pdf, content: bytes, **entries: Any) -> Any:
    drawn = pdf.make_stream(content)
    for key, value in {
        "Type": Name.XObject, "Subtype": Name.Form, "BBox": Array([0, 0, 600, 800]),
        "Resources": pdf.pages[0].obj.Resources, **entries,
    }.items():  # fmt: skip
        drawn["/" + key] = value
    return drawn


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("base", ["/ON", "/OFF"])
@pytest.mark.parametrize("inside_text", [True, False])
def test_marked_content(seen: bool, base: str, inside_text: bool) -> None:
    def edit(pdf: pikepdf.Pdf) -> None:
        (group,) = layers(pdf, [seen], BaseState=Name(base))
        content = b"/OC /P0 BDC /Span <</MCID 3>> BDC " + TEXT + b" EMC EMC"
        if inside_text:
            content = (
                b"BT /F9 11 Tf 90 60 Td (Before ) Tj /OC /P0 BDC (Words of a layer ) Tj EMC (after.) Tj ET"
            )
        put(pdf, content, Properties=Dictionary(P0=group))

    document = read(edit)
    assert ("Words of a layer" in document.text) is seen
    assert ["switched off" in str(w) for w in document.warnings] == [True] * (not seen)
    assert not inside_text or seen or "Before after." in document.text


@pytest.mark.parametrize(
    ("policy", "states", "seen"),
    [
        ("/AllOn", [True, False], False), ("/AnyOn", [True, False], True), ("/AnyOff", [True, True], False),
        ("/AllOff", [False, False], True), ("not", [True], False), ("and not", [True, False], True),
    ],
)  # fmt: skip
def test_memberships(policy: str, states: list[bool], seen: bool) -> None:
    def edit(pdf: pikepdf.Pdf) -> None:
        groups = layers(pdf, states)
        membership = Dictionary(Type=Name.OCMD, OCGs=Array(groups))
        if policy == "not":
            membership.VE = Array([Name.Not, groups[0]])
        elif policy == "and not":
            membership.VE = Array([Name.And, groups[0], Array([Name.Not, groups[1]])])
        else:
            membership.P = Name(policy)
        put(pdf, b"/OC /P0 BDC " + TEXT + b" EMC", Properties=Dictionary(P0=pdf.make_indirect(membership)))

    assert ("Words of a layer" in read(edit).text) is seen


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("way", ["object", "marked content in it", "marked content around it"])
def test_forms_on_layers(nested: bool, way: str) -> None:
    def edit(pdf: pikepdf.Pdf) -> None:
        (group,) = layers(pdf, [False])
        put(pdf, b"", Properties=Dictionary(P0=group))
        marked = b"/OC /P0 BDC %b EMC"
        drawn = form(pdf, marked % TEXT if "in it" in way else TEXT)
        if way == "object":
            drawn.OC = group
        if nested:
            drawn = form(pdf, b"/X1 Do", Resources=Dictionary(XObject=Dictionary(X1=drawn)))
        put(pdf, marked % b"/X0 Do" if "around" in way else b"/X0 Do", XObject=Dictionary(X0=drawn))

    assert "Words of a layer" not in read(edit).text


@pytest.mark.parametrize(
    ("password", "saving"),
    [
        ("", {"object_stream_mode": pikepdf.ObjectStreamMode.generate}),
        ("secret", {"encryption": pikepdf.Encryption(owner="o", user="secret", R=6)}),
    ],
)
def test_layers_of_packed_and_encrypted_files(password: str, saving: dict[str, Any]) -> None:
    def edit(pdf: pikepdf.Pdf) -> None:
        (group,) = layers(pdf, [False])
        put(pdf, b"/OC /P0 BDC " + TEXT + b" EMC", Properties=Dictionary(P0=group))

    assert "Words of a layer" not in read(edit, password=password, **saving).text


def annotated(
    kind: str, rectangle: list[int], *, field: bool = False, **entries: Any
) -> Callable[[pikepdf.Pdf], None]:
    def edit(pdf: pikepdf.Pdf) -> None:
        annotation = pdf.make_indirect(
            Dictionary(
                Type=Name.Annot, Subtype=Name("/" + kind), Rect=Array(rectangle), **({"F": 4} | entries)
            )
        )
        pdf.pages[0].obj.Annots = Array([annotation])
        if field:
            pdf.Root.AcroForm = Dictionary(Fields=Array([annotation]), DA=String("/Helv 0 Tf 0 g"))

    return edit


OPTIONS = Array([Array([String("de"), String("Germany")]), Array([String("fr"), String("France")])])
LONG = "The owner asks that the sluice be mended before winter. It has leaked since spring. Nobody knows the cost."


@pytest.mark.parametrize(
    ("rectangle", "entries", "value"),
    [
        (RECTANGLE, {"FT": Name.Tx, "V": String("Dam at Corran")}, "Dam at Corran"),
        (RECTANGLE, {"FT": Name.Tx, "V": String(LONG)}, LONG),
        ([90, 200, 300, 320], {"FT": Name.Tx, "Ff": 4096, "V": String(LONG.replace(". ", ".\r"))}, LONG),
        (RECTANGLE, {"FT": Name.Ch, "Ff": 1 << 17, "V": String("de"), "Opt": OPTIONS}, "Germany"),
    ],
)
def test_values_of_fields(rectangle: list[int], entries: dict[str, Any], value: str) -> None:
    document = read(annotated("Widget", rectangle, field=True, T=String("f"), **entries))
    assert value in " ".join(document.text.split())


@pytest.mark.parametrize("entries", [{"Ff": 1 << 13}, {"F": 2}, {"F": 32}])
def test_passwords_and_hidden_fields_are_not_read(entries: dict[str, Any]) -> None:
    field = annotated(
        "Widget", RECTANGLE, field=True, T=String("f"), FT=Name.Tx, V=String("hunter2"), **entries
    )
    assert "hunter2" not in read(field).text


@pytest.mark.parametrize("rectangle", [[90, 200, 300, 280], [200, 650, 400, 690], [505, 600, 590, 690]])
def test_text_typed_on_the_page(rectangle: list[int]) -> None:
    document = read(
        annotated("FreeText", rectangle, Contents=String(LONG), DA=String("/Cour 9 Tf")), sections=2
    )
    assert LONG in " ".join(document.text.split())


@pytest.mark.parametrize("kind", ["Text", "Popup", "Square", "Caret", "Stamp"])
def test_comments_are_no_text(kind: str) -> None:
    document = read(annotated(kind, RECTANGLE, Contents=String("Please check")))
    assert "Please check" not in document.text
    assert ["stamps" in str(w) for w in document.warnings] == [True] * (kind == "Stamp")


def placeholder(edit: Callable[[pikepdf.Pdf], None]) -> Document:
    out = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.pages[0].obj.Resources = Dictionary(Font=Dictionary())
        put(pdf, TEXT.replace(b"Words of a layer", PLACEHOLDER.encode()))
        edit(pdf)
        pdf.save(out)
    return convert(out.getvalue(), "placeholder.pdf", Reading())


def xfa(pdf: pikepdf.Pdf) -> None:
    pdf.Root.AcroForm = Dictionary(Fields=Array([]), XFA=pdf.make_stream(b"<xdp/>"))
    pdf.Root.NeedsRendering = True


def portfolio(pdf: pikepdf.Pdf) -> None:
    pdf.attachments["plan.pdf"] = b"%PDF-1.4"
    pdf.Root.Collection = Dictionary(View=Name.D)


@pytest.mark.parametrize(("edit", "what"), [(xfa, "XFA form"), (portfolio, "portfolio.*plan.pdf")])
def test_placeholders_are_refused(edit: Callable[[pikepdf.Pdf], None], what: str) -> None:
    with pytest.raises(ReadError, match=what) as error:
        placeholder(edit)
    assert error.value.reason == "unsupported"


@pytest.mark.parametrize(("edit", "what"), [(xfa, "XFA form"), (portfolio, "plan.pdf")])
def test_pages_with_text_are_read_with_a_warning(edit: Callable[[pikepdf.Pdf], None], what: str) -> None:
    assert [what in str(w) for w in read(edit, sections=4).warnings] == [True]
