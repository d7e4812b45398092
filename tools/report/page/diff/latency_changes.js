// Latency before and after, for the generators whose latency changed, and for all others.
import { element, fill, printable, section } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { formatCount, formatTicks } from "../time/ticks.js";
import { nameInRuns } from "../data/stream_names.js";
import { histogram, latencyRange } from "../run/latency.js";

const FIGURES = ["mean", "p50", "p99", "max"];

/** Rows for the generators that are in both runs, but not in @p listed, the changed ones. */
function unchanged(manifest, listed) {
  const key = (stream, name) => JSON.stringify([stream, name]);
  const known = new Set(listed.map((row) => key(row.stream, row.generator)));
  const second = new Map(manifest.second.generators.map((g) => [key(manifest.second.streams[g.stream].name, g.name), g]));
  const rows = [];
  for (const g of manifest.first.generators) {
    const stream = manifest.first.streams[g.stream].name;
    const other = second.get(key(stream, g.name));
    if (other && !known.has(key(stream, g.name))) {
      rows.push({ stream, generator: g.name, changed: 0, follows: 0, first: g, second: other });
    }
  }
  return rows;
}

function change(row, name) {
  return BigInt(row.second[name]) - BigInt(row.first[name]);
}

function percent(row, name) {
  const before = BigInt(row.first[name]);
  return before === 0n ? "" : ` (${change(row, name) > 0n ? "+" : ""}${(Number((change(row, name) * 10000n) / before) / 100).toFixed(1)} %)`;
}

function beforeAfter(row, name, scale) {
  const [before, after] = [row.first[name], row.second[name]].map((v) => formatTicks(BigInt(v), scale));
  if (change(row, name) === 0n) return before;
  const isWorse = change(row, name) > 0n;
  return element("span", { class: isWorse ? "bad" : "" }, `${before} \u2192 ${after} `, element("br"), `${isWorse ? "\u25b2" : "\u25bc"}${percent(row, name)}`);
}

/** The generator of a side that a row is about. */
function find(manifest, row) {
  return manifest.generators.find((g) => g.name === row.generator && manifest.streams[g.stream].name === row.stream);
}

/** The range of the axis that both histograms share; null if one is absent or the time scales differ. */
function commonRange(sides, generators, blocks) {
  if (sides[0].time_scale !== sides[1].time_scale) return null;
  const ranges = generators.map((generator, side) => (generator ? latencyRange(blocks[side], generator) : null));
  return ranges.every(Boolean) ? [Math.min(ranges[0][0], ranges[1][0]), Math.max(ranges[0][1], ranges[1][1])] : null;
}

/** The part "Latency before and after". */
export function latencyChangesPart(manifest, apps, blocks) {
  const scale = manifest.time_scale;
  const fullName = (row) => nameInRuns(manifest, row.stream, row.generator);
  const holder = element("div", { class: "cards" });
  const choose = (row) => {
    const sides = [manifest.first, manifest.second];
    const generators = sides.map((side) => find(side, row));
    const range = commonRange(sides, generators, blocks);
    const card = (side, title) => {
      const generator = generators[side];
      if (!generator) return null;
      return element("div", { class: "card" }, element("h3", {}, printable(`${title}: ${fullName(row)}`, 200)),
        histogram(blocks[side], { ...generator, colour: side }, sides[side].time_scale, range));
    };
    fill(holder, card(0, "Before"), card(1, "After"));
  };
  const { latency } = manifest.diff;
  const rows = [...latency, ...unchanged(inOneScale(manifest, apps), latency)];
  const table = new DataTable([
    { title: "generator", text: true, key: fullName,
      show: (row) => element("button", { class: "link", click: () => choose(row) }, printable(fullName(row), 200)) },
    { title: "changed", about: "transactions whose duration differs", key: (row) => row.changed, show: (row) => formatCount(row.changed) },
    { title: "only nested", about: "of these, transactions that changed only because a nested one did", key: (row) => row.follows, show: (row) => formatCount(row.follows) },
    { title: "count", key: (row) => row.second.count, show: (row) => (row.first.count === row.second.count ? formatCount(row.first.count) : `${formatCount(row.first.count)} \u2192 ${formatCount(row.second.count)}`) },
    ...FIGURES.map((name) => ({ title: name, key: (row) => change(row, name), show: (row) => beforeAfter(row, name, scale) })),
  ], rows, { sort: 1, descending: true, filter: fullName, label: "generators" });
  if (rows.length > 0) choose(rows.reduce((a, b) => (b.changed > a.changed ? b : a)));
  return element("div", {},
    section("Latency before and after", "How the latency of each generator changed from the first to the second run. \u25b2 is slower, \u25bc is faster.", table.root),
    section("Distributions", "The latencies of the chosen generator in both runs, with the same time axis if the runs have the same time scale.", holder));
}

/** Both manifests with times in ticks of the common scale. */
function inOneScale(manifest, apps) {
  return { ...manifest, first: apps[0].trace.manifest, second: apps[1].trace.manifest };
}
