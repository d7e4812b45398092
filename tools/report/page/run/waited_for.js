// Finds the related transaction that fills the largest part of the time of a transaction.

const MOST_VISITED = 500; // maximum number of transactions of a family that are visited

/**
 * The number of ticks during which both transactions are open.
 * @returns {bigint}
 */
function overlap(trace, i, other) {
  /** @type {bigint} */
  const begin = trace.begin(other) > trace.begin(i) ? trace.begin(other) : trace.begin(i);
  /** @type {bigint} */
  const end = trace.end(other) < trace.end(i) ? trace.end(other) : trace.end(i);
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
    const ticks = overlap(trace, i, index);
    if (ticks > 0n && (!best || ticks > best.ticks)) best = { index, ticks };
  }
  return best;
}

/**
 * Returns the transaction that overlaps transaction i longest, among the targets of its relations. If no target
 * overlaps i, searches the descendants of i and of the transactions with a relation to i, because the calls of an
 * attached prototype are related in this way.
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
