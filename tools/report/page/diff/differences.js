// The list of differences, with exact times in ticks of the common scale.
import { column } from "../data/columns.js";
import { nameInRuns } from "../data/stream_names.js";

export class Differences {
  /** @param manifest of a difference; @param blocks with the block `diff` */
  constructor(manifest, blocks) {
    const { diff } = manifest;
    this.diff = diff;
    this.names = diff.streams.map(({ name }) => diff.list.names.map((generator) => nameInRuns(manifest, name, generator)));
    this.factors = manifest.factor.map(BigInt);
    const read = (name) => column(blocks, diff.list[name]);
    this.kind = read("kind");
    this.stream = read("stream");
    this.generator = read("generator");
    this.time = read("time");
    this.delta = read("delta");
    this.follows = read("follows");
    this.exists = read("exists");
    this.ids = [read("first_id"), read("second_id")];
    this.begins = [read("first_begin"), read("second_begin")];
    this.count = this.kind.length;
  }

  /** The transaction id of a difference on a side (0 or 1), or null. */
  id(d, side) {
    return this.exists[d] & (1 << side) ? this.ids[side][d] : null;
  }

  /** Begin of the transaction on a side in ticks of the common scale. */
  begin(d, side) {
    return this.begins[side][d] * this.factors[side];
  }

  /** The increase of the duration or of the begin in ticks of the common scale; negative if it decreased. */
  change(d) {
    return BigInt.asIntN(64, this.delta[d]);
  }

  name(d) {
    return this.names[this.stream[d]][this.generator[d]];
  }

  /** Marks for the timeline of a side: a Map from the index of a stream to its marks, in order of begin. */
  marks(side, trace) {
    const marks = new Map();
    const key = side === 0 ? "first" : "second";
    for (let d = 0; d < this.count; d++) {
      if (!(this.exists[d] & (1 << side))) continue;
      const stream = this.diff.streams[this.stream[d]][key];
      if (stream === null || stream === undefined) continue;
      if (!marks.has(stream)) marks.set(stream, []);
      const begin = this.begin(d, side);
      marks.get(stream).push({ begin, offset: Number(begin - trace.first), index: trace.find(this.ids[side][d]), kind: this.kind[d], d });
    }
    for (const list of marks.values()) list.sort((a, b) => a.offset - b.offset);
    return marks;
  }
}
