// A table of transactions: those of the search, or all of the page.
import { breakable, element, printable, section } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { formatCount, formatTicks } from "../time/ticks.js";
import { streamName } from "../data/stream_names.js";
import { transactionLink } from "./details.js";
import { valueText } from "../data/value_text.js";

const MOST = 20000;

function attributeText(trace, i) {
  return trace.attributes.of(i).map((a) => `${printable(a.name, 40)}=${printable(valueText(trace, a), 40)}`).join("  ");
}

/** The longest transactions of the page. */
function longest(trace) {
  const all = new Uint32Array(trace.count).map((_, i) => i);
  if (all.length <= MOST) return Array.from(all);
  const durations = Float64Array.from(all, (i) => Number(trace.exactDurations[i]));
  const limit = Float64Array.from(durations).sort()[all.length - MOST];
  return Array.from(all).filter((i) => durations[i] >= limit).slice(0, MOST);
}

/** The part "Transactions". */
export function transactionsPart(app) {
  const found = app.found?.trace ? app.found : null;
  const trace = found?.trace ?? app.base;
  const rows = found?.shown ?? longest(trace);
  const time = (ticks) => element("span", { title: `${ticks} ticks` }, formatTicks(ticks, trace.scale));
  const table = new DataTable([
    { title: "transaction", text: true, key: (i) => trace.ids[i], show: (i) => transactionLink(app, i, trace) },
    { title: "stream", text: true, key: (i) => streamName(trace.stream(i)), show: (i) => printable(streamName(trace.stream(i)), 100) },
    { title: "begin", key: (i) => trace.begin(i), show: (i) => time(trace.begin(i)) },
    { title: "lasts", key: (i) => trace.duration(i), show: (i) => time(trace.duration(i)) },
    { title: "state", text: true, key: (i) => trace.flags[i] & 3, show: (i) => (trace.isError(i) ? element("b", { class: "bad" }, "\u26a0 error") : trace.isUnfinished(i) ? "unfinished" : "ok") },
    { title: "attributes", text: true, key: (i) => attributeText(trace, i), show: (i) => element("span", {}, breakable(attributeText(trace, i))) },
  ], rows, {
    sort: 3, descending: true, label: "transactions",
    filter: (i) => `${trace.stream(i).name} ${trace.stream(i).link ?? ""} ${trace.generator(i).name} #${trace.ids[i]} ${attributeText(trace, i)} ${trace.isError(i) ? "error" : ""}`,
  });
  const part = found
    ? `The ${formatCount(rows.length)} first matches of the search in the timeline.`
    : rows.length < trace.count ? `The ${formatCount(rows.length)} longest transactions of this page; the search in the timeline finds others.` : "All transactions of this page.";
  table.root.classList.add("transactions");
  return section("Transactions", `${part} A title sorts, the filter looks into names and attributes.`, table.root);
}
