// The pointer on the timeline: drag moves, the wheel zooms, a click selects, the minimap jumps.
import { rowAt } from "./rows.js";
import { barAt } from "./paint_bars.js";
import { binAt } from "./paint_levels.js";
import { MINIMAP_HEIGHT } from "./minimap.js";
import { showTip, hideTip } from "./tip.js";

const DRAG_STARTS = 4; // pixels
const SNAP = 6; // pixels from the edge of a bar to which a cursor jumps

/** What is at a point of the canvas: {row, index, bin}. */
export function thingAt(timeline, px, py) {
  const row = rowAt(timeline.rows, py + timeline.scroller.scrollTop);
  if (!row || row.streams.length === 0) return { row, index: -1, bin: null };
  const inRow = py + timeline.scroller.scrollTop - row.y;
  if (row.isSingle && row.mode !== "bins") {
    const index = barAt(timeline.app, row.streams[0], px, inRow, row.height);
    if (index >= 0 || row.mode === "bars") return { row, index, bin: null };
  }
  return { row, index: -1, bin: binAt(timeline.app, row.streams, px) };
}

/** The tick at a pixel, or the begin or end of transaction i if one is near. */
function snapped(app, px, i) {
  if (i >= 0) {
    for (const tick of [app.trace.begin(i), app.trace.end(i)]) {
      if (Math.abs(app.view.x(tick) - px) <= SNAP) return tick;
    }
  }
  return app.view.tickAt(px);
}

function place(event) {
  const box = event.target.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

export function listenToPointer(timeline) {
  const { app, canvas, head, scroller } = timeline;
  let drag = null;
  timeline.pointerX = null;

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const [x, y] = place(event);
    drag = { x, y, moved: false };
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    timeline.pointerX = x;
    if (drag) {
      if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < DRAG_STARTS) return;
      drag.moved = true;
      canvas.classList.add("dragging");
      app.view.pan(drag.x - x);
      scroller.scrollTop += drag.y - y;
      drag.x = x;
      drag.y = y;
      hideTip();
      app.changed("view");
      return;
    }
    const thing = thingAt(timeline, x, y);
    if (thing.index !== app.hovered) {
      app.hovered = thing.index;
      timeline.repaint();
    }
    canvas.style.cursor = thing.index >= 0 ? "pointer" : "";
    showTip(app, thing, event.clientX, event.clientY);
  });
  canvas.addEventListener("pointerup", (event) => {
    canvas.classList.remove("dragging");
    const wasDrag = drag?.moved;
    drag = null;
    if (wasDrag || event.button !== 0) return;
    const [x, y] = place(event);
    const { index, bin } = thingAt(timeline, x, y);
    if (event.shiftKey) app.cursorB = snapped(app, x, index);
    else {
      app.cursorA = snapped(app, x, index);
      if (index >= 0) app.select(index);
      else if (bin && bin.count > 0) selectWorst(app, bin);
    }
    app.changed("cursors");
  });
  canvas.addEventListener("pointercancel", () => {
    drag = null;
  });
  canvas.addEventListener("pointerleave", () => {
    timeline.pointerX = null;
    hideTip();
    if (app.hovered >= 0) {
      app.hovered = -1;
      timeline.repaint();
    }
  });
  canvas.addEventListener("dblclick", (event) => {
    const [x, y] = place(event);
    const { index } = thingAt(timeline, x, y);
    if (index >= 0) app.view.showInterval(app.trace.begin(index), app.trace.end(index), 0.5);
    else app.view.zoom(0.25, x);
    app.changed("view");
  });
  for (const target of [canvas, head]) listenToWheel(timeline, target);
  listenToMinimap(timeline);
}

/** A click on a bin selects its slowest transaction, if the page has it. */
function selectWorst(app, bin) {
  const i = app.trace.find(bin.worstId);
  if (i >= 0) app.select(i);
}

function listenToWheel(timeline, target) {
  const { app } = timeline;
  target.addEventListener("wheel", (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
    const [x] = place(event);
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) app.view.pan(sideways * unit);
    else app.view.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * unit * 0.0022))), x);
    app.changed("view");
  }, { passive: false });
}

function listenToMinimap(timeline) {
  const { app, head, minimap } = timeline;
  let isDown = false;
  head.addEventListener("pointerdown", (event) => {
    const [x, y] = place(event);
    if (y <= MINIMAP_HEIGHT) {
      isDown = true;
      head.setPointerCapture(event.pointerId);
      minimap.moveTo(x);
    } else if (event.shiftKey) app.cursorB = app.view.tickAt(x);
    else app.cursorA = app.view.tickAt(x);
    app.changed("cursors");
  });
  head.addEventListener("pointermove", (event) => {
    if (isDown) minimap.moveTo(place(event)[0]);
  });
  head.addEventListener("pointerup", () => {
    isDown = false;
  });
}
