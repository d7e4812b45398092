// The page about the difference between two runs.
import { element, fill, printable } from "../parts/dom.js";
import { Tabs } from "../parts/tabs.js";
import { readBlock } from "../data/columns.js";
import { Trace } from "../data/trace.js";
import { Timeline } from "../timeline/timeline.js";
import { App } from "../run/app.js";
import { baseName, chip } from "../run/header.js";
import { listenToKeys } from "../run/keys.js";
import { SearchBox } from "../run/search_box.js";
import { Status } from "../run/status.js";
import { formatCount, formatNumberOf } from "../time/ticks.js";
import { followLink, restoreLink } from "../run/link.js";
import { inCommonScale } from "./common_scale.js";
import { KINDS } from "../data/difference_kinds.js";
import { Differences } from "./differences.js";
import { DifferenceDetails } from "./difference_details.js";
import { RelationDifferences } from "./relation_differences.js";
import { differencesPart } from "./difference_table.js";
import { latencyChangesPart } from "./latency_changes.js";
import { runsComparedPart } from "./runs_compared.js";

const SIDES = ["first", "second"];

/** The number of relations that differ; null: the relations are equal. */
function relationsChip(diff) {
  if (diff.relations_differing === 0) return null;
  const value = diff.relations_differing === null ? "not compared" : `\u2260 ${formatCount(diff.relations_differing)}`;
  return chip("relations", value, "bad", "relations that are only in one file, or that lead to another transaction");
}

function header(manifest) {
  const { diff } = manifest;
  const total = Object.values(diff.counts).reduce((a, b) => a + b, 0) + (diff.relations_differing ?? 0);
  const names = SIDES.map((side) => manifest[side].run.file);
  const kinds = KINDS.filter(([kind]) => diff.counts[kind] > 0)
    .map(([kind, sign, meaning]) => chip(kind, `${sign} ${formatCount(diff.counts[kind])}`, "bad", meaning));
  return element("header", {},
    element("h1", {}, diff.equal ? "The runs are equal" : formatNumberOf(total, "difference")),
    element("span", { class: "faint file" }, printable(`${baseName(names[0])}  \u2192  ${baseName(names[1])}`, 200)),
    element("div", { class: "chips" },
      chip("result", diff.equal ? "\u2713 equal" : "\u2260 different", diff.equal ? "good" : "bad"), kinds,
      relationsChip(diff),
      chip("transactions", diff.transactions.map(formatCount).join(" \u2192 ")),
      diff.not_compared.some((n) => n > 0) ? chip("not compared", diff.not_compared.map(formatCount).join(", "), "bad") : null));
}

/** Both sides share the interval of time, the cursors and the folded rows. */
function shareState(apps) {
  const [a, b] = apps;
  b.view = a.view;
  b.folded = a.folded;
  const shared = new Set(["view", "rows", "cursors", "tab"]);
  let isEcho = false;
  apps.forEach((app, side) => app.listen((change) => {
    if (isEcho || !shared.has(change)) return;
    const other = apps[1 - side];
    isEcho = true;
    Object.assign(other, { cursorA: app.cursorA, cursorB: app.cursorB, tab: app.tab });
    other.changed(change);
    isEcho = false;
  }));
}

function timelinePart(apps, timelines, manifest, details) {
  const title = (side) => element("p", { class: "side" }, element("b", {}, side === 0 ? "first " : "second "),
    printable(manifest[SIDES[side]].run.file, 200));
  const signs = KINDS.map(([kind, sign, meaning]) => element("span", { title: meaning }, element("b", { class: "sign-box" }, sign), kind));
  return element("div", { class: "run", style: "height:100%" },
    element("div", { class: "toolbar" },
      element("p", { class: "about" }, "Both runs with the same time axis. A sign marks a difference; a click on the bar compares the two transactions. n and p go to the next and the previous difference."),
      element("div", { class: "legend", style: "margin-left:0" }, signs)),
    element("div", { class: "two-timelines" }, title(0), timelines[0].root, title(1), timelines[1].root),
    details.root, new Status(apps[0]).root);
}

/** Selects the transactions with these ids in both timelines. @return whether the page has at least one of them */
function selectIds(apps, ids) {
  let isShown = false;
  apps.forEach((app, side) => {
    const i = ids[side] === null ? -1 : app.trace.find(ids[side]);
    if (i >= 0) {
      app.select(i, !isShown);
      isShown = true;
    } else app.select(-1);
  });
  apps[0].show("timeline");
  return isShown;
}

/** Selects difference d in both timelines. */
function makeSelect(apps, differences, details) {
  return (d) => {
    details.show(d);
    if (selectIds(apps, [0, 1].map((side) => differences.id(d, side)))) return;
    const side = differences.id(d, 0) === null ? 1 : 0;
    apps[0].showTime(differences.begin(d, side), differences.begin(d, side) + 1n);
  };
}

/** Selects the transactions from which relation r leads. */
function makeSelectRelation(apps, relations, details) {
  return (r) => {
    details.showRelation(r);
    selectIds(apps, [0, 1].map((side) => relations.origin(r, side)));
  };
}

/** Builds the page. */
export async function showDiff(page, manifest) {
  const blocks = SIDES.map(() => new Map());
  for (const [side, number] of [[0, 1], [1, 2]]) await readSide(blocks[side], "overview", number);
  const own = new Map([["diff", await readBlock("diff")]]);
  const apps = SIDES.map((name, side) => {
    const scaled = inCommonScale(manifest[name], BigInt(manifest.factor[side]), manifest.time_scale);
    return new App(new Trace(scaled, blocks[side]));
  });
  const [a, b] = apps;
  if (b.trace.first < a.view.first) a.view.first = b.trace.first;
  if (b.trace.last > a.view.last) a.view.last = b.trace.last;
  a.view.showAll();
  shareState(apps);
  const timelines = apps.map((app) => new Timeline(app));
  for (const [side, number] of [[0, 1], [1, 2]]) {
    await readSide(blocks[side], "transactions", number);
    apps[side].trace.load(blocks[side]);
  }
  const differences = new Differences(manifest, own);
  apps.forEach((app, side) => {
    app.marks = differences.marks(side, app.trace);
  });
  const relations = new RelationDifferences(manifest.diff, own);
  const details = new DifferenceDetails(apps, differences, relations);
  const select = makeSelect(apps, differences, details);
  details.select = select;
  const selectRelation = makeSelectRelation(apps, relations, details);
  const parts = [
    { id: "timeline", title: "Timelines", make: () => timelinePart(apps, timelines, manifest, details) },
    { id: "differences", title: "Differences", make: () => differencesPart(apps, differences, select, relations, selectRelation) },
    { id: "latency", title: "Latency before and after", make: () => latencyChangesPart(manifest, apps, blocks) },
    { id: "runs", title: "Runs", make: () => runsComparedPart(manifest) },
  ];
  const tabs = new Tabs(parts, (id) => a.show(id));
  const searchBox = new SearchBox(a);
  const step = (by) => () => details.step(by);
  const help = listenToKeys(a, timelines[0], searchBox, parts.map(({ id }) => id), { n: step(1), p: step(-1) });
  tabs.bar.append(element("button", { class: "right", click: () => help.showModal(), title: "Key ?" }, "Keys"));
  fill(page, header(manifest), tabs.bar, element("div", { style: "min-height:0;display:grid" }, ...tabs.holders.values()));
  a.listen((change) => {
    if (change === "tab") tabs.show(a.tab);
  });
  restoreLink(a, location.hash);
  b.folded = a.folded;
  tabs.show(a.tab);
  for (const app of apps) app.changed("data");
  followLink(a, () => "");
  globalThis.ftrReport = { app: a, timeline: timelines[0], apps, timelines, differences, relations };
  document.documentElement.dataset.readyMs = performance.now().toFixed(1);
}

/** Reads the block of one side. Also stores it under the name by which the columns of this side refer to it. */
async function readSide(blocks, name, number) {
  const bytes = await readBlock(`${name}-${number}`);
  blocks.set(name, bytes);
  blocks.set(`${name}-${number}`, bytes);
}
