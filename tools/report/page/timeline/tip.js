// The small box beside the pointer: a transaction or a bin in exact numbers.
import { element, fill, printable } from "../parts/dom.js";
import { formatNumberOf, formatTicks } from "../time/ticks.js";
import { eventName } from "../data/events.js";
import { valueText } from "../data/value_text.js";

const MOST_ATTRIBUTES = 6;
let box = null;

/** Hides the box. */
export function hideTip() {
  if (box) box.hidden = true;
}

function transactionLines(app, i) {
  const { trace } = app;
  const generator = trace.generator(i);
  const time = (ticks) => formatTicks(ticks, trace.scale);
  const isEvent = (trace.parents?.[i] ?? -1) >= 0;
  const lines = [
    element("b", {}, `${isEvent ? `${printable(eventName(trace, i), 80)}: ` : ""}${printable(generator.name, 80)} #${trace.ids[i]}`),
    element("div", {}, `${time(trace.begin(i))} .. ${time(trace.end(i))}, lasts ${time(trace.duration(i))}`),
  ];
  if (trace.isError(i)) lines.push(element("div", { class: "bad" }, "\u26a0 error"));
  if (trace.isUnfinished(i)) lines.push(element("div", { class: "bad" }, "unfinished: still open at the end of the recording"));
  const attributes = trace.attributes.of(i);
  for (const a of attributes.slice(0, MOST_ATTRIBUTES)) {
    lines.push(element("div", { class: "faint" }, `${printable(a.name, 60)} = ${printable(valueText(trace, a), 80)}`));
  }
  if (attributes.length > MOST_ATTRIBUTES) {
    lines.push(element("div", { class: "faint" }, `and ${attributes.length - MOST_ATTRIBUTES} more; click to see all`));
  }
  return lines;
}

function binLines(app, bin) {
  const time = (ticks) => formatTicks(BigInt(Math.round(Number(ticks))), app.trace.scale);
  const busy = (100 * bin.busy) / (bin.width * bin.streams);
  const lines = [
    element("b", {}, `${time(bin.begin)} .. ${time(bin.end)}`),
    element("div", {}, `${formatNumberOf(bin.count, "transaction begins", "transactions begin")}, busy ${busy.toFixed(1)} %`),
  ];
  if (bin.count > 0) lines.push(element("div", {}, `longest ${time(bin.latency)}, #${bin.worstId} (click selects it)`));
  if (bin.errors > 0) lines.push(element("div", { class: "bad" }, `\u26a0 ${bin.errors} with an error`));
  lines.push(element("div", { class: "faint" }, "zoom in to see single transactions"));
  return lines;
}

/** Shows the box for a thing (see thingAt()) near a point of the window, or hides it. */
export function showTip(app, thing, x, y) {
  if (!box) {
    box = element("div", { class: "tip", role: "tooltip" });
    document.body.append(box);
  }
  for (const name of Object.keys(box.dataset)) delete box.dataset[name];
  if (thing.index >= 0) fill(box, transactionLines(app, thing.index));
  else if (thing.bin) {
    fill(box, binLines(app, thing.bin));
    const { begin, end, count, errors, latency } = thing.bin;
    Object.assign(box.dataset, { begin, end, count, errors, latency });
  } else {
    hideTip();
    return;
  }
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - width - 6))}px`;
  box.style.top = `${y + 18 + height > window.innerHeight ? Math.max(4, y - height - 10) : y + 18}px`;
}
