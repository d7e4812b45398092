// Levels of detail of a stream: bins of 2^shift ticks with the number of transactions that begin in them, the busy
// time, the errors, the greatest latency and the transaction that has it. Each bin of a level joins two bins of the
// next finer level.

const FINEST_BINS = 32768;
const COARSEST_BINS = 256;

function makeLevel(width, count, origin) {
  return {
    width, // ticks per bin
    origin, // begin of the first bin, as an offset from the first tick of the trace
    bins: count,
    count: new Float64Array(count),
    busy: new Float64Array(count),
    errors: new Float64Array(count),
    latency: new Float64Array(count),
    worstId: new BigUint64Array(count), // valid for a bin in which a transaction begins
  };
}

function addBusy(level, begin, end) {
  let bin = Math.floor(begin / level.width);
  while (begin < end && bin < level.bins) {
    const limit = Math.min(end, (bin + 1) * level.width);
    level.busy[bin] += limit - begin;
    begin = limit;
    bin++;
  }
}

function joinPairs(level) {
  const made = makeLevel(level.width * 2, Math.ceil(level.bins / 2), level.origin);
  for (let i = 0; i < level.bins; i++) {
    const to = i >> 1;
    if (level.count[i] > 0 && (made.count[to] === 0 || level.latency[i] > made.latency[to])) {
      made.latency[to] = level.latency[i];
      made.worstId[to] = level.worstId[i];
    }
    made.count[to] += level.count[i];
    made.busy[to] += level.busy[i];
    made.errors[to] += level.errors[i];
  }
  return made;
}

/** The given finest level, and all coarser levels above it. */
export function levelsAbove(finest) {
  const levels = [finest];
  while (levels[levels.length - 1].bins > COARSEST_BINS) levels.push(joinPairs(levels[levels.length - 1]));
  return levels;
}

/** Levels of the transactions [from, to) of a trace, which are in order of begin. Times are offsets from the first tick
 * of the trace. */
export function buildLevels(trace, from, to) {
  const length = Math.max(trace.length, 1);
  const wanted = Math.min(FINEST_BINS, Math.max(COARSEST_BINS, 2 * (to - from)));
  let width = 1;
  while (length / width > wanted) width *= 2;
  const level = makeLevel(width, Math.floor(length / width) + 1, 0);
  let covered = 0;
  for (let i = from; i < to; i++) {
    const begin = trace.begins[i];
    const end = trace.ends[i];
    const bin = Math.floor(begin / width);
    if (level.count[bin] === 0 || end - begin > level.latency[bin]) {
      level.latency[bin] = end - begin;
      level.worstId[bin] = trace.ids[i];
    }
    level.count[bin]++;
    if (trace.isError(i)) level.errors[bin]++;
    addBusy(level, Math.max(begin, covered), end);
    covered = Math.max(covered, end);
  }
  return levelsAbove(level);
}

/** The finest level whose bins are at least @p pixels wide, or the coarsest one. */
export function levelFor(levels, ticksPerPixel, pixels = 2) {
  for (const level of levels) {
    if (level.width >= ticksPerPixel * pixels) return level;
  }
  return levels[levels.length - 1];
}
