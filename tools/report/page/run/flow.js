// Where the time goes: the latency of a generator, divided among its own time and the time of the descendants of its
// transactions. The time of an access on a TLM link is divided further: until its request is accepted, in the target,
// and until its response is accepted.
import { element, printable, section } from "../parts/dom.js";
import { formatCount, formatNumberOf, formatTicks } from "../time/ticks.js";
import { hue } from "../parts/colours.js";
import { generatorName, nameOf, streamName } from "../data/stream_names.js";

const MOST_HINTS = 4; // generators on the first screen
const MOST_HINT_LINES = 5;

export function percent(part, total) {
  if (total === 0n) return "0 %";
  return `${(Number((part * 100000n) / total) / 1000).toFixed(1)} %`;
}

const ACCESSES = "TLM"; // kind of the streams of accesses

/** The place of the ticks of a phase ("request", "" or "response") of an access, for people. Transactions of a link that
 * are no accesses, such as commands of a DRAM controller, have no place in its target.
 * @param own the name of the place for a transaction without a target */
function placeOf(stream, phase, own) {
  if (phase === "request") return `${stream.target ?? streamName(stream)} accepts the request`;
  if (phase === "response") return `${stream.initiator ?? streamName(stream)} accepts the response`;
  return (stream.kind === ACCESSES ? stream.target : null) ?? own;
}

/** The parts of an entry of the manifest: [{place, link, ticks, note, colour, isOwn, isPhase}], the largest first. */
function partsOf(trace, entry) {
  const parts = [];
  function add(generator, ticks, request, response, own, note, isOwn) {
    const stream = trace.streams[generator.stream];
    for (const [phase, part] of [["request", request], ["", ticks - request - response], ["response", response]]) {
      if (part === 0n && (phase || isOwn || ticks > 0n)) continue;
      const place = placeOf(stream, phase, own);
      const name = nameOf(stream, generator.name);
      parts.push({ place, link: (stream.target || phase) && place !== name ? name : "", ticks: part, note: phase ? "" : note, colour: hue(generator.colour), isOwn: isOwn && !phase, isPhase: phase !== "" });
    }
  }
  for (const part of entry.parts) {
    const child = trace.generators[part.generator];
    const note = part.children > 0 ? formatNumberOf(part.children, "child", "children") : "";
    add(child, BigInt(part.ticks), BigInt(part.request), BigInt(part.response), generatorName(trace, child), note, false);
  }
  add(trace.generators[entry.generator], BigInt(entry.own), BigInt(entry.own_request), BigInt(entry.own_response), "itself", "", true);
  if (parts.length === 0) parts.push({ place: "itself", link: "", ticks: 0n, note: "", colour: "", isOwn: true, isPhase: false });
  return parts.sort((a, b) => (b.ticks > a.ticks ? 1 : b.ticks < a.ticks ? -1 : 0));
}

/** The bar of a part. */
function barOf({ ticks, colour, isOwn, isPhase }, total) {
  const share = total === 0n ? 0 : Number((ticks * 10000n) / total) / 100;
  const bar = element("div", { class: `share${isOwn ? " own" : ""}${isPhase ? " phase" : ""}` });
  bar.style.width = `${Math.max(share, 0.3)}%`;
  bar.hidden = ticks === 0n;
  if (!isOwn) bar.style[isPhase ? "borderColor" : "background"] = colour;
  return bar;
}

/** One line: place, bar, exact time. */
function line(trace, part, total) {
  const { place, link, ticks, note } = part;
  return element("tr", { "data-ticks": ticks },
    element("td", { class: "text name-cell", title: printable(link || place, 400) }, printable(place, 120), link ? element("div", { class: "faint" }, printable(link, 80)) : null),
    element("td", { class: "shares" }, barOf(part, total)), element("td", {}, percent(ticks, total)),
    element("td", { title: `${ticks} ticks` }, formatTicks(ticks, trace.scale)), element("td", { class: "faint" }, note));
}

/** The number of children that are not completely inside their parents, as a note. */
function clippedNote(entry) {
  const clipped = entry.parts.reduce((sum, part) => sum + part.clipped, 0);
  if (clipped === 0) return null;
  return element("p", { class: "faint" }, `${formatNumberOf(clipped, "child begins", "children begin")} before the parent or ${clipped === 1 ? "ends" : "end"} after it: only the time inside the parent counts.`);
}

function card(app, entry) {
  const { base: trace } = app;
  const total = BigInt(entry.total);
  const generator = trace.generators[entry.generator];
  const rows = partsOf(trace, entry).map((part) => line(trace, part, total));
  const unfinished = generator.unfinished > 0 ? ` (${formatCount(generator.unfinished)} unfinished)` : "";
  const children = entry.parents > 0 ? `, ${formatCount(entry.parents)} of them with children` : "";
  return element("div", { class: "card", "data-generator": entry.generator },
    element("h3", {}, printable(generatorName(trace, generator), 200)),
    element("p", { class: "about" }, `${formatTicks(total, trace.scale)} in ${formatNumberOf(generator.count + generator.unfinished, "transaction")}${unfinished}${children}. The parts add up exactly.`),
    element("div", { class: "table" }, element("table", { class: "data flow" }, element("tbody", {}, rows))), clippedNote(entry));
}

/** The generators with a time that can be divided, the one with the longest time first. */
function dividedEntries(manifest) {
  return (manifest.flow ?? []).filter(({ total }) => total !== "0").sort((a, b) => (BigInt(b.total) > BigInt(a.total) ? 1 : -1));
}

/** For the first screen: where the transactions that no other transaction waits for spend their time. */
export function hintFlow(app) {
  const { base: trace } = app;
  const entries = dividedEntries(trace.manifest);
  const inner = new Set(entries.flatMap(({ generator, parts }) => parts.map((part) => part.generator).filter((g) => g !== generator)));
  const outer = entries.filter(({ generator }) => !inner.has(generator)).slice(0, MOST_HINTS);
  if (outer.length === 0) return (trace.manifest.flow ?? []).length > 0 ? stillHint() : null;
  const tables = outer.map((entry) => {
    const generator = trace.generators[entry.generator];
    const rows = partsOf(trace, entry).slice(0, MOST_HINT_LINES).map((part) => hintLine(part, BigInt(entry.total)));
    const mean = generator.count > 0 ? `, mean ${formatTicks(BigInt(generator.mean), trace.scale)}` : "";
    return element("div", {}, element("p", {}, element("b", {}, printable(generatorName(trace, generator), 80)), element("span", { class: "faint" }, mean)),
      element("table", { class: "data flow small" }, element("tbody", {}, rows)));
  });
  return element("div", { class: "hint-flow" }, element("h3", {}, "Where the time goes"), tables,
    element("button", { class: "link", click: () => app.show("flow") }, "all generators"));
}

function stillHint() {
  return element("div", { class: "hint-flow" }, element("h3", {}, "Where the time goes"),
    element("p", {}, "All accesses, and all other transactions with children, take 0 s of simulated time."));
}

function hintLine(part, total) {
  return element("tr", { "data-ticks": part.ticks }, element("td", { class: "text name-cell", title: printable(part.link || part.place, 400) }, printable(part.place, 60)),
    element("td", { class: "shares" }, barOf(part, total)), element("td", {}, percent(part.ticks, total)));
}

/** The parts of the time of a transaction (waited_for.js, timeParts) as a table; null if there is only one. */
export function timeTable(app, i, parts) {
  const { trace } = app;
  if (parts.length < 2) return null;
  const rows = parts.map(({ index, phase, ticks }) => element("tr", { "data-ticks": ticks },
    element("td", { class: "text name-cell", title: printable(nameOf(trace.stream(index), trace.generator(index).name), 400) },
      printable(placeOf(trace.stream(index), phase, index === i ? "itself" : generatorName(trace, trace.generator(index))), 80)),
    element("td", {}, percent(ticks, trace.duration(i))), element("td", { title: `${ticks} ticks` }, formatTicks(ticks, trace.scale))));
  return [element("h4", {}, "Where its time goes"),
    element("table", { class: "data flow small time-parts" }, element("tbody", {}, rows))];
}

/** The part "Where the time goes". */
export function flowPart(app) {
  const { flow, flow_relations: relations } = app.base.manifest;
  const about = "Where transactions spend their time: in their children (PARENT_CHILD), in the children of these, or in themselves. " +
    "The time of an access on a TLM link is time in the target of the link, without the time until its request and its response are accepted.";
  const described = flow ?? [];
  const entries = dividedEntries(app.base.manifest);
  if (described.length === 0) {
    return section("Where the time goes", about, element("p", {}, "No transaction of this run has a PARENT_CHILD relation. " +
      "A model records them with ftr::relation; an attached prototype records them from the access on one link to the access on the next."));
  }
  const omitted = relations?.omitted > 0
    ? element("p", { class: "bad" }, `\u26a0 ${formatNumberOf(relations.omitted, "relation")} did not fit into memory: the shares of children are too small.`) : null;
  const generators = formatNumberOf(described.length - entries.length, "generator");
  const timeless = entries.length < described.length
    ? element("p", { class: "faint" }, `${generators}: all transactions take 0 s of simulated time, so there are no shares.`) : null;
  return section("Where the time goes", about, omitted,
    element("div", { class: "cards wide" }, entries.map((entry) => card(app, entry))), timeless);
}
