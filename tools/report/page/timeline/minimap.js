// The whole run in one strip: how busy it is and where errors are, with the visible interval as a frame.
import { colours } from "../parts/colours.js";
import { levelFor } from "../data/levels.js";

export const MINIMAP_HEIGHT = 34;

/** Busy share and errors of each pixel, over all streams. */
function summarize(app, width) {
  const { trace } = app;
  const busy = new Float64Array(width);
  const errors = new Float64Array(width);
  const perPixel = Math.max(trace.length, 1) / width;
  let streams = 0;
  for (const stream of trace.streams) {
    const levels = trace.levels(stream);
    if (levels.length === 0) continue;
    streams++;
    const level = levelFor(levels, perPixel, 1);
    for (let bin = 0; bin < level.bins; bin++) {
      if (level.count[bin] === 0 && level.busy[bin] === 0) continue;
      const from = Math.max(0, (level.origin + bin * level.width) / perPixel);
      const to = Math.min(width, (level.origin + (bin + 1) * level.width) / perPixel);
      for (let px = Math.floor(from); px < to; px++) {
        const part = Math.min(to, px + 1) - Math.max(from, px);
        busy[px] += Math.max((part * level.busy[bin]) / level.width, 1e-6);
        errors[px] += level.errors[bin];
      }
    }
  }
  return { busy, errors, streams: Math.max(streams, 1) };
}

export class Minimap {
  constructor(app) {
    this.app = app;
    this.picture = null;
  }

  /** Forgets the picture after a change of the data, the size or the colours. */
  invalidate() {
    this.picture = null;
  }

  /** The x coordinate of a tick in the strip. */
  x(tick) {
    return (Number(tick - this.app.trace.first) / Math.max(this.app.trace.length, 1)) * this.app.view.width;
  }

  /** Centres the view at a pixel of the strip. */
  moveTo(px) {
    const { trace, view } = this.app;
    const share = Math.min(Math.max(px / view.width, 0), 1);
    view.centre(trace.first + BigInt(Math.round(share * trace.length)));
    this.app.changed("view");
  }

  paint(context, top) {
    const c = colours();
    const { view } = this.app;
    this.picture ??= this.draw(Math.max(1, Math.round(view.width)), c);
    context.drawImage(this.picture, 0, top);
    const left = Math.max(0, this.x(view.start));
    const right = Math.min(view.width, this.x(view.end));
    context.fillStyle = c.window;
    context.fillRect(left, top, Math.max(right - left, 2), MINIMAP_HEIGHT);
    context.strokeStyle = c.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, top + 0.75, Math.max(right - left - 1.5, 2), MINIMAP_HEIGHT - 1.5);
    if (this.app.selected >= 0) {
      const x = this.x(this.app.trace.begin(this.app.selected));
      context.fillStyle = c.text;
      context.beginPath();
      context.moveTo(x - 4, top);
      context.lineTo(x + 4, top);
      context.lineTo(x, top + 6);
      context.fill();
    }
  }

  draw(width, c) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = MINIMAP_HEIGHT;
    const context = canvas.getContext("2d");
    context.fillStyle = c.band;
    context.fillRect(0, 0, width, MINIMAP_HEIGHT);
    const { busy, errors, streams } = summarize(this.app, width);
    const most = Math.max(1e-9, ...busy) / streams;
    for (let px = 0; px < width; px++) {
      if (busy[px] > 0) {
        const tall = Math.max(1, (busy[px] / streams / most) * (MINIMAP_HEIGHT - 8));
        context.fillStyle = c.density;
        context.fillRect(px, MINIMAP_HEIGHT - tall, 1, tall);
      }
      if (errors[px] > 0) {
        context.fillStyle = c.error;
        context.fillRect(px, 1, 1.5, 4);
      }
    }
    return canvas;
  }
}
