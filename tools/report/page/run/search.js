// Search among the transactions of the page. The server searches all transactions of the file, and gives a condition
// the same meaning (tools/report/tx_search.c).
import { folded } from "../data/folded_text.js";
import { valueText } from "../data/value_text.js";

const MOST_SHOWN = 2000;
const SLICE = 20000; // transactions between two looks at the clock

/** A function that returns whether the transaction with an index has an attribute that @p accept accepts. */
function anyAttribute(trace, accept) {
  return (i) => {
    const [from, to] = trace.attributes.range(i);
    for (let at = from; at < to; at++) if (accept(at)) return true;
    return false;
  };
}

function sameValue(trace, at, wanted) {
  if (trace.attributes.text(at, trace.scale) === wanted) return true;
  if (valueText(trace, { at, name: trace.attributes.name(at) }) === wanted) return true;
  return /^0x[0-9a-f]+$/i.test(wanted) && trace.attributes.value(at) === BigInt(wanted);
}

/** Compares the value of an attribute as it is shown. */
function shownTest(trace, { comparison, a, b }) {
  const part = folded(b.value);
  return anyAttribute(trace, (at) => {
    if (trace.attributes.name(at) !== a.name) return false;
    return comparison === "=" ? sameValue(trace, at, b.value) : folded(trace.attributes.text(at, trace.scale)).includes(part);
  });
}

/** Texts are looked for in all names and values; names are compared once for each generator and string. */
function textTest(trace, text) {
  const part = folded(text);
  const byName = trace.generators.map((g) => folded(`${trace.streams[g.stream].name}.${g.name}`).includes(part));
  const strings = new Map();
  const inString = (number) => {
    let found = strings.get(number);
    if (found === undefined) {
      found = folded(trace.attributes.string(number)).includes(part);
      strings.set(number, found);
    }
    return found;
  };
  const inAttribute = anyAttribute(trace, (at) => {
    const { names, forms, values } = trace.attributes.given;
    if (inString(names[at])) return true;
    if (forms[at] === 5) return inString(Number(values[at]));
    return sameValue(trace, at, part);
  });
  return (i) => byName[trace.generatorOf[i]] || inAttribute(i);
}

/** The exact value of a double as a fraction; null for NaN and infinities. */
function fractionOf(value) {
  if (!Number.isFinite(value)) return null;
  let doublings = 0n;
  let scaled = value;
  for (; scaled !== Math.trunc(scaled); scaled *= 2) doublings++;
  return { numerator: BigInt(scaled), denominator: 1n << doublings };
}

const isNumber = (value) => typeof value === "bigint" || typeof value === "number" || value?.denominator !== undefined;

/** A number below, equal to or above 0 if @p a is less than, equal to or greater than @p b; null if they have no order. */
function orderOf(a, b) {
  if (!isNumber(a) || !isNumber(b)) return typeof a !== typeof b || a === null || isNumber(a) ? null : Number(a !== b);
  if (Number.isNaN(a) || Number.isNaN(b)) return null;
  const [x, y] = [a, b].map((value) => (typeof value === "bigint" ? { numerator: value, denominator: 1n }
    : typeof value === "number" ? fractionOf(value) : value));
  if (x === null || y === null) return Number(x ? 0 : a) - Number(y ? 0 : b) || 0; // infinities
  const difference = x.numerator * y.denominator - y.numerator * x.denominator;
  return difference < 0n ? -1 : Number(difference > 0n);
}

const HOLDS = {
  "<": (order) => order < 0, "<=": (order) => order <= 0, ">": (order) => order > 0, ">=": (order) => order >= 0,
  "==": (order) => order === 0, "!=": (order) => order !== 0,
};

/** The bytes of a text as a string: `?` in a pattern stands for a byte. */
const bytesOf = (text) => Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");

/** Compares bytes with a pattern, in time at most proportional to the product of the two lengths. */
function globMatches(glob, name) {
  let [g, n, afterStar, retry] = [0, 0, -1, 0];
  while (n < name.length) {
    if (glob[g] === "*") [afterStar, retry] = [++g, n];
    else if (g < glob.length && (glob[g] === "?" || glob[g] === name[n] || (glob[g] === "." && name[n] === "/"))) [g, n] = [g + 1, n + 1];
    else if (afterStar >= 0) [g, n] = [afterStar, ++retry];
    else return false;
  }
  while (glob[g] === "*") g++;
  return g === glob.length;
}

/** A function that compares names with a list of patterns, as name_glob.h describes them. */
function patternTest(list) {
  const globs = bytesOf(list).split(",").map((glob) => glob.replace(/^[ \t]+|[ \t]+$/g, "")).filter((glob) => glob !== "");
  const known = new Map();
  return (text) => {
    if (!known.has(text)) known.set(text, globs.some((glob) => globMatches(glob, bytesOf(text))));
    return known.get(text);
  };
}

/** A function that returns the value of an operand for the transaction with an index. */
function valueOf(trace, { name, field, value }) {
  if (name === undefined) return () => value;
  if (!field) {
    return (i) => {
      const [from, to] = trace.attributes.range(i);
      for (let at = from; at < to; at++) if (trace.attributes.name(at) === name) return trace.attributes.value(at);
      return null;
    };
  }
  switch (name) {
    case "id": return (i) => trace.ids[i];
    case "begin": return (i) => trace.begin(i);
    case "end": return (i) => trace.end(i);
    case "duration": return (i) => trace.duration(i);
    case "stream": return (i) => trace.stream(i).name;
    default: return (i) => trace.generator(i).name;
  }
}

function comparisonTest(trace, { comparison, a, b }) {
  const [left, right] = [valueOf(trace, a), valueOf(trace, b)];
  if (comparison === "=~") {
    const fits = patternTest(b.value);
    return (i) => typeof left(i) === "string" && fits(left(i));
  }
  const holds = HOLDS[comparison];
  return (i) => {
    const order = orderOf(left(i), right(i));
    return order !== null && holds(order);
  };
}

/** A function that returns whether the transaction with an index meets a condition of run/condition.js. */
function testOf(trace, node) {
  const { kind, left, right, text } = node;
  switch (kind) {
    case "or": { const [x, y] = [testOf(trace, left), testOf(trace, right)]; return (i) => x(i) || y(i); }
    case "and": { const [x, y] = [testOf(trace, left), testOf(trace, right)]; return (i) => x(i) && y(i); }
    case "not": { const x = testOf(trace, left); return (i) => !x(i); }
    case "truth": { const x = valueOf(trace, node.a); return (i) => ![null, false, 0, 0n].includes(x(i)); }
    case "compare": return node.comparison === "=" || node.comparison === "~" ? shownTest(trace, node) : comparisonTest(trace, node);
    default:
      if (!node.isQuoted && text === "error") return (i) => trace.isError(i);
      return !node.isQuoted && text === "unfinished" ? (i) => trace.isUnfinished(i) : textTest(trace, text);
  }
}

/** The matches with the earliest begin, in order of begin; if equal, of id. */
function earliest(trace, matches) {
  let candidates = matches;
  if (matches.length > MOST_SHOWN) {
    const last = BigUint64Array.from(matches, (i) => trace.exactBegins[i]).sort()[MOST_SHOWN - 1];
    candidates = matches.filter((i) => trace.exactBegins[i] <= last);
  }
  return trace.sortByBegin(candidates).slice(0, MOST_SHOWN);
}

/** The matches among the transactions of a small trace. */
export function matchesIn(trace, condition) {
  return Array.from(trace.ids.keys()).filter(testOf(trace, condition));
}

/** Tests all transactions of a trace without blocking the page. Returns {count, shown, trace}; null if @p isOld() is true. */
export async function search(trace, condition, isOld) {
  const test = testOf(trace, condition);
  const matches = [];
  let slice = performance.now();
  for (let i = 0; i < trace.count; i++) {
    if (test(i)) matches.push(i);
    if (i % SLICE === SLICE - 1 && performance.now() - slice > 20) {
      await new Promise((resolve) => setTimeout(resolve));
      if (isOld()) return null;
      slice = performance.now();
    }
  }
  return { count: matches.length, shown: earliest(trace, matches), trace };
}
