"""The service finds the sources of a text in its index."""

from __future__ import annotations

from tests.index.light import load


def test_sources_are_those_of_the_index(folder, served) -> None:
    client = served(folder / "index", loader=load)
    text = (folder / "files" / "file001.md").read_text()
    data = {"text": f"{text} Somebody added a sentence.", "leave_out": "standard"}
    counted = client.post("/sources", data=data).json()
    assert "file001.md" in {source["name"] for source in counted["sources"]}
    without = client.post("/sources", data={**data, "leave_out": "versions"}).json()
    assert "file001.md" in {version["name"] for version in without["versions"]}
    assert "file001.md" not in {source["name"] for source in without["sources"]}
    refused = client.post("/sources", data={**data, "leave_out": "chapters"})
    assert refused.status_code in (400, 422) and "chapters is none of" in refused.text
