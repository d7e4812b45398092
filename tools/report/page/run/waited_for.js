// Divides the time of a transaction among its descendants, and finds the related transaction that fills the largest part
// of it.

const MOST_VISITED = 500; // maximum number of transactions of a family that are visited
const PARENT_CHILD = "PARENT_CHILD";
const PHASES = ["request_time", "response_time"];

/**
 * @param {bigint} a
 * @param {bigint} b
 */
function least(a, b) {
  return a < b ? a : b;
}

/**
 * @param {bigint} a
 * @param {bigint} b
 */
function greatest(a, b) {
  return a > b ? a : b;
}

/** The children of transaction i that the page has, in order of begin. */
export function childrenOf(trace, i) {
  return trace.relations.leaving(i)
    .filter(({ name, other }) => other !== i && trace.attributes.string(name) === PARENT_CHILD)
    .map(({ other }) => other)
    .sort((a, b) => (trace.begin(a) === trace.begin(b) ? a - b : trace.begin(a) < trace.begin(b) ? -1 : 1));
}

/**
 * The end of the request and the begin of the response of transaction i: without phases, its begin and its end.
 * @returns {[bigint, bigint]}
 */
function phasesOf(trace, i) {
  /** @type {[bigint, bigint]} */
  const times = [0n, 0n];
  for (const { at, name } of trace.attributes.of(i)) {
    const which = PHASES.indexOf(name);
    const value = which < 0 ? null : trace.attributes.value(at);
    if (typeof value === "bigint" && value > 0n) times[which] = value;
  }
  const request = least(times[0], trace.duration(i));
  return [trace.begin(i) + request, trace.end(i) - least(times[1], trace.duration(i) - request)];
}

/**
 * Divides the time of transaction i: each tick belongs to the innermost transaction that is open, in one of its phases.
 * The response of a transaction belongs to the transaction itself (docs/report-format.md, `flow`).
 * @returns {{index: number, phase: string, ticks: bigint}[]} the largest part first; the sum is the time of i
 */
export function timeParts(trace, i) {
  const parts = new Map();
  const visited = new Set();
  function add(index, phase, from, to) {
    if (to <= from) return;
    const key = `${index} ${phase}`;
    const part = parts.get(key) ?? { index, phase, ticks: 0n };
    part.ticks += to - from;
    parts.set(key, part);
  }
  function addOwn(index, [requestEnd, responseBegin], from, to) {
    add(index, "request", from, least(to, requestEnd));
    add(index, "", greatest(from, requestEnd), least(to, responseBegin));
    add(index, "response", greatest(from, responseBegin), to);
  }
  function divide(index, from, to) {
    const phases = phasesOf(trace, index);
    let covered = trace.begin(index);
    let done = from;
    visited.add(index);
    for (const child of visited.size < MOST_VISITED ? childrenOf(trace, index) : []) {
      const begin = greatest(trace.begin(child), covered);
      const end = least(trace.end(child), phases[1]);
      if (visited.has(child) || end <= begin) continue;
      covered = end;
      const [first, last] = [greatest(begin, from), least(end, to)];
      if (last <= first) continue;
      addOwn(index, phases, done, first);
      divide(child, first, last);
      done = last;
    }
    addOwn(index, phases, done, to);
  }
  if (trace.duration(i) > 0n) divide(i, trace.begin(i), trace.end(i));
  return [...parts.values()].sort((a, b) => (b.ticks > a.ticks ? 1 : b.ticks < a.ticks ? -1 : a.index - b.index));
}

/**
 * The number of ticks during which both transactions are open.
 * @returns {bigint}
 */
function overlap(trace, i, other) {
  const begin = greatest(trace.begin(other), trace.begin(i));
  const end = least(trace.end(other), trace.end(i));
  return end > begin ? end - begin : 0n;
}

/** All transactions that can be reached from @p start along relations, without @p start itself. */
function descendants(trace, start, known) {
  const found = [];
  const queue = [start];
  while (queue.length > 0 && known.size < MOST_VISITED) {
    for (const { other } of trace.relations.leaving(queue.shift())) {
      if (known.has(other)) continue;
      known.add(other);
      found.push(other);
      queue.push(other);
    }
  }
  return found;
}

function longest(trace, i, others) {
  let best = null;
  for (const index of others) {
    if (trace.parents?.[index] >= 0) continue; // an event
    const ticks = overlap(trace, i, index);
    if (ticks > 0n && (!best || ticks > best.ticks)) best = { index, ticks };
  }
  return best;
}

/**
 * Returns the transaction that overlaps transaction i longest, among the targets of its relations; for a transaction
 * without children. If no target overlaps i, searches the descendants of i and of the transactions with a relation to i.
 * @returns {{index: number, ticks: bigint, isChild: boolean} | null}
 */
export function longestRelated(trace, i) {
  const direct = longest(trace, i, trace.relations.leaving(i).map(({ other }) => other));
  if (direct) return { ...direct, isChild: true };
  const known = new Set([i]);
  const family = descendants(trace, i, known);
  for (const { other } of trace.relations.arriving(i)) family.push(...descendants(trace, other, known));
  const found = longest(trace, i, family);
  return found ? { ...found, isChild: false } : null;
}
