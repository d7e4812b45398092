// The visible interval of simulated time and its mapping to pixels. The start is an exact tick plus a fraction, so
// that single ticks stay exact at any distance from the start of the trace.

const NARROWEST = 4; // ticks across the whole width

export class TimeView {
  /** @param first, last first and last tick of the trace (BigInt) */
  constructor(first, last) {
    this.first = first;
    this.last = last > first ? last : first + 1n;
    this.width = 1000;
    this.showAll();
  }

  /** Shows the whole run with a small margin on both sides. */
  showAll() {
    const length = Number(this.last - this.first);
    const margin = Math.max(length * 0.01, 1);
    this.setStart(this.first, -margin);
    this.span = length + 2 * margin;
  }

  /** Sets the left edge to an exact tick plus an offset in ticks, which may be negative or fractional. */
  setStart(tick, offset) {
    const whole = Math.floor(offset);
    this.start = tick + BigInt(whole);
    this.fraction = offset - whole;
  }

  get ticksPerPixel() {
    return this.span / this.width;
  }

  /** The x coordinate of an exact tick. */
  x(tick) {
    return ((Number(tick - this.start) - this.fraction) / this.span) * this.width;
  }

  /** The tick nearest to an x coordinate. */
  tickAt(x) {
    return this.start + BigInt(Math.round(this.fraction + (x / this.width) * this.span));
  }

  /** First tick that is not visible on the right. */
  get end() {
    return this.start + BigInt(Math.ceil(this.fraction + this.span));
  }

  /** Zooms by a factor (below 1: closer) and keeps the time at pixel x where it is. */
  zoom(factor, x) {
    const whole = Number(this.last - this.first);
    const widest = whole + 2 * Math.max(whole * 0.05, 1);
    const span = Math.min(Math.max(this.span * factor, NARROWEST), widest);
    const share = x / this.width;
    this.setStart(this.start, this.fraction + share * (this.span - span));
    this.span = span;
    this.clamp();
  }

  /** Moves the view by a number of pixels to the right. */
  pan(pixels) {
    this.setStart(this.start, this.fraction + (pixels / this.width) * this.span);
    this.clamp();
  }

  /** Shows the interval [begin, end] with a margin on both sides. */
  showInterval(begin, end, margin = 0.1) {
    const length = Math.max(Number(end - begin), 1);
    const extra = Math.max(length * margin, 1);
    this.span = Math.max(length + 2 * extra, NARROWEST);
    this.setStart(begin, (length - this.span) / 2);
  }

  /** Centres a tick, and keeps the zoom. */
  centre(tick) {
    this.setStart(tick, -this.span / 2);
    this.clamp();
  }

  /** Keeps at least a tenth of the width inside the trace. */
  clamp() {
    const slack = this.span * 0.1;
    const left = Number(this.first - this.start) - this.fraction; // ticks from the left edge to the first tick
    const right = Number(this.last - this.start) - this.fraction;
    if (left > this.span - slack) this.setStart(this.first, slack - this.span);
    else if (right < slack) this.setStart(this.last, -slack);
  }

  /** Text for a link; parse() reads it back. */
  toString() {
    return `${this.start},${this.fraction.toFixed(4)},${this.span.toPrecision(12)}`;
  }

  /** Restores toString(); returns false and changes nothing if the text is invalid. */
  parse(text) {
    const match = /^(-?\d{1,20}),(0(?:\.\d+)?|1\.0+),([\d.e+]+)$/.exec(text);
    const span = match ? Number(match[3]) : NaN;
    if (!(span >= 1 && span < 4e19)) return false;
    this.start = BigInt(match[1]);
    this.fraction = Number(match[2]);
    this.span = span;
    this.clamp();
    return true;
  }
}
