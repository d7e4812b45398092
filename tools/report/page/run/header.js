// Describes the run: program, arguments, host, state, exit status, losses, length and number of transactions.
import { element, printable } from "../parts/dom.js";
import { formatCount, formatNumberOf, formatTicks } from "../time/ticks.js";

const STATES = {
  sound: ["sound", "The recording is complete and was closed."],
  "not told": ["sound", "The recording is complete. It does not tell how the run ended: it has no stream ftr.run."],
  unfinished: ["not closed", "The recording was not closed: its end may be missing."],
  torn: ["torn", "A part of the file cannot be read."],
  unreadable: ["unreadable", "The file cannot be read."],
  absent: ["absent", "The file does not exist."],
};

/** A name and a value in a small box. @param mood "good", "bad" or "" */
export function chip(name, value, mood = "", title = "") {
  return element("span", { class: `chip ${mood}`, title }, element("span", { class: "faint" }, `${name} `), element("b", {}, value));
}

/** Whether the recording was closed, at the end of the run or by a signal that ended it. */
function isClosed(run) {
  return run.state === "sound" || run.state === "not told" || run.state.startsWith("killed");
}

/** The state of a run as a chip with a sign, so that it can be read without colours. */
export function stateChip(run) {
  const [text, title] = STATES[run.state] ?? [run.state, ""];
  const isGood = isClosed(run) && !run.state.startsWith("killed");
  return chip("recording", `${isGood ? "\u2713" : "\u26a0"} ${text}`, isGood ? "good" : "bad", printable(run.problem || title));
}

/** The last part of a path. */
export function baseName(path) {
  return path.replace(/.*\//, "") || path;
}

function exitChip(status) {
  if (status === undefined) return null;
  const isGood = status === "0";
  return chip("exit status", `${isGood ? "\u2713" : "\u2717"} ${printable(status, 60)}`, isGood ? "good" : "bad");
}

/** The number of losses. It is written when a recording is closed, so it is not known for a recording that was not
 * closed. */
export function lossesText(run) {
  if (isClosed(run)) return formatCount(run.losses);
  return run.losses > 0 ? `at least ${formatCount(run.losses)}` : "unknown";
}

/** A note on how to add the transactions that are in the journal of a crashed run; null without a journal. */
export function crashNote(run) {
  if (!run.journal) return null;
  return element("p", { class: "bad" }, "\u26a0 The recording crashed. Transactions that this page does not have, and counts of losses, may be in its journal ",
    element("code", {}, printable(run.journal, 1000)), ". ", element("code", {}, printable(`ftr recover ${run.file} -o OUTPUT`, 1000)), " adds them.");
}

/** The chips of a run. */
export function runChips(run, scale) {
  const attributes = new Map(run.attributes);
  const length = BigInt(run.last) - BigInt(run.first);
  const tags = attributes.get("tags");
  const host = attributes.get("host");
  return [
    stateChip(run),
    exitChip(attributes.get("exit_status")),
    chip("simulated", formatTicks(length, scale), "", `from ${formatTicks(BigInt(run.first), scale)} to ${formatTicks(BigInt(run.last), scale)}`),
    chip("transactions", formatCount(run.transactions)),
    chip("errors", formatCount(run.errors), run.errors > 0 ? "bad" : "", run.errors_passed_on > 0
      ? `Each error counts once, where it arose. Other transactions passed errors on ${formatNumberOf(run.errors_passed_on, "time")}.` : ""),
    run.unfinished > 0 ? chip("unfinished", formatCount(run.unfinished), "bad") : null,
    chip("losses", lossesText(run), run.losses > 0 || !isClosed(run) ? "bad" : "",
      isClosed(run) ? "Transactions that were not recorded" : "Transactions that were not recorded are counted when the recording is closed"),
    tags ? chip("tags", printable(tags, 80), "", printable(tags)) : null,
    host ? chip("host", printable(host, 40)) : null,
  ];
}

/** The header of a page about a run. */
export function runHeader(manifest) {
  const { run } = manifest;
  const attributes = new Map(run.attributes);
  const program = attributes.get("program");
  const parts = (attributes.get("arguments") ?? "").trim();
  const title = program ? baseName(program) : baseName(run.file);
  return element(
    "header", {},
    element("h1", {}, printable(title, 80)),
    element("span", { class: "faint file", title: printable(run.file, 1000) }, printable(parts ? `${parts} \u2014 ${baseName(run.file)}` : run.file, 120)),
    element("div", { class: "chips" }, runChips(run, manifest.time_scale)),
    crashNote(run),
  );
}

/** The attributes of a run, with one row for each TLM link instead of up to three attributes of it. */
function rowsOf(attributes) {
  const links = new Map();
  for (const [name, value] of attributes) {
    const [, end, link] = /^(initiator|target)\.(.+)$/s.exec(name) ?? [];
    if (end) links.set(link, { ...links.get(link), [end]: value });
  }
  const rows = [];
  for (const [name, value] of attributes) {
    const [, what, link] = /^(initiator|target|protocol)\.(.+)$/s.exec(name) ?? [];
    if (!what || !links.has(link) || (what === "protocol" && value !== "base-protocol")) rows.push([name, value]);
  }
  for (const [link, { initiator, target }] of links) {
    const from = initiator && !link.startsWith(initiator) ? `${link} (${initiator})` : link;
    rows.push(["link", target ? `${from} \u2192 ${target}` : from]);
  }
  return rows;
}

/** All attributes of the run as a table. */
export function runTable(manifest) {
  const isDescribed = manifest.run.attributes.length > 0;
  const rows = rowsOf(manifest.run.attributes).map(([name, value]) => element(
    "tr", {}, element("th", { scope: "row" }, printable(name, 100)), element("td", {}, value === "" ? element("span", { class: "faint" }, "(empty)") : printable(value, 4000)),
  ));
  rows.unshift(element("tr", {}, element("th", { scope: "row" }, "file"), element("td", {}, printable(manifest.run.file, 4000))));
  rows.push(element("tr", {}, element("th", { scope: "row" }, "report made by"), element("td", {}, printable(manifest.made_by, 100))));
  const table = element("table", { class: "facts wide" }, element("tbody", {}, rows));
  const note = element("p", {}, "This trace does not describe its run. ftr attach records program, arguments, host and exit status; " +
    "an instrumented program records them if the variable FTR_RUN_INFO is 1.");
  return isDescribed ? [table] : [table, note];
}
