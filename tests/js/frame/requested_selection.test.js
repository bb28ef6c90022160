import assert from "node:assert/strict";
import { test } from "node:test";

import { RequestedSelection } from "../../../colde/report/linked_view/frame/requested_selection.js";

/** A wish whose fulfilments are counted; `show` returns what was selected by it. */
function wish() {
  const wanted = new RequestedSelection();
  const shown = [];
  const obey = (selected, pending) =>
    wanted.obey(selected, pending, (selection) => {
      shown.push(selection);
      return `selected ${shown.length}`;
    });
  return { wanted, shown, obey };
}

test("a wish is shown once when all maps are there", () => {
  const { wanted, shown, obey } = wish();
  wanted.ask({ row: 1 });
  obey(null, false);
  wanted.ask({ row: 1 });
  obey("selected 1", false);
  assert.deepEqual(shown, [{ row: 1 }]);
});

test("while maps come in it is shown at once, and again on all of them", () => {
  const { wanted, shown, obey } = wish();
  wanted.ask({ row: 1 });
  obey(null, true);
  obey("selected 1", true);
  assert.equal(shown.length, 1);
  obey("selected 1", false);
  assert.equal(shown.length, 2);
});

test("a reader who has moved on is left where they are", () => {
  const { wanted, shown, obey } = wish();
  wanted.ask({ row: 1 });
  obey(null, true);
  obey("something else", true);
  obey("something else", false);
  assert.equal(shown.length, 1);
});

test("another wish is a new one, and the same wish too once it was taken back", () => {
  const { wanted, shown, obey } = wish();
  wanted.ask({ row: 1 });
  obey(null, false);
  wanted.ask({ row: 2 });
  obey("selected 1", false);
  wanted.ask(null);
  wanted.ask({ row: 2 });
  obey("selected 2", false);
  assert.deepEqual(shown, [{ row: 1 }, { row: 2 }, { row: 2 }]);
});
