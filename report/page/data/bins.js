// Levels of detail that the C side has counted over all transactions, also over those that are not in the page.
import { column, columnAsNumbers } from "./columns.js";
import { levelsAbove } from "../timeline/levels.js";

/** Levels of one stream from the manifest's `bins`; the finest first. */
export function levelsOfBins(trace, bins, stream, blocks) {
  const width = 2 ** bins.shift;
  // Offset of bin 0 from the first tick of the trace: zero or negative.
  const origin = Number((BigInt(bins.first) << BigInt(bins.shift)) - trace.first);
  return levelsAbove({
    width,
    origin,
    bins: bins.count,
    count: column(blocks, stream.count),
    errors: column(blocks, stream.errors),
    busy: columnAsNumbers(blocks, stream.busy),
    latency: columnAsNumbers(blocks, stream.worst),
    worstId: column(blocks, stream.worst_id),
  });
}
