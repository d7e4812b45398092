// Elements of the page. Names and texts of a trace are data: they become text nodes, never markup.

const LONGEST = 300;

// Control characters and marks that change the direction of text are shown as visible symbols.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function visible(character) {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return "\ufffd";
}

/** Shortens a text to at most @p longest characters: an ellipsis replaces its middle. The end, at which names differ
 * more often, gets the larger part. The command does the same (base/text/printer.h, ftr_text_shorten). */
export function shorten(text, longest) {
  if (text.length <= longest) return text;
  const characters = [...text.slice(0, longest), "", ...text.slice(-longest)];
  const middle = characters.indexOf("");
  const head = Math.floor((longest - 1) / 3);
  return `${characters.slice(0, Math.min(head, middle)).join("")}\u2026${characters.slice(-(longest - 1 - head)).join("")}`;
}

/** Text of a trace in a form that can be shown: no invisible characters, at most @p longest characters. */
export function printable(text, longest = LONGEST) {
  return shorten(text, longest).replace(INVISIBLE, visible);
}

/** Text that may be broken after dots and underscores. */
export function breakable(text) {
  return text.split(/(?<=[._])/).flatMap((part, i) => (i === 0 ? [part] : [document.createElement("wbr"), part]));
}

/** Creates an element: attributes (a function is an event listener), then children (text or elements). */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    // The Content-Security-Policy of the page forbids the attribute itself.
    else if (name === "style") made.style.cssText = String(value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) made.append(child);
  }
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** Creates an element of SVG, like element(). */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) made.append(child);
  }
  return made;
}

/** Replaces all children of an element. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
}

/** A section with a title and one sentence that explains it. */
export function section(title, explanation, ...children) {
  return element("section", {}, element("h2", {}, title), element("p", { class: "about" }, explanation), ...children);
}
