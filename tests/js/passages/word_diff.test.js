// Two passages word by word.

import assert from "node:assert/strict";
import { test } from "node:test";

import { elideSame, shortenDiff, wordDifference } from "../../../colde/report/linked_view/passages/word_diff.js";

const said = (/** @type {any} */ pieces) =>
  pieces.map((/** @type {any} */ p) => (p.same ? p.text : `[${p.text}]`)).join("");

test("words that stand in both in the same order are the same, capitals and signs aside", () => {
  const found = wordDifference("The lamp turns once a minute.", "the old lamp turns, twice a minute!");
  assert.ok(found);
  assert.equal(said(found[0]).replaceAll(/\s+/g, " "), "The lamp turns [once] a minute.");
  assert.equal(said(found[1]).replaceAll(/\s+/g, " "), "the [old] lamp turns, [twice] a minute!");
});

test("a number is one word, and each character of a script without spaces", () => {
  for (const [a, b, left, right] of [
    ["It costs 4.1 crowns.", "It costs 4.7 crowns.", "It costs [4.1] crowns.", "It costs [4.7] crowns."],
    ["It doesn’t turn.", "It does turn.", "It [doesn’t] turn.", "It [does] turn."],
    ["甲方应当付款", "甲方可以付款", "甲方[应当]付款", "甲方[可以]付款"],
  ]) {
    const found = wordDifference(a, b);
    assert.deepEqual(found?.map(said), [left, right]);
  }
});

test("of a long sentence every difference stays, with the words around it", () => {
  const same = "one two three four five six seven eight nine ten ".repeat(8);
  const [left] = wordDifference(`${same}old ${same}big ${same}`, `${same}new ${same}small ${same}`) ?? [];
  const text = said(elideSame(left ?? []));
  assert.match(text, /^….* ten \[old\] one .*….* ten \[big\] one .*…$/);
  assert.ok(text.length < 300);
  assert.deepEqual(elideSame([{ text: same, same: true }]), [{ text: same, same: true }]);
});

test("nothing of a passage is lost", () => {
  for (const [a, b] of [
    ["", "x"],
    ["…", "…"],
    ["Été à Paris", "été, paris 2024"],
    ["a b c", "d e f"],
  ]) {
    const found = wordDifference(a, b);
    assert.ok(found);
    assert.deepEqual(
      found.map((pieces) => pieces.map((p) => p.text).join("")),
      [a, b],
    );
  }
});

test("very long passages are not compared, and long ones are cut", () => {
  assert.equal(wordDifference("a ".repeat(500), "a"), null);
  assert.deepEqual(
    shortenDiff(
      [
        { text: "abc ", same: true },
        { text: "defgh", same: false },
      ],
      6,
    ),
    [
      { text: "abc ", same: true },
      { text: "de…", same: false },
    ],
  );
});
