"""Answers of the service are compressed for clients that accept it; events are not."""

from __future__ import annotations

from tests.serve.test_serve import PAIR, WORDS


def test_a_long_answer_is_compressed_for_those_who_accept_it(client) -> None:
    sizes = {}
    for encoding in ("gzip", "identity"):
        found = client.post("/compare", files=PAIR, data=WORDS, headers={"Accept-Encoding": encoding})
        assert found.headers.get("content-encoding", "identity") == encoding
        assert found.json()["models"][0]["name"] == "tfidf"
        sizes[encoding] = int(found.headers["content-length"])
    assert sizes["gzip"] < 0.6 * sizes["identity"]
    headers = {"Accept-Encoding": "gzip", "Accept": "text/event-stream"}
    assert "content-encoding" not in client.post("/compare", files=PAIR, data=WORDS, headers=headers).headers
