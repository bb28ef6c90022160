import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { debounce, oncePerFrame } from "../../../colde/report/linked_view/frame/dom.js";

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
let timers;

/** Timers that go off when the test says so. */
beforeEach(() => {
  timers = new Map();
  globalThis.setTimeout = (call) => {
    timers.set(timers.size + 1, call);
    return timers.size;
  };
  globalThis.clearTimeout = (id) => timers.delete(id);
  globalThis.requestAnimationFrame = (call) => timers.set(`frame ${timers.size}`, call);
});
afterEach(() => Object.assign(globalThis, real));

const goOff = () => {
  const due = [...timers.values()];
  timers.clear();
  due.forEach((call) => call());
};

test("of many calls in a row only the last is made", () => {
  const made = [];
  const call = debounce(10, (value) => made.push(value));
  call(1);
  call(2);
  goOff();
  call(3);
  call.cancel();
  goOff();
  assert.deepEqual(made, [2]);
});

test("at most one call a frame", () => {
  let calls = 0;
  const call = oncePerFrame(() => (calls += 1));
  call();
  call();
  goOff();
  call();
  goOff();
  assert.equal(calls, 2);
});
