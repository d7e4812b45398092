// Small charts in SVG: axes, histograms and curves. Numbers are doubles here: they are only drawn.
import { svg } from "./dom.js";
import { niceStep } from "../time/axis_ticks.js";

/** A linear scale from [from, to] to [low, high]. */
export function linear(from, to, low, high) {
  const factor = (high - low) / (to - from || 1);
  return (value) => low + (value - from) * factor;
}

/** A logarithmic scale. Values below 0.5 are drawn like 0.5, also 0. */
export function logarithmic(from, to, low, high) {
  const inner = (value) => Math.log10(Math.max(value, 0.5));
  const scale = linear(inner(from), inner(to), low, high);
  return (value) => scale(inner(value));
}

/** Marks between two values: powers of ten; if these are few, also 3 times, or 2 and 5 times each of them. */
export function logMarks(from, to) {
  const marks = [];
  const low = Math.floor(Math.log10(Math.max(from, 1)));
  const high = Math.ceil(Math.log10(Math.max(to, 1)));
  const factors = high - low > 4 ? [1] : high - low > 1 ? [1, 3] : [1, 2, 5];
  for (let exponent = low; exponent <= high; exponent++) {
    for (const factor of factors) {
      const value = factor * 10 ** exponent;
      if (value >= from * 0.999 && value <= to * 1.001) marks.push(value);
    }
  }
  if (marks.length > 1) return marks;
  // A narrow range contains no such values. Its marks have equal distances.
  const step = Number(niceStep((to - from) / 4));
  const steps = [];
  for (let value = Math.ceil(from / step) * step; value <= to && steps.length < 10; value += step) steps.push(value);
  return steps.length > 1 ? steps : [from, to];
}

/** Round values from 0 to @p most, about @p count of them. */
export function linearMarks(most, count = 4) {
  if (!(most > 0)) return [0];
  const unit = most < 1000 ? 10 ** (Math.floor(Math.log10(most)) - 2) : 1;
  const step = Number(niceStep(most / unit / count)) * unit;
  const marks = [];
  for (let value = 0; value <= most * 1.0001; value += step) marks.push(value);
  return marks;
}

/** The width of a chart: at most @p most, and less in a narrow window, so that its texts are not scaled down. */
export function chartWidth(most) {
  return Math.max(Math.min(most, innerWidth - 72), 300);
}

/** A frame of a chart with its axes. */
export class Chart {
  /** @param {{width: number, height: number, left?: number, right?: number, top?: number, bottom?: number, label?: string}} options */
  constructor(options) {
    const { width, height } = options;
    this.left = options.left ?? 58;
    this.right = width - (options.right ?? 10);
    this.top = options.top ?? 8;
    this.bottom = height - (options.bottom ?? 22);
    this.root = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": options.label ?? "" });
  }

  add(...children) {
    this.root.append(...children);
    return this;
  }

  /** Marks of the horizontal axis: [[value, text]]. Texts that would overlap are omitted. */
  xAxis(scale, marks) {
    let free = -Infinity;
    this.line(this.left, this.bottom, this.right, this.bottom);
    for (const [value, text] of marks) {
      const x = scale(value);
      if (x < this.left - 1 || x > this.right + 1) continue;
      this.line(x, this.bottom, x, this.bottom + 4);
      const half = text.length * 3.2;
      if (x - half < free) continue;
      const at = Math.min(Math.max(x, half), this.right + 8 - half);
      this.add(svg("text", { x: at, y: this.bottom + 16, "text-anchor": "middle", class: "faint" }, text));
      free = x + half + 8;
    }
    return this;
  }

  /** Marks of the vertical axis with lines across the chart. */
  yAxis(scale, marks) {
    for (const [value, text] of marks) {
      const y = scale(value);
      this.line(this.left, y, this.right, y);
      this.add(svg("text", { x: this.left - 6, y: y + 4, "text-anchor": "end", class: "faint" }, text));
    }
    return this;
  }

  line(x1, y1, x2, y2) {
    return this.add(svg("line", { x1, y1, x2, y2, class: "axis" }));
  }
}

/** The attribute "d" of a step curve through [[x, y]]; a null y is a gap. */
export function stepPath(points, width) {
  let path = "";
  let isOpen = false;
  for (const [x, y] of points) {
    if (y === null) {
      isOpen = false;
      continue;
    }
    path += `${isOpen ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}h${width.toFixed(2)}`;
    isOpen = true;
  }
  return path;
}

/** The attribute "d" of the area between two step curves. */
export function bandPath(points, width) {
  let path = "";
  for (const [x, low, high] of points) {
    if (low === null) continue;
    const tall = Math.max(low - high, 1);
    path += `M${x.toFixed(1)},${high.toFixed(1)}h${width.toFixed(2)}v${tall.toFixed(1)}h${(-width).toFixed(2)}z`;
  }
  return path;
}
