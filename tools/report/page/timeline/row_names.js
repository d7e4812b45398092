// The names of the rows, left of the timeline. Only visible rows have elements, so that a trace with ten thousand
// streams stays quick.
import { element, fill, printable } from "../parts/dom.js";
import { fitted } from "../parts/fitted_text.js";
import { streamTitle } from "../data/stream_names.js";
import { formatCount, formatNumberOf } from "../time/ticks.js";

const TWO_LINES = 36; // least height of a row for a note below the name

export class RowNames {
  constructor(timeline) {
    this.timeline = timeline;
    this.holder = element("div", { class: "names" });
    this.shown = "";
  }

  get width() {
    return window.innerWidth < 1000 ? 150 : 220;
  }

  /** Forgets the elements after a change of the rows. */
  rebuild() {
    this.shown = "";
  }

  /** Puts the names of the rows between two vertical positions into the page. */
  paint(top, height) {
    const visible = this.timeline.rows.filter((row) => row.y + row.height > top && row.y < top + height);
    const key = `${visible[0]?.y},${visible.length},${this.width},${this.timeline.app.trace.count}`;
    if (key === this.shown) return;
    this.shown = key;
    this.holder.style.width = `${this.width}px`;
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = this.holder.contains(active) ? active.dataset.name : null;
    fill(this.holder, visible.map((row) => this.name(row)));
    if (focused !== null) [...this.holder.querySelectorAll("button")].find((b) => b.dataset.name === focused)?.focus();
  }

  name(row) {
    const { app } = this.timeline;
    const note = this.note(row);
    const indent = 6 + row.depth * 12;
    const font = `${row.isFolder ? "600 " : ""}12.5px ${getComputedStyle(this.holder).fontFamily}`;
    const room = this.width - indent - 12 - (row.isFolder ? 16 : 0);
    const label = printable(row.node.label || "(no name)");
    // The name is more important than the note, which the title has, too.
    const isBeside = note !== null && fitted(label, room - 10 - note.textContent.length * 6.5, font) === label;
    const isBelow = note !== null && !isBeside && row.height >= TWO_LINES;
    const parts = [element("span", {}, fitted(label, room, font)), isBeside || isBelow ? note : null];
    const style = `top:${row.y}px;height:${row.height}px;padding-left:${indent}px`;
    const kind = `name${isBelow ? " two-lines" : ""}`;
    const title = this.title(row);
    if (!row.isFolder) return element("div", { class: kind, style, title }, parts);
    const fold = () => {
      if (!app.folded.delete(row.node.name)) app.folded.add(row.node.name);
      app.changed("rows");
    };
    const sign = element("span", { class: "sign", "aria-hidden": "true" }, row.isFolded ? "\u25b8" : "\u25be");
    const button = element(
      "button", { class: `${kind} folder`, style, title, "aria-expanded": String(!row.isFolded), click: fold },
      sign, parts,
    );
    button.dataset.name = row.node.name;
    return button;
  }

  title(row) {
    if (row.streams.length !== 1) return printable(row.node.name ?? "", 400);
    const [stream] = row.streams;
    return `${streamTitle(stream).split("\n").map((line) => printable(line, 400)).join("\n")}\n${stream.kind ? `${printable(stream.kind, 100)}\n` : ""}${formatNumberOf(stream.count, "transaction")}, ` +
      `at most ${stream.outstanding} at the same time${this.isPart(row) ? `; this page has ${this.partOf(stream)}` : ""}`;
  }

  isPart(row) {
    const { trace } = this.timeline.app;
    if (trace.isComplete || trace.window || row.streams.length !== 1 || !row.isSingle) return false;
    const [stream] = row.streams;
    return stream.to - stream.from < stream.count;
  }

  partOf(stream) {
    return `${formatCount(stream.to - stream.from)} of ${formatCount(stream.count)}`;
  }

  /** The share of the transactions that the page has, if it is a part. */
  note(row) {
    return this.isPart(row) ? element("span", { class: "note" }, this.partOf(row.streams[0])) : null;
  }
}
