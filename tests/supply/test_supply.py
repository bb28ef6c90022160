"""What the program is made of: licences that fit, a bill of materials, hashes for every pin, an audit that can fail."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "supply"))


def load(name: str) -> ModuleType:
    return importlib.import_module(name)


def test_nothing_at_run_time_comes_under_the_gpl_alone() -> None:
    licences = load("licences")
    found = {name: licences.declared(name) for name in licences.pinned()}
    assert len(found) > 80
    assert [name for name, said in found.items() if not licences.fits(said)] == []


@pytest.mark.parametrize(
    ("said", "fit"),
    [
        (("MIT",), True),
        (("GPL-3.0-only",), False),
        (("GPL-2.0-or-later OR MIT",), True),
        (("MIT AND AGPL-3.0-only",), False),
        (("GNU General Public License v3 (GPLv3)",), False),
        (("BSD License", "GNU General Public License (GPL)"), True),
        (("LGPL-2.1-only",), True),
        (("GPL-2.0-only WITH Classpath-exception-2.0",), True),
        ((), False),
    ],
)
def test_what_fits(said: tuple[str, ...], fit: bool) -> None:
    assert load("licences").fits(said) is fit


def test_the_bill_names_every_pin_with_its_licence_and_needs() -> None:
    bill, again = load("sbom").bill(), load("sbom").bill()
    assert bill == again and (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    parts = {part["name"]: part for part in bill["components"]}
    assert {name: part["version"] for name, part in parts.items()} == load("licences").pinned()
    assert all(part["licenses"] for part in parts.values())
    refs = {part["bom-ref"] for part in parts.values()} | {bill["metadata"]["component"]["bom-ref"]}
    assert len(refs) == len(parts) + 1
    needs = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert needs.keys() == refs and all(set(found) <= refs for found in needs.values())
    numpy, pandas = parts["numpy"]["bom-ref"], parts["pandas"]["bom-ref"]
    assert numpy in needs[pandas]


def test_every_pin_has_hashes_in_the_lock_and_nothing_else_has() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[a-z0-9])", lock)
    found = {}
    for entry in entries:
        if pin := re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", entry):
            hashes = re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry)
            assert hashes, f"{pin[1]} has no hash"
            found[pin[1]] = pin[2]
    assert found == load("licences").pinned()
    assert "://" not in lock


@pytest.mark.parametrize(
    ("vulnerabilities", "status"),
    [([], 0), ([{"id": "X-1", "fix_versions": ["2"]}], 1), ([{"id": "X-2", "fix_versions": []}], 0)],
)
def test_the_audit_fails_for_what_can_be_mended(
    vulnerabilities: list[dict[str, object]], status: int
) -> None:
    answer = json.dumps({"dependencies": [{"name": "a", "version": "1", "vulns": vulnerabilities}]})
    found, lines = load("audit").judge(answer, "")
    assert found == status
    assert ("X-" in lines[0]) is bool(vulnerabilities)


def test_the_audit_without_a_network_stops_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    audit = load("audit")
    assert audit.judge("", "ERROR: connection failed") == (0, ["not audited: ERROR: connection failed"])
    monkeypatch.setattr(audit, "COMMAND", (sys.executable, "-c", "raise SystemExit('no network')"))
    assert audit.main() == 0
    monkeypatch.setattr(audit, "COMMAND", (str(tmp_path / "missing"),))
    assert audit.main() == 0


def test_every_pin_is_imported_or_says_what_needs_it() -> None:
    imported = imported_packages()
    distributions = importlib.metadata.packages_distributions()
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        pin, _, reason = line.partition("#")
        if not pin.strip():
            continue
        name = plain(pin.partition("==")[0])
        modules = {module for module, owners in distributions.items() if name in map(plain, owners)}
        assert bool(modules & imported) != bool(reason), line
        if match := re.fullmatch(r" for (.*)", reason):
            for other in match[1].split(", "):
                needs = [
                    plain(re.split(r"[^\w.-]", need)[0]) for need in importlib.metadata.requires(other) or ()
                ]
                assert name in needs, line


def plain(name: str) -> str:
    """A package's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def imported_packages() -> set[str]:
    """Top-level modules that files of the product import."""
    modules: set[str] = set()
    for path in [*(ROOT / "colde").rglob("*.py"), *(ROOT / "app").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module.partition(".")[0])
    return modules
