// Relations that only one of two runs has, or that lead to another transaction.
import { element, printable, section } from "../parts/dom.js";
import { DataTable } from "../parts/table.js";
import { column } from "../data/columns.js";
import { formatNumberOf } from "../time/ticks.js";

/** [sign, meaning] for each value of `exists`, the sides that have the relation. */
const MEANINGS = [
  null,
  ["\u2212", "only in the first file"],
  ["+", "only in the second file"],
  ["\u2260", "leads to another transaction"],
];

export class RelationDifferences {
  /** @param diff member of the manifest; @param blocks with the block `diff` */
  constructor(diff, blocks) {
    const { relations } = diff;
    const read = (name) => column(blocks, relations[name]);
    this.diff = diff;
    this.names = relations.names;
    this.name = read("name");
    this.exists = read("exists");
    this.from = [read("first_from"), read("second_from")];
    this.to = [read("first_to"), read("second_to")];
    this.count = this.name.length;
    this.places = [0, 1].map((side) => this.placesOf(side));
  }

  /** Numbers of the relations of each transaction id of a side. */
  placesOf(side) {
    const places = new Map();
    const add = (id, r) => {
      const listed = places.get(id);
      if (listed) listed.push(r);
      else places.set(id, [r]);
    };
    for (let r = 0; r < this.count; r++) {
      if (!this.has(r, side)) continue;
      add(this.from[side][r], r);
      if (this.to[side][r] !== this.from[side][r]) add(this.to[side][r], r);
    }
    return places;
  }

  has(r, side) {
    return (this.exists[r] & (1 << side)) !== 0;
  }

  /** The id of the transaction from which relation r leads on a side, or null. */
  origin(r, side) {
    return this.has(r, side) ? this.from[side][r] : null;
  }

  nameOf(r) {
    return printable(this.names[this.name[r]], 200);
  }

  ends(r, side) {
    return this.has(r, side) ? `#${this.from[side][r]} \u2192 #${this.to[side][r]}` : "-";
  }

  change(r) {
    return MEANINGS[this.exists[r]].join(" ");
  }

  /** Numbers of the differing relations of the transactions with these ids (null: none), one id for each side. */
  of(ids) {
    return [...new Set(ids.flatMap((id, side) => (id === null ? [] : this.places[side].get(id) ?? [])))];
  }

  /** One line about relation r. */
  text(r) {
    const sides = [0, 1].filter((side) => this.has(r, side)).map((side) => this.ends(r, side));
    return `${MEANINGS[this.exists[r]][0]} ${this.nameOf(r)} ${sides.join(", in the second file ")}`;
  }
}

/** A note above the table, or null. It says which relations the table does not contain, or that no relation differs. */
function missing(diff, relations) {
  if (diff.relations_differing === null) return "The relations differ too much to be listed, or were not compared.";
  if (diff.relations_omitted > 0) {
    return `${formatNumberOf(diff.relations_omitted, "further relation is", "further relations are")} not in this page.`;
  }
  return relations.count === 0 ? "The relations of the compared transactions are equal." : null;
}

/** The section about relations. @param select shows a relation in the timelines */
export function relationsSection(relations, select) {
  const rows = Array.from({ length: relations.count }, (_, r) => r);
  const note = missing(relations.diff, relations);
  const isBad = relations.diff.relations_differing === null || relations.diff.relations_omitted > 0;
  const table = new DataTable([
    { title: "relation", text: true, key: (r) => relations.nameOf(r),
      show: (r) => element("button", { class: "link", click: () => select(r) }, relations.nameOf(r)) },
    { title: "change", text: true, key: (r) => relations.change(r) },
    ...["first", "second"].map((title, side) => (
      { title, text: true, key: (r) => relations.origin(r, side) ?? relations.origin(r, 1 - side), show: (r) => relations.ends(r, side) })),
  ], rows, {
    sort: 2, label: "relations", filter: (r) => `${relations.nameOf(r)} ${relations.change(r)} ${relations.ends(r, 0)} ${relations.ends(r, 1)}`,
  });
  return section("Relations", "Each row is a relation between transactions of both files that differs. Its name leads to the transaction from which it leads.",
    note === null ? null : element("p", { class: isBad ? "bad" : "faint" }, isBad ? `\u26a0 ${note}` : note), rows.length > 0 ? table.root : null);
}
