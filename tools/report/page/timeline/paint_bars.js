// Paints single transactions as bars. An error has a hatched red end and a triangle above it, an unfinished
// transaction has an open, dashed end: both can be seen without colours.
import { barFill, colours, hatch, hue, isBright } from "../parts/colours.js";
import { printable, shorten } from "../parts/dom.js";
import { ERROR, UNFINISHED } from "../data/trace.js";
import { valueText } from "../data/value_text.js";
import { isMark } from "../data/events.js";
import { lowerBound } from "../data/lanes.js";
import { paintEvents, stripHeight } from "./paint_events.js";

const PADDING = 3;
const PIN = 6; // height of a triangle that marks a column
const NARROW = 4; // pixels; wider bars have room for a frame
const LEAST_TEXT = 4; // characters of a name that is cut

/**
 * Indices [lo, hi) of a stream that contain all transactions with a tick in the view.
 * @returns {[number, number]}
 */
export function visibleRange(trace, stream, view) {
  // Offsets are doubles: beyond 2^53 ticks they are rounded.
  const slack = (offset) => 1 + Math.abs(offset) * 2 ** -51;
  const from = Number(view.start - trace.first);
  const to = Number(view.end - trace.first);
  return [
    lowerBound(trace.greatestEnds, from - slack(from), stream.from, stream.to),
    lowerBound(trace.begins, to + slack(to), stream.from, stream.to),
  ];
}

/** A function from the index of a transaction to the x coordinates of its begin and its end. */
export function horizontal(trace, view) {
  const perTick = view.width / view.span;
  if (trace.isExact) {
    const start = Number(view.start - trace.first);
    return {
      begin: (i) => (trace.begins[i] - start - view.fraction) * perTick,
      end: (i) => (trace.ends[i] - start - view.fraction) * perTick,
    };
  }
  return { begin: (i) => view.x(trace.begin(i)), end: (i) => view.x(trace.end(i)) };
}

/** Geometry of the lanes of a row. */
export function laneGeometry(stream, height) {
  const lane = (height - 2 * PADDING) / stream.lanes;
  return { lane, bar: Math.max(lane - (lane > 5 ? 2 : lane > 2 ? 0.5 : 0), 1), top: PADDING };
}

/** Paints the transactions [lo, hi) of a stream into a row. */
export function paintBars(context, app, stream, [lo, hi], y, height) {
  const { trace, view } = app;
  const { lane, bar, top } = laneGeometry(stream, height);
  const x = horizontal(trace, view);
  const painted = new Float64Array(stream.lanes).fill(-Infinity); // for each lane: x up to which it is painted
  let colour = -1;
  const marked = [];
  const labelled = [];
  const events = [];
  for (let i = lo; i < hi; i++) {
    const end = x.end(i);
    if (end < 0) continue;
    if (trace.parents && isMark(trace, i)) {
      events.push(i);
      continue;
    }
    const begin = x.begin(i);
    const left = Math.max(begin, -4);
    const right = Math.min(Math.max(end, begin + 1), view.width + 4);
    const flags = trace.flags[i] & (ERROR | UNFINISHED);
    if (flags) marked.push(i);
    if (right <= painted[trace.lane[i]]) continue;
    painted[trace.lane[i]] = Math.max(Math.ceil(right * 2) / 2, left + 1);
    const number = trace.generators[trace.generatorOf[i]].colour;
    if (number !== colour) {
      colour = number;
      context.fillStyle = barFill(context, number);
    }
    if (flags & UNFINISHED) context.globalAlpha = 0.45;
    const gap = right - left > 3 && begin >= 0 ? 0.5 : 0; // neighbours that touch stay apart
    context.fillRect(left + gap, y + top + trace.lane[i] * lane, right - left - gap, bar);
    context.globalAlpha = 1;
    if (bar >= 10 && right - left > 30) labelled.push(i);
  }
  const hasStrip = paintEvents(context, trace, events, x, (i) => y + top + trace.lane[i] * lane, bar);
  const free = hasStrip ? bar - stripHeight(bar) : bar; // names are above the strips
  for (const i of labelled) paintLabel(context, app, i, x, y + top + trace.lane[i] * lane, free);
  for (const i of marked) paintMark(context, app, i, x, y + top + trace.lane[i] * lane, bar);
}

function paintLabel(context, app, i, x, y, bar) {
  const left = Math.max(x.begin(i), 0) + 4;
  const room = Math.min(x.end(i), app.view.width) - left - (app.trace.flags[i] & (ERROR | UNFINISHED) ? 12 : 4);
  const characters = Math.floor(room / 6.4);
  const text = barText(app.trace, i, characters);
  if (text === "") return;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.fillStyle = isBright(hue(app.trace.generator(i).colour)) ? "#14181d" : "#ffffff";
  context.fillText(text, left, y + bar / 2 + 0.5);
}

/** The name of the generator and its most informative attribute, as far as they fit into a number of characters. */
function barText(trace, i, characters) {
  const name = printable(trace.generator(i).name, 60);
  if (name.length > characters) return characters > LEAST_TEXT ? shorten(name, characters) : "";
  const attributes = trace.attributes.of(i);
  const best = attributes.find((a) => /addr/i.test(a.name)) ?? attributes[0];
  if (!best) return name;
  const value = printable(valueText(trace, best), 40);
  // The value says more than the name of its attribute, so a short text omits the name.
  const texts = [`${name}  ${printable(best.name, 30)}=${value}`, `${name}  ${value}`];
  return texts.find((text) => text.length <= characters) ?? name;
}

function paintMark(context, app, i, x, y, bar) {
  const c = colours();
  const begin = Math.max(x.begin(i), -4);
  const end = Math.min(Math.max(x.end(i), begin + 1), app.view.width + 4);
  if (app.trace.flags[i] & ERROR) {
    const width = Math.min(Math.max((end - begin) * 0.25, 3), 14);
    const left = Math.max(end - width, begin);
    context.fillStyle = hatch(context, c.error, c.onError, true);
    context.fillRect(left, y, Math.max(end - left, 2), bar);
    context.fillStyle = c.error;
    context.fillRect(end - 1.5, y - 1, 1.5, bar + 1);
    context.beginPath();
    context.moveTo(end - 5, y - 3);
    context.lineTo(end + 3, y - 3);
    context.lineTo(end - 1, y + 4);
    context.fill();
  }
  if (app.trace.flags[i] & UNFINISHED) {
    context.strokeStyle = c.text;
    context.lineWidth = 1;
    context.setLineDash([3, 2]);
    context.strokeRect(begin + 0.5, y + 0.5, Math.max(end - begin - 1, 1), Math.max(bar - 1, 1));
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(end, y);
    context.lineTo(end + 4, y + bar / 2);
    context.lineTo(end, y + bar);
    context.stroke();
  }
}

/**
 * Marks the place of a transaction in a row of columns: two triangles, above and below its column. The column between
 * them stays as it is.
 */
export function paintPin(context, app, i, y, height, colour) {
  const { trace, view } = app;
  const x = horizontal(trace, view);
  const middle = (Math.max(x.begin(i), 0) + Math.min(x.end(i), view.width)) / 2;
  if (x.end(i) < -PIN || x.begin(i) > view.width + PIN) return;
  context.fillStyle = colour;
  context.strokeStyle = colours().background;
  context.lineWidth = 2;
  for (const [edge, tip] of [[y + 1, y + 1 + PIN], [y + height - 2, y + height - 2 - PIN]]) {
    context.beginPath();
    context.moveTo(middle - PIN, edge);
    context.lineTo(middle + PIN, edge);
    context.lineTo(middle, tip);
    context.closePath();
    context.stroke();
    context.fill();
  }
}

/** Paints a frame around a transaction. A bar that is too narrow for its frame is painted again inside it. */
export function paintFrame(context, app, i, y, height, colour, thickness) {
  const { trace, view } = app;
  const { lane, bar, top } = laneGeometry(trace.stream(i), height);
  const x = horizontal(trace, view);
  const left = Math.max(x.begin(i), -6);
  const right = Math.min(Math.max(x.end(i), left + 2), view.width + 6);
  if (right < -6 || left > view.width + 6) return;
  if (right - left < NARROW && !(trace.flags[i] & (ERROR | UNFINISHED))) {
    context.fillStyle = barFill(context, trace.generator(i).colour);
    context.fillRect(left, y + top + trace.lane[i] * lane, right - left, bar);
  }
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.strokeRect(left - 1, y + top + trace.lane[i] * lane - 1, right - left + 2, bar + 2);
}

/** The transaction at a point of a stream's row, or -1. */
export function barAt(app, stream, px, py, height) {
  const { trace, view } = app;
  const { lane, bar, top } = laneGeometry(stream, height);
  const wanted = Math.floor((py - top) / lane);
  const isInStrip = py - top - wanted * lane >= bar - stripHeight(bar);
  const x = horizontal(trace, view);
  const [lo, hi] = visibleRange(trace, stream, view);
  let best = -1;
  let distance = 4;
  let event = -1; // an event is on the bar of its parent, so it comes first
  let eventDistance = 4;
  for (let i = lo; i < hi; i++) {
    if (trace.lane[i] !== wanted) continue;
    const begin = x.begin(i);
    const end = x.end(i);
    const away = px < begin ? begin - px : px > end ? px - end : 0;
    if (trace.parents && isMark(trace, i)) {
      if (away < eventDistance && (isInStrip || end - begin < 2)) {
        eventDistance = away;
        event = i;
      }
      continue;
    }
    if (away < distance || (away === 0 && distance === 0)) {
      distance = away;
      best = i;
    }
  }
  return event >= 0 ? event : best;
}
