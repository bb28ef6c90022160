"""Fields of Word documents: the result is text, the code is not, wherever it stands."""

from __future__ import annotations

import pytest

from tests.ingest.docx_samples import BELL, ICE, POLE, aside, body, p, reading, table, word

pytestmark = pytest.mark.usefixtures("in_process")


def mark(kind: str, inside: str = "") -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{inside}</w:fldChar></w:r>'


def text(written: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{written}</w:t></w:r>'


def code(written: str) -> str:
    return f"<w:r><w:instrText>{written}</w:instrText></w:r>"


def field(instruction: str, result: str = "", settings: str = "") -> str:
    """A field whose code and result are texts, or runs."""
    shown = result if not result or result.startswith("<") else text(result)
    begin = mark("begin", settings) + (instruction if instruction.startswith("<") else code(instruction))
    return begin + (mark("separate") + shown if shown else "") + mark("end")


def line(*parts: str) -> str:
    return f"<w:p>{''.join(part if part.startswith('<') else text(part) for part in parts)}</w:p>"


INNER = field(" MERGEFIELD Name ", "Inner value")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("Owner: ", field(code(" IF ") + INNER + code(' = "X" "yes" "no" '), "the mill"), "."), "Owner: the mill."),
        (("Sum: ", field(code(" = ") + field(" = 1 + 1 ", "2") + code(" * 3 "), "6"), "."), "Sum: 6."),
        (("See ", field(code(" REF ") + field(code(" IF ") + INNER, "b"), "5"), " there."), "See 5 there."),
        (("Dear ", field(" QUOTE ", text("Ms ") + INNER), "!"), "Dear Ms Inner value!"),
        (("A", field(' XE "Adder" '), " b."), "A b."),
        (("A", field(code(" TC ") + INNER), " b."), "A b."),
        (("A ", field(code(" IF ") + text("of code") + '<w:r><w:tab/><w:sym w:char="F0B7"/></w:r>', "b"), "."), "A b."),
        (("On ", '<w:fldSimple w:instr=" DATE "><w:r><w:t>3 May</w:t></w:r></w:fldSimple>', "."), "On 3 May."),
        (("On ", f'<w:fldSimple w:instr=" IF ">{INNER}</w:fldSimple>', "."), "On Inner value."),
        (("Go", f"<w:del>{field(' REF d ', 'gone')}</w:del><w:ins>{field(' REF e ', ' on')}</w:ins>", "."), "Go on."),
        (("Name: ", field(" FORMTEXT ", "Ann", "<w:ffData><w:textInput/></w:ffData>"), "."), "Name: Ann."),
    ],
)  # fmt: skip
def test_the_result_is_read(parts: tuple[str, ...], expected: str) -> None:
    assert body(reading(word(line(*parts) + p(BELL)))) == [expected, BELL]


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ('<w:ddList><w:result w:val="1"/><w:listEntry w:val="oak"/><w:listEntry w:val="ash"/></w:ddList>', " ash"),
        ('<w:ddList><w:listEntry w:val="oak"/><w:listEntry w:val="ash"/></w:ddList>', " oak"),
        ('<w:ddList><w:result w:val="7"/><w:listEntry w:val="oak"/></w:ddList>', ""),
        ('<w:checkBox><w:checked/></w:checkBox>', " ☒"),
        ('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>', " ☐"),
        ('<w:checkBox><w:default w:val="1"/></w:checkBox>', " ☒"),
    ],
)  # fmt: skip
def test_an_old_form_field_shows_its_value(settings: str, shown: str) -> None:
    form = field(" FORMDROPDOWN ", settings=f"<w:ffData>{settings}</w:ffData>")
    assert body(reading(word(line("Wood: ", form) + p(BELL)))) == [f"Wood:{shown}", BELL]


def test_a_code_over_paragraphs_joins_what_stands_around_it() -> None:
    source = (
        f"<w:p>{text('The owner is ')}{mark('begin')}{code(' IF x ')}</w:p>"
        f"<w:p>{text('First choice.')}</w:p>"
        f"<w:p>{code(' y ')}{mark('separate')}{text('the mill')}{mark('end')}{text('.')}</w:p>"
    )
    assert body(reading(word(source + p(BELL)))) == ["The owner is the mill.", BELL]


def test_a_result_over_paragraphs_keeps_them() -> None:
    source = f"<w:p>{mark('begin')}{code(' IF x ')}{mark('separate')}{text(ICE)}</w:p>{p(POLE)}<w:p>{mark('end')}</w:p>"
    assert body(reading(word(source + p(BELL)))) == [ICE, POLE, BELL]


def test_a_table_in_a_code_is_left_out() -> None:
    source = (
        f"<w:p>{mark('begin')}{code(' IF x ')}</w:p>{table(('1', '2'), ('3', '4'))}<w:p>{mark('end')}</w:p>"
    )
    document = reading(word(source + p(BELL)))
    assert (body(document), aside(document, "table")) == ([BELL], [])


@pytest.mark.parametrize("marks", [mark("begin"), mark("separate"), mark("end"), mark("end") + mark("begin")])
def test_marks_that_make_no_field_take_nothing_away(marks: str) -> None:
    assert body(reading(word(line("Before ", marks, "and behind.") + p(BELL)))) == [
        "Before and behind.",
        BELL,
    ]


def test_one_run_may_hold_several_marks() -> None:
    run = (
        '<w:r><w:t>A </w:t><w:fldChar w:fldCharType="begin"/><w:instrText> REF </w:instrText><w:t>code</w:t>'
        '<w:fldChar w:fldCharType="separate"/><w:t>b</w:t><w:fldChar w:fldCharType="end"/><w:t> c.</w:t></w:r>'
    )
    assert body(reading(word(line(run) + p(BELL)))) == ["A b c.", BELL]


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        (r" EQ \f(1,20) ", "1/20"),
        (r"EQ \f(1;20)", "1/20"),
        (r"eq \r(3,x)", "∛x"),
        (r"EQ \r(\f(a,b))", "√(a/b)"),
        (r"EQ \a\al\co2\vs3(1,0,0,1)", "1 0; 0 1"),
        (r"EQ \b\bc\[(x+y)", "[x+y]"),
        (r"EQ \b(x\,y)", "(x,y)"),
        (r"EQ \i\su(1,n,x)", "∑_1^n x"),
        (r"EQ \* jc2 \* hps10 \o\ad(\s\up 9(reading),base)", "base"),
        (r"EQ x\s\do5(2)", "x2"),
        (r" SYMBOL 176 ", "°"),
        (r" MACROBUTTON NoMacro Press here ", "Press here"),
        (r"EQ \f(1", "1"),
        (" EQ ", ""),
        (" PAGE ", ""),
    ],
)
def test_a_field_without_a_result_shows_what_its_code_says(instruction: str, shown: str) -> None:
    assert body(reading(word(line("Part: ", field(instruction), ".") + p(BELL)))) == [
        f"Part: {shown}.",
        BELL,
    ]


def test_a_fraction_behind_a_number_stands_apart() -> None:
    assert body(
        reading(
            word(line("In 2", field(r"EQ \f(1,2)"), " hours 10", field(r"EQ \s\up5(6)"), " fell.") + p(BELL))
        )
    ) == [
        "In 2 1/2 hours 10^6 fell.",
        BELL,
    ]


@pytest.mark.parametrize(("position", "shown"), [("10", "10^6"), ("-6", "10_6"), ("0", "106")])
def test_figures_that_are_moved_up_are_raised(position: str, shown: str) -> None:
    moved = f'<w:r><w:rPr><w:position w:val="{position}"/></w:rPr><w:t>6</w:t></w:r>'
    assert body(reading(word(line("The mill ground 10", moved, " grains.") + p(BELL)))) == [
        f"The mill ground {shown} grains.",
        BELL,
    ]
