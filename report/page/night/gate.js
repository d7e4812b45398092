// The checks of `ftr gate`: which rules passed and failed, and where.
import { element, printable, section } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { runLink } from "./runs.js";

/** The part "Checks". */
export function gatePart(night) {
  const { gate } = night.manifest;
  const table = new DataTable([
    { title: "result", text: true, key: (check) => (check.passed ? 1 : 0),
      show: (check) => (check.passed ? "\u2713 passed" : element("b", { class: "bad" }, "\u2717 failed")) },
    { title: "rule", text: true, key: (check) => check.rule, show: (check) => printable(check.rule, 200) },
    { title: "place", text: true, key: (check) => check.place, show: (check) => printable(check.place, 200) },
    { title: "run", text: true, key: (check) => (check.run === null ? "" : night.runName(night.runs[check.run])),
      show: (check) => (check.run === null ? "whole night" : runLink(night, night.runs[check.run])) },
    { title: "finding", text: true, key: (check) => check.text, show: (check) => printable(check.text, 400) },
  ], gate.checks, {
    sort: 0, label: "checks", filter: (check) => `${check.rule} ${check.place} ${check.text} ${check.passed ? "passed" : "failed"}`,
  });
  const baseline = gate.baseline ? `, compared with ${printable(gate.baseline, 200)}` : "";
  return section("Checks", `The rules of ${printable(gate.rules, 200)}${baseline}: failed checks first.`, table.root);
}
