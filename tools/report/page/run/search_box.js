// The search field above the timeline, with the number of matches and buttons for the next and the previous one.
import { element } from "../parts/dom.js";
import { formatCount, formatNumberOf } from "../time/ticks.js";
import { searchFile } from "../serve/served_search.js";
import { parseCondition } from "./condition.js";
import { search } from "./search.js";

const HELP = `Words must all match: part of a name or value, name=value, name~part, #id, >50ns, <1us, error, unfinished. Also name >= 16, name =~ "cpu*", && || ! and parentheses. Example: read >50ns !status=OK`;

const PART = "The search covers the transactions in this page: a selection of the run. To search all of them, use ftr report --serve or ftr dump --where.";
const WHOLE = "The server searched all transactions of the file. The part Transactions lists the first matches. The timeline marks them and, if you zoom in, all matches in the visible time.";

/** How many matches are shown, if not all. */
function shownPart({ count, shown }) {
  return count > shown.length ? `, first ${formatCount(shown.length)} marked` : "";
}

export class SearchBox {
  constructor(app) {
    this.app = app;
    this.run = 0;
    this.at = -1;
    this.atId = null; // id of the match that was selected last
    this.isBusy = false;
    this.duration = 0; // of the last search, in milliseconds
    this.field = element("input", {
      type: "search", placeholder: "Search: read >50ns addr=0x40", title: HELP, "aria-label": `Search. ${HELP}`,
      spellcheck: "false", input: () => this.later(), keydown: (event) => this.onKey(event),
    });
    this.result = element("output", { class: "faint", "aria-live": "polite" });
    const step = (by, text, title) => element("button", { click: () => this.step(by), title, "aria-label": title }, text);
    this.steps = element("span", { hidden: true },
      step(-1, "\u2039", "Previous match (Shift+Enter)"), step(1, "\u203a", "Next match (Enter)"));
    this.root = element("div", { class: "search", role: "search" }, this.field, this.steps, this.result);
    app.listen((change) => {
      if (change === "data") this.searchAgain();
    });
  }

  /** Searches again when a growing file has new data. First waits as long as the last search took, so that other
   * requests are answered. */
  searchAgain() {
    if (this.field.value.trim() === "") return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.isBusy ? this.searchAgain() : this.start(this.atId)), this.duration + 1);
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

  /** Searches for the text of the field. @param atId id of the present match, which stays the present one if it is
   * found again */
  async start(atId = null) {
    clearTimeout(this.timer);
    const run = ++this.run;
    this.text = this.field.value;
    this.at = -1;
    this.atId = atId;
    if (this.text.trim() === "") {
      this.app.setFound(null);
      this.show("", "");
      return;
    }
    const { root: condition, problem } = parseCondition(this.text, this.app.base.scale);
    const found = problem ? { problem, count: 0, shown: [] } : await this.search(condition, run);
    if (!found || run !== this.run) return;
    if (found.isOutdated) {
      this.show("the file has grown; searching again", "");
      return; // the search begins when the page gets the new data
    }
    this.take({ ...found, condition });
    const text = found.problem ?? `${formatNumberOf(found.count, "match", "matches")}${this.searchedPart()}${shownPart(found)}`;
    this.show(text, found.problem || this.app.base.isComplete ? "" : this.isServed() ? WHOLE : PART);
  }

  /** Tests the transactions of the page or, if the page does not have all, lets the server test those of the file. */
  async search(condition, run) {
    const { base } = this.app;
    const isOld = () => run !== this.run;
    const began = performance.now();
    this.isBusy = true;
    const found = base.isComplete || !this.isServed()
      ? await search(base, condition, isOld)
      : await searchFile(base, this.text, isOld, (tested, part) => this.showProgress(tested, { ...part, condition }));
    if (!isOld()) {
      this.isBusy = false;
      this.duration = performance.now() - began;
    }
    return found;
  }

  isServed() {
    return this.app.base.manifest.serve !== undefined;
  }

  /** Marks the matches so far. @param found {count, shown, trace, condition}; without a trace, the marks stay */
  showProgress(tested, found) {
    const { of } = this.app.base.manifest.transactions;
    const share = Math.min(Math.floor((tested / of) * 100), 99);
    const isFirst = this.progressOf !== this.run;
    this.progressOf = this.run;
    if (found.trace) this.take(found);
    else if (isFirst) this.app.setFound(null); // the matches of the former search
    else if (this.app.found) {
      this.app.found.count = found.count;
      this.app.places = null; // the count decides whether the matches of the visible time are searched again
    }
    const marked = this.app.found ? shownPart(this.app.found) : "";
    this.show(`${formatCount(found.count)} so far${marked}, ${share}\u202f% searched`, "");
  }

  /** Takes matches. The present match stays the present one if it is among the new matches. */
  take(found) {
    this.at = found.shown.findIndex((i) => found.trace.ids[i] === this.atId);
    this.app.setFound(found);
  }

  /** Which transactions are searched, if the page does not have all and no server has searched the others. */
  searchedPart() {
    const { count, of } = this.app.base.manifest.transactions;
    return this.app.base.isComplete || this.isServed() ? "" : ` in ${formatCount(count)} of ${formatCount(of)} transactions`;
  }

  show(text, title) {
    this.result.textContent = text;
    this.result.title = title;
    this.steps.hidden = !this.app.found?.count;
  }

  /** Selects the next or the previous match. */
  step(by) {
    const { shown, trace } = this.app.found ?? { shown: [], trace: null };
    if (shown.length === 0) return;
    this.at = this.at < 0 && by < 0 ? shown.length - 1 : (this.at + by + shown.length) % shown.length;
    const i = shown[this.at];
    this.atId = trace.ids[i];
    this.app.selectId(this.atId, trace.begin(i), trace.end(i));
    this.result.textContent = `${formatCount(this.at + 1)} of ${formatCount(this.app.found.count)}`;
  }

  setText(text) {
    this.field.value = text;
    return this.start();
  }
}
