// Marks of differences on the timeline: a frame around the bar, and a sign at the begin of the bar. Where bars are too
// small, the sign alone stands at the top of the row.
import { colours } from "../parts/colours.js";
import { KINDS } from "../data/difference_kinds.js";
import { paintFrame } from "./paint_bars.js";

const SIGN = 12;

/** Index of the first mark that does not begin before an offset. */
function firstFrom(marks, offset) {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle].offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Paints the marks of a row. */
export function paintMarks(context, app, marks, row, y) {
  const c = colours();
  const { trace, view } = app;
  const from = Number(view.start - trace.first) - view.span * 0.02;
  const to = Number(view.end - trace.first);
  let free = -Infinity;
  context.font = "bold 11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (let k = firstFrom(marks, from); k < marks.length && marks[k].offset <= to; k++) {
    const mark = marks[k];
    const x = view.x(mark.begin);
    if (mark.index >= 0 && row.isSingle && row.mode !== "bins") paintFrame(context, app, mark.index, y, row.height, c.error, 2);
    if (x < free) continue;
    context.fillStyle = c.error;
    context.fillRect(x - 1, y + 1, SIGN, SIGN);
    context.fillStyle = c.onError;
    context.fillText(KINDS[mark.kind][1], x + SIGN / 2 - 1, y + SIGN / 2 + 1.5);
    free = x + SIGN + 1;
  }
  context.textAlign = "left";
}
