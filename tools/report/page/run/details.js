// The details of one transaction: its times, its attributes, and its relations as links.
import { breakable, element, fill, printable } from "../parts/dom.js";
import { formatNumberOf, formatTicks } from "../time/ticks.js";
import { hue } from "../parts/colours.js";
import { eventName, eventsOf } from "../data/events.js";
import { streamName, streamTitle } from "../data/stream_names.js";
import { hintFlow, timeTable } from "./flow.js";
import { childrenOf, longestRelated, timeParts } from "./waited_for.js";
import { valueText } from "../data/value_text.js";

const MOST_RELATIONS = 50;
const MOST_EVENTS = 200;

/** A row of two cells. */
function row(name, ...value) {
  return element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, ...value));
}

/** A time with its exact number of ticks. */
function exactTime(ticks, scale) {
  return [formatTicks(ticks, scale), element("span", { class: "faint" }, ` (${ticks} tick${ticks === 1n ? "" : "s"})`)];
}

/** A button that selects transaction i and shows it in the timeline. */
export function transactionLink(app, i, trace = app.trace) {
  const isEvent = (trace.parents?.[i] ?? -1) >= 0;
  const text = `${printable(isEvent ? eventName(trace, i) : trace.generator(i).name, 40)} #${trace.ids[i]}`;
  return element("button", { class: "link", click: () => app.selectId(trace.ids[i], trace.begin(i), trace.end(i)) }, text);
}

function attributeTable(app, i) {
  const { trace } = app;
  const attributes = trace.attributes.of(i);
  if (attributes.length === 0) return element("p", { class: "faint" }, "No attributes.");
  const rows = attributes.map((a) => {
    const full = valueText(trace, a);
    const cell = element("td", { title: a.class === "record" ? "" : `set at the ${a.class}` });
    const plain = trace.attributes.text(a.at, trace.scale);
    if (full.length > 300) cell.append(element("details", {}, element("summary", {}, printable(full, 60)), printable(full, 1e6)));
    else cell.append(...breakable(printable(full)));
    if (plain !== full) cell.append(element("span", { class: "faint" }, ` (${plain})`));
    return element("tr", { "data-attribute": a.name.slice(0, 200) }, element("th", { scope: "row" }, breakable(printable(a.name, 100))), cell);
  });
  return element("table", { class: "facts" }, element("tbody", {}, rows));
}

function relationList(app, title, relations) {
  if (relations.length === 0) return null;
  const { trace } = app;
  const items = relations.slice(0, MOST_RELATIONS).map(({ name, other }) => element(
    "li", {}, `${printable(trace.attributes.string(name), 60)} `, transactionLink(app, other),
    element("span", { class: "faint" }, ` ${formatTicks(trace.duration(other), trace.scale)}, ${printable(streamName(trace.stream(other)), 80)}`),
  ));
  if (relations.length > MOST_RELATIONS) items.push(element("li", {}, `and ${relations.length - MOST_RELATIONS} more`));
  return [element("h4", {}, title), element("ul", { class: "relations" }, items)];
}

/** The events of transaction i, with their times after its begin. */
function eventList(app, i) {
  const { trace } = app;
  const events = eventsOf(trace, i);
  if (events.length === 0) return null;
  const items = events.slice(0, MOST_EVENTS).map((e) => {
    const since = trace.begin(e) - trace.begin(i);
    const time = since < 0n ? `\u2212${formatTicks(-since, trace.scale)}` : `+${formatTicks(since, trace.scale)}`;
    const facts = trace.attributes.of(e).filter((a) => a.name !== "name")
      .map((a) => `${printable(a.name, 40)} = ${printable(valueText(trace, a), 60)}`);
    if (trace.duration(e) > 0n) facts.unshift(`lasts ${formatTicks(trace.duration(e), trace.scale)}`);
    return element(
      "li", {}, element("span", { class: "faint" }, `${time} `),
      element("button", { class: "link", click: () => app.selectId(trace.ids[e], trace.begin(e), trace.end(e)) }, printable(eventName(trace, e), 60)),
      element("span", { class: "faint" }, facts.length > 0 ? ` ${facts.join(", ")}` : ""),
    );
  });
  if (events.length > MOST_EVENTS) items.push(element("li", {}, `and ${events.length - MOST_EVENTS} more`));
  return [element("h4", {}, "Events"), element("ul", { class: "relations events" }, items)];
}

/** The parent of an event as a link. */
function parentOf(app, i) {
  const parent = app.trace.parents?.[i] ?? -1;
  return parent < 0 ? null : element("p", {}, `Event ${printable(eventName(app.trace, i), 120)} of `, transactionLink(app, parent));
}

/** The transaction that took the largest part of the time of transaction i. */
function waitedFor(app, i, parts) {
  const { trace } = app;
  const others = parts.filter(({ index }) => index !== i);
  const found = others.length > 0 ? { ...others[0], isChild: true } : longestRelated(trace, i);
  if (!found) return null;
  const share = Number((found.ticks * 1000n) / trace.duration(i)) / 10;
  return element("p", { class: "waited" }, found.isChild ? "Waited longest for " : "Open at the same time, related: ",
    transactionLink(app, found.index),
    ` in ${printable(streamName(trace.stream(found.index)), 80)}: ${formatTicks(found.ticks, trace.scale)}, ${share} % of its time.`);
}

/** The errors of a transaction: where the error arose. */
function errorLines(app, i) {
  const { trace } = app;
  if (!trace.isError(i)) return [];
  let at = i;
  const seen = new Set();
  for (let next = i; next !== undefined && !seen.has(next);) {
    seen.add(next);
    at = next;
    next = childrenOf(trace, next).find((child) => trace.isError(child));
  }
  if (at === i) return [element("p", { class: "bad" }, "\u26a0 This transaction ended with an error.")];
  return [element("p", { class: "bad" }, "\u26a0 This transaction passed on an error of ", transactionLink(app, at),
    ` in ${printable(streamName(trace.stream(at)), 80)}.`)];
}

/** The neighbour of transaction i in its stream, or -1. */
export function neighbour(app, i, step, accept = (_) => true) {
  const stream = app.trace.stream(i);
  for (let k = i + step; k >= stream.from && k < stream.to; k += step) if (accept(k)) return k;
  return -1;
}

/** "2nd " and so on; nothing for the first one. */
function ordinal(place) {
  if (place === 1) return "";
  const isTeen = place % 100 > 10 && place % 100 < 14;
  return `${place}${(isTeen ? null : ["th", "st", "nd", "rd"][place % 10]) ?? "th"} `;
}

export class Details {
  constructor(app) {
    this.app = app;
    this.root = element("aside", { class: "details", "aria-label": "Details of the selected transaction", "aria-live": "polite" });
    app.listen((change) => {
      if (change === "selection" || change === "data" || change === "trace") this.show();
    });
    this.show();
  }

  show() {
    const { app } = this;
    this.root.classList.toggle("empty", app.selected < 0);
    if (app.selected < 0) fill(this.root, this.hint());
    else fill(this.root, this.facts(app.selected));
  }

  hint() {
    return element(
      "div", { class: "hint" }, element("h3", {}, "Nothing is selected"),
      element("p", {}, "Click a bar to see its attributes and relations. At low zoom, a click on a column selects its slowest transaction."),
      element("p", {}, "Wheel or + and \u2212 zoom, drag moves, Shift+click sets a second cursor, ? lists all keys."),
      hintFlow(this.app),
    );
  }

  facts(i) {
    const { app } = this;
    const { trace } = app;
    const generator = trace.generator(i);
    const swatch = element("span", { class: "swatch" });
    swatch.style.background = hue(generator.colour);
    const parts = timeParts(trace, i);
    const bad = errorLines(app, i);
    if (trace.isUnfinished(i)) bad.push(element("p", { class: "bad" }, "\u26a0 Unfinished: still open at the end of the recording."));
    return [
      element("h3", {}, swatch, ` ${printable(generator.name, 120)} #${trace.ids[i]}`),
      element("p", { class: "faint", title: printable(streamTitle(trace.stream(i)), 400) }, `in ${printable(streamName(trace.stream(i)))}`),
      parentOf(app, i),
      ...bad,
      element("table", { class: "facts times" }, element("tbody", {},
        row("begin", ...exactTime(trace.begin(i), trace.scale)),
        row("end", ...exactTime(trace.end(i), trace.scale)),
        row("lasts", ...exactTime(trace.duration(i), trace.scale)),
        row("rank", this.rank(i)))),
      this.buttons(i),
      waitedFor(app, i, parts),
      timeTable(app, i, parts),
      eventList(app, i),
      relationList(app, "Relations to", trace.relations.leaving(i).filter(({ other }) => trace.parents?.[other] !== i)),
      relationList(app, "Relations from", trace.relations.arriving(i).filter(({ other }) => trace.parents?.[i] !== other)),
      element("h4", {}, "Attributes"),
      attributeTable(app, i),
    ];
  }

  /** The rank of the latency of transaction i among all latencies of its generator. */
  rank(i) {
    const generator = this.app.trace.generator(i);
    const duration = this.app.trace.duration(i);
    const place = generator.slowest.findIndex(({ id }) => BigInt(id) === this.app.trace.ids[i]);
    if (place >= 0) return `${ordinal(place + 1)}slowest of ${formatNumberOf(generator.count, "transaction")}`;
    for (const [limit, text] of [["p50", "faster than the median"], ["p90", "between p50 and p90"], ["p99", "between p90 and p99"]]) {
      if (duration <= BigInt(generator[limit])) return text;
    }
    return "above p99";
  }

  buttons(i) {
    const { app } = this;
    const go = (step) => () => {
      const next = neighbour(app, i, step);
      if (next >= 0) app.select(next, true);
    };
    return element(
      "div", { class: "buttons" },
      element("button", { click: go(-1), title: "Key p" }, "\u2039 previous"),
      element("button", { click: go(1), title: "Key n" }, "next \u203a"),
      element("button", {
        title: "Key Enter",
        click: () => {
          app.view.showInterval(app.trace.begin(i), app.trace.end(i), 0.5);
          app.changed("view");
        },
      }, "zoom to it"),
      app.back.length > 0 ? element("button", { click: () => app.selectPrevious(), title: "Key Backspace" }, "back") : null,
    );
  }
}
