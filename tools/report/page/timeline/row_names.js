// The names of the rows, left of the timeline. Only visible rows have elements, so that a trace with ten thousand
// streams stays quick.
import { element, fill, printable } from "../parts/dom.js";
import { formatCount, formatNumberOf } from "../time/ticks.js";

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
    const label = printable(row.node.label || "(no name)", 80);
    const style = `top:${row.y}px;height:${row.height}px;padding-left:${6 + row.depth * 12}px`;
    const title = this.title(row);
    if (!row.isFolder) return element("div", { class: "name", style, title }, element("span", {}, label), this.note(row));
    const fold = () => {
      if (!app.folded.delete(row.node.name)) app.folded.add(row.node.name);
      app.changed("rows");
    };
    const sign = element("span", { class: "sign", "aria-hidden": "true" }, row.isFolded ? "\u25b8" : "\u25be");
    const button = element(
      "button", { class: "name folder", style, title, "aria-expanded": String(!row.isFolded), click: fold },
      sign, element("span", {}, label), this.note(row),
    );
    button.dataset.name = row.node.name;
    return button;
  }

  title(row) {
    const name = printable(row.node.name ?? "", 400);
    if (row.streams.length !== 1) return name;
    const [stream] = row.streams;
    return `${name}\n${stream.kind ? `${printable(stream.kind, 100)}\n` : ""}${formatNumberOf(stream.count, "transaction")}, ` +
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
