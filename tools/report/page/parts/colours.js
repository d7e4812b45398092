// Colours of the drawings, for light and dark. The hues are near those of Paul Tol's "bright" scheme, which colour-blind
// people can tell apart; neighbours differ in brightness as well, for print. Red is kept for errors. Further generators
// repeat the hues with a pattern of stripes.

const LIGHT = {
  background: "#ffffff", text: "#1b1f24", faint: "#6b7480", grid: "#e4e8ec", band: "#f5f7f9", line: "#c4ccd4",
  density: "#8fa3b8", densityWeak: "#d5dee7", worst: "#1b1f24", error: "#c5221f", onError: "#ffffff",
  accent: "#0b57d0", cursorA: "#0b57d0", cursorB: "#8a3ffc", window: "rgba(11,87,208,0.12)",
  hues: ["#4477aa", "#d4c14e", "#882255", "#9cd8f4", "#228833", "#ee8833", "#888888"],
};
const DARK = {
  background: "#14181d", text: "#e6eaef", faint: "#98a3af", grid: "#262d35", band: "#191e24", line: "#3a444f",
  density: "#5d7590", densityWeak: "#2b3846", worst: "#f1f4f7", error: "#ff6b63", onError: "#14181d",
  accent: "#8ab4f8", cursorA: "#8ab4f8", cursorB: "#c6a0ff", window: "rgba(138,180,248,0.18)",
  hues: ["#6b9fd4", "#e6d566", "#b05a8f", "#b8e6fa", "#3f9e55", "#f2a05c", "#8a8a8a"],
};

const dark = matchMedia("(prefers-color-scheme: dark)");

/** The colours for the system's setting: light or dark. */
export function colours() {
  return dark.matches ? DARK : LIGHT;
}

/** Calls @p listener when the system changes between light and dark. */
export function onColourChange(listener) {
  dark.addEventListener("change", listener);
}

/** The colour of the generators with this number. */
export function hue(number) {
  const { hues } = colours();
  return hues[number % hues.length];
}

/** Whether the generators with this number have stripes, and in which direction. */
export function stripes(number) {
  return Math.floor(number / LIGHT.hues.length) % 3; // 0: none, 1: falling, 2: rising
}

/** Whether dark text is readable on a colour "#rrggbb". */
export function isBright(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
}

const patterns = new Map();

/** A pattern of diagonal lines of one colour on another one. */
export function hatch(context, background, line, rising) {
  const key = `${background}${line}${rising}`;
  if (!patterns.has(key)) {
    const size = 6;
    const tile = document.createElement("canvas");
    tile.width = size;
    tile.height = size;
    const c = tile.getContext("2d");
    c.fillStyle = background;
    c.fillRect(0, 0, size, size);
    c.strokeStyle = line;
    c.lineWidth = 1.6;
    c.beginPath();
    for (const shift of [-size, 0, size]) {
      c.moveTo(shift, rising ? size : 0);
      c.lineTo(shift + size, rising ? 0 : size);
    }
    c.stroke();
    patterns.set(key, context.createPattern(tile, "repeat"));
  }
  return patterns.get(key);
}

/** The fill of the bars of a generator. */
export function barFill(context, number) {
  const colour = hue(number);
  const direction = stripes(number);
  return direction === 0 ? colour : hatch(context, colour, colours().background, direction === 2);
}
