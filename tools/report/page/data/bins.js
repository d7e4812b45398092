// Levels of detail that the program has counted over all transactions, including those that are not in the page.
import { column, columnAsNumbers } from "./columns.js";
import { levelsAbove } from "./levels.js";

/** Levels of one stream from the manifest's `bins`; the finest first. */
export function levelsOfBins(trace, bins, stream, blocks) {
  const factor = Number(trace.tickFactor);
  const width = 2 ** bins.shift * factor;
  // Offset of bin 0 from the first tick of the trace: zero or negative.
  const origin = Number((BigInt(bins.first) << BigInt(bins.shift)) * trace.tickFactor - trace.first);
  const ticks = (described) => {
    const values = columnAsNumbers(blocks, described);
    return factor === 1 ? values : values.map((value) => value * factor);
  };
  return levelsAbove({
    width,
    origin,
    bins: bins.count,
    count: column(blocks, stream.count),
    errors: column(blocks, stream.errors),
    busy: ticks(stream.busy),
    latency: ticks(stream.worst),
    worstId: column(blocks, stream.worst_id),
  });
}
