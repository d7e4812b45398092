// The state of a page about one run, shared by its parts. A part that changes the state says so with changed(); the
// parts that listen repaint.
import { TimeView } from "../time/time_view.js";
import { buildTree } from "../timeline/rows.js";
import { matchesIn } from "./search.js";

export class App {
  /** @param trace of the run */
  constructor(trace) {
    this.trace = trace;
    this.base = trace; // the trace of the page; a server sends other traces for parts of the run
    this.wanted = null; // id of a transaction to select when it is loaded
    this.view = new TimeView(trace.first, trace.last);
    this.tree = buildTree(trace.streams);
    this.folded = new Set();
    this.selected = -1;
    this.hovered = -1;
    this.cursorA = null;
    this.cursorB = null;
    this.tab = "timeline";
    // The result of a search: {problem}, or {count, shown, trace, condition}: `shown` contains the indices of the first
    // matches in `trace`. This is the trace of the page, or a trace of only the matches from a server.
    this.found = null;
    this.places = null; // indices of the matches in the shown trace
    this.marks = null; // differences: Map from the index of a stream to its marks
    this.back = []; // transactions selected before
    this.listeners = [];
  }

  /** Calls @p listener with the name of each change: "view", "selection", "cursors", "rows", "data", "tab", "search". */
  listen(listener) {
    this.listeners.push(listener);
  }

  changed(name) {
    for (const listener of this.listeners) listener(name);
  }

  /** Shows the transactions of another trace with the same streams. @param change "trace", or "data" if figures differ */
  use(trace, change = "trace") {
    const id = this.wanted ?? (this.selected >= 0 ? this.trace.ids[this.selected] : null);
    const isWhole = this.view.span >= Number(this.view.last - this.view.first);
    if (change === "data") this.base = trace;
    this.trace = trace;
    this.tree = buildTree(trace.streams);
    this.hovered = -1;
    if (change === "data") this.found = null;
    this.places = null;
    this.back = [];
    this.selected = id === null ? -1 : trace.find(id);
    const isFound = this.wanted !== null && this.selected >= 0;
    this.wanted = this.selected >= 0 ? null : id; // selected again when it is loaded again
    Object.assign(this.view, { first: trace.first, last: trace.last });
    if (isWhole && change === "data") this.view.showAll();
    this.changed(change);
    if (isFound) this.changed("selection");
  }

  /** Selects a transaction. @param show whether the view moves so that it is visible */
  select(i, show = false) {
    if (i === this.selected && !show) return;
    if (this.selected >= 0 && i >= 0 && i !== this.selected) this.back.push(this.selected);
    this.selected = i;
    if (i >= 0 && show) this.reveal(i);
    this.changed("selection");
  }

  /** A trace that has a transaction: if possible, the shown trace; null if the transaction is not loaded. */
  traceWith(id) {
    return [this.trace, this.base, this.found?.trace].find((trace) => trace && trace.find(id) >= 0) ?? null;
  }

  /** The trace to show when the page leaves a part of the run: the trace of the page, or the trace of the matches if
   * only that has the selected transaction. */
  traceWithSelection() {
    const id = this.wanted ?? (this.selected >= 0 ? this.trace.ids[this.selected] : null);
    const matches = this.found?.trace;
    return id !== null && matches && this.base.find(id) < 0 && matches.find(id) >= 0 ? matches : this.base;
  }

  /** Selects and shows a transaction by its id; if it is not loaded, shows its interval of time. */
  selectId(id, begin, end) {
    const trace = this.traceWith(id);
    if (trace && trace !== this.trace) this.use(trace);
    if (trace) this.select(trace.find(id), true);
    else this.showTime(begin, end, id);
  }

  /** Whether the shown trace has all transactions of a part of the run, and the search found more than its first matches. */
  hasMoreMatches() {
    return Boolean(this.trace.window && this.found?.condition && this.found.count > this.found.shown.length);
  }

  /** The matches of the search: `loaded` are indices of the shown trace; `others`, which the shown trace does not have,
   * are indices of found.trace. */
  matchPlaces() {
    if (this.places) return this.places;
    const hasMore = this.hasMoreMatches();
    const loaded = hasMore ? matchesIn(this.trace, this.found.condition) : [];
    const others = [];
    for (const i of this.found?.shown ?? []) {
      const place = this.found.trace === this.trace ? i : this.trace.find(this.found.trace.ids[i]);
      if (place < 0) others.push(i);
      else if (!hasMore) loaded.push(place);
    }
    this.places = { loaded, others };
    return this.places;
  }

  /** Takes the result of a search; null: none. */
  setFound(found) {
    this.found = found;
    this.places = null;
    if (!found && this.trace !== this.base && !this.trace.window) this.use(this.base);
    this.changed("search");
  }

  /** Goes back to the transaction that was selected before. */
  selectPrevious() {
    const i = this.back.pop();
    if (i === undefined) return;
    this.selected = -1;
    this.select(i, true);
  }

  /** Moves the view so that transaction i is visible and, if it has a duration, at least a few pixels wide. */
  reveal(i) {
    const { trace, view } = this;
    const [left, right] = [view.x(trace.begin(i)), view.x(trace.end(i))];
    const isShort = right - left < 3 && trace.duration(i) > 0n;
    if (isShort || right - left > view.width * 0.95) view.showInterval(trace.begin(i), trace.end(i), 8);
    else if (left < 0 || right > view.width) view.centre(trace.begin(i));
    this.unfold(trace.stream(i).name);
    if (this.tab !== "timeline") this.show("timeline");
    this.changed("view");
  }

  /** Unfolds all levels above a stream. */
  unfold(name) {
    let isChanged = false;
    for (const folder of this.folded) {
      if (name === folder || name.startsWith(`${folder}.`)) {
        this.folded.delete(folder);
        isChanged = true;
      }
    }
    if (isChanged) this.changed("rows");
  }

  /** Shows an interval of time. @param wanted id of a transaction that is selected as soon as it is loaded */
  showTime(begin, end, wanted = null) {
    this.wanted = wanted;
    this.view.showInterval(begin, end, 4);
    this.show("timeline");
    this.changed("view");
  }

  /** Shows one of the parts of the page. */
  show(tab) {
    if (tab === this.tab) return;
    this.tab = tab;
    this.changed("tab");
  }
}
