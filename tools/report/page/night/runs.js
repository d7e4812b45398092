// The runs as rows with small pictures: transactions over time as an area, the greatest latency as a line.
import { element, printable, section, svg } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { colours } from "../parts/colours.js";
import { formatCount, formatTicks } from "../time/ticks.js";
import { baseName, lossesText } from "../run/header.js";
import { lookPart } from "./look.js";
import { runLink } from "./run_link.js";

const WIDTH = 190;
const HEIGHT = 26;

/** The small picture of a run. */
function picture(night, run) {
  const root = svg("svg", { width: WIDTH, height: HEIGHT, role: "img", "aria-label": "Transactions and greatest latency over time" });
  if (!run.count || !run.worst) return root;
  const counts = Array.from(night.column(run.count), Number);
  const worst = Array.from(night.column(run.worst), Number);
  if (counts.length === 0) return root;
  const most = Math.max(...counts, 1);
  const [least, greatest] = [Math.min(...worst.filter((v) => v > 0), Infinity), Math.max(...worst, 1)];
  const step = WIDTH / counts.length;
  const height = (value) => (greatest <= least ? 0.5 : Math.log(value / least) / Math.log(greatest / least));
  let area = "";
  let line = "";
  for (let i = 0; i < counts.length; i++) {
    const x = (i * step).toFixed(1);
    const tall = counts[i] === 0 ? 0 : Math.max(1, (counts[i] / most) * (HEIGHT - 2));
    if (tall > 0) area += `M${x},${HEIGHT}v${-tall.toFixed(1)}h${step.toFixed(2)}v${tall.toFixed(1)}z`;
    if (worst[i] > 0) line += `M${x},${(HEIGHT - 3 - height(worst[i]) * (HEIGHT - 6)).toFixed(1)}h${Math.max(step, 1.5).toFixed(2)}`;
  }
  const c = colours();
  // The edge in the colour of the background separates the line from the area.
  root.append(svg("path", { d: area, fill: c.density }),
    svg("path", { d: line, class: "edge", stroke: c.background, "stroke-width": 4, fill: "none" }),
    svg("path", { d: line, class: "worst", stroke: c.worst, "stroke-width": 2, fill: "none" }));
  return root;
}

/** How a run ended, as a number to sort by: what failed worst is first. */
function rank(run) {
  if (run.state !== "sound" && run.state !== "not told") return 0;
  if (run.failed > 0) return 1;
  return isNonzero(run) ? 2 : 3;
}

function isNonzero(run) {
  const status = new Map(run.attributes).get("exit_status");
  return status !== undefined && status !== "0";
}

const RESULTS = ["\u26a0\u00a0no end", "\u2717\u00a0checks", "\u2717\u00a0exit", "\u2713"];

function result(run) {
  const text = RESULTS[rank(run)];
  return rank(run) === 3 ? text : element("b", { class: "bad" }, text);
}

/** The meaning of the small pictures. */
function legend() {
  const c = colours();
  const sign = (...shapes) => svg("svg", { width: 26, height: 14, role: "img", "aria-hidden": "true" }, shapes);
  return element("p", { class: "about picture-legend" },
    sign(svg("path", { d: "M2,14v-6h7v-5h8v4h7v7z", fill: c.density })), " transactions in a part of the run, ",
    sign(svg("path", { d: "M2,9h7M9,4h8M17,7h7", stroke: c.worst, "stroke-width": 2, fill: "none" })),
    " their greatest latency (logarithmic, from the least to the greatest of the run). Time goes from left to right.");
}

function state(run) {
  if (run.state === "sound") return "\u2713\u00a0sound";
  if (run.state === "not told")
    return element("span", { title: "The trace does not tell how the run ended: it has no stream ftr.run." }, "not\u00a0told");
  return element("b", { class: "bad", title: printable(run.problem, 400) }, `\u26a0 ${run.state}`);
}

function count(value) {
  return value > 0 ? element("b", { class: "bad" }, `\u26a0 ${formatCount(value)}`) : "0";
}

/** A time of a run in seconds, for sorting among different time scales. */
function seconds(ticks, scale) {
  return Number(ticks) * 10 ** scale;
}

/** The part "Runs". */
export function runsPart(night) {
  const columns = [
    { title: "result", text: true, about: "no end: crashed, killed or unreadable; checks: a check of the gate failed; exit: the exit status is not 0", key: rank, show: result },
    { title: "run", text: true, key: (run) => night.runName(run), show: (run) => runLink(night, run) },
    { title: "state", text: true, key: (run) => run.state, show: state },
    { title: "over time", about: "area: transactions; line: greatest latency (logarithmic)", key: (run) => run.transactions, show: (run) => picture(night, run) },
    { title: "longest", about: "longest transaction", key: (run) => seconds(run.longest, run.time_scale), show: (run) => formatTicks(BigInt(run.longest), run.time_scale) },
    { title: "transactions", key: (run) => run.transactions, show: (run) => formatCount(run.transactions) },
    { title: "simulated until", key: (run) => seconds(run.last, run.time_scale), show: (run) => formatTicks(BigInt(run.last), run.time_scale) },
    { title: "errors", key: (run) => run.errors, show: (run) => count(run.errors) },
    { title: "unfinished", key: (run) => run.unfinished, show: (run) => count(run.unfinished) },
    { title: "losses", key: (run) => run.losses, show: (run) => (run.state === "sound" ? count(run.losses) : lossesText(run)) },
    { title: "exit status", key: (run) => new Map(run.attributes).get("exit_status") ?? "", show: (run) => printable(new Map(run.attributes).get("exit_status") ?? "-", 60) },
    { title: "file", text: true, key: (run) => run.file, show: (run) => element("span", { class: "faint", title: printable(run.file, 1000) }, printable(baseName(run.file), 80)) },
  ];
  if (night.manifest.gate) {
    columns.splice(3, 0, { title: "failed checks", key: (run) => run.failed ?? 0, show: (run) => count(run.failed ?? 0) });
  }
  const table = new DataTable(columns, night.runs, {
    sort: 0, label: "runs",
    ties: [(run) => -(run.failed ?? 0), (run) => -seconds(run.longest, run.time_scale), (run) => run.file],
    filter: (run) => `${run.file} ${run.state} ${run.attributes.map(([name, value]) => `${name}=${value}`).join(" ")}`,
  });
  return element("div", {}, lookPart(night),
    section("Runs", "Each row is a run: first those that crashed, then those that failed, then those with the longest transaction. A title sorts; " +
      "the filter looks into files, states and tags. A link opens the report of the run, or its trace, if it was kept beside this report.",
    legend(), table.root));
}
