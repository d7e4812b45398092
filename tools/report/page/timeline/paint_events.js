// Paints events as marks on the bars of their parents: a line with a triangle at a point of time, a strip along the
// lower edge of the bar for a span of time. The shapes can be seen without colours.
import { hue, isBright } from "../parts/colours.js";

const STRIP = 0.38; // height of a strip, as a part of the bar
const TRIANGLE = 3.5; // half of its width
const LEAST_BAR = 9; // pixels; lower bars have only lines
const APART = 2; // pixels between two lines
const SHADE = 0.72; // of the ink; a mark in the colour of the background would look like a gap between two bars

/** Height of the strips in a bar of this height. */
export function stripHeight(bar) {
  return Math.max(bar * STRIP, 2);
}

/** Paints events. Returns true if one of them is a strip. @param x see horizontal(); @param top y coordinate of the bar of an event */
export function paintEvents(context, trace, events, x, top, bar) {
  const painted = new Map(); // for each lane: x of its last line
  let hasStrip = false;
  for (const i of events) {
    const parent = trace.generator(trace.parents[i]);
    const ink = isBright(hue(parent.colour)) ? "#14181d" : "#ffffff";
    const begin = x.begin(i);
    const end = x.end(i);
    const y = top(i);
    if (end - begin >= APART) {
      const height = stripHeight(bar);
      hasStrip = true;
      context.fillStyle = hue(trace.generator(i).colour);
      context.fillRect(begin, y + bar - height, end - begin, height);
      context.strokeStyle = ink;
      context.lineWidth = 1;
      if (bar >= LEAST_BAR) context.strokeRect(begin + 0.5, y + bar - height + 0.5, Math.max(end - begin - 1, 1), height - 1);
      continue;
    }
    if (begin < (painted.get(trace.lane[i]) ?? -Infinity) + APART) continue;
    painted.set(trace.lane[i], begin);
    context.fillStyle = ink;
    context.globalAlpha = SHADE;
    context.beginPath();
    context.rect(begin - 0.75, y, 1.5, bar);
    if (bar >= LEAST_BAR) {
      context.moveTo(begin - TRIANGLE, y);
      context.lineTo(begin + TRIANGLE, y);
      context.lineTo(begin, y + 2 * TRIANGLE);
      context.closePath();
    }
    context.fill();
    context.globalAlpha = 1;
  }
  return hasStrip;
}
