// The part of the address behind "#": it has the view, the selection and the cursors, so that a copied address shows
// the same picture.

function parseTick(text) {
  return text !== null && /^\d{1,20}$/.test(text) ? BigInt(text) : null;
}

/** The state as text behind "#". */
export function linkOf(app, searchText) {
  const parts = new URLSearchParams();
  if (app.tab !== "timeline") parts.set("tab", app.tab);
  parts.set("t", app.view.toString());
  if (app.selected >= 0) parts.set("tx", String(app.trace.ids[app.selected]));
  if (app.cursorA !== null) parts.set("a", String(app.cursorA));
  if (app.cursorB !== null) parts.set("b", String(app.cursorB));
  for (const name of app.folded) parts.append("fold", name);
  if (searchText) parts.set("q", searchText);
  return `#${parts}`;
}

/** Restores a state. Invalid parts are ignored. Returns the text of the search. */
export function restoreLink(app, hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  app.tab = parts.get("tab") ?? "timeline";
  const view = parts.get("t");
  if (view) app.view.parse(view);
  const id = parseTick(parts.get("tx"));
  app.selected = id === null ? -1 : app.trace.find(id);
  app.cursorA = parseTick(parts.get("a"));
  app.cursorB = parseTick(parts.get("b"));
  app.folded = new Set(parts.getAll("fold"));
  return parts.get("q") ?? "";
}

/** Keeps the address of the page up to date, at most a few times per second. */
export function followLink(app, searchText) {
  let timer = 0;
  app.listen(() => {
    if (timer) return;
    timer = setTimeout(() => {
      timer = 0;
      history.replaceState(null, "", linkOf(app, searchText()));
    }, 250);
  });
}
