// Describes the two runs: their attributes side by side.
import { element, printable, section } from "../parts/dom.js";
import { crashNote, lossesText } from "../run/header.js";
import { formatCount, formatTicks } from "../time/ticks.js";

function facts(manifest) {
  const { run, time_scale: scale } = manifest;
  return new Map([
    ["file", run.file], ["recording", run.state],
    ["transactions", formatCount(run.transactions)], ["errors", formatCount(run.errors)], ["losses", lossesText(run)],
    ["simulated", formatTicks(BigInt(run.last) - BigInt(run.first), scale)],
    ...run.attributes,
  ]);
}

/** The part "Runs". */
export function runsComparedPart(manifest) {
  const [first, second] = [facts(manifest.first), facts(manifest.second)];
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const rows = names.map((name) => element("tr", { class: first.get(name) === second.get(name) ? "" : "differs" },
    element("th", { scope: "row" }, printable(name, 100)),
    element("td", {}, printable(first.get(name) ?? "-", 2000)), element("td", {}, printable(second.get(name) ?? "-", 2000))));
  return section("Runs", "How both runs were started and how they ended; rows that differ are marked.",
    crashNote(manifest.first.run), crashNote(manifest.second.run),
    element("table", { class: "facts compared wide" },
      element("thead", {}, element("tr", {}, element("th"), element("th", { scope: "col" }, "first"), element("th", { scope: "col" }, "second"))),
      element("tbody", {}, rows)));
}
