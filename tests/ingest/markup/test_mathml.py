"""MathML on one line: what stands above, below or under a root is told from letters in a row."""

from __future__ import annotations

import pytest

from colde.ingest.files.xml_parsing import XmlMathTree, parse_xml
from colde.ingest.formulas.mathml import formula_text


def line(markup: str) -> str:
    data = f'<math xmlns="http://www.w3.org/1998/Math/MathML">{markup}</math>'.encode()
    return formula_text(parse_xml(data, "x.xml"), XmlMathTree())


def fraction(above: str, below: str) -> str:
    return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>"


SUM = "<mi>a</mi><mo>+</mo><mi>b</mi>"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (fraction("<mn>1</mn>", "<mn>20</mn>"), "1/20"),
        (fraction("<mn>0.5</mn>", "<mn>1,250</mn>"), "0.5/1,250"),
        (fraction(SUM, "<mi>c</mi>"), "(a+b)/c"),
        (fraction("<mn>1</mn>", SUM), "1/(a+b)"),
        (fraction("<mn>1</mn>", "<mn>2</mn><mi>π</mi>"), "1/(2π)"),
        (fraction("<mi>d</mi><mi>f</mi>", "<mi>d</mi><mi>x</mi>"), "df/dx"),
        (fraction("<mn>1</mn>", fraction("<mn>2</mn>", "<mn>3</mn>")), "1/(2/3)"),
        (f"<mn>2</mn>{fraction('<mn>1</mn>', '<mn>2</mn>')}", "2 1/2"),
        (f"<mn>2</mn><mo>\u2064</mo>{fraction('<mn>1</mn>', '<mn>2</mn>')}<mi>h</mi>", "2 1/2 h"),
        ("<mfrac bevelled='true'><mn>3</mn><mn>4</mn></mfrac>", "3/4"),
        ("<mrow><mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>", "(n k)"),
        ("<mfrac linethickness='0.5pt'><mn>1</mn><mn>3</mn></mfrac>", "1/3"),
        ("<msqrt><mn>2</mn></msqrt><mn>3</mn>", "√2 3"),
        (f"<msqrt>{SUM}</msqrt>", "√(a+b)"),
        ("<mroot><mn>8</mn><mn>3</mn></mroot>", "∛8"),
        ("<mn>4</mn><mroot><mi>x</mi><mn>5</mn></mroot>", "4 5√x"),
        ("<msup><mn>10</mn><mn>6</mn></msup>", "10^6"),
        ("<msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup>", "10^-3"),
        ("<msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup><mi>y</mi>", "x^(n+1)y"),
        (f"<msup><mrow><mo>(</mo>{SUM}<mo>)</mo></mrow><mn>2</mn></msup>", "(a+b)^2"),
        (f"<msup><mrow>{SUM}</mrow><mn>2</mn></msup>", "(a+b)^2"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f′"),
        ("<msup><mn>90</mn><mo>∘</mo></msup>", "90°"),
        ("<msup><mn>4</mn><mtext>th</mtext></msup>", "4th"),
        ("<msup><mi>Ca</mi><mrow><mn>2</mn><mo>+</mo></mrow></msup>", "Ca2+"),
        ("<msup><mi/><mn>6</mn></msup>", "^6"),
        ("<msub><mi>x</mi><mi>i</mi></msub>", "xi"),
        ("<msub><mi>n</mi><mi>max</mi></msub>", "n_max"),
        ("<msub><mi>log</mi><mn>2</mn></msub><mn>8</mn>", "log2 8"),
        ("<msub><mn>101</mn><mn>2</mn></msub>", "101_2"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x1^2"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
         "∑_(i=1)^n i"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x¯"),
        ("<mmultiscripts><mi>C</mi><mprescripts/><none/><mn>14</mn></mmultiscripts>", "14C"),
        ("<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd>"
         "<mtd><mn>1</mn></mtd></mtr></mtable><mo>]</mo>", "[1 0; 0 1]"),
        ("<mfenced><mi>a</mi><mn>12</mn></mfenced>", "(a,12)"),
        ("<mi>sin</mi><mi>x</mi><mo>></mo><mn>0</mn><mtext> for all </mtext><mi>x</mi>", "sin x>0 for all x"),
        ("<mn>5</mn><mspace width='0.2em'/><mi>cm</mi>", "5 cm"),
        ("<semantics><mrow><mi>k</mi><mo>=</mo><mn>17</mn></mrow><annotation>again</annotation></semantics>", "k=17"),
        ("<mi>a</mi><mphantom><mi>b</mi></mphantom>", "a"),
    ],
)  # fmt: skip
def test_a_formula_is_written_on_one_line(markup: str, text: str) -> None:
    assert line(markup) == text


@pytest.mark.parametrize("name", ["mrow", "msqrt", "mfrac", "msup"])
def test_deep_formulas_are_read_without_recursion(name: str) -> None:
    deep = f"<{name}>" * 240 + "<mi>x</mi>" + f"</{name}>" * 240
    assert "x" in line(deep)
