// The line below the timeline: visible interval, cursors, and the distance between them.
import { element, fill } from "../parts/dom.js";
import { formatRounded, formatTicks } from "../time/ticks.js";

export class Status {
  constructor(app) {
    this.app = app;
    this.root = element("div", { class: "status", role: "status" });
    app.listen(() => this.show());
    this.show();
  }

  show() {
    const { app } = this;
    const { scale } = app.trace;
    const time = (ticks) => formatTicks(ticks, scale);
    const parts = [element("span", {}, `visible: ${formatRounded(BigInt(Math.round(app.view.span)), scale)}`)];
    if (app.cursorA !== null) parts.push(element("span", { "data-cursor": "a" }, `A: ${time(app.cursorA)}`));
    if (app.cursorB !== null) parts.push(element("span", { "data-cursor": "b" }, `B: ${time(app.cursorB)}`));
    if (app.cursorA !== null && app.cursorB !== null) {
      const distance = app.cursorB - app.cursorA;
      parts.push(element("b", { "data-cursor": "distance" }, `B \u2212 A = ${time(distance)} (${distance} ticks)`));
    } else if (app.cursorA !== null) parts.push(element("span", { class: "faint" }, "Shift+click sets cursor B"));
    fill(this.root, parts);
  }
}
