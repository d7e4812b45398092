// What to look at first in a night that failed: the greatest changes, and a few runs with their commands.
import { element, printable, section } from "../parts/dom.js";
import { formatNumberOf } from "../time/ticks.js";
import { runLink } from "./run_link.js";

/** A relative change: "+10.7 %". */
export function percent(change) {
  if (change === null) return "new";
  return `${change > 0 ? "+" : "\u2212"}${Math.abs(100 * change).toPrecision(3)} %`;
}

function changeItem(change) {
  const others = change.tests > 1 ? `, changed in ${formatNumberOf(change.tests, "test")}` : "";
  return element("li", {}, element("b", {}, percent(change.change)), ` ${printable(`${change.generator} ${change.metric}`, 200)} in ${printable(change.test, 120)}${others}`);
}

function runItem(night, look) {
  const run = night.runs.find(({ file }) => file === look.run);
  const command = look.command
    ? element("details", {}, element("summary", {}, "run again"), element("code", {}, printable(look.command, 2000)))
    : null;
  return element("li", {}, run ? runLink(night, run) : printable(look.run, 200), `: ${printable(look.reason.split("\n")[0], 300)}`, command);
}

/** The section "Where to look first"; null if nothing failed or there are no checks. */
export function lookPart(night) {
  const { gate } = night.manifest;
  if (!gate || gate.changes.length + gate.look.length === 0) return null;
  return section("Where to look first", "The greatest changes against the earlier nights, and runs that show what failed.",
    element("div", { class: "cards look" },
      gate.changes.length > 0
        ? element("div", { class: "card" }, element("h3", {}, "Greatest changes"), element("ul", {}, gate.changes.slice(0, 10).map(changeItem)))
        : null,
      gate.look.length > 0
        ? element("div", { class: "card" }, element("h3", {}, "Runs worth a look"), element("ul", {}, gate.look.map((look) => runItem(night, look))))
        : null));
}
