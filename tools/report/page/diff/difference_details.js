// One difference: both transactions side by side.
import { breakable, element, fill, printable } from "../parts/dom.js";
import { formatNumberOf, formatTicks } from "../time/ticks.js";
import { valueText } from "../data/value_text.js";
import { KINDS } from "../data/difference_kinds.js";

/** Times and attributes of transaction i as a Map from names to texts. */
function facts(trace, i) {
  const found = new Map();
  if (i < 0) return found;
  const time = (ticks) => formatTicks(ticks, trace.scale);
  found.set("id", `#${trace.ids[i]}`);
  found.set("begin", time(trace.begin(i)));
  found.set("end", time(trace.end(i)));
  found.set("lasts", time(trace.duration(i)));
  for (const a of trace.attributes.of(i)) found.set(a.name, printable(valueText(trace, a), 200));
  return found;
}

/** Text that says what changed. */
export function changeText(differences, d, scale) {
  const [kind, sign, meaning] = KINDS[differences.kind[d]];
  const change = differences.change(d);
  const signed = `${change > 0n ? "+" : ""}${formatTicks(change, scale)}`;
  if (kind === "duration" || kind === "moved" || kind === "shifted") return `${sign} ${kind === "duration" ? "lasts" : "begins"} ${signed}`;
  return `${sign} ${meaning}`;
}

const MOST_RELATIONS = 20;

export class DifferenceDetails {
  constructor(apps, differences, relations) {
    this.apps = apps;
    this.differences = differences;
    this.relations = relations;
    this.at = -1;
    this.ids = [null, null]; // of the transactions that are shown, one for each side
    this.select = (_difference) => {};
    this.root = element("aside", { class: "details", "aria-label": "The selected difference", "aria-live": "polite" });
    this.order = Array.from({ length: differences.count }, (_, d) => d)
      .sort((x, y) => (differences.time[x] < differences.time[y] ? -1 : differences.time[x] > differences.time[y] ? 1 : x - y));
    apps.forEach((app, side) => app.listen((change) => {
      if (change === "selection" && app.selected >= 0) this.showTransaction(side, app.selected);
    }));
    this.showHint();
  }

  showHint() {
    const { diff, count } = this.differences;
    const none = this.relations.count > 0 ? "Only relations differ; the part Differences lists them." : "The runs have no differences that can be shown.";
    const text = count === 0 ? none : "Press n for the first difference, or choose one in the part Differences.";
    fill(this.root, element("h3", {}, diff.equal ? "Equal" : formatNumberOf(count + this.relations.count, "difference")), element("p", {}, text), this.buttons());
  }

  buttons() {
    return element("div", { class: "buttons" },
      element("button", { click: () => this.step(-1), title: "Key p" }, "\u2039 previous difference"),
      element("button", { click: () => this.step(1), title: "Key n" }, "next difference \u203a"));
  }

  /** Goes to the next or the previous difference in order of time. */
  step(by) {
    if (this.order.length === 0) return;
    const place = this.at < 0 ? (by > 0 ? 0 : this.order.length - 1) : this.order.indexOf(this.at) + by;
    this.select(this.order[(place + this.order.length) % this.order.length]);
  }

  /** Shows the difference of the selected transaction i of a side; without a difference, shows the transaction
   * alone. */
  showTransaction(side, i) {
    const { ids, exists } = this.differences;
    const id = this.apps[side].trace.ids[i];
    if (this.ids[side] === id) return;
    for (let d = 0; d < this.differences.count; d++) {
      if (exists[d] & (1 << side) && ids[side][d] === id) {
        this.select(d);
        return;
      }
    }
    this.at = -1;
    this.ids = side === 0 ? [id, null] : [null, id];
    const relations = this.relationList();
    fill(this.root, element("h3", {}, printable(this.apps[side].trace.generator(i).name, 100)),
      element("p", { class: "faint" }, relations ? "Only its relations differ." : "No difference."), this.buttons(),
      this.table(side === 0 ? [i, -1] : [-1, i]), relations);
  }

  /** Shows the transactions from which relation r leads. */
  showRelation(r) {
    this.at = -1;
    this.ids = [0, 1].map((side) => this.relations.origin(r, side));
    fill(this.root, element("h3", {}, this.relations.nameOf(r)), element("p", { class: "bad" }, this.relations.change(r)), this.buttons(),
      this.table(this.places()), this.relationList(), this.absence(this.places()));
  }

  /** Indices of the shown transactions, one for each side; -1: none. */
  places() {
    return this.apps.map((app, side) => (this.ids[side] === null ? -1 : app.trace.find(this.ids[side])));
  }

  /** The differing relations of the shown transactions, or null. */
  relationList() {
    const found = this.relations.of(this.ids);
    if (found.length === 0) return null;
    const items = found.slice(0, MOST_RELATIONS).map((r) => element("li", {}, this.relations.text(r)));
    if (found.length > MOST_RELATIONS) items.push(element("li", {}, `and ${found.length - MOST_RELATIONS} more`));
    return [element("h4", {}, "Relations that differ"), element("ul", { class: "relations" }, items)];
  }

  /** A note if no shown transaction is in the page, or null. */
  absence(pair) {
    return pair.every((i, side) => i < 0 && this.ids[side] !== null)
      ? element("p", { class: "faint" }, "These transactions are not in the page, which has only a part of them.") : null;
  }

  show(d) {
    const { differences, apps } = this;
    this.at = d;
    this.ids = [0, 1].map((side) => differences.id(d, side));
    const pair = this.places();
    const follows = differences.follows[d] ? element("p", { class: "faint" }, "Only because a nested transaction changed.") : null;
    fill(this.root, element("h3", {}, printable(differences.name(d), 200)),
      element("p", { class: "bad" }, changeText(differences, d, apps[0].trace.scale)), follows, this.buttons(), this.table(pair),
      this.relationList(), this.absence(pair));
  }

  table(pair) {
    const [first, second] = pair.map((i, side) => facts(this.apps[side].trace, i));
    const names = [...new Set([...first.keys(), ...second.keys()])];
    const rows = names.map((name) => {
      const [left, right] = [first.get(name), second.get(name)];
      const differs = name !== "id" && left !== right && first.size > 0 && second.size > 0;
      return element("tr", { class: differs ? "differs" : "" }, element("th", { scope: "row" }, breakable(printable(name, 100))),
        element("td", {}, left ?? "-"), element("td", {}, right ?? "-"));
    });
    return element("table", { class: "facts compared" },
      element("thead", {}, element("tr", {}, element("th"), element("th", { scope: "col" }, "first"), element("th", { scope: "col" }, "second"))),
      element("tbody", {}, rows));
  }
}
