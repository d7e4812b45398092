// The figures of a night beside those of earlier nights: since when a figure has been different, and each figure as a
// curve over the nights.
import { element, fill, printable, section, svg } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { Chart, chartWidth, linear, linearMarks } from "../parts/charts.js";
import { colours } from "../parts/colours.js";
import { formatRounded } from "../time/ticks.js";
import { percent } from "./look.js";

const WIDTH = 150;
const HEIGHT = 24;
const FEMTO = -15;

/** A value for people: times in seconds get a unit, other values a metric prefix. */
function valueText(value, unit) {
  if (value === null) return "-";
  if (unit === "%") return `${Number((100 * value).toPrecision(4))}\u00a0%`;
  if (unit === "s") return formatRounded(BigInt(Math.round(value * 1e15)), FEMTO, 4);
  const [factor, prefix] = value >= 1e9 ? [1e9, "G"] : value >= 1e6 ? [1e6, "M"] : value >= 1e3 ? [1e3, "k"] : [1, ""];
  const digits = Number((value / factor).toPrecision(4));
  return `${digits}${prefix || unit ? "\u00a0" : ""}${prefix}${unit}`;
}

function figureName(figure) {
  return `${figure.generator} ${figure.metric}`;
}

function testName(figure) {
  return figure.test ?? "(all tests)";
}

function lastValue(figure) {
  return figure.medians.findLast((value) => value !== null) ?? null;
}

/** Change from the first value to the last one. */
function totalChange(figure) {
  const first = figure.medians.find((value) => value !== null);
  return first > 0 ? lastValue(figure) / first - 1 : 0;
}

/** The small picture of a figure. */
function picture(figure) {
  const root = svg("svg", { width: WIDTH, height: HEIGHT, role: "img", "aria-label": "Values of the nights" });
  const values = figure.medians.filter((value) => value !== null);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = linear(0, Math.max(figure.medians.length - 1, 1), 3, WIDTH - 3);
  const y = linear(least, most === least ? least + 1 : most, HEIGHT - 4, 4);
  let path = "";
  figure.medians.forEach((value, i) => {
    if (value !== null) path += `${path && figure.medians[i - 1] !== null ? "L" : "M"}${x(i).toFixed(1)},${y(value).toFixed(1)}`;
  });
  const c = colours();
  root.append(svg("path", { d: path, stroke: c.accent, "stroke-width": 1.5, fill: "none" }));
  for (const change of figure.changes)
    root.append(svg("circle", { cx: x(change.night), cy: y(figure.medians[change.night]), r: 3, fill: c.text }));
  return root;
}

/** The curve of a figure: a point for each night, a line for each level between changes. */
function curve(history, figure) {
  const chart = new Chart({ width: chartWidth(900), height: 260, left: 74, right: 16, top: 12, label: "Values of the nights" });
  const values = figure.medians.filter((value) => value !== null);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = (most - least || most || 1) * 0.08;
  const from = least - room > 0 ? least - room : 0;
  const y = linear(from, most + room, chart.bottom, chart.top);
  const nights = history.nights.length;
  const x = linear(-0.5, nights - 0.5, chart.left, chart.right);
  const c = colours();
  const step = linearMarks(most + room - from)[1] ?? 1;
  const marks = [];
  for (let value = Math.ceil(from / step) * step; value <= most + room; value += step) marks.push(value);
  chart.yAxis(y, marks.map((value) => [value, valueText(value, figure.unit)]));
  chart.xAxis(x, history.nights.map((night, i) => [i, night.name]));
  for (const change of figure.changes) {
    const at = x(change.night - 0.5);
    chart.add(svg("line", { x1: at, x2: at, y1: chart.top, y2: chart.bottom, stroke: c.text, "stroke-dasharray": "4 3" }));
  }
  const bounds = [0, ...figure.changes.map((change) => change.night), nights];
  figure.changes.forEach((change, i) => {
    const level = (begin, end, value) => chart.add(svg("line", { x1: x(begin - 0.5), x2: x(end - 0.5), y1: y(value), y2: y(value), stroke: c.line, "stroke-width": 3 }));
    if (i === 0) level(bounds[0], bounds[1], change.before);
    level(bounds[i + 1], bounds[i + 2], change.after);
  });
  figure.medians.forEach((value, i) => {
    if (value === null) return;
    chart.add(svg("circle", { cx: x(i), cy: y(value), r: 4, class: "mark night-point", fill: c.accent },
      svg("title", {}, `${history.nights[i].name}: ${valueText(value, figure.unit)}`)));
  });
  return chart.root;
}

function changesTable(history, choose) {
  const rows = history.figures.flatMap((figure) => figure.changes.map((change) => ({ ...change, figure })));
  return new DataTable([
    { title: "since", text: true, key: (row) => row.night, show: (row) => history.nights[row.night].name },
    { title: "figure", text: true, key: (row) => figureName(row.figure), show: (row) => element("button", { class: "link", click: () => choose(row.figure) }, printable(figureName(row.figure), 160)) },
    { title: "test", text: true, key: (row) => testName(row.figure), show: (row) => printable(testName(row.figure), 120) },
    { title: "change", key: (row) => (row.before > 0 ? row.after / row.before - 1 : Infinity), show: (row) => percent(row.before > 0 ? row.after / row.before - 1 : null) },
    { title: "before", key: (row) => row.before, show: (row) => valueText(row.before, row.figure.unit) },
    { title: "after", key: (row) => row.after, show: (row) => valueText(row.after, row.figure.unit) },
    { title: "as before since", text: true, key: (row) => row.back ?? -1, show: (row) => (row.back === null ? "-" : history.nights[row.back].name) },
  ], rows, {
    sort: 0, descending: true, label: "changes", ties: [(row) => figureName(row.figure), (row) => testName(row.figure)],
    filter: (row) => `${figureName(row.figure)} ${testName(row.figure)} ${history.nights[row.night].name}`,
  }).root;
}

function figuresTable(history, choose) {
  return new DataTable([
    { title: "figure", text: true, key: figureName, show: (figure) => element("button", { class: "link", click: () => choose(figure) }, printable(figureName(figure), 160)) },
    { title: "test", text: true, key: testName, show: (figure) => printable(testName(figure), 120) },
    { title: "over the nights", about: "from the least to the greatest value; a dot is a change", key: totalChange, show: picture },
    { title: "first to last", key: totalChange, show: (figure) => percent(totalChange(figure)) },
    { title: "last", key: (figure) => lastValue(figure) ?? 0, show: (figure) => valueText(lastValue(figure), figure.unit) },
  ], history.figures, { sort: 0, label: "figures", ties: [testName], filter: (figure) => `${figureName(figure)} ${testName(figure)}` }).root;
}

/** The part "History". */
export function historyPart(night) {
  const { history } = night.manifest;
  for (const figure of history.figures) figure.changes = [];
  for (const change of history.changes) history.figures[change.figure].changes.push(change);
  const chosen = element("div", { class: "card" });
  const choose = (figure) => {
    fill(chosen, element("h3", {}, `${printable(figureName(figure), 200)} in ${printable(testName(figure), 120)}`),
      element("p", { class: "about" }, figure.test === null
        ? "Mean of all tests, each in proportion to its median of all nights. A dashed line is a change, a bar is the median between changes."
        : "Median of the runs of each night. A dashed line is a change, a bar is the median between changes."),
      curve(history, figure));
    chosen.scrollIntoView({ block: "nearest" });
  };
  if (history.figures.length > 0) choose(history.figures[0]);
  const omitted = history.omitted > 0 ? ` ${history.omitted} further figures without a change are not in this page.` : "";
  return element("div", {},
    section("Since when", history.changes.length > 0
      ? "The nights since which a figure has been different. A name shows the figure."
      : "No figure has changed over the nights.", history.changes.length > 0 ? changesTable(history, choose) : null),
    section("A figure over the nights", `The nights of ${printable(history.file, 200)}.`, chosen),
    section("All figures", `A name shows the figure.${omitted}`, figuresTable(history, choose)));
}
