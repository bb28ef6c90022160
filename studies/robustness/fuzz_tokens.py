"""What `fuzz` puts into files: signs of each format in wrong places, numbers, what nests, what cannot be seen."""

from __future__ import annotations

UNSEEN = [
    "\u202e", "\u2066", "\u2069", "\u200f", "\u061c", "\u200b", "\ufeff", "\xad", "\u2028", "\u2029", "\x9b31m",
    "\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://x.example\x1b\\", "\x07", "\x08", "\r", "\x85", "\u0300" * 40,
    "\ufffe", "\U000e0041", "\U0001f468\u200d\U0001f469", "\x00", "\x0c", "\x1c",
]  # fmt: skip
"""Characters that steer a terminal, turn the direction of text, or cannot be seen."""

FORMULAS = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", '=HYPERLINK("http://x.example")',
]  # fmt: skip

NUMBERS = [
    "0", "-1", "1", "65536", "2147483647", "-2147483648", "4294967296", "99999999999999999999", "1e308", "0.0000001",
    "-0",
]  # fmt: skip

TOKENS: dict[str, list[str]] = {
    "html": [
        "<p>", "</p>", "<h1>", "</h2>", "<table>", "<tr><td>", "<td colspan=99999999>", "<pre>", "<script>",
        "</script>", "<style>", "<!--", "-->", "<![CDATA[", "<template>", "<svg><title>", "<math>", "<noscript>",
        "<plaintext>", "<base href=x>", "<meta charset=utf-16>", "<meta charset=utf-7>", "&#0;", "&#xd800;",
        "&#x110000;", "&lt;", "&amp;amp;", "<aside class=footnote>", "<ol start=-99999999999999999999>",
        "<li value=x>", "<br>", "<a name=x>", "<select><option>", "<iframe srcdoc='<p>x'>",
        "<img onerror=alert(1) src=x>", "<h7>", "<p hidden>", "<body>", "</body>", "</html>", "<frameset>",
        "<p title='",
    ],
    "markdown": [
        "# ", "###### ", "####### ", "\n===\n", "\n---\n", "    ", "\t", "- ", "1. ", "999999999999. ",
        "| a | b |\n|---|--:|\n", "```", "~~~", "$$", "\\(", "[^1]", "[^1]: ", "[x](<", "![",
        "](javascript:alert(1))", "<script>", "<!--", "<details>", "&#0;", "***", "**", "__", "`", "> ", ">>>>>>>>",
        "---\ntitle: x\n---\n", "+++\n", "\n\n", "[a]: /x\n", "<http://", "~~",
    ],
    "rst": [
        "\n====\n", "\n----\n", "\n~~~~\n", "====\nA\n====\n", ".. include:: /etc/passwd\n",
        ".. raw:: html\n   :file: /etc/passwd\n", ".. raw:: html\n\n   <script>alert(1)</script>\n",
        ".. csv-table::\n   :file: /etc/passwd\n", ".. code::\n\n", ".. math::\n\n", ".. figure:: x\n",
        ".. |s| replace:: |s|\n", "|s|", "`a`_", "`a <b>`__", "[1]_", ".. [1] n\n", ".. [#] n\n", ".. _a: a_\n",
        "::\n\n", ".. note::\n\n", ".. table::\n", ".. list-table::\n", "=====  ====\na  b\n=====  ====\n",
        "+---+\n| a |\n+---+\n", ":field: x\n", ".. class:: x\n", ".. role:: x(raw)\n   :format: html\n", ":x:`<b>`",
        ":raw-html:`<b>`", ".. contents::\n", ".. sectnum::\n", ".. parsed-literal::\n", ".. epigraph::\n",
        ".. unicode:: 0x110000\n", ".. date::\n", "\\", "*", "**", "``",
    ],
    "text": [
        "\n\n", "\n", "\x0c", "    ", "\t", "1 ", "1.1 ", "CHAPTER I", "Contents\n", "References\n", "Abstract\n",
        "-\n", "....... 7\n", "TITLE\n", "Page 1 of 9\n", "[1] ", "e.g. ", "Dr. ", "?! ", "\u2026", "。", "a-\nb",
        "From: x\n", "%PDF-1.4\n", "PK\x03\x04", "{\\rtf1 ",
    ],
    "xml": [
        "<w:p>", "</w:p>", "<w:tbl>", "<w:tr>", "<w:tc>", "<w:r><w:t>x</w:t></w:r>", "<w:sdt>", "<w:ins>", "<w:del>",
        "<w:footnoteReference w:id='1'/>", "<w:br w:type='page'/>", "<w:numId w:val='99999999999999'/>",
        "<w:ilvl w:val='-1'/>", "<w:outlineLvl w:val='x'/>", "<w:gridSpan w:val='999999'/>", "<w:vMerge/>",
        "<mc:AlternateContent>", "<w:pStyle w:val='Heading1'/>", "<w:instrText>", "<!-- x -->", "<?x y?>", "&#0;",
        "&x;", "&amp;", "<![CDATA[", "xmlns:w='urn:x'", "<m:oMath>", "<w:hyperlink r:id='rId99'>",
        "<w:altChunk r:id='rId1'/>", "<w:numPr/>", "<a:t>x</a:t>",
    ],
    "pdf": [
        "/Page", "/Pages", "/Kids", "/Contents", "/Font", "/Length", "/Filter", "/FlateDecode", "/LZWDecode",
        "/JBIG2Decode", "/DCTDecode", "/ASCII85Decode", "/RunLengthDecode", "/Root", "/ToUnicode", "/Encoding",
        "/Outlines", "/First", "/Next", "/Dest", "/XObject", "/Form", "/Pattern", "/MediaBox", "/Rotate",
        "/UserUnit", "/StructTreeRoot", "/Parent", "/ObjStm", "/XRef", "/Prev", "/Encrypt", "BT", "ET", "Tm", "Td",
        "Tf", "TJ", "Tj", "cm", "q", "Q", "Do", "BI", "ID", "EI", "Tz", "Tr", "TL", "T*", "<<", ">>", "[", "]", "(",
        ")", "<", ">", "endobj", "stream", "endstream", "xref", "trailer", "startxref", "%%EOF", "1 0 R",
        "99999 0 R", "obj", "null", "true", "begincmap", "beginbfrange", "<0000> <ffff> <0000>",
    ],
}  # fmt: skip

NESTS = {
    "html": [
        ("<div>", "</div>"), ("<b>", ""), ("<table><tr><td>", ""), ("<ul><li>", ""), ("<font><p>", ""),
    ],
    "markdown": [
        ("> ", ""), ("[", "]"), ("*", ""), ("- ", ""), ("![", "](x)"), ("<div>", ""), ("`", " "),
    ],
    "rst": [
        ("*", ""), ("[", "]_"), ("``", ""), ("`", ""), ("|", "|"), ("   ", ""), ("* ", ""),
    ],
    "text": [
        ("(", ")"), ("“", "”"), ("1.", ""), (". ", ""), ("-\n", ""), ("a.b.", ""),
    ],
    "xml": [
        ("<w:sdt><w:sdtContent>", ""), ("<w:tbl><w:tr><w:tc>", ""), ("<w:p>", "</w:p>"), ("<x>", "</x>"),
    ],
    "pdf": [
        ("[", "]"), ("<<", ">>"), ("<</A", ">>"), ("(", ")"), ("q ", " Q"), ("BT ", ""), ("/F1 1 Tf ", ""),
    ],
}  # fmt: skip
"""What can stand within itself: beginning and end."""

ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + '<!ENTITY f SYSTEM "file:///etc/passwd">]>'
)
"""Declarations of entities: some that grow by ten, eight times over, and one that is a file."""
