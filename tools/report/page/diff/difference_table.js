// All differences as a table, and their number in each stream.
import { element, printable, section } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { formatNumberOf, formatTicks } from "../time/ticks.js";
import { KINDS } from "../data/difference_kinds.js";
import { changeText } from "./difference_details.js";
import { relationsSection } from "./relation_differences.js";

function streamTable(diff) {
  const rows = diff.streams.filter((s) => KINDS.some(([kind]) => s.counts?.[kind] > 0) || s.first === null || s.second === null);
  return new DataTable([
    { title: "stream", text: true, key: (s) => s.name, show: (s) => printable(s.name, 200) },
    ...KINDS.map(([kind, sign, about]) => ({ title: `${sign} ${kind}`, about, key: (s) => s.counts?.[kind] ?? 0 })),
    { title: "note", text: true, key: (s) => (s.first === null ? "only in the second file" : s.second === null ? "only in the first file" : "") },
  ], rows, { sort: 0, filter: (s) => s.name, label: "streams" }).root;
}

/** The part "Differences". @param select shows a difference in the timelines; @param selectRelation shows a relation */
export function differencesPart(apps, differences, select, relations, selectRelation) {
  const { diff } = differences;
  const { scale } = apps[0].trace;
  const rows = Array.from({ length: differences.count }, (_, d) => d);
  const idText = (d, side) => {
    const id = differences.id(d, side);
    return id === null ? "-" : `#${id}`;
  };
  const table = new DataTable([
    { title: "time", key: (d) => differences.time[d],
      show: (d) => element("button", { class: "link", click: () => select(d) }, formatTicks(differences.time[d], scale)) },
    { title: "kind", text: true, key: (d) => KINDS[differences.kind[d]][0] },
    { title: "transaction", text: true, key: (d) => differences.name(d), show: (d) => printable(differences.name(d), 200) },
    { title: "change", text: true, key: (d) => differences.change(d), show: (d) => changeText(differences, d, scale) },
    { title: "first", key: (d) => differences.id(d, 0) ?? -1n, show: (d) => idText(d, 0) },
    { title: "second", key: (d) => differences.id(d, 1) ?? -1n, show: (d) => idText(d, 1) },
    { title: "cause", text: true, key: (d) => (differences.follows[d] ? "a nested transaction" : "") },
  ], rows, {
    sort: 0, label: "differences", filter: (d) => `${differences.name(d)} ${KINDS[differences.kind[d]][0]} ${idText(d, 0)} ${idText(d, 1)}`,
  });
  const omitted = diff.omitted > 0 ? element("p", { class: "bad" }, `\u26a0 ${formatNumberOf(diff.omitted, "further difference is", "further differences are")} not in this page.`) : null;
  return element("div", {},
    section("Differences", "Each row is a difference, the earliest first. A time leads to it in the timelines.", omitted, table.root),
    relationsSection(relations, selectRelation),
    section("By stream", "How many differences of each kind a stream has.", streamTable(diff)));
}
