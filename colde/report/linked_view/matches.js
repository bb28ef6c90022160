// The list of top matches, short below the map or with its passages in a tab of its own, and stepping through it.

import { number } from "./data.js";
import { focusedIn, make } from "./dom.js";
import { shortened, wordDifference } from "./worddiff.js";

const QUOTE = 220; // characters of a passage in the list

/** `show(list, chosen, texts)` draws; `quoted`: with the passages themselves; on: {choose(i)} */
export class Matches {
  constructor(on, quoted = false) {
    this.on = on;
    this.quoted = quoted;
    this.list = [];
    this.chosen = -1;
    this.texts = null;
    this.all = false; // whether those that do not stand out are listed, too
    this.element = make(quoted ? "div.lv-matches.lv-quoted" : "div.lv-matches");
  }

  /** list: [{a, b, kind, weight, weak: whether unrelated texts have such, too}], strong ones first; chosen: index of one of them, or −1; texts: {a: Text, b: Text} */
  show(list, chosen, texts) {
    Object.assign(this, { list, chosen, texts });
    if (list[chosen]?.weak) this.all = true;
    const strong = list.filter((match) => !match.weak).length;
    this.element.replaceChildren();
    if (!list.length) return;
    const button = (text, title, by) => make("button.lv-quiet", { type: "button", "aria-label": title, title: `${title} (${by > 0 ? "n" : "p"})`, onclick: () => this.step(by) }, text);
    this.items = make("ol.lv-match-list", { "aria-label": "Top matches" }, ...this.listed().map((match, i) => this.item(match, i, texts)));
    if (strong < list.length) this.items.append(make("li", {}, this.fold(strong)));
    this.element.append(
      make(
        "header.lv-matches-header",
        {},
        make("h3", {}, "Top matches"),
        make("span.lv-count", {}, chosen < 0 ? `${strong}` : `${chosen + 1} of ${this.listed().length}`),
        button("‹", "Previous match", -1),
        button("›", "Next match", 1),
      ),
      this.items,
    );
  }

  /** Those in the list, in its order. */
  listed() {
    return this.all ? this.list : this.list.filter((match) => !match.weak);
  }

  /** What stands in place of the weak ones, and brings them. */
  fold(strong) {
    const weak = this.list.length - strong;
    const toggle = () => {
      this.all = !this.all;
      this.show(this.list, this.all ? this.chosen : Math.min(this.chosen, strong - 1), this.texts);
      this.element.querySelector(".lv-weaker").focus({ preventScroll: true });
    };
    const said = `${weak} ${strong ? "weaker" : weak === 1 ? "weak match" : "weak matches"}, usual between unrelated texts`;
    return make("button.lv-weaker", { type: "button", "aria-expanded": String(this.all), onclick: toggle }, `${this.all ? "▾" : "▸"} ${said}`);
  }

  item({ a, b, kind, weight }, i, texts) {
    const place = (text, { start, section }) => {
      const page = text.page(start);
      return (section || text.heading(start)) + (page ? `, p. ${page}` : "");
    };
    const quote = (text, { start, end }, words) => make("q.lv-match-quote", { "data-side": text.side, dir: "auto" }, ...(words || [text.snippet(start, end, QUOTE)]));
    const words = this.quoted ? marked(kind, texts.a.slice(a.start, a.end), texts.b.slice(b.start, b.end)) : [];
    const button = make(
      "button.lv-match",
      { type: "button", "aria-pressed": String(i === this.chosen), onclick: () => this.on.choose(i) },
      make("span.lv-match-number", {}, String(i + 1)),
      make("span.lv-match-places", {}, place(texts.a, a), make("i", {}, " ↔ "), place(texts.b, b)),
      make("span.lv-match-kind", {}, kind),
      make("span.lv-match-weight", {}, number(weight)),
      ...(this.quoted ? [quote(texts.a, a, words?.[0]), quote(texts.b, b, words?.[1])] : []),
    );
    return make("li", {}, button);
  }

  /** To the next match or the one before, round the ends. */
  step(by) {
    const count = this.listed().length;
    if (count) this.on.choose(this.chosen < 0 ? (by > 0 ? 0 : count - 1) : (this.chosen + by + count) % count);
  }

  hasFocus() {
    return Boolean(focusedIn(this.element));
  }

  /** Scroll the list, and nothing else, so that this match can be seen; with the focus on it if wanted. */
  reveal(i, focus) {
    const item = this.items?.children[i];
    if (!item) return;
    const [list, box] = [this.items.getBoundingClientRect(), item.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom) this.items.scrollTop += box.top - list.top - list.height / 3;
    if (focus) item.firstChild.focus({ preventScroll: true });
  }
}

/** Both passages with the words marked in which they differ, where they are nearly the same, else those they share; or null. */
function marked(kind, a, b) {
  const nearly = kind === "verbatim" || kind === "edited";
  if (!nearly && kind !== "reworded") return null;
  const found = wordDifference(a.replaceAll(/\s+/g, " "), b.replaceAll(/\s+/g, " "));
  const look = nearly ? "span.lv-differs" : "span.lv-shared";
  return found && found.map((pieces) => shortened(pieces, QUOTE).map((p) => (p.same === nearly ? document.createTextNode(p.text) : make(look, {}, p.text))));
}
