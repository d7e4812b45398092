// Search among transactions. A query is a list of words; all of them must match:
//   text           part of the name of the generator or stream, of an attribute's name or of its value
//   #17            the transaction with this id
//   name=value     an attribute with exactly this value; name~text: a part of the value
//   >50ns <1us     longer or shorter than this
//   error, unfinished
// The words become conditions. This module tests the transactions of the page; the server tests all transactions of the
// file, with the same conditions and the same meaning (report/tx_search.c).
import { parseTime } from "../time/ticks.js";
import { folded } from "../data/folded_text.js";
import { valueText } from "../data/value_text.js";

const MOST_SHOWN = 2000;
const SLICE = 20000; // transactions between two looks at the clock

function splitWords(text) {
  return [...text.matchAll(/[^\s"=~]*[=~]"[^"]*"|"[^"]*"|\S+/g)].map(([word]) => word);
}

function unquoted(text) {
  return text.replace(/^"(.*)"$/, "$1");
}

/** A function from the index of a transaction to whether it has an attribute that @p accept takes. */
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

function attributeTest(trace, { name, sign, value }) {
  const part = folded(value);
  return anyAttribute(trace, (at) => {
    if (trace.attributes.name(at) !== name) return false;
    return sign === "=" ? sameValue(trace, at, value) : folded(trace.attributes.text(at, trace.scale)).includes(part);
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

const DURATIONS = new Map([[">", "longer"], ["<", "shorter"], [">=", "at_least"], ["<=", "at_most"]]);

/** Parses a query. Returns {conditions} or {problem}. A condition has a kind and, depending on it, further members. */
export function parseQuery(text, scale) {
  const conditions = [];
  for (const word of splitWords(text)) {
    const limit = /^([<>]=?)(.*)$/.exec(word);
    if (limit) {
      const ticks = parseTime(limit[2], scale);
      if (ticks === null) return { problem: `"${word}": write a duration such as >50ns` };
      conditions.push({ kind: DURATIONS.get(limit[1]), number: ticks });
    } else if (/^#\d+$/.test(word)) conditions.push({ kind: "id", number: BigInt(word.slice(1)) });
    else if (word === "error" || word === "unfinished") conditions.push({ kind: "state", value: word });
    else if (/^[^=~"]+[=~]/.test(word)) {
      const [, name, sign, value] = /^([^=~]+)([=~])(.*)$/s.exec(word);
      conditions.push({ kind: "attribute", name, sign, value: unquoted(value) });
    } else conditions.push({ kind: "text", value: unquoted(word) });
  }
  return { conditions };
}

/** A function from the index of a transaction to whether it meets a condition. */
function testOf(trace, condition) {
  const { kind, number, value } = condition;
  switch (kind) {
    case "longer": return (i) => trace.duration(i) > number;
    case "shorter": return (i) => trace.duration(i) < number;
    case "at_least": return (i) => trace.duration(i) >= number;
    case "at_most": return (i) => trace.duration(i) <= number;
    case "id": return (i) => trace.ids[i] === number;
    case "state": return value === "error" ? (i) => trace.isError(i) : (i) => trace.isUnfinished(i);
    case "attribute": return attributeTest(trace, condition);
    default: return textTest(trace, value);
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
export function matchesIn(trace, conditions) {
  const tests = conditions.map((condition) => testOf(trace, condition));
  return Array.from(trace.ids.keys()).filter((i) => tests.every((test) => test(i)));
}

/** Tests all transactions of a trace without blocking the page. Returns {count, shown, trace}; null if @p isOld() is true. */
export async function search(trace, conditions, isOld) {
  const tests = conditions.map((condition) => testOf(trace, condition));
  const matches = [];
  let slice = performance.now();
  for (let i = 0; i < trace.count; i++) {
    if (tests.every((test) => test(i))) matches.push(i);
    if (i % SLICE === SLICE - 1 && performance.now() - slice > 20) {
      await new Promise((resolve) => setTimeout(resolve));
      if (isOld()) return null;
      slice = performance.now();
    }
  }
  return { count: matches.length, shown: earliest(trace, matches), trace };
}
