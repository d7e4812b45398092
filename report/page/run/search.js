// Search among the transactions of the page. A query is a list of words; all of them must match:
//   text           part of the name of the generator or stream, of an attribute's name or of its value
//   #17            the transaction with this id
//   name=value     an attribute with exactly this value; name~text: a part of the value
//   >50ns <1us     longer or shorter than this
//   error, unfinished
import { parseTime } from "../time/ticks.js";
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

function attributeTest(trace, word) {
  const [, name, sign, rest] = /^([^=~]+)([=~])(.*)$/s.exec(word);
  const wanted = unquoted(rest);
  const part = wanted.toLowerCase();
  return anyAttribute(trace, (at) => {
    if (trace.attributes.name(at) !== name) return false;
    return sign === "=" ? sameValue(trace, at, wanted) : trace.attributes.text(at, trace.scale).toLowerCase().includes(part);
  });
}

/** Words without a sign look into all names and values; names are compared once for each generator and string. */
function textTest(trace, word) {
  const part = unquoted(word).toLowerCase();
  const byName = trace.generators.map((g) => `${trace.streams[g.stream].name}.${g.name}`.toLowerCase().includes(part));
  const strings = new Map();
  const inString = (number) => {
    let found = strings.get(number);
    if (found === undefined) {
      found = trace.attributes.string(number).toLowerCase().includes(part);
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

/** Compiles a query. Returns {test} or {problem}. */
export function compileQuery(trace, text) {
  const tests = [];
  for (const word of splitWords(text)) {
    const limit = /^([<>]=?)(.*)$/.exec(word);
    if (limit) {
      const ticks = parseTime(limit[2], trace.scale);
      if (ticks === null) return { problem: `"${word}": write a duration such as >50ns` };
      const sign = limit[1];
      tests.push((i) => {
        const duration = trace.duration(i);
        if (sign === ">") return duration > ticks;
        if (sign === "<") return duration < ticks;
        return sign === ">=" ? duration >= ticks : duration <= ticks;
      });
    } else if (/^#\d+$/.test(word)) {
      const wanted = trace.find(BigInt(word.slice(1)));
      tests.push((i) => i === wanted);
    } else if (word === "error") tests.push((i) => trace.isError(i));
    else if (word === "unfinished") tests.push((i) => trace.isUnfinished(i));
    else if (/^[^=~"]+[=~]/.test(word)) tests.push(attributeTest(trace, word));
    else tests.push(textTest(trace, word));
  }
  return { test: (i) => tests.every((test) => test(i)) };
}

/** Looks through all transactions without blocking the page. Returns {count, shown, problem}; null if @p isOld() is true. */
export async function search(trace, text, isOld) {
  const { test, problem } = compileQuery(trace, text);
  if (problem) return { problem, count: 0, shown: [] };
  const shown = [];
  let count = 0;
  let slice = performance.now();
  for (let i = 0; i < trace.count; i++) {
    if (test(i)) {
      count++;
      if (shown.length < MOST_SHOWN) shown.push(i);
    }
    if (i % SLICE === SLICE - 1 && performance.now() - slice > 20) {
      await new Promise((resolve) => setTimeout(resolve));
      if (isOld()) return null;
      slice = performance.now();
    }
  }
  shown.sort((a, b) => (trace.exactBegins[a] < trace.exactBegins[b] ? -1 : trace.exactBegins[a] > trace.exactBegins[b] ? 1 : a - b));
  return { count, shown };
}
