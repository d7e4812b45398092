// A canvas that follows the size of its element and the resolution of the screen.

/** Prepares a canvas for painting in CSS pixels. Returns its context, or null without a size. */
export function prepare(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  if (width <= 0 || height <= 0) return null;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
