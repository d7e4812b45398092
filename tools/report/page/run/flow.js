// Where the time goes: the latency of a generator, divided among the children of its transactions.
import { element, printable, section } from "../parts/dom.js";
import { formatCount, formatNumberOf, formatTicks } from "../time/ticks.js";
import { hue } from "../parts/colours.js";
import { generatorName } from "./latency.js";

function percent(part, total) {
  if (total === 0n) return "0 %";
  return `${(Number((part * 100000n) / total) / 1000).toFixed(1)} %`;
}

/** One line: name, bar, exact time. */
function line(app, name, ticks, total, note, colour, isOwn) {
  const { scale } = app.base;
  const share = total === 0n ? 0 : Number((ticks * 10000n) / total) / 100;
  const bar = element("div", { class: `share ${isOwn ? "own" : ""}` });
  bar.style.width = `${Math.max(share, 0.3)}%`;
  bar.hidden = ticks === 0n;
  if (!isOwn) bar.style.background = colour;
  return element("tr", { "data-ticks": ticks },
    element("td", { class: "text name-cell", title: name }, name), element("td", { class: "shares" }, bar), element("td", {}, percent(ticks, total)),
    element("td", { title: `${ticks} ticks` }, formatTicks(ticks, scale)), element("td", { class: "faint" }, note));
}

function card(app, entry) {
  const { base: trace } = app;
  const total = BigInt(entry.total);
  const generator = trace.generators[entry.generator];
  const parts = [...entry.parts].sort((a, b) => (BigInt(b.ticks) > BigInt(a.ticks) ? 1 : -1));
  const rows = parts.map((part) => {
    const child = trace.generators[part.generator];
    return line(app, printable(generatorName(trace, child), 120), BigInt(part.ticks), total, formatNumberOf(part.children, "child", "children"), hue(child.colour), false);
  });
  rows.push(line(app, "itself", BigInt(entry.own), total, "", "", true));
  return element("div", { class: "card" },
    element("h3", {}, printable(generatorName(trace, generator), 200)),
    element("p", { class: "about" }, `${formatTicks(total, trace.scale)} in ${formatNumberOf(generator.count, "transaction")}, ` +
      `${formatCount(entry.parents)} of them with children. The parts add up exactly.`),
    element("div", { class: "table" }, element("table", { class: "data flow" }, element("tbody", {}, rows))));
}

/** The part "Where the time goes". */
export function flowPart(app) {
  const { flow, flow_relations: relations } = app.base.manifest;
  const about = "For generators whose transactions have children (PARENT_CHILD): in which child their time is spent, and how much is their own.";
  const described = flow ?? [];
  const entries = described.filter(({ total }) => total !== "0").sort((a, b) => (BigInt(b.total) > BigInt(a.total) ? 1 : -1));
  if (described.length === 0) {
    return section("Where the time goes", about, element("p", {}, "No transaction of this run has a PARENT_CHILD relation. " +
      "A model records them with ftr::relation; an attached prototype records them where the calls are nested."));
  }
  const omitted = relations?.omitted > 0
    ? element("p", { class: "bad" }, `\u26a0 ${formatNumberOf(relations.omitted, "relation")} did not fit into memory: the shares of children are too small.`) : null;
  const generators = formatNumberOf(described.length - entries.length, "generator");
  const timeless = entries.length < described.length
    ? element("p", { class: "faint" }, `${generators} with children: all transactions take 0 s of simulated time, so there are no shares.`) : null;
  return section("Where the time goes", about, omitted,
    element("div", { class: "cards wide" }, entries.map((entry) => card(app, entry))), timeless);
}
