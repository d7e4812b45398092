// Paints a stream of which too many transactions are visible as bins of time: a column as high as the bin is busy, a
// line at the greatest latency (logarithmic), and a mark above bins with errors. A bin with a transaction is never empty.
import { colours } from "../parts/colours.js";
import { levelFor } from "../data/levels.js";

const MARK = 4; // height of the mark for errors

/** The level of each stream for the zoom of the view. All levels have bins of the same width, so that the bins can be
 * added. */
function commonLevels(app, streams) {
  const levels = streams.map((stream) => app.trace.levels(stream, app.view)).filter((found) => found.length > 0);
  let chosen = levels.map((found) => levelFor(found, app.view.ticksPerPixel));
  const width = Math.max(0, ...chosen.map((level) => level.width));
  chosen = levels.map((found) => found.find((level) => level.width >= width) ?? found[found.length - 1]);
  return chosen.filter((level) => level.width === width);
}

/** The sum of the bins [from, to) of several levels of the same width. */
function sumBins(levels, bin) {
  const sum = { count: 0, errors: 0, busy: 0, latency: 0, worstId: 0n };
  for (const level of levels) {
    if (bin >= level.bins) continue;
    if (level.count[bin] > 0 && (sum.count === 0 || level.latency[bin] > sum.latency)) {
      sum.latency = level.latency[bin];
      sum.worstId = level.worstId[bin];
    }
    sum.count += level.count[bin];
    sum.errors += level.errors[bin];
    sum.busy += level.busy[bin];
  }
  return sum;
}

/** Bins in the view: {levels, width, origin, from, to}; null without data. */
export function visibleBins(app, streams) {
  const levels = commonLevels(app, streams);
  if (levels.length === 0) return null;
  const { width, origin, bins } = levels[0];
  const start = Number(app.view.start - app.trace.first) + app.view.fraction;
  const from = Math.max(0, Math.floor((start - origin) / width));
  const to = Math.min(bins, Math.ceil((start + app.view.span - origin) / width));
  return { levels, width, origin, from, to };
}

/** Number of transactions that begin in the visible bins. */
export function countVisible(app, streams) {
  const shown = visibleBins(app, streams);
  if (!shown) return 0;
  let count = 0;
  for (const level of shown.levels) for (let bin = shown.from; bin < shown.to; bin++) count += level.count[bin];
  return count;
}

/** The bin at x coordinate px with its exact interval, or null. */
export function binAt(app, streams, px) {
  const shown = visibleBins(app, streams);
  if (!shown) return null;
  const { trace, view } = app;
  const tick = Number(view.start - trace.first) + view.fraction + px * view.ticksPerPixel;
  const bin = Math.floor((tick - shown.origin) / shown.width);
  if (bin < shown.from || bin >= shown.to) return null;
  const begin = trace.first + BigInt(shown.origin) + BigInt(bin) * BigInt(shown.width);
  return {
    ...sumBins(shown.levels, bin), begin, end: begin + BigInt(shown.width),
    width: shown.width, streams: shown.levels.length,
  };
}

/** Paints the bins of one or several streams into a row. @param weak true: as background of single bars */
export function paintLevels(context, app, streams, y, height, weak = false) {
  const shown = visibleBins(app, streams);
  if (!shown) return;
  const c = colours();
  const { trace, view } = app;
  const start = Number(view.start - trace.first);
  const perTick = view.width / view.span;
  const inner = height - 4 - MARK;
  const bottom = y + height - 2;
  const scale = latencyScale(app, streams, inner);
  const worst = [];
  const errors = [];
  context.fillStyle = weak ? c.densityWeak : c.density;
  let most = 1;
  for (let bin = shown.from; bin < shown.to; bin++) most = Math.max(most, sumBins(shown.levels, bin).count);
  for (let bin = shown.from; bin < shown.to; bin++) {
    const sum = sumBins(shown.levels, bin);
    if (sum.count === 0 && sum.busy === 0) continue;
    context.globalAlpha = weak ? 1 : 0.45 + (0.55 * sum.count) / most;
    const left = (shown.origin + bin * shown.width - start - view.fraction) * perTick;
    const width = shown.width * perTick;
    const share = sum.busy / (shown.width * shown.levels.length);
    const tall = Math.max(share * inner, 1.5);
    context.fillRect(left, bottom - tall, width > 8 ? width - 1 : width + 0.3, tall);
    if (sum.count > 0) worst.push([left, width, bottom - scale(sum.latency)]);
    if (sum.errors > 0) errors.push([left, Math.max(width, 2)]);
  }
  context.globalAlpha = 1;
  if (weak) return;
  context.fillStyle = c.worst;
  for (const [left, width, at] of worst) context.fillRect(left, at - 1, Math.max(width - 0.5, 1), 1.5);
  context.fillStyle = c.error;
  for (const [left, width] of errors) context.fillRect(left, y + 1, width, MARK - 1);
}

/** A function from a latency to a height: logarithmic between the least and the greatest one of the streams. */
function latencyScale(app, streams, inner) {
  let least = Infinity;
  let most = 1;
  for (const stream of streams) {
    for (const g of stream.generators) {
      const generator = app.trace.generators[g];
      if (generator.count === 0) continue;
      least = Math.min(least, Number(generator.min));
      most = Math.max(most, Number(generator.max));
    }
  }
  const low = Math.log(Math.max(least, 1));
  const range = Math.max(Math.log(most) - low, 1e-9);
  return (latency) => {
    const share = most <= Math.max(least, 1) ? 0.5 : (Math.log(Math.max(latency, 1)) - low) / range;
    return 2 + Math.min(Math.max(share, 0), 1) * (inner - 4);
  };
}
