// The time axis, the grid and the cursors.
import { axisTicks } from "../time/axis_ticks.js";
import { colours } from "../parts/colours.js";

export const AXIS_HEIGHT = 26;

/** Paints the axis with exact times. */
export function paintAxis(context, app) {
  const c = colours();
  const { view } = app;
  context.fillStyle = c.background;
  context.fillRect(0, 0, view.width, AXIS_HEIGHT);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "alphabetic";
  context.strokeStyle = c.line;
  context.lineWidth = 1;
  // Long times at deep zoom need more room.
  let distance = 110;
  let { marks } = axisTicks(view, app.trace.scale, distance);
  const longest = Math.max(0, ...marks.map(({ text }) => context.measureText(text).width));
  if (longest + 16 > distance) ({ marks } = axisTicks(view, app.trace.scale, longest + 24));
  context.beginPath();
  for (const { x } of marks) {
    context.moveTo(Math.round(x) + 0.5, AXIS_HEIGHT - 7);
    context.lineTo(Math.round(x) + 0.5, AXIS_HEIGHT);
  }
  context.moveTo(0, AXIS_HEIGHT - 0.5);
  context.lineTo(view.width, AXIS_HEIGHT - 0.5);
  context.stroke();
  context.fillStyle = c.text;
  context.textAlign = "left";
  for (const { x, text } of marks) {
    if (x + 4 + context.measureText(text).width <= view.width) context.fillText(text, x + 4, AXIS_HEIGHT - 9);
  }
  paintFlags(context, app);
  return marks;
}

/** Flags of the cursors on the axis. */
function paintFlags(context, app) {
  const c = colours();
  for (const [name, tick, colour] of [["A", app.cursorA, c.cursorA], ["B", app.cursorB, c.cursorB]]) {
    if (tick === null) continue;
    const x = app.view.x(tick);
    if (x < -10 || x > app.view.width + 10) continue;
    context.fillStyle = colour;
    context.fillRect(x - 7, AXIS_HEIGHT - 14, 14, 14);
    context.fillStyle = c.background;
    context.font = "bold 10px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(name, x, AXIS_HEIGHT - 3.5);
    context.textAlign = "left";
  }
}

/** Paints the grid behind the rows. */
export function paintGrid(context, marks, height) {
  context.strokeStyle = colours().grid;
  context.lineWidth = 1;
  context.beginPath();
  for (const { x } of marks) {
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, height);
  }
  context.stroke();
}

/** Paints the two cursors over the rows: A is a solid line, B a dashed one. */
export function paintCursors(context, app, height) {
  const c = colours();
  for (const [tick, colour, dash] of [[app.cursorA, c.cursorA, []], [app.cursorB, c.cursorB, [5, 3]]]) {
    if (tick === null) continue;
    const x = Math.round(app.view.x(tick)) + 0.5;
    if (x < -1 || x > app.view.width + 1) continue;
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height);
    context.stroke();
    context.setLineDash([]);
  }
  if (app.cursorA !== null && app.cursorB !== null) {
    const [left, right] = [app.view.x(app.cursorA), app.view.x(app.cursorB)].sort((p, q) => p - q);
    context.fillStyle = c.window;
    context.fillRect(left, 0, right - left, height);
  }
}
