// Text from a document reaches the page only through textContent; there is no markup in this module.

/** make("button.primary", {title: "…", onclick: f}, "text", child, …) */
export function createElement(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}

/** The letter of a text, in the hue that is its own everywhere. */
export function sideLetter(side) {
  return createElement("b.lv-letter", { "data-of": side }, side.toUpperCase());
}

/** A row of buttons of which one is pressed. */
export function segmentedButtons(label, options, chosen, choose) {
  const group = createElement("div.lv-segmented", { role: "group", "aria-label": label });
  for (const { value, text, title } of options) {
    group.append(
      createElement(
        "button",
        { type: "button", title, "aria-pressed": String(value === chosen), onclick: () => choose(value) },
        text,
      ),
    );
  }
  return group;
}

/** A list to choose from; options: [{value, text, title?}]. */
export function selectBox(label, options, chosen, choose) {
  const list = createElement("select", { "aria-label": label, onchange: (event) => choose(event.target.value) });
  for (const { value, text, title } of options) {
    list.append(createElement("option", { value, selected: value === chosen, title }, text));
  }
  return createElement("label.lv-choice", {}, list);
}

/** The focused element if it lies in this one, in a shadow root too; else null. */
export function focusedIn(element) {
  const focused = element.getRootNode().activeElement;
  return focused && element.contains(focused) ? focused : null;
}

/** The name of a control among those of an element: its `data-focus`, or else its group and label. */
function controlName(control) {
  const group = control.closest("[role=group]")?.getAttribute("aria-label");
  return control.dataset.focus ?? JSON.stringify([group, control.getAttribute("aria-label") ?? control.textContent]);
}

/**
 * Replace the children of an element. The focus goes to the new control of the same name; where there is none, to the
 * element, if it takes the focus. A text field keeps its caret, and what was typed since it was drawn if it still begins
 * with the same text.
 */
export function redraw(element, ...children) {
  const before = focusedIn(element);
  const name = before && controlName(before);
  const { selectionStart, selectionEnd } = before ?? {};
  element.replaceChildren(...children);
  if (!before) return;
  const after = [...element.querySelectorAll("button, input, select, summary, textarea")].find(
    (control) => controlName(control) === name,
  );
  after?.focus({ preventScroll: true });
  if (after && Number.isInteger(selectionStart)) {
    if (after.defaultValue === before.defaultValue) after.value = before.value;
    after.setSelectionRange(selectionStart, selectionEnd);
  }
  if (!focusedIn(element)) element.focus({ preventScroll: true });
}

/** A call some time after the last wish for it; `now` makes it at once, in place of one that waits. */
export function debounce(milliseconds, call) {
  let timer = 0;
  const later = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  later.now = (...values) => {
    clearTimeout(timer);
    call(...values);
  };
  return later;
}

/** At most one call a frame, with the latest state. */
export function oncePerFrame(call) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      call();
    });
  };
}

/**
 * What draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 */
export function context2d(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws on no canvas");
  return context;
}
