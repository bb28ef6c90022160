"""Every test that the page on security names is there, so that no promise stands without its proof."""

from __future__ import annotations

import re

from tests.programs import ROOT

NAMED = re.compile(r"`(?P<file>tests/[\w/]+\.py)?(?:::(?P<test>test_\w+))?`")


def test_the_tests_of_all_promises_are_there() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    proofs = [line.rpartition(" | ")[2] for line in page.splitlines() if line.startswith("| ")]
    named = 0
    for proof in proofs:
        code = ""
        for file, test in NAMED.findall(proof):
            if file:
                code = (ROOT / file).read_text(encoding="utf-8")
            if test:
                assert f"def {test}(" in code, f"{test} is not in the file before it: {proof}"
            named += bool(file or test)
    assert named > 80
