// Curves of a generator over the simulated time: rates, open transactions, busy time, latency.
import { element, fill, printable, section, svg } from "../parts/dom.js";
import { Chart, bandPath, chartWidth, linear, linearMarks, logMarks, logarithmic, stepPath } from "../parts/charts.js";
import { column, columnAsNumbers } from "../data/columns.js";
import { colours } from "../parts/colours.js";
import { axisTicks } from "../time/axis_ticks.js";
import { TimeView } from "../time/time_view.js";
import { formatNumber, formatNumberOf, formatRounded, formatTicks, ticksPerSecond } from "../time/ticks.js";
import { generatorName } from "../data/stream_names.js";

const MOST_WIDE = 1120;
const NARROW = 500; // pixels; the titles of narrower charts are short, and begin at the left end
const LEFT = 72;
const RIGHT = 10;

/** The series of a generator with the exact interval of each time slot. */
class Series {
  constructor(app, described) {
    const { base: trace } = app;
    const all = trace.manifest.series;
    this.trace = trace;
    this.slots = all.count;
    this.shift = BigInt(all.shift);
    this.firstSlot = BigInt(all.first);
    this.numbers = {};
    for (const name of ["count", "errors", "outstanding", "bytes", "busy", "p50", "p99", "max"]) {
      this.numbers[name] = columnAsNumbers(trace.blocks, described[name]);
    }
    this.exact = (name, i) => column(trace.blocks, described[name])[i];
  }

  /** The part of time slot i that is inside the run: [begin, end). */
  interval(i) {
    const begin = (this.firstSlot + BigInt(i)) << this.shift;
    const end = begin + (1n << this.shift);
    const { first, last } = this.trace;
    return [begin < first ? first : begin, end > last ? last : end];
  }

  /** Ticks of time slot i inside the run, at least 1. */
  ticks(i) {
    const [begin, end] = this.interval(i);
    return Math.max(Number(end - begin), 1);
  }

  perSecond(name, i) {
    return (this.numbers[name][i] / this.ticks(i)) * ticksPerSecond(this.trace.scale);
  }

  busyShare(i) {
    return (100 * this.numbers.busy[i]) / this.ticks(i);
  }
}

/** The horizontal scale and the marks that all charts share. */
function timeScale(trace) {
  const view = new TimeView(trace.first, trace.last);
  const width = chartWidth(MOST_WIDE);
  view.width = width - LEFT - RIGHT;
  view.setStart(trace.first, 0);
  view.span = Math.max(trace.length, 1);
  return { width, titleAt: width < NARROW ? 4 : LEFT, x: (tick) => LEFT + view.x(tick), marks: axisTicks(view, trace.scale, Math.min(120, view.width / 4)).marks.map(({ tick, text }) => [tick, text]) };
}

function curve(series, title, value, unit, time) {
  const chart = new Chart({ width: time.width, height: 110, left: LEFT, right: RIGHT, top: 20, label: title });
  const values = Array.from({ length: series.slots }, (_, i) => value(i));
  const most = Math.max(...values, 0);
  const y = linear(0, most || 1, chart.bottom, chart.top);
  const marks = linearMarks(most, 3).filter((v) => unit !== "" || Number.isInteger(v));
  chart.yAxis(y, marks.map((v) => [v, v === 0 ? "0" : formatNumber(v) + unit]));
  chart.xAxis(time.x, time.marks);
  const c = colours();
  for (const part of slots(series, time, (i) => [y(values[i]), chart.bottom])) {
    chart.add(svg("path", { d: bandPath(part.points, part.width), fill: c.accent, opacity: 0.75 }));
  }
  chart.add(svg("text", { x: time.titleAt, y: 13, "font-weight": 600 }, title));
  return chart.root;
}

/** Time slots as [x, low, high] for bandPath(); those at both ends may be narrower than the others. */
function slots(series, time, ends) {
  const parts = [];
  for (let i = 0; i < series.slots; i++) {
    const [begin, end] = series.interval(i);
    const left = time.x(begin);
    const [high, low] = ends(i);
    if (high === null || low - high < 0.01) continue;
    parts.push({ points: [[left, low, high]], width: Math.max(time.x(end) - left, 0.8) });
  }
  return parts;
}

/** The band from the median to p99, and the longest latency, on a logarithmic axis. */
function latencyBand(series, time) {
  const { scale } = series.trace;
  const chart = new Chart({ width: time.width, height: 180, left: LEFT, right: RIGHT, top: 20, label: "Latency over time" });
  const { p50, p99, max, count } = series.numbers;
  const used = Array.from({ length: series.slots }, (_, i) => i).filter((i) => count[i] > 0);
  const least = Math.min(...used.map((i) => p50[i]), Infinity);
  const most = Math.max(...used.map((i) => max[i]), 1);
  const y = logarithmic(Math.max(Math.min(least, most) * 0.9, 0.5), most * 1.1, chart.bottom, chart.top);
  chart.yAxis(y, logMarks(Math.max(Math.min(least, most) * 0.9, 1), most * 1.1).map((v) => [v, formatRounded(BigInt(Math.round(v)), scale, 3)]));
  chart.xAxis(time.x, time.marks);
  const c = colours();
  const band = slots(series, time, (i) => (count[i] > 0 ? [y(p99[i]), y(p50[i]) + 1] : [null, 0]));
  for (const part of band) chart.add(svg("path", { d: bandPath(part.points, part.width), fill: c.accent, opacity: 0.45 }));
  const line = (values, attributes) => {
    const points = Array.from({ length: series.slots }, (_, i) => [time.x(series.interval(i)[0]), count[i] > 0 ? y(values[i]) : null]);
    const width = (time.width - LEFT - RIGHT) / series.slots;
    chart.add(svg("path", { d: stepPath(points, width), fill: "none", ...attributes }));
  };
  line(p50, { stroke: c.accent, "stroke-width": 2 });
  line(max, { stroke: c.text, "stroke-width": 1.2 });
  const title = time.width < NARROW ? "latency: median to p99 (band), longest (line)" : "latency: median (thick line), up to p99 (band), longest (thin line)";
  chart.add(svg("text", { x: time.titleAt, y: 13, "font-weight": 600 }, title));
  return chart.root;
}

/** The exact numbers of a time slot. */
function slotText(series, i) {
  const { scale } = series.trace;
  const time = (ticks) => formatTicks(ticks, scale);
  const [begin, end] = series.interval(i);
  const { count, errors, outstanding } = series.numbers;
  const parts = [`${time(begin)} .. ${time(end)}: ${formatNumberOf(count[i], "transaction")} (${formatNumber(series.perSecond("count", i))}/s)`];
  parts.push(formatNumberOf(series.exact("bytes", i), "byte"), `at most ${outstanding[i]} open`, `busy ${series.busyShare(i).toFixed(1)} %`);
  if (count[i] > 0) parts.push(`p50 ${time(series.exact("p50", i))}`, `p99 ${time(series.exact("p99", i))}`, `max ${time(series.exact("max", i))}`);
  if (errors[i] > 0) parts.push(`\u26a0 ${formatNumberOf(errors[i], "error")}`);
  return parts.join(", ");
}

/** The exact numbers of a time slot as attributes of its element, for programs that read the page. */
function slotFigures(series, i) {
  const [begin, end] = series.interval(i);
  const figures = { begin, end };
  for (const name of Object.keys(series.numbers)) figures[name] = series.exact(name, i);
  return figures;
}

function curves(app, generator, described) {
  const series = new Series(app, described);
  const time = timeScale(app.base);
  const readout = element("p", { class: "readout", "aria-live": "off" }, "Point at a curve for exact numbers; a click shows that time in the timeline.");
  const hasBytes = generator.bytes !== "0";
  const isTimeless = series.numbers.max.every((ticks) => ticks === 0);
  const charts = element("div", { class: "curves" },
    curve(series, "transactions per second", (i) => series.perSecond("count", i), "/s", time),
    hasBytes ? curve(series, "bytes per second", (i) => series.perSecond("bytes", i), "B/s", time) : null,
    curve(series, "most transactions open at a time", (i) => series.numbers.outstanding[i], "", time),
    curve(series, "busy: share of the time with an open transaction", (i) => series.busyShare(i), " %", time),
    isTimeless ? element("p", { class: "faint" }, "The latency has no curve: all transactions of this generator take 0 s.") : latencyBand(series, time));
  charts.dataset.generator = generator.index;
  const slotAt = (event) => {
    const chart = event.target.closest("svg");
    if (!chart) return -1;
    const box = chart.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * time.width - LEFT) / (time.width - LEFT - RIGHT);
    if (share < 0 || share > 1) return -1;
    const { base: trace } = app;
    const slot = ((trace.first + BigInt(Math.floor(share * trace.length))) >> series.shift) - series.firstSlot;
    return Math.min(Number(slot), series.slots - 1);
  };
  charts.addEventListener("pointermove", (event) => {
    const i = slotAt(event);
    if (i >= 0) {
      readout.textContent = slotText(series, i);
      Object.assign(readout.dataset, slotFigures(series, i));
    }
  });
  charts.addEventListener("click", (event) => {
    const i = slotAt(event);
    if (i >= 0) app.showTime(...series.interval(i));
  });
  return [readout, charts];
}

/** The part "Over time". */
export function overTimePart(app) {
  const { base: trace } = app;
  const about = "How the rates, the load and the latency of a generator change during the run. The page opens with the generator of the longest transaction.";
  const described = trace.manifest.series?.generators ?? [];
  const used = described.filter((d) => trace.generators[d.generator].count > 0).sort((a, b) => a.generator - b.generator);
  if (used.length === 0) return section("Over time", about, element("p", {}, "This page has no curves."));
  const most = used.reduce((a, b) => (BigInt(trace.generators[b.generator].max) > BigInt(trace.generators[a.generator].max) ? b : a));
  const holder = element("div");
  const show = (d) => fill(holder, curves(app, trace.generators[d.generator], d));
  const select = element("select", { "aria-label": "Generator", change: () => show(used[select.selectedIndex]) },
    used.map((d) => element("option", { selected: d === most }, printable(generatorName(trace, trace.generators[d.generator]), 120))));
  show(most);
  const { omitted } = trace.manifest.series;
  return section("Over time", about, element("div", { class: "filter" }, "Generator", select),
    omitted > 0 ? element("p", { class: "faint" }, `${formatNumberOf(omitted, "further generator has", "further generators have")} no curves in this page.`) : null, holder);
}
