// The page about one run.
import { element, fill } from "../parts/dom.js";
import { Tabs } from "../parts/tabs.js";
import { Trace } from "../data/trace.js";
import { readBlock } from "../data/columns.js";
import { Timeline } from "../timeline/timeline.js";
import { App } from "./app.js";
import { Details } from "./details.js";
import { Legend } from "./legend.js";
import { formatCount } from "../time/ticks.js";
import { SearchBox } from "./search_box.js";
import { Status } from "./status.js";
import { followLink, restoreLink } from "./link.js";
import { listenToKeys } from "./keys.js";
import { runHeader } from "./header.js";
import { runParts } from "./parts.js";
import { listenForDetail } from "../serve/detail.js";
import { followRun } from "../serve/follow.js";

function selectionNote(trace) {
  const described = trace.manifest.transactions;
  if (!described || described.complete) return "";
  const s = described.selection;
  return ` This page has ${formatCount(described.count)} of ${formatCount(described.of)} transactions: the slowest of each generator with their relatives, ` +
    `transactions with an error, unfinished ones, and a sample (one in ${Number(s.sample.toPrecision(3))}) of the others. Columns, figures and curves count all of them.`;
}

function timelinePart(app, timeline, searchBox) {
  return element(
    "div", { class: "run", style: "height:100%" },
    element("div", { class: "toolbar" },
      element("p", { class: "about" },
        "Each row is a stream, each bar a transaction. A row with too many of them shows columns: height is busy time, " +
        `darkness is number of transactions, the line is the longest latency.${selectionNote(app.trace)}`),
      searchBox.root, new Legend(app).root),
    timeline.root, new Details(app).root, new Status(app).root,
  );
}

/** Builds the page. The first picture needs only the block `overview`. */
export async function showRun(page, manifest) {
  const blocks = new Map([["overview", await readBlock("overview")]]);
  const app = new App(new Trace(manifest, blocks));
  const timeline = new Timeline(app);
  const searchBox = new SearchBox(app);
  const parts = [
    { id: "timeline", title: "Timeline", make: () => timelinePart(app, timeline, searchBox) },
    ...runParts(app),
  ];
  const tabs = new Tabs(parts, (id) => app.show(id));
  const help = listenToKeys(app, timeline, searchBox, parts.map(({ id }) => id));
  tabs.bar.append(element("button", { class: "right", click: () => help.showModal(), title: "Key ?" }, "Keys"));
  const body = element("div", { style: "min-height:0;display:grid" }, ...tabs.holders.values());
  fill(page, runHeader(manifest), tabs.bar, body);
  app.listen((change) => {
    if (change === "tab") tabs.show(app.tab);
    if (change === "search") tabs.forget("transactions");
    if (change === "data") {
      page.firstElementChild.replaceWith(runHeader(app.base.manifest));
      tabs.forget();
    }
  });
  let searchText = restoreLink(app, location.hash);
  tabs.show(app.tab);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  blocks.set("transactions", await readBlock("transactions"));
  app.trace.load(blocks);
  searchText = restoreLink(app, location.hash);
  app.changed("data");
  if (searchText) await searchBox.setText(searchText);
  followLink(app, () => searchBox.field.value);
  window.addEventListener("hashchange", () => {
    searchBox.setText(restoreLink(app, location.hash));
    for (const change of ["rows", "tab", "selection", "view"]) app.changed(change);
  });
  if (manifest.serve) {
    listenForDetail(app);
    followRun(app);
  }
  document.documentElement.dataset.readyMs = performance.now().toFixed(1);
  globalThis.ftrReport = { app, timeline, searchBox }; // for the console of the browser, and for tests
}
