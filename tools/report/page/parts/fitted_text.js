// Texts that fit into a width. A style could only cut the end of a text, at which names differ.
import { shorten } from "./dom.js";

const canvas = document.createElement("canvas");
const widths = new Map(); // width of a text; key: font and text
const MOST_WIDTHS = 20000;

function widthOf(text, font) {
  const key = `${font}\n${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    const context = canvas.getContext("2d");
    context.font = font;
    width = context.measureText(text).width;
    if (widths.size >= MOST_WIDTHS) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/** The text, shortened in its middle until it is at most @p room pixels wide. */
export function fitted(text, room, font) {
  if (widthOf(text, font) <= room) return text;
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(shorten(text, middle), font) <= room) low = middle;
    else high = middle - 1;
  }
  return shorten(text, low);
}
