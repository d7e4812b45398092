// The page about a campaign: all runs of a night.
import { element, fill, printable } from "../parts/dom.js";
import { Tabs } from "../parts/tabs.js";
import { readBlock } from "../data/columns.js";
import { formatCount, formatNumberOf } from "../time/ticks.js";
import { baseName, chip } from "../run/header.js";
import { keyHelp } from "../run/keys.js";
import { Night } from "./night.js";
import { runsPart } from "./runs.js";
import { distributionsPart } from "./distributions.js";
import { gatePart } from "./gate.js";
import { historyPart } from "./history.js";

const KEYS = [
  ["1 \u2026 9", "the parts of the page"],
  ["/", "filter the runs"],
  ["?", "this list"],
  ["Esc", "close"],
];

function header(night) {
  const { manifest } = night;
  const { runs, gate } = manifest;
  const bad = runs.filter((run) => run.state !== "sound" && run.state !== "not told").length;
  const sum = (name) => runs.reduce((total, run) => total + run[name], 0);
  const errors = sum("errors");
  const losses = sum("losses");
  return element("header", {},
    element("h1", {}, formatNumberOf(runs.length, "run")),
    element("span", { class: "faint file" }, printable(manifest.summaries.map(baseName).join(", "), 200)),
    element("div", { class: "chips" },
      chip("sound", `${bad === 0 ? "\u2713 " : ""}${formatCount(runs.length - bad)}`, bad === 0 ? "good" : ""),
      bad > 0 ? chip("not sound", `\u26a0 ${formatCount(bad)}`, "bad", "Runs whose recording is not closed, torn, unreadable or absent") : null,
      gate ? chip("checks failed", `${gate.failed > 0 ? "\u2717" : "\u2713"} ${formatCount(gate.failed)} of ${formatCount(gate.passed + gate.failed)}`, gate.failed > 0 ? "bad" : "good") : null,
      chip("transactions", formatCount(sum("transactions"))),
      chip("errors", formatCount(errors), errors > 0 ? "bad" : ""),
      chip("losses", formatCount(losses), losses > 0 ? "bad" : ""),
      chip("generators", formatCount(manifest.generators.length))));
}

function listenToKeys(tabs, show) {
  const help = keyHelp(KEYS);
  document.body.append(help);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (/** @type {Element} */ (event.target).closest("input, select, textarea")) return;
    const number = Number(event.key);
    if (event.key === "?") help.showModal();
    else if (event.key === "/") {
      show("runs");
      /** @type {HTMLElement | null} */ (document.querySelector("#part-runs input"))?.focus();
    } else if (number >= 1 && number <= tabs.parts.length) show(tabs.parts[number - 1].id);
    else return;
    event.preventDefault();
  });
  return help;
}

/** Builds the page. */
export async function showNight(page, manifest) {
  const blocks = new Map([["overview", await readBlock("overview")]]);
  const night = new Night(manifest, blocks);
  const parts = [
    { id: "runs", title: "Runs", make: () => runsPart(night) },
    { id: "distributions", title: "Distributions", make: () => distributionsPart(night) },
  ];
  if (manifest.history) parts.push({ id: "history", title: "History", make: () => historyPart(night) });
  if (manifest.gate) parts.push({ id: "gate", title: "Checks", make: () => gatePart(night) });
  const show = (id) => {
    tabs.show(id);
    history.replaceState(null, "", `#tab=${tabs.shown}`);
  };
  const tabs = new Tabs(parts, show);
  const help = listenToKeys(tabs, show);
  tabs.bar.append(element("button", { class: "right", click: () => help.showModal(), title: "Key ?" }, "Keys"));
  fill(page, header(night), tabs.bar, element("div", { style: "min-height:0;display:grid" }, ...tabs.holders.values()));
  night.show = show;
  const open = () => tabs.show(new URLSearchParams(location.hash.replace(/^#/, "")).get("tab") ?? "runs");
  open();
  window.addEventListener("hashchange", open);
  document.documentElement.dataset.readyMs = performance.now().toFixed(1);
  document.documentElement.dataset.firstPaintMs = document.documentElement.dataset.readyMs;
}
