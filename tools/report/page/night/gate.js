// The checks of `ftr gate`: how many each rule passed, and where it failed.
import { element, printable, section } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { formatCount, formatNumberOf } from "../time/ticks.js";
import { runLink } from "./run_link.js";

const SHOWN_LINES = 2;

function result(check) {
  if (check.skipped) return "\u2013 skipped";
  return check.passed ? "\u2713 passed" : element("b", { class: "bad" }, "\u2717 failed");
}

function runOf(night, check) {
  return check.run === null ? printable(check.name || "all runs", 200) : runLink(night, night.runs[check.run]);
}

/** The lines of a finding; all but the first ones are folded. */
function finding(check) {
  const lines = check.text.split("\n").map((line) => element("div", {}, printable(line, 400)));
  if (lines.length <= SHOWN_LINES + 1) return element("div", {}, lines);
  return element("div", {}, lines.slice(0, SHOWN_LINES),
    element("details", {}, element("summary", {}, `and ${lines.length - SHOWN_LINES} more`), lines.slice(SHOWN_LINES)));
}

function suiteTable(gate) {
  const count = (value) => (value > 0 ? element("b", { class: "bad" }, `\u2717 ${formatCount(value)}`) : "0");
  return new DataTable([
    { title: "rule", text: true, key: (suite) => suite.rule, show: (suite) => printable(suite.rule, 300) },
    { title: "line", about: "line of the file with the rules", key: (suite) => suite.line, show: (suite) => (suite.line > 0 ? String(suite.line) : "-") },
    { title: "passed", key: (suite) => suite.passed, show: (suite) => formatCount(suite.passed) },
    { title: "failed", key: (suite) => suite.failed, show: (suite) => count(suite.failed) },
    { title: "skipped", key: (suite) => suite.skipped, show: (suite) => formatCount(suite.skipped) },
  ], gate.suites, { sort: 3, descending: true, filter: (suite) => suite.rule, label: "rules" }).root;
}

/** The part "Checks". */
export function gatePart(night) {
  const { gate } = night.manifest;
  const checks = new DataTable([
    { title: "result", text: true, key: (check) => (check.skipped ? 1 : check.passed ? 2 : 0), show: result },
    { title: "rule", text: true, key: (check) => check.rule, show: (check) => printable(check.rule, 300) },
    { title: "run", text: true, key: (check) => check.name, show: (check) => runOf(night, check) },
    { title: "finding", text: true, key: (check) => check.text, show: finding },
  ], gate.checks, {
    sort: 0, label: "checks",
    filter: (check) => `${check.rule} ${check.name} ${check.text} ${check.skipped ? "skipped" : check.passed ? "passed" : "failed"}`,
  });
  const baseline = gate.baselines.length > 0 ? `, compared with ${printable(gate.baselines.join(", "), 300)}` : "";
  const omitted = gate.omitted > 0 ? element("p", { class: "bad" }, `\u26a0 ${formatNumberOf(gate.omitted, "further check is", "further checks are")} not in this page.`) : null;
  return element("div", {},
    section("Rules", `The rules of ${printable(gate.rules, 200)}${baseline}, and how many runs passed them.`, suiteTable(gate)),
    section("Failed and skipped checks", gate.checks.length === 0 ? "All checks passed." : "Each row is a check that failed, or that could not be made.",
      omitted, gate.checks.length > 0 ? checks.root : null));
}
