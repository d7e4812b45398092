// The latencies of each generator over all runs: a table; and for the chosen generator a histogram, its percentiles in
// each run, and its slowest transactions.
import { nameOf } from "../data/stream_names.js";
import { element, fill, printable, section, svg } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { Chart, chartWidth, linear, logMarks, logarithmic } from "../parts/charts.js";
import { colours } from "../parts/colours.js";
import { formatCount, formatRounded, formatTicks } from "../time/ticks.js";
import { histogram } from "../run/latency.js";
import { runLink } from "./run_link.js";

const SIGNS = [["p50", "median"], ["p99", "p99"], ["max", "max"]];

/** Draws the median, p99 and maximum of each run: one column per run, in order of the maximum. */
function acrossRuns(night, generator) {
  const rows = night.byRun(generator).sort((a, b) => (a.max < b.max ? -1 : a.max > b.max ? 1 : 0));
  const chart = new Chart({ width: chartWidth(640), height: 230, left: 66, top: 20, label: "Latency in each run" });
  if (rows.length === 0) return chart.root;
  const c = colours();
  const least = Math.max(Number(rows.reduce((a, row) => (row.p50 < a ? row.p50 : a), rows[0].p50)), 1);
  const most = Math.max(Number(rows[rows.length - 1].max), least);
  const y = logarithmic(least * 0.9, most * 1.1, chart.bottom, chart.top);
  const x = linear(0, rows.length, chart.left, chart.right);
  chart.yAxis(y, logMarks(least, most).map((v) => [v, formatRounded(BigInt(Math.round(v)), night.scale, 3)]));
  const step = x(1) - x(0);
  rows.forEach((row, i) => {
    const group = svg("g", { class: "mark" });
    const middle = x(i + 0.5);
    const size = Math.max(Math.min(step * 0.35, 5), 1);
    group.append(svg("title", {}, `${printable(night.runName(row.run), 100)}: ` +
      SIGNS.map(([name, title]) => `${title} ${formatTicks(row[name], night.scale)}`).join(", ")));
    group.append(svg("rect", { x: x(i), y: chart.top, width: step, height: chart.bottom - chart.top, fill: "transparent" }));
    group.append(svg("line", { x1: middle, x2: middle, y1: y(Number(row.p50)), y2: y(Number(row.max)), stroke: c.line, "stroke-width": Math.max(Math.min(step * 0.5, 3), 1) }));
    group.append(svg("circle", { cx: middle, cy: y(Number(row.p50)), r: size, fill: c.accent }));
    group.append(svg("rect", { x: middle - size, y: y(Number(row.p99)) - size, width: 2 * size, height: 2 * size, fill: c.background, stroke: c.accent, "stroke-width": 1.5 }));
    group.append(svg("path", { d: `M${middle - size},${y(Number(row.max)) + size}h${2 * size}l${-size},${-2 * size}z`, fill: c.text }));
    chart.add(group);
  });
  chart.xAxis(x, []);
  chart.add(svg("text", { x: Math.min(chart.left, chart.right - 280), y: 12 }, "\u25cf median   \u25a1 p99   \u25b2 max, one column for each run"));
  return chart.root;
}

function slowest(night, generator) {
  return new DataTable([
    { title: "transaction", key: (s) => BigInt(s.id), show: (s) => `#${s.id}` },
    { title: "latency", key: (s) => BigInt(s.latency), show: (s) => formatTicks(BigInt(s.latency), night.scale) },
    { title: "begin", key: (s) => BigInt(s.begin), show: (s) => formatTicks(BigInt(s.begin), night.runs[s.run].time_scale) },
    { title: "run", text: true, key: (s) => night.runName(night.runs[s.run]), show: (s) => runLink(night, night.runs[s.run]) },
  ], generator.slowest, { sort: 1, descending: true }).root;
}

/** The name of a generator. Its row has the name STREAM.GENERATOR, and the label of the stream's link if it has one. */
function fullName(generator) {
  return generator.link ? nameOf(generator, generator.name.slice(generator.stream.length + 1)) : generator.name;
}

/** The part "Distributions". */
export function distributionsPart(night) {
  const chosen = element("div", { class: "cards" });
  const choose = (generator) => {
    fill(chosen,
      element("div", { class: "card" }, element("h3", {}, printable(fullName(generator), 200)),
        element("p", { class: "about" }, "Latency of all transactions of all runs; the area of a bar is their number."),
        histogram(night.blocks, generator, night.scale)),
      element("div", { class: "card" }, element("h3", {}, "Run by run"),
        element("p", { class: "about" }, "Sorted by the greatest latency; point at a column for the run."), acrossRuns(night, generator)),
      element("div", { class: "card" }, element("h3", {}, "Slowest transactions"),
        element("p", { class: "about" }, "A link opens the trace of the run, if it was kept."), slowest(night, generator)));
    chosen.dataset.generator = generator.index;
  };
  const time = (name, title) => ({ title, key: (g) => BigInt(g[name]), show: (g) => (g.count === 0 ? "-" : formatTicks(BigInt(g[name]), night.scale)) });
  const table = new DataTable([
    { title: "generator", text: true, key: fullName, show: (g) => element("button", { class: "link", click: () => choose(g) }, printable(fullName(g), 200)) },
    { title: "runs", key: (g) => g.runs },
    { title: "count", key: (g) => g.count, show: (g) => formatCount(g.count) },
    time("min", "min"), time("mean", "mean"), time("p50", "p50"), time("p90", "p90"), time("p99", "p99"), time("max", "max"),
    { title: "outstanding", key: (g) => g.outstanding },
    { title: "errors", key: (g) => g.errors, show: (g) => (g.errors > 0 ? element("b", { class: "bad" }, `\u26a0 ${formatCount(g.errors)}`) : "0") },
  ], night.generators, { sort: 8, descending: true, filter: fullName, label: "generators" });
  const used = night.generators.filter((g) => g.count > 0);
  if (used.length > 0) choose(used.reduce((a, b) => (BigInt(b.max) > BigInt(a.max) ? b : a)));
  return element("div", {},
    section("Distributions", "How long transactions took in the whole night, and in each run.", chosen),
    section("All generators", "The figures of all runs together. A title sorts, a name shows its distribution.", table.root));
}
