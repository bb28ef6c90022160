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
  element.append(...children.filter(isChild));
  return element;
}

const isChild = (child) => child !== null && child !== undefined;

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

const groupName = (control) => control.closest("[role=group]")?.getAttribute("aria-label");

/** The name of a control in its group: its `data-focus`, or else its label. */
const controlName = (control) => control.dataset.focus ?? control.getAttribute("aria-label") ?? control.textContent;

/**
 * Remember the focus, if it is in this element. The function that is returned, to be called when other children are there,
 * gives it to the new control of the same group and name; else to the element, if it takes the focus; else to another
 * control of the group; else to what is around the element. A text field keeps its caret, and what was typed since it was
 * drawn if it still begins with the same text.
 */
export function keepFocus(element) {
  const before = focusedIn(element);
  if (!before) return () => {};
  const [group, name] = [groupName(before), controlName(before)];
  const { selectionStart, selectionEnd } = before;
  return () => {
    const controls = [...element.querySelectorAll("button, input, select, summary, textarea, [tabindex]")].filter(
      (control) => groupName(control) === group,
    );
    const after = controls.find((control) => controlName(control) === name);
    const others = controls.filter((control) => control.tabIndex >= 0 && !control.disabled);
    for (const place of [after, element, others[0], element.parentElement?.closest("[tabindex]")]) {
      place?.focus({ preventScroll: true });
      if (place && focusedIn(place)) break;
    }
    if (after && Number.isInteger(selectionStart)) {
      if (after.defaultValue === before.defaultValue) after.value = before.value;
      after.setSelectionRange(selectionStart, selectionEnd);
    }
  };
}

/** Replace the children of an element, which keeps the focus; as in `createElement`, null is no child. */
export function redraw(element, ...children) {
  const focusAgain = keepFocus(element);
  element.replaceChildren(...children.filter(isChild));
  focusAgain();
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
  if (!context) throw new Error("this browser does not support the canvas element");
  return context;
}
