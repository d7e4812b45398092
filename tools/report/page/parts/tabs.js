// The parts of a page, one of them visible. A part is built when it is shown for the first time.
import { element } from "./dom.js";
import { onColourChange } from "./colours.js";

export class Tabs {
  /** @param parts [{id, title, make}]; make() returns the element; @param chosen called with the id of the shown part */
  constructor(parts, chosen) {
    this.parts = parts;
    this.holders = new Map();
    this.buttons = new Map();
    this.bar = element("nav", { role: "tablist" });
    parts.forEach(({ id, title }, index) => {
      const button = element(
        "button", { role: "tab", id: `tab-${id}`, "aria-controls": `part-${id}`, click: () => chosen(id) }, title,
        element("span", { class: "key", "aria-hidden": "true" }, String(index + 1)),
      );
      const holder = element("div", { class: "part", id: `part-${id}`, role: "tabpanel", "aria-labelledby": `tab-${id}`, hidden: true });
      this.buttons.set(id, button);
      this.holders.set(id, holder);
      this.bar.append(button);
    });
    this.bar.addEventListener("keydown", (event) => this.onKey(event));
    // Charts keep the colours with which they were made, so they must be made again.
    onColourChange(() => this.forget());
  }

  onKey(event) {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    const ids = this.parts.map(({ id }) => id);
    const next = ids[(ids.indexOf(this.shown) + by + ids.length) % ids.length];
    this.buttons.get(next).click();
    this.buttons.get(next).focus();
    event.stopPropagation();
  }

  /** Shows a part; the first one if the id is unknown. */
  show(id) {
    const part = this.parts.find((p) => p.id === id) ?? this.parts[0];
    this.shown = part.id;
    for (const [name, holder] of this.holders) {
      holder.hidden = name !== part.id;
      this.buttons.get(name).setAttribute("aria-selected", String(name === part.id));
      this.buttons.get(name).tabIndex = name === part.id ? 0 : -1;
    }
    this.buttons.get(part.id).scrollIntoView({ block: "nearest", inline: "nearest" });
    const holder = this.holders.get(part.id);
    if (!holder.hasChildNodes()) {
      const made = part.make();
      if (part.id !== "timeline") holder.classList.add("scrolls");
      holder.append(made);
    }
  }

  /** Forgets the contents of one part, or of all parts but the timeline, after a change of the data. */
  forget(id = null) {
    for (const [name, holder] of this.holders) if (id === null ? name !== "timeline" : name === id) holder.replaceChildren();
    this.show(this.shown);
  }
}
