// Heat maps: which addresses are accessed when.
import { element, fill, printable, section } from "../parts/dom.js";
import { column } from "../data/columns.js";
import { streamName } from "../data/stream_names.js";
import { colours, onColourChange } from "../parts/colours.js";
import { formatNumberOf, formatTicks } from "../time/ticks.js";
import { prepare } from "../timeline/canvas.js";

const LEFT = 120;
const BOTTOM = 20;
const MOST_ROW = 16;
const LARGE_GAP = 16n; // a gap is marked if it is larger than 1/LARGE_GAP of the range of all addresses

function hex(value) {
  return `0x${value.toString(16)}`;
}

function bytes(count) {
  return formatNumberOf(count, "byte");
}

/** A colour between those of the background and the text. Its brightness shows the share, so it can be read without
 * colours. */
function shade(share, isDark) {
  const [from, to] = isDark ? [[27, 33, 40], [255, 214, 102]] : [[244, 246, 248], [13, 44, 92]];
  const mix = from.map((v, k) => Math.round(v + (to[k] - v) * share));
  return `rgb(${mix.join(",")})`;
}

class HeatMap {
  constructor(app, map) {
    this.app = app;
    this.map = map;
    /** @type {BigUint64Array} */
    this.pages = column(app.base.blocks, map.pages);
    this.counts = column(app.base.blocks, map.counts);
    this.most = this.counts.reduce((a, b) => Math.max(a, b), 1);
    this.canvas = element("canvas", { role: "img", "aria-label": `Accesses of ${map.attribute} over time` });
    this.readout = element("p", { class: "readout" }, "Point at a cell for its numbers; a click shows its time in the timeline.");
    this.root = element("div", { class: "card" },
      element("h3", {}, printable(`${streamName(app.base.streams[map.stream])}: ${map.attribute}`, 200)),
      element("p", { class: "about" }, `${formatNumberOf(map.count, "access", "accesses")} to ${formatNumberOf(this.pages.length, "region")} of ${bytes(1n << BigInt(map.page_shift))}; ` +
        "a stronger colour means more accesses (logarithmic). Regions without an access are omitted; a line marks a large gap."),
      this.readout, this.canvas);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("click", (event) => {
      const cell = this.cellAt(event);
      if (cell) app.showTime(...this.interval(cell.slot));
    });
    new ResizeObserver(() => this.paint()).observe(this.root);
    onColourChange(() => this.paint());
  }

  interval(slot) {
    const begin = (BigInt(this.map.first) + BigInt(slot)) << BigInt(this.map.shift);
    return [begin, begin + (1n << BigInt(this.map.shift))];
  }

  get rowHeight() {
    return Math.max(2, Math.min(MOST_ROW, Math.floor(420 / this.pages.length)));
  }

  /** The rows go from the lowest address at the bottom to the highest one at the top. */
  paint() {
    const width = this.root.clientWidth - 26;
    const tall = this.rowHeight;
    const height = this.pages.length * tall + BOTTOM;
    const context = prepare(this.canvas, width, height);
    if (!context) return;
    const c = colours();
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    context.fillStyle = c.background;
    context.fillRect(0, 0, width, height);
    const cell = (width - LEFT) / this.map.columns;
    const top = (row) => (this.pages.length - 1 - row) * tall;
    context.fillStyle = shade(0, isDark);
    context.fillRect(LEFT, 0, width - LEFT, this.pages.length * tall);
    context.font = "11px ui-monospace, monospace";
    context.textAlign = "right";
    let free = Infinity;
    const gap = (this.pages[this.pages.length - 1] - this.pages[0]) / LARGE_GAP + 1n;
    for (let row = 0; row < this.pages.length; row++) {
      for (let slot = 0; slot < this.map.columns; slot++) {
        const count = this.counts[row * this.map.columns + slot];
        if (count === 0) continue;
        const share = 0.18 + (0.82 * Math.log(count + 1)) / Math.log(this.most + 1);
        context.fillStyle = shade(share, isDark);
        context.fillRect(LEFT + slot * cell, top(row), cell + 0.4, tall);
      }
      if (row > 0 && this.pages[row] - this.pages[row - 1] > gap) {
        context.fillStyle = c.faint;
        context.fillRect(LEFT - 6, top(row) + tall - 0.5, width, 1);
      }
      const y = Math.max(top(row) + tall / 2 + 4, 10); // so that the uppermost text is not cut off
      if (free - y >= 13) {
        context.fillStyle = c.text;
        context.fillText(hex(this.pages[row] << BigInt(this.map.page_shift)), LEFT - 8, y);
        free = y;
      }
    }
    this.paintTimes(context, width, height, c);
  }

  paintTimes(context, width, height, c) {
    const { scale } = this.app.base;
    context.fillStyle = c.faint;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillText(formatTicks(this.interval(0)[0], scale), LEFT, height - 5);
    context.textAlign = "right";
    context.fillText(formatTicks(this.interval(this.map.columns)[0], scale), width, height - 5);
  }

  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const slot = Math.floor(((event.clientX - box.left - LEFT) / (box.width - LEFT)) * this.map.columns);
    const row = this.pages.length - 1 - Math.floor((event.clientY - box.top) / this.rowHeight);
    return slot >= 0 && slot < this.map.columns && row >= 0 && row < this.pages.length ? { slot, row } : null;
  }

  point(event) {
    const cell = this.cellAt(event);
    if (!cell) return;
    const { scale } = this.app.base;
    const [begin, end] = this.interval(cell.slot);
    const shift = BigInt(this.map.page_shift);
    const low = this.pages[cell.row] << shift;
    const count = this.counts[cell.row * this.map.columns + cell.slot];
    this.readout.textContent = `${hex(low)} .. ${hex(low + (1n << shift) - 1n)}, ${formatTicks(begin, scale)} .. ${formatTicks(end, scale)}: ${formatNumberOf(count, "access", "accesses")}`;
    Object.assign(this.readout.dataset, { begin, end, low, high: low + (1n << shift), count });
  }
}

/** The part "Addresses". */
export function addressesPart(app) {
  const maps = app.base.manifest.addresses ?? [];
  const about = "Which addresses are accessed when: one map for each stream and attribute that looks like an address. " +
    "An access on several TLM links counts once, on the link of its initiator.";
  if (maps.length === 0) return section("Addresses", about, element("p", {}, "No attribute of this run looks like an address."));
  const holder = element("div", { class: "maps" });
  fill(holder, maps.map((map) => new HeatMap(app, map).root));
  const omitted = app.base.manifest.addresses_omitted;
  return section("Addresses", about, omitted > 0 ? element("p", { class: "faint" }, `${formatNumberOf(omitted, "further map is", "further maps are")} not in this page.`) : null, holder);
}
