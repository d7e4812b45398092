// The timeline: minimap, axis, names of the rows, and the rows themselves.
import { element } from "../parts/dom.js";
import { colours, onColourChange } from "../parts/colours.js";
import { laneHeight, layoutRows } from "./rows.js";
import { laneGeometry, paintBars, paintFrame, paintPin, visibleRange } from "./paint_bars.js";
import { countVisible, paintLevels } from "./paint_levels.js";
import { AXIS_HEIGHT, paintAxis, paintCursors, paintGrid } from "./paint_axis.js";
import { isMark } from "../data/events.js";
import { stripHeight } from "./paint_events.js";
import { paintMarks } from "./paint_marks.js";
import { paintRelations } from "./paint_relations.js";
import { MINIMAP_HEIGHT, Minimap } from "./minimap.js";
import { prepare } from "./canvas.js";
import { listenToPointer } from "./pointer.js";
import { RowNames } from "./row_names.js";

const HEAD_HEIGHT = MINIMAP_HEIGHT + 4 + AXIS_HEIGHT;
const BARS_PER_PIXEL = 3; // a row with more transactions per pixel is painted as bins

export class Timeline {
  constructor(app) {
    this.app = app;
    this.minimap = new Minimap(app);
    this.head = element("canvas", { class: "head", "aria-hidden": "true" });
    this.canvas = element("canvas", {
      class: "rows", tabindex: "0", role: "application",
      "aria-label": "Timeline. Arrow keys move, plus and minus zoom, question mark lists all keys.",
    });
    this.names = new RowNames(this);
    this.spacer = element("div", { class: "spacer" }, this.names.holder, this.canvas);
    this.scroller = element("div", { class: "scroller" }, this.spacer);
    this.root = element("div", { class: "timeline" }, this.head, this.scroller);
    this.rows = [];
    this.height = 0; // total height of all rows
    this.isPending = false;
    this.frames = [];
    this.barsPerPixel = BARS_PER_PIXEL;
    this.scroller.addEventListener("scroll", () => this.repaint());
    new ResizeObserver(() => this.resize()).observe(this.scroller);
    onColourChange(() => this.refresh());
    app.listen((change) => this.onChange(change));
    listenToPointer(this);
    this.layout();
  }

  onChange(change) {
    if (change === "rows" || change === "data" || change === "trace") this.layout();
    if (change === "data") this.refresh();
    if (change === "selection" && this.app.selected >= 0) this.scrollToStream(this.app.trace.stream(this.app.selected));
    this.repaint();
  }

  /** Computes the rows again. */
  layout() {
    const lane = laneHeight(this.app.trace.streams, this.scroller.clientHeight);
    Object.assign(this, layoutRows(this.app.tree, this.app.folded, lane));
    this.spacer.style.height = `${this.height + 8}px`;
    this.names.rebuild();
    this.repaint();
  }

  resize() {
    this.app.view.width = Math.max(this.scroller.clientWidth - this.names.width, 50);
    this.layout();
    this.refresh();
    // The panel of details takes room from the rows when the first transaction is selected.
    if (this.app.selected >= 0) this.scrollToStream(this.app.trace.stream(this.app.selected));
  }

  refresh() {
    this.minimap.invalidate();
    this.repaint();
  }

  /** Paints in the next frame. */
  repaint() {
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => {
      this.isPending = false;
      this.paint();
    });
  }

  /** Scrolls so that the row of a stream is visible. */
  scrollToStream(stream) {
    const row = this.rows.find((r) => r.streams.includes(stream));
    if (!row) return;
    const { scrollTop, clientHeight } = this.scroller;
    if (row.y < scrollTop) this.scroller.scrollTop = row.y;
    else if (row.y + row.height > scrollTop + clientHeight) this.scroller.scrollTop = row.y + row.height - clientHeight;
  }

  /** The middle of the visible part of the bar of transaction i, in pixels of the window; null if its row is not visible. */
  placeOf(i) {
    const { trace, view } = this.app;
    const stream = trace.stream(i);
    const row = this.rows.find((r) => r.isSingle && r.streams[0] === stream);
    if (!row) return null;
    const { lane, bar, top } = laneGeometry(stream, row.height);
    const box = this.canvas.getBoundingClientRect();
    const left = Math.max(view.x(trace.begin(i)), 0);
    const right = Math.min(view.x(trace.end(i)), view.width);
    const strip = trace.parents && isMark(trace, i) ? stripHeight(bar) : bar; // the bar of a transaction, the strip of an event
    return {
      x: box.left + (left + right) / 2,
      y: box.top + row.y - this.scroller.scrollTop + top + trace.lane[i] * lane + bar - strip / 2,
    };
  }

  paint() {
    const began = performance.now();
    const { view } = this.app;
    const height = this.scroller.clientHeight;
    const head = prepare(this.head, view.width, HEAD_HEIGHT);
    const context = prepare(this.canvas, view.width, height);
    if (!head || !context) return;
    this.head.style.marginLeft = `${this.names.width}px`;
    const c = colours();
    head.fillStyle = c.background;
    head.fillRect(0, 0, view.width, HEAD_HEIGHT);
    this.minimap.paint(head, 0);
    head.save();
    head.translate(0, MINIMAP_HEIGHT + 4);
    const marks = paintAxis(head, this.app);
    head.restore();
    this.paintRows(context, marks, height);
    this.names.paint(this.scroller.scrollTop, height);
    this.remember(performance.now() - began);
  }

  /** Stores the duration of painting in attributes of the page, which the tests read. */
  remember(duration) {
    const { dataset } = document.documentElement;
    this.frames.push(duration);
    if (this.frames.length > 120) this.frames.shift();
    dataset.paintMs = duration.toFixed(2);
    dataset.paintWorstMs = Math.max(...this.frames).toFixed(2);
    if (!dataset.firstPaintMs && this.app.trace.streams.length > 0) dataset.firstPaintMs = performance.now().toFixed(1);
  }

  paintRows(context, marks, height) {
    const { app } = this;
    const c = colours();
    const top = this.scroller.scrollTop;
    context.fillStyle = c.background;
    context.fillRect(0, 0, app.view.width, height);
    const visible = this.rows.filter((row) => row.y + row.height > top && row.y < top + height);
    for (const row of visible) {
      if (row.streams.length === 0) {
        context.fillStyle = c.band;
        context.fillRect(0, row.y - top, app.view.width, row.height);
      }
    }
    paintGrid(context, marks, height);
    for (const row of visible) this.paintRow(context, row, row.y - top);
    paintCursors(context, app, height);
    this.paintMarked(context, top);
  }

  paintRow(context, row, y) {
    context.save();
    context.beginPath();
    context.rect(0, y, this.app.view.width, row.height);
    context.clip();
    row.mode = "folder";
    if (row.isFolded) {
      paintLevels(context, this.app, row.streams, y, row.height);
      row.mode = "bins";
    } else if (row.isSingle) {
      row.mode = this.paintStream(context, row.streams[0], y, row.height);
    }
    if (this.app.marks) {
      for (const stream of row.streams) {
        const marks = this.app.marks.get(stream.index);
        if (marks) paintMarks(context, this.app, marks, row, y);
      }
    }
    context.restore();
    context.strokeStyle = colours().grid;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, y + row.height - 0.5);
    context.lineTo(this.app.view.width, y + row.height - 0.5);
    context.stroke();
  }

  /** Paints a stream as bars, as bins, or as bars over bins where the page has only a part of the transactions. */
  paintStream(context, stream, y, height) {
    const { trace, view } = this.app;
    const range = visibleRange(trace, stream, view);
    const most = this.barsPerPixel * view.width;
    if (trace.isComplete && trace.count > 0) {
      if (range[1] - range[0] <= most) {
        paintBars(context, this.app, stream, range, y, height);
        return "bars";
      }
      paintLevels(context, this.app, [stream], y, height);
      return "bins";
    }
    const total = countVisible(this.app, [stream]);
    const isClose = total <= most;
    paintLevels(context, this.app, [stream], y, height, isClose);
    if (isClose) paintBars(context, this.app, stream, range, y, height);
    return isClose ? "sample" : "bins";
  }

  /** Marks the matches of the search. A match that is not loaded is only marked with its place in time. */
  markMatches(context, places, mark) {
    const { app } = this;
    const colour = colours().cursorB;
    const { loaded, others } = app.matchPlaces();
    for (const i of loaded) mark(i, colour, 1.5);
    for (const i of others) {
      const { trace } = app.found;
      const place = places.get(trace.stream(i).index);
      if (place) paintPin(context, { trace, view: app.view }, i, place.y, place.height, colour);
    }
  }

  /** The selected and the hovered transaction, transactions found by the search, and the relations. */
  paintMarked(context, top) {
    const { app } = this;
    const c = colours();
    const places = new Map();
    for (const row of this.rows) {
      for (const stream of row.streams) {
        places.set(stream.index, { y: row.y - top, height: row.height, isSingle: row.isSingle, mode: row.mode });
      }
    }
    const mark = (i, colour, thickness) => {
      const place = places.get(app.trace.stream(i).index);
      if (place?.mode === "bins") paintPin(context, app, i, place.y, place.height, colour);
      else if (place?.isSingle) paintFrame(context, app, i, place.y, place.height, colour, thickness);
    };
    this.markMatches(context, places, mark);
    if (app.hovered >= 0 && app.hovered !== app.selected) {
      mark(app.hovered, c.text, 1.2);
      paintRelations(context, app, app.hovered, places);
    }
    if (app.selected >= 0) {
      paintRelations(context, app, app.selected, places);
      mark(app.selected, c.text, 2);
    }
  }
}
