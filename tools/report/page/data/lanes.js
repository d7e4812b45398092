// Overlapping transactions of a stream are stacked in lanes: each transaction takes the lowest lane that is free at its
// begin.

const MOST_LANES = 255;

/** Sets lane[i] of the transactions [from, to), which are in order of begin, except those that need no lane. Returns the
 * number of lanes. */
export function assignLanes(begins, ends, from, to, lane, needsNone = (_) => false) {
  const free = []; // per lane: the end of its last transaction
  let used = 0;
  for (let i = from; i < to; i++) {
    if (needsNone(i)) continue;
    let chosen = -1;
    for (let k = 0; k < used; k++) {
      if (free[k] <= begins[i]) {
        chosen = k;
        break;
      }
    }
    if (chosen < 0) {
      if (used < MOST_LANES) used++;
      chosen = used - 1; // if more transactions overlap, which is rare, all others are in the last lane
    }
    // A transaction without duration is a mark. Its lane is not free at the tick of the mark, so that the next mark at
    // this tick is in another lane.
    free[chosen] = Math.max(free[chosen] ?? 0, ends[i] > begins[i] ? ends[i] : begins[i] + 0.5);
    lane[i] = chosen;
  }
  return Math.max(used, 1);
}

/** Sets greatest[i] to the greatest end of the transactions from @p from to i. */
export function greatestEnds(ends, from, to, greatest) {
  let most = -Infinity;
  for (let i = from; i < to; i++) {
    if (ends[i] > most) most = ends[i];
    greatest[i] = most;
  }
}

/** First index in [from, to) whose value is at least @p wanted, for an array in ascending order. */
export function lowerBound(array, wanted, from, to) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (array[middle] < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
