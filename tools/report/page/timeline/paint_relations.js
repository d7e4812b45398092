// Relations of one transaction as arrows between the bars.
import { colours } from "../parts/colours.js";
import { printable } from "../parts/dom.js";
import { laneGeometry } from "./paint_bars.js";

const MOST = 60; // arrows in each direction

/** The point of a transaction at a tick, on its bar, or in the middle of a row of columns. */
function pointOf(app, i, tick, places) {
  const stream = app.trace.stream(i);
  const place = places.get(stream.index);
  if (!place) return null;
  const x = Math.min(Math.max(app.view.x(tick), -2000), app.view.width + 2000);
  if (!place.isSingle || place.mode === "bins") return { x, y: place.y + place.height / 2 };
  const { lane, bar, top } = laneGeometry(stream, place.height);
  return { x, y: place.y + top + app.trace.lane[i] * lane + bar / 2 };
}

function arrow(context, from, to) {
  const bend = Math.max(Math.abs(to.x - from.x) * 0.4, 14);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.bezierCurveTo(from.x + bend, from.y, to.x - bend, to.y, to.x - 6, to.y);
  context.stroke();
  context.beginPath();
  context.moveTo(to.x, to.y);
  context.lineTo(to.x - 8, to.y - 4);
  context.lineTo(to.x - 8, to.y + 4);
  context.fill();
}

/** Paints the relations of transaction i. @param places Map from the index of a stream to its row on the canvas */
export function paintRelations(context, app, i, places) {
  const { trace } = app;
  const c = colours();
  const { parents } = trace; // the relations to events are not painted, because events are marks on the bar
  const leaving = trace.relations.leaving(i).filter((r) => parents?.[r.other] !== i).slice(0, MOST).map((r) => ({ ...r, source: i, target: r.other }));
  const arriving = trace.relations.arriving(i).filter((r) => parents?.[i] !== r.other).slice(0, MOST).map((r) => ({ ...r, source: r.other, target: i }));
  const labels = new Set();
  for (const { name, source, target } of [...arriving, ...leaving]) {
    // The arrow starts at the begin of the source if the target begins before the source ends; otherwise it starts at
    // the end of the source.
    const isInside = trace.begin(target) < trace.end(source);
    const from = pointOf(app, source, isInside ? trace.begin(source) : trace.end(source), places);
    const to = pointOf(app, target, trace.begin(target), places);
    if (!from || !to) continue;
    context.strokeStyle = c.background;
    context.lineWidth = 4;
    context.fillStyle = c.background;
    arrow(context, from, to);
    context.strokeStyle = c.accent;
    context.fillStyle = c.accent;
    context.lineWidth = 1.6;
    arrow(context, from, to);
    if (!labels.has(name) && Math.hypot(to.x - from.x, to.y - from.y) > 90) {
      labels.add(name);
      paintName(context, app, printable(trace.attributes.string(name), 40), (from.x + to.x) / 2, (from.y + to.y) / 2);
    }
  }
}

function paintName(context, app, text, x, y) {
  const c = colours();
  context.font = "10px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  const width = context.measureText(text).width + 6;
  const at = Math.min(Math.max(x + width / 2 + 8, width / 2), app.view.width - width / 2);
  context.fillStyle = c.background;
  context.fillRect(at - width / 2, y - 7, width, 14);
  context.fillStyle = c.accent;
  context.fillText(text, at, y);
  context.textAlign = "left";
}
