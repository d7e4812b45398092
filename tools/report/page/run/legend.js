// The colours of the generators, and the signs for errors and unfinished transactions.
import { element, fill, printable } from "../parts/dom.js";
import { barFill, colours, hatch, onColourChange } from "../parts/colours.js";
import { prepare } from "../timeline/canvas.js";

const MOST_NAMES = 7;

function sample(paint) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  paint(prepare(canvas, 22, 12));
  return canvas;
}

function entry(text, paint) {
  return element("span", {}, sample(paint), text);
}

export class Legend {
  constructor(app) {
    this.app = app;
    this.root = element("div", { class: "legend" });
    onColourChange(() => this.show());
    this.show();
  }

  show() {
    const { colourNames } = this.app.trace;
    const entries = colourNames.slice(0, MOST_NAMES).map((name, number) => entry(printable(name, 30), (context) => {
      context.fillStyle = barFill(context, number);
      context.fillRect(0, 0, 22, 12);
    }));
    if (colourNames.length > MOST_NAMES) entries.push(element("span", { class: "faint" }, `and ${colourNames.length - MOST_NAMES} more`));
    entries.push(entry("ended with an error", (context) => {
      const c = colours();
      context.fillStyle = hatch(context, c.error, c.onError, true);
      context.fillRect(0, 2, 22, 10);
      context.fillStyle = c.error;
      context.beginPath();
      context.moveTo(13, 0);
      context.lineTo(22, 0);
      context.lineTo(17.5, 6);
      context.fill();
    }));
    entries.push(entry("unfinished", (context) => {
      context.strokeStyle = colours().text;
      context.setLineDash([3, 2]);
      context.strokeRect(0.5, 0.5, 17, 11);
      context.setLineDash([]);
      context.beginPath();
      context.moveTo(17, 0);
      context.lineTo(21, 6);
      context.lineTo(17, 12);
      context.stroke();
    }));
    fill(this.root, entries);
  }
}
