// Attributes of the transactions of the page. Values are read when they are shown or searched.
import { formatTicks } from "../time/ticks.js";

export const CLASSES = ["begin", "record", "end"];
const POINTER = 9;
const TIME = 11;
const UNDEFINED_STRING = 0xffffffffn;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class Attributes {
  /** @param given columns as the block has them, or null; @param order old index of each transaction */
  constructor(given, order) {
    this.given = given;
    this.order = order;
    this.strings = new Map();
  }

  /** Text of a string of the page. */
  string(number) {
    let text = this.strings.get(number);
    if (text === undefined) {
      const { ends, bytes } = this.given;
      if (number >= ends.length) return "";
      text = decoder.decode(bytes.subarray(number > 0 ? ends[number - 1] : 0, ends[number]));
      if (this.strings.size < 100000) this.strings.set(number, text);
    }
    return text;
  }

  get stringCount() {
    return this.given ? this.given.ends.length : 0;
  }

  /** The range of attributes of a transaction. */
  range(i) {
    if (!this.given) return [0, 0];
    return [this.given.first[this.order[i]], this.given.first[this.order[i] + 1]];
  }

  name(at) {
    return this.string(this.given.names[at]);
  }

  /** The value of an attribute: null, boolean, BigInt, number, or string. */
  value(at) {
    const raw = this.given.values[at];
    switch (this.given.forms[at]) {
      case 1: return raw !== 0n;
      case 2: return BigInt.asIntN(64, raw);
      case 3: return raw;
      case 4:
      case 6: return doubleOf(raw);
      case 5: return raw === UNDEFINED_STRING ? null : this.string(Number(raw));
      default: return null;
    }
  }

  /** The exact text of a value, as `ftr dump` prints it. */
  text(at, scale) {
    const value = this.value(at);
    if (value === null) return "(none)";
    if (typeof value === "bigint") {
      if (this.given.types[at] === TIME) return formatTicks(value, scale);
      if (this.given.types[at] === POINTER) return `0x${value.toString(16)}`;
    }
    if (typeof value === "number" && this.given.forms[at] === 6) return shortestSingle(value);
    return String(value);
  }

  /** All attributes of a transaction: [{at, name, class}]. */
  of(i) {
    const [from, to] = this.range(i);
    const found = [];
    for (let at = from; at < to; at++) {
      found.push({ at, name: this.name(at), class: CLASSES[this.given.classes[at]] ?? "" });
    }
    return found;
  }
}

function doubleOf(bits) {
  return new Float64Array(new BigUint64Array([bits]).buffer)[0];
}

/** The shortest decimal text that is this number in single precision (include/ftr/detail/decimal.h). */
function shortestSingle(value) {
  for (let digits = 6; digits <= 9; digits++) {
    let text = value.toPrecision(digits);
    // toPrecision() rounds a tie up, but the last digit must then be even. The next smaller number is not a tie: it is
    // rounded down, and its text is used if it ends with an even digit.
    const down = (value * (1 - 2 ** -53)).toPrecision(digits);
    if (/[02468](e|$)/.test(down)) text = down;
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}
