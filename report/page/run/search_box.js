// The search field above the timeline, with the number of matches and buttons for the next and the previous one.
import { element } from "../parts/dom.js";
import { formatCount } from "../time/ticks.js";
import { search } from "./search.js";

const HELP = 'Words must all match: part of a name or value, name=value, name~part, #id, >50ns, <1us, error, unfinished. Example: read >50ns status=OK';

const PART = "The search covers the transactions in this page: a selection of the run. To search all of them, use ftr dump --where.";

export class SearchBox {
  constructor(app) {
    this.app = app;
    this.run = 0;
    this.at = -1;
    this.field = element("input", {
      type: "search", placeholder: "Search: read >50ns addr=0x40", title: HELP, "aria-label": `Search. ${HELP}`,
      spellcheck: "false", input: () => this.later(), keydown: (event) => this.onKey(event),
    });
    this.result = element("output", { class: "faint", "aria-live": "polite" });
    const step = (by, text, title) => element("button", { click: () => this.step(by), title, "aria-label": title }, text);
    this.steps = element("span", { hidden: true },
      step(-1, "\u2039", "Previous match (Shift+Enter)"), step(1, "\u203a", "Next match (Enter)"));
    this.root = element("div", { class: "search", role: "search" }, this.field, this.steps, this.result);
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.start(), 150);
  }

  onKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (this.text !== this.field.value) this.start().then(() => this.step(1));
      else this.step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      this.field.value = "";
      this.start();
      this.field.blur();
    }
  }

  /** Searches for the text of the field. */
  async start() {
    clearTimeout(this.timer);
    const run = ++this.run;
    this.text = this.field.value;
    this.at = -1;
    if (this.app.trace !== this.app.base) this.app.use(this.app.base);
    if (this.text.trim() === "") {
      this.app.found = null;
      this.show("");
      return;
    }
    const found = await search(this.app.trace, this.text, () => run !== this.run);
    if (!found || run !== this.run) return;
    this.app.found = found;
    this.show(found.problem ?? `${formatCount(found.count)} match${found.count === 1 ? "" : "es"}${this.searchedPart()}`);
  }

  /** Which transactions are searched, if the page does not have all. */
  searchedPart() {
    const { count, of } = this.app.base.manifest.transactions;
    return this.app.base.isComplete ? "" : ` in ${formatCount(count)} of ${formatCount(of)} transactions`;
  }

  show(text) {
    this.result.textContent = text;
    this.result.title = text === "" || this.app.base.isComplete ? "" : PART;
    this.steps.hidden = !this.app.found?.count;
    this.app.changed("search");
  }

  /** Selects the next or the previous match. */
  step(by) {
    const shown = this.app.found?.shown ?? [];
    if (shown.length === 0) return;
    this.at = this.at < 0 && by < 0 ? shown.length - 1 : (this.at + by + shown.length) % shown.length;
    this.app.select(shown[this.at], true);
    this.result.textContent = `${formatCount(this.at + 1)} of ${formatCount(this.app.found.count)}`;
  }

  setText(text) {
    this.field.value = text;
    return this.start();
  }
}
