// Keys of the page, and the list of them that "?" shows.
import { element } from "../parts/dom.js";
import { neighbour } from "./details.js";

export const KEYS = [
  ["+ \u2212", "zoom in and out (also the wheel)"],
  ["\u2190 \u2192", "move in time (Shift: a whole width)"],
  ["\u2191 \u2193", "scroll the rows"],
  ["0", "show the whole run"],
  ["Enter", "zoom to the selected transaction"],
  ["n p", "next, previous transaction of the stream"],
  ["e E", "next, previous transaction with an error"],
  ["s", "slowest transaction of the stream"],
  ["r R", "select the first transaction related from, to the selected one"],
  ["Backspace", "back to the transaction selected before"],
  ["a b", "set cursor A, B at the pointer"],
  ["c", "remove both cursors"],
  ["z", "zoom to the time between the cursors"],
  ["f", "fold or unfold all rows"],
  ["/", "search"],
  ["1 2 \u2026", "show a part of the page"],
  ["?", "this list"],
  ["Esc", "close, or select nothing"],
];

/** The dialog that lists keys: [[keys, meaning]]. */
export function keyHelp(list) {
  const rows = list.map(([keys, meaning]) => element(
    "tr", {}, element("th", { scope: "row" }, keys.split(" ").map((k) => [element("kbd", {}, k), " "]).flat()), element("td", {}, meaning),
  ));
  const dialog = element("dialog", { class: "help", "aria-label": "Keys" }, element("h2", {}, "Keys"),
    element("table", {}, element("tbody", {}, rows)),
    element("button", { click: () => dialog.close() }, "close"));
  return dialog;
}

function selectOrFirst(app, step, accept) {
  const { trace } = app;
  if (app.selected >= 0) {
    const next = neighbour(app, app.selected, step, accept);
    if (next >= 0) app.select(next, true);
    return;
  }
  let first = -1;
  for (let i = 0; i < trace.count; i++) {
    if (accept(i) && (first < 0 || trace.begins[i] < trace.begins[first])) first = i;
  }
  if (first >= 0) app.select(first, true);
}

function selectSlowest(app) {
  const { trace } = app;
  const stream = app.selected >= 0 ? trace.stream(app.selected) : null;
  let slowest = null;
  for (const generator of trace.generators) {
    if ((stream && generator.stream !== stream.index) || generator.slowest.length === 0) continue;
    if (!slowest || BigInt(generator.slowest[0].latency) > BigInt(slowest.latency)) [slowest] = generator.slowest;
  }
  const i = slowest ? trace.find(BigInt(slowest.id)) : -1;
  if (i >= 0) app.select(i, true);
}

function follow(app, relations) {
  if (relations.length > 0) app.select(relations[0].other, true);
}

function foldAll(app) {
  if (app.folded.size > 0) app.folded.clear();
  else for (const node of app.tree.children) if (node.children.length > 0) app.folded.add(node.name);
  app.changed("rows");
}

/** Does what a key means for the timeline. Returns false if the key has no meaning. */
function act(app, timeline, event) {
  const { view, trace } = app;
  const centre = view.width / 2;
  const at = timeline.pointerX ?? centre;
  const selected = app.selected;
  switch (event.key) {
    case "+": case "=": view.zoom(0.6, at); break;
    case "-": case "_": view.zoom(1 / 0.6, at); break;
    case "ArrowLeft": view.pan(-view.width * (event.shiftKey ? 1 : 0.12)); break;
    case "ArrowRight": view.pan(view.width * (event.shiftKey ? 1 : 0.12)); break;
    case "ArrowUp": timeline.scroller.scrollTop -= 40; return true;
    case "ArrowDown": timeline.scroller.scrollTop += 40; return true;
    case "0": case "Home": view.showAll(); break;
    case "Enter":
      if (selected < 0) return false;
      view.showInterval(trace.begin(selected), trace.end(selected), 0.5);
      break;
    case "n": selectOrFirst(app, 1, () => true); return true;
    case "p": selectOrFirst(app, -1, () => true); return true;
    case "e": selectOrFirst(app, 1, (i) => trace.isError(i)); return true;
    case "E": selectOrFirst(app, -1, (i) => trace.isError(i)); return true;
    case "s": selectSlowest(app); return true;
    case "r": if (selected >= 0) follow(app, trace.relations.leaving(selected)); return true;
    case "R": if (selected >= 0) follow(app, trace.relations.arriving(selected)); return true;
    case "Backspace": app.selectPrevious(); return true;
    case "a": app.cursorA = view.tickAt(at); app.changed("cursors"); return true;
    case "b": app.cursorB = view.tickAt(at); app.changed("cursors"); return true;
    case "c": app.cursorA = app.cursorB = null; app.changed("cursors"); return true;
    case "z":
      if (app.cursorA === null || app.cursorB === null) return true;
      view.showInterval(...(app.cursorA < app.cursorB ? [app.cursorA, app.cursorB] : [app.cursorB, app.cursorA]), 0.05);
      break;
    case "f": foldAll(app); return true;
    case "Escape": app.select(-1); return true;
    default: return false;
  }
  app.changed("view");
  return true;
}

/**
 * Listens to the keys of the page. @param tabs names of the parts in their order; @param own functions for keys that
 * have another meaning on this page
 */
export function listenToKeys(app, timeline, searchBox, tabs, own = {}) {
  const help = keyHelp(KEYS);
  document.body.append(help);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, textarea")) return;
    if ((event.key === "Enter" || event.key === " ") && target.closest("button, a, summary")) return;
    const number = Number(event.key);
    if (event.key === "?") help.showModal();
    else if (event.key === "/") {
      app.show("timeline");
      searchBox.field.focus();
    } else if (number >= 1 && number <= tabs.length) app.show(tabs[number - 1]);
    else if (own[event.key]) own[event.key]();
    else if (app.tab !== "timeline" || !act(app, timeline, event)) return;
    event.preventDefault();
  });
  return help;
}
