// A table that sorts by any column and filters its rows by a text.
import { element, fill } from "./dom.js";
import { formatCount } from "../time/ticks.js";

const MOST_ROWS = 500;

function compare(a, b) {
  if (typeof a === "string" || typeof b === "string") return String(a).localeCompare(String(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

export class DataTable {
  /**
   * @param columns [{title, about, key(row), show(row, key), text}]: key is a number, BigInt or string to sort by; show gives
   *   text or an element; text: left-aligned
   * @param {any[]} rows any values
   * @param {{sort?: number, descending?: boolean, filter?: (row: any) => string, label?: string, ties?: ((row: any) => any)[]}} options
   *   number of the column to sort by; the text in which the filter looks; keys that order rows with equal keys, ascending
   */
  constructor(columns, rows, options = {}) {
    this.columns = columns;
    this.rows = rows;
    this.options = options;
    this.sort = options.sort ?? 0;
    this.isDescending = options.descending ?? false;
    this.wanted = "";
    this.heads = columns.map((column, index) => element(
      "th", { scope: "col", class: column.text ? "text" : "" },
      element("button", { title: column.about ?? "", click: () => this.sortBy(index) }),
    ));
    this.body = element("tbody");
    this.more = element("p", { class: "faint" });
    const table = element("table", { class: "data" }, element("thead", {}, element("tr", {}, this.heads)), this.body);
    this.root = element("div", { class: "table-part" }, this.filterField(), element("div", { class: "table" }, table), this.more);
    this.show();
  }

  filterField() {
    if (!this.options.filter || this.rows.length < 8) return null;
    const label = this.options.label ?? "rows";
    this.field = element("input", {
      type: "search", placeholder: `Filter ${label}`, "aria-label": `Filter ${label}`,
      input: () => {
        this.wanted = this.field.value.toLowerCase();
        this.show();
      },
    });
    return element("div", { class: "filter" }, this.field);
  }

  sortBy(index) {
    this.isDescending = index === this.sort ? !this.isDescending : !this.columns[index].text;
    this.sort = index;
    this.show();
  }

  show() {
    const { key } = this.columns[this.sort];
    const sign = this.isDescending ? -1 : 1;
    const words = this.wanted.split(/\s+/).filter(Boolean);
    const rows = this.rows
      .filter((row) => words.every((word) => this.options.filter(row).toLowerCase().includes(word)))
      .sort((a, b) => sign * compare(key(a), key(b)) || this.compareTies(a, b));
    this.heads.forEach((head, index) => {
      const arrow = index !== this.sort ? "" : this.isDescending ? " \u25be" : " \u25b4";
      head.firstChild.textContent = this.columns[index].title + arrow;
      head.setAttribute("aria-sort", index !== this.sort ? "none" : this.isDescending ? "descending" : "ascending");
    });
    fill(this.body, rows.slice(0, MOST_ROWS).map((row) => this.line(row)));
    this.more.textContent = rows.length > MOST_ROWS
      ? `The first ${MOST_ROWS} of ${formatCount(rows.length)} rows; the filter finds the others.`
      : rows.length < this.rows.length ? `${formatCount(rows.length)} of ${formatCount(this.rows.length)} rows` : "";
  }

  compareTies(a, b) {
    for (const key of this.options.ties ?? []) {
      const order = compare(key(a), key(b));
      if (order !== 0) return order;
    }
    return 0;
  }

  line(row) {
    const cells = this.columns.map((column) => element(
      "td", { class: column.text ? "text" : "" }, column.show ? column.show(row) : String(column.key(row)),
    ));
    return element("tr", {}, cells);
  }
}
