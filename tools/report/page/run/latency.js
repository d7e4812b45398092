// Latency of each generator: a table, and for the chosen generator a histogram with percentiles and its slowest
// transactions.
import { element, fill, printable, section, svg } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { Chart, chartWidth, linear, logMarks, logarithmic } from "../parts/charts.js";
import { columnAsNumbers } from "../data/columns.js";
import { generatorName } from "../data/stream_names.js";
import { colours, hue } from "../parts/colours.js";
import { formatCount, formatNumber, formatNumberOf, formatRounded, formatTicks } from "../time/ticks.js";

const PERCENTILES = [["p50", "median"], ["p90", "p90"], ["p99", "p99"], ["max", "max"]];

/** A link to a transaction. If the transaction is not in the page, the link shows its interval of time in the
 * timeline. */
export function slowLink(app, { id, begin, latency }) {
  const at = () => {
    app.selectId(BigInt(id), BigInt(begin), BigInt(begin) + BigInt(latency));
  };
  return element("button", { class: "link", click: at, title: "Shows it in the timeline" }, `#${id}`);
}

function timeColumn(app, name, title, about) {
  const { scale } = app.base;
  return {
    title, about, key: (g) => BigInt(g[name]),
    show: (g) => (g.count === 0 ? "-" : element("span", { title: `${g[name]} ticks` }, formatTicks(BigInt(g[name]), scale))),
  };
}

/** The number of errors, and how many of them arose on a later link. */
function errorsText(g) {
  if (g.errors === 0) return "0";
  const passedOn = g.errors_passed_on > 0 ? element("span", { class: "faint" }, ` (${formatCount(g.errors_passed_on)} passed on)`) : null;
  return element("span", {}, element("b", { class: "bad" }, `\u26a0 ${formatCount(g.errors)}`), passedOn);
}

function figureColumns(app, choose) {
  const { base: trace } = app;
  return [
    { title: "generator", text: true, key: (g) => generatorName(trace, g),
      show: (g) => element("button", { class: "link", click: () => choose(g) }, printable(generatorName(trace, g), 200)) },
    { title: "count", about: "transactions", key: (g) => g.count, show: (g) => formatCount(g.count) },
    { title: "tx/s", about: "transactions per second of simulated time", key: (g) => g.throughput, show: (g) => formatNumber(g.throughput) },
    timeColumn(app, "min", "min", "shortest latency"),
    { ...timeColumn(app, "mean", "mean", "mean latency, rounded to a tick") },
    timeColumn(app, "p50", "p50", "half of the transactions are not longer than this"),
    timeColumn(app, "p90", "p90", "90 % are not longer"),
    timeColumn(app, "p99", "p99", "99 % are not longer"),
    timeColumn(app, "max", "max", "longest latency"),
    { title: "outstanding", about: "most transactions open at the same time", key: (g) => g.outstanding },
    { title: "bytes", key: (g) => BigInt(g.bytes), show: (g) => formatCount(g.bytes) },
    { title: "errors", about: "responses with an error; a link counts errors that arose behind it, too", key: (g) => g.errors, show: errorsText },
    { title: "unfinished", key: (g) => g.unfinished, show: (g) => formatCount(g.unfinished) },
    { title: "slowest", key: (g) => BigInt(g.max), show: (g) => (g.slowest.length > 0 ? slowLink(app, g.slowest[0]) : "-") },
  ];
}

const MOST_WIDE = 640;
const HEIGHT = 230;

/** The shortest and the longest latency that a histogram shows; null without a latency. */
export function latencyRange(blocks, generator) {
  const from = columnAsNumbers(blocks, generator.histogram.from);
  const to = columnAsNumbers(blocks, generator.histogram.to);
  return from.length > 0 ? [from[0], to[to.length - 1]] : null;
}

/** A histogram with a logarithmic time axis and the percentiles as lines. @param range of the axis; null: the range of
 * this histogram */
export function histogram(blocks, generator, scale, range = null) {
  const c = colours();
  const from = columnAsNumbers(blocks, generator.histogram.from);
  const to = columnAsNumbers(blocks, generator.histogram.to);
  const counts = columnAsNumbers(blocks, generator.histogram.count);
  const chart = new Chart({ width: chartWidth(MOST_WIDE), height: HEIGHT, top: 48, left: 12, label: "Histogram of the latencies" });
  if (counts.length === 0) return chart.root;
  // Buckets differ in width on this axis, so the area of a bar, not its height, shows the number of transactions.
  const edge = (value) => Math.log(Math.max(value, 0.5));
  const areas = Array.from(counts, (count, i) => count / Math.max(edge(to[i]) - edge(from[i]), 0.02));
  const [least, most] = range ?? [from[0], to[to.length - 1]];
  const x = logarithmic(Math.max(least * 0.9, 0.5), most * 1.1, chart.left, chart.right);
  const y = linear(0, Math.max(...areas), chart.bottom, chart.top);
  const time = (value) => formatRounded(BigInt(Math.round(value)), scale, 3);
  for (let i = 0; i < counts.length; i++) {
    const left = x(from[i]);
    const right = Math.max(x(to[i]), left + 2);
    const top = Math.min(y(areas[i]), chart.bottom - 1.5);
    const bar = svg("rect", { x: left, y: top, width: right - left, height: chart.bottom - top, fill: hue(generator.colour ?? 0),
      stroke: c.background, "stroke-width": right - left > 5 ? 0.7 : 0 });
    const exact = (value) => formatTicks(BigInt(value), scale);
    bar.append(svg("title", {}, to[i] - from[i] <= 1
      ? `${exact(from[i])}: ${formatNumberOf(counts[i], "transaction")}`
      : `${exact(from[i])} to below ${exact(to[i])}: ${formatNumberOf(counts[i], "transaction")}`));
    bar.dataset.from = from[i];
    bar.dataset.to = to[i];
    bar.dataset.count = counts[i];
    chart.add(bar);
  }
  chart.xAxis(x, logMarks(least, most).map((v) => [v, time(v)]));
  paintPercentiles(chart, x, generator, scale, c);
  return chart.root;
}

function paintPercentiles(chart, x, generator, scale, c) {
  let level = 0;
  let free = -Infinity;
  const texts = []; // appended last, so that they are above all lines
  for (const [name, title] of PERCENTILES) {
    const at = x(Number(generator[name]));
    const text = `${title} ${formatRounded(BigInt(generator[name]), scale, 3)}`;
    const half = text.length * 3.2;
    level = at - half < free ? level + 1 : 0;
    free = Math.max(free, at + half + 6);
    const y = 44 - (level % 4) * 12;
    texts.push(svg("text", { x: Math.min(Math.max(at, chart.left + half), chart.right - half), y, "text-anchor": "middle", class: "over" }, text));
    chart.add(svg("line", { x1: at, x2: at, y1: y + 1, y2: chart.bottom, stroke: c.text, "stroke-width": 1, "stroke-dasharray": "3 2" }));
  }
  chart.add(...texts);
}

function slowestTable(app, generator) {
  const { scale } = app.base;
  return new DataTable([
    { title: "transaction", key: (s) => BigInt(s.id), show: (s) => slowLink(app, s) },
    { title: "latency", key: (s) => BigInt(s.latency), show: (s) => formatTicks(BigInt(s.latency), scale) },
    { title: "begin", key: (s) => BigInt(s.begin), show: (s) => formatTicks(BigInt(s.begin), scale) },
  ], generator.slowest, { sort: 1, descending: true }).root;
}

/** The part "Latency". */
export function latencyPart(app) {
  const { base: trace } = app;
  const chosen = element("div", { class: "cards" });
  const choose = (generator) => {
    fill(chosen,
      element("div", { class: "card" }, element("h3", {}, printable(generatorName(trace, generator), 200)),
        element("p", { class: "about" }, "How many transactions took how long: the area of a bar is their number. The time axis is logarithmic, dashed lines are percentiles."),
        histogram(trace.blocks, generator, trace.scale)),
      element("div", { class: "card" }, element("h3", {}, "Slowest transactions"),
        element("p", { class: "about" }, "A number leads to the transaction in the timeline."), slowestTable(app, generator)));
    chosen.dataset.generator = generator.index;
  };
  const used = trace.generators.filter((g) => g.count > 0);
  const table = new DataTable(figureColumns(app, choose), trace.generators, {
    sort: 8, descending: true, filter: (g) => generatorName(trace, g), label: "generators",
  });
  if (used.length > 0) choose(used.reduce((a, b) => (BigInt(b.max) > BigInt(a.max) ? b : a)));
  return element("div", {},
    section("Latency", "How long transactions take, from begin to end. Choose a generator to see its distribution and its slowest transactions.", chosen),
    section("All generators", "These are the figures that the command ftr stats prints. A title sorts the table.", table.root));
}
