// Parses the condition of a search. The server has the same parser in C (base/text/condition_parser.c), and a test
// compares both (test/tools/report_page/serve_test.py). docs/conditions.md describes the grammar. Nodes of the tree:
//   {kind: "or" | "and", left, right}, {kind: "not", left}
//   {kind: "compare", comparison, a, b} with operands {name, field} or {value}
//   {kind: "truth", a}: the attribute a is neither false nor 0
//   {kind: "text", text, isQuoted}: a word or text
// A value is a boolean, a string, or a number as {numerator, denominator}, which is exact.
import { powerOfTen } from "../time/ticks.js";

const COMPARISONS = ["<=", ">=", "==", "!=", "=~", "<", ">", "=", "~"];
const FIELDS = ["id", "begin", "end", "duration", "stream", "generator"];
const NODES_MAX = 256;
const DEPTH_MAX = 32;
const DIGITS_MAX = 1000;
const EXPONENT_MAX = 9999;

const NUMBER = /(-?)((0[xX][0-9a-fA-F]+)|(\d*)\.?(\d*))/y;
const EXPONENT = /[eE]([+-]?)(\d+)/y;
const UNIT = /[ \t\n\v\f\r]*([A-Za-z0-9/%\u0080-\uffff]*)/y;
const TIMES = { s: 0, ms: -3, us: -6, "\u00b5s": -6, ns: -9, ps: -12, fs: -15, as: -18 };
/** The other units: factors as in number_text.c. */
const FACTORS = { "%": 1n, B: 1n, "B/s": 1n, "tx/s": 1n, "ktx/s": 10n ** 3n, "Mtx/s": 10n ** 6n, "Gtx/s": 10n ** 9n };
for (const [i, prefix] of ["k", "M", "G", "T"].entries()) {
  for (const unit of ["B", "B/s"]) {
    FACTORS[prefix + unit] = 10n ** BigInt(3 * (i + 1));
    FACTORS[`${prefix.toUpperCase()}i${unit}`] = 1n << BigInt(10 * (i + 1));
  }
}

const isBlank = (char) => char !== "" && " \t\n\v\f\r".includes(char);

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const beginsNumber = (text, at) => match(/-?\.?\d/y, text, at) !== null;

function unitOf(name, scale) {
  if (Object.hasOwn(TIMES, name)) return { exponent: TIMES[name] - scale, factor: 1n };
  return Object.hasOwn(FACTORS, name) ? { exponent: 0, factor: FACTORS[name] } : null;
}

/** The number at a place of the text: {value, end}; null if there is none. Times are in ticks of 10^scale seconds. */
function numberAt(text, at, scale) {
  if (!beginsNumber(text, at)) return null;
  const [, sign, written, hexadecimal, whole, fraction] = match(NUMBER, text, at);
  let end = NUMBER.lastIndex;
  if (written.length > DIGITS_MAX) return null;
  let exponent = hexadecimal ? 0 : -fraction.length;
  const power = hexadecimal ? null : match(EXPONENT, text, end);
  if (power) {
    exponent += Number(power[1] + Math.min(Number(power[2]), EXPONENT_MAX));
    end = EXPONENT.lastIndex;
  }
  const unit = unitOf(match(UNIT, text, end)[1], scale);
  if (unit) end = UNIT.lastIndex;
  exponent += unit ? unit.exponent : 0;
  const mantissa = BigInt(hexadecimal ?? whole + fraction) * (unit ? unit.factor : 1n) * (sign ? -1n : 1n);
  const value = exponent >= 0 ? { numerator: mantissa * powerOfTen(exponent), denominator: 1n }
    : { numerator: mantissa, denominator: powerOfTen(-exponent) };
  return { value, end };
}

class Problem extends Error {
  constructor(at, message) {
    super(message);
    this.at = at;
  }
}

class Parser {
  constructor(text, scale) {
    this.text = text;
    this.scale = scale;
    this.at = 0;
    this.depth = 0;
    this.open = 0; // number of open parentheses
    this.nodes = 0;
  }

  get here() {
    return this.text.charAt(this.at);
  }

  begins(token, at = this.at) {
    return this.text.startsWith(token, at);
  }

  skipBlanks() {
    while (isBlank(this.here)) this.at++;
  }

  accept(token) {
    this.skipBlanks();
    if (!this.begins(token)) return false;
    this.at += token.length;
    return true;
  }

  endsWord(at) {
    const char = this.text.charAt(at);
    return char === "" || isBlank(char) || (char === ")" && this.open > 0);
  }

  endsNumber(at) {
    return this.endsWord(at) || this.begins("&&", at) || this.begins("||", at);
  }

  node(made) {
    if (this.nodes++ === NODES_MAX) throw new Problem(this.at, `the condition is too long: it has more than ${NODES_MAX} parts`);
    return made;
  }

  quoted() {
    const from = this.at + 1;
    const to = this.text.indexOf(this.here, from);
    if (to < 0) throw new Problem(this.at, "the closing quote is missing");
    this.at = to + 1;
    return this.text.slice(from, to);
  }

  number() {
    const found = numberAt(this.text, this.at, this.scale);
    if (!beginsNumber(this.text, this.at)) throw new Problem(this.at, "a number is expected");
    if (!found || !this.endsNumber(found.end)) {
      const word = /^[^ \t\r\n]*/.exec(this.text.slice(this.at))[0].slice(0, 40);
      throw new Problem(this.at, `'${word}' is not a number with a known unit`);
    }
    this.at = found.end;
    return { value: found.value };
  }

  /** The right side: a number, or a text that needs no quotes. */
  searched(comparison) {
    this.skipBlanks();
    const from = this.at;
    const isEquality = comparison === "==" || comparison === "!=";
    if (comparison.startsWith("<") || comparison.startsWith(">")) return this.number();
    if (this.here === '"' || this.here === "'") return { value: this.quoted() };
    if (isEquality && this.here === "`") return { name: this.quoted(), field: false };
    if (isEquality) {
      const found = numberAt(this.text, from, this.scale);
      if (found && this.endsNumber(found.end)) return this.number();
    }
    while (!this.endsWord(this.at)) this.at++;
    const value = this.text.slice(from, this.at);
    if (value === "" && comparison !== "=" && comparison !== "~") throw new Problem(from, "a value is expected");
    return { value: isEquality && (value === "true" || value === "false") ? value === "true" : value };
  }

  /** The comparison at a place behind a name that ends at @p end; null if there is none. */
  comparisonBehind(end, at) {
    const found = COMPARISONS.find((token) => this.begins(token, at)) ?? null;
    if (found === null) return null;
    const behind = at + found.length;
    if (found === "=" || found === "~") return at === end || this.endsWord(behind) ? found : null;
    if (found.startsWith("<") || found.startsWith(">")) return at === end && beginsNumber(this.text, behind) ? found : null;
    return found;
  }

  compare(a, comparison) {
    this.at += comparison.length;
    const b = this.searched(comparison);
    return this.node({ kind: "compare", comparison, a, b });
  }

  /** `#17` and `>50ns` compare the id and the duration. Returns null if there is no such comparison. */
  nameless() {
    const id = match(/#\d+/y, this.text, this.at);
    if (id && this.endsNumber(this.at + id[0].length)) {
      this.at++;
      return this.node({ kind: "compare", comparison: "==", a: { name: "id", field: true }, b: this.number() });
    }
    if (this.here !== "<" && this.here !== ">") return null;
    return this.compare({ name: "duration", field: true }, COMPARISONS.find((token) => this.begins(token)));
  }

  /** A name and a comparison, or a word. */
  word() {
    const from = this.at;
    let isText = this.here === "=" || this.here === "~";
    while (!this.endsWord(this.at) && (isText || this.at === from || this.comparisonBehind(this.at, this.at) === null)) {
      if (this.here === '"') isText = true;
      this.at++;
    }
    const end = this.at;
    const text = this.text.slice(from, end);
    this.skipBlanks();
    const comparison = isText ? null : this.comparisonBehind(end, this.at);
    if (comparison !== null) return this.compare({ name: text, field: FIELDS.includes(text) }, comparison);
    this.at = end;
    return this.node({ kind: "text", text, isQuoted: false });
  }

  comparison() {
    this.skipBlanks();
    const found = this.nameless();
    if (found) return found;
    if (this.endsWord(this.at)) throw new Problem(this.at, "a name or value is expected");
    if (this.here === '"' || this.here === "'") return this.node({ kind: "text", text: this.quoted(), isQuoted: true });
    if (this.here !== "`") return this.word();
    const a = { name: this.quoted(), field: false };
    const end = this.at;
    this.skipBlanks();
    const comparison = this.comparisonBehind(end, this.at);
    return comparison === null ? this.node({ kind: "truth", a }) : this.compare(a, comparison);
  }

  unary() {
    let result;
    this.skipBlanks();
    if (++this.depth > DEPTH_MAX) throw new Problem(this.at, `the condition nests more than ${DEPTH_MAX} levels`);
    if (this.here === "!" && this.text.charAt(this.at + 1) !== "=") {
      this.at++;
      const left = this.unary();
      result = this.node({ kind: "not", left });
    } else if (this.accept("(")) {
      this.open++;
      result = this.or();
      if (!this.accept(")")) throw new Problem(this.at, "')' is expected");
      this.open--;
    } else result = this.comparison();
    this.depth--;
    return result;
  }

  isWordNext() {
    this.skipBlanks();
    return this.here !== "" && !this.begins("||") && (this.here !== ")" || this.open === 0);
  }

  and() {
    let left = this.unary();
    while (this.accept("&&") || this.isWordNext()) {
      const right = this.unary();
      left = this.node({ kind: "and", left, right });
    }
    return left;
  }

  or() {
    let left = this.and();
    while (this.accept("||")) {
      const right = this.and();
      left = this.node({ kind: "or", left, right });
    }
    return left;
  }

  condition() {
    const root = this.or();
    this.skipBlanks();
    if (this.here !== "") throw new Problem(this.at, "an operator is expected");
    return root;
  }
}

/** Parses a condition. Returns {root}, or {problem} with the column. */
export function parseCondition(text, scale) {
  try {
    return { root: new Parser(text, scale).condition() };
  } catch (error) {
    if (error instanceof Problem) return { problem: `column ${[...text.slice(0, error.at)].length + 1}: ${error.message}` };
    throw error;
  }
}
