// A run: its figures, its streams and generators, and the transactions of the page. Transactions are in order of
// stream, then begin, so that each stream is one range of indices.
import { column } from "./columns.js";
import { IdIndex } from "./id_index.js";
import { Attributes } from "./attributes.js";
import { Relations } from "./relations.js";
import { eventParents, isMark } from "./events.js";
import { assignLanes, greatestEnds, lowerBound } from "./lanes.js";
import { buildLevels } from "./levels.js";
import { levelsOfBins } from "./bins.js";

export const ERROR = 1;
export const UNFINISHED = 2;
const MOST_KEPT = 64; // maximum number of lanes that a row has for transactions that are not loaded

/** Sorts stably by stream. The result contains the old index for each new place. */
function orderByStream(streamOf, count, streamCount) {
  const next = new Uint32Array(streamCount + 1);
  for (let i = 0; i < count; i++) next[streamOf[i] + 1]++;
  for (let s = 0; s < streamCount; s++) next[s + 1] += next[s];
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[next[streamOf[i]]++] = i;
  return order;
}

function gather(values, order) {
  const made = new values.constructor(order.length);
  for (let i = 0; i < order.length; i++) made[i] = values[order[i]];
  return made;
}

/** Replaces begins and ends by their ranks among all begins and ends. The ranks are doubles in the same order; they are
 * used if the ticks are too large for doubles. */
function ranks(trace) {
  const all = new BigUint64Array(2 * trace.count);
  for (let i = 0; i < trace.count; i++) {
    all[i] = trace.exactBegins[i];
    all[trace.count + i] = trace.end(i);
  }
  const sorted = all.slice().sort();
  const rank = Float64Array.from(all, (tick) => lowerBound(sorted, tick, 0, sorted.length));
  return [rank.subarray(0, trace.count), rank.subarray(trace.count)];
}

export class Trace {
  /** @param manifest of a run; @param blocks with the block of the first picture */
  constructor(manifest, blocks) {
    this.manifest = manifest;
    this.blocks = blocks;
    this.scale = manifest.time_scale;
    this.tickFactor = BigInt(manifest.tick_factor ?? 1); // number of ticks of the page in one tick of the columns
    this.run = manifest.run;
    this.first = BigInt(manifest.run.first);
    this.last = BigInt(manifest.run.last);
    this.length = Number(this.last - this.first);
    this.isExact = this.last - this.first < 2n ** 53n;
    this.count = 0;
    this.generators = manifest.generators.map((generator, index) => ({ ...generator, index }));
    this.streams = manifest.streams.map((stream, index) => ({
      ...stream, index, from: 0, to: 0, lanes: 1, levels: null,
    }));
    for (const bins of manifest.bins?.streams ?? []) {
      this.streams[bins.stream].binLevels = levelsOfBins(this, manifest.bins, bins, blocks);
    }
    this.colourGenerators();
    this.window = null; // [from, to] if the transactions are those of a part of the run
    this.take(emptyTransactions(), true);
  }

  /** Generators of the same name have the same colour; the busiest names come first. colourNames contains the names in
   * use. */
  colourGenerators() {
    const counts = new Map();
    for (const { name, count } of this.generators) counts.set(name, (counts.get(name) ?? 0) + count);
    const names = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
    const colours = new Map(names.map((name, i) => [name, i]));
    for (const generator of this.generators) generator.colour = colours.get(generator.name);
    this.colourNames = names.filter((name) => counts.get(name) > 0);
  }

  /** Takes the transactions of the expanded block. */
  load(blocks) {
    this.blocks = blocks;
    const described = this.manifest.transactions;
    if (described) this.take(readTransactions(described, blocks, this.tickFactor), described.complete);
  }

  /** Replaces the transactions; they are in order of begin. */
  take(given, isComplete) {
    const streamOf = new Uint32Array(given.generators.length);
    for (let i = 0; i < streamOf.length; i++) streamOf[i] = this.generators[given.generators[i]].stream;
    const order = orderByStream(streamOf, streamOf.length, this.streams.length);
    this.isComplete = isComplete;
    this.count = order.length;
    this.ids = gather(given.ids, order);
    /** @type {BigUint64Array} */
    this.exactBegins = gather(given.begins, order);
    /** @type {BigUint64Array} */
    this.exactDurations = gather(given.durations, order);
    this.generatorOf = gather(given.generators, order);
    this.flags = gather(given.flags, order);
    this.begins = new Float64Array(this.count);
    this.ends = new Float64Array(this.count);
    for (let i = 0; i < this.count; i++) {
      this.begins[i] = Number(this.exactBegins[i] - this.first);
      this.ends[i] = Number(this.exactBegins[i] + this.exactDurations[i] - this.first);
    }
    const places = new Uint32Array(this.count);
    for (let i = 0; i < this.count; i++) places[order[i]] = i;
    this.attributes = new Attributes(given.attributes, order);
    this.relations = new Relations(given.relations, places);
    this.index = null;
    this.parents = eventParents(this);
    this.findRanges(streamOf, order);
  }

  /** A trace with the same figures and other transactions, which are complete in a window of time. */
  withTransactions(described, blocks, window) {
    const made = Object.assign(Object.create(Trace.prototype), this);
    made.streams = this.streams.map((stream) => ({ ...stream }));
    made.window = window;
    made.take(readTransactions(described, blocks), true);
    return made;
  }

  /** A trace with the same figures and only the matches of a search. */
  withMatches(described, blocks) {
    const made = this.withTransactions(described, blocks, null);
    made.isComplete = false;
    return made;
  }

  /** Sorts indices of transactions by begin; if equal, by id. */
  sortByBegin(indices) {
    const { ids, exactBegins: begins } = this;
    return indices.sort((a, b) => {
      const [x, y] = begins[a] === begins[b] ? [ids[a], ids[b]] : [begins[a], begins[b]];
      return x < y ? -1 : x > y ? 1 : a - b;
    });
  }

  findRanges(streamOf, order) {
    this.lane = new Uint8Array(this.count);
    this.greatestEnds = new Float64Array(this.count);
    const [begins, ends] = this.isExact ? [this.begins, this.ends] : ranks(this);
    let from = 0;
    for (const stream of this.streams) {
      let to = from;
      while (to < this.count && streamOf[order[to]] === stream.index) to++;
      stream.from = from;
      stream.to = to;
      stream.lanes = assignLanes(begins, ends, from, to, this.lane, (i) => isMark(this, i));
      if (this.parents) this.putMarksOnParents(from, to);
      // A row keeps its height when other transactions of the stream are loaded.
      if (this.window || !this.isComplete) stream.lanes = Math.max(stream.lanes, Math.min(stream.outstanding, MOST_KEPT));
      greatestEnds(this.ends, from, to, this.greatestEnds);
      stream.levels = null;
      from = to;
    }
  }

  putMarksOnParents(from, to) {
    for (let i = from; i < to; i++) if (isMark(this, i)) this.lane[i] = this.lane[this.parents[i]];
  }

  /** Levels of detail of a stream, the finest first. @param view if finer levels that cover this view are loaded,
   * returns those */
  levels(stream, view = null) {
    if (view && stream.finer && stream.finer.from <= view.start && stream.finer.to >= view.end) return stream.finer.levels;
    if (this.window || !this.isComplete || !this.isExact || this.count === 0) return stream.binLevels ?? [];
    stream.levels ??= buildLevels(this, stream.from, stream.to);
    return stream.levels;
  }

  isError(i) {
    return (this.flags[i] & ERROR) !== 0;
  }

  isUnfinished(i) {
    return (this.flags[i] & UNFINISHED) !== 0;
  }

  begin(i) {
    return this.exactBegins[i];
  }

  end(i) {
    return this.exactBegins[i] + this.exactDurations[i];
  }

  duration(i) {
    return this.exactDurations[i];
  }

  generator(i) {
    return this.generators[this.generatorOf[i]];
  }

  stream(i) {
    return this.streams[this.generator(i).stream];
  }

  /** The index of a transaction id (BigInt), or -1 if it is not in the page. */
  find(id) {
    this.index ??= new IdIndex(this.ids);
    return this.index.find(id);
  }
}

function emptyTransactions() {
  return {
    ids: new BigUint64Array(0),
    begins: new BigUint64Array(0),
    durations: new BigUint64Array(0),
    generators: new Uint32Array(0),
    flags: new Uint8Array(0),
    attributes: null,
    relations: null,
  };
}

function times(blocks, described, factor) {
  const ticks = column(blocks, described);
  return factor === 1n ? ticks : ticks.map((tick) => tick * factor);
}

/** Reads the columns of the manifest's `transactions`. Times are multiplied by @p factor. */
export function readTransactions(described, blocks, factor = 1n) {
  return {
    ids: column(blocks, described.id),
    begins: times(blocks, described.begin, factor),
    durations: times(blocks, described.duration, factor),
    generators: column(blocks, described.generator),
    flags: column(blocks, described.flags),
    attributes: {
      first: column(blocks, described.attribute_first),
      names: column(blocks, described.attributes.name),
      classes: column(blocks, described.attributes.class),
      types: column(blocks, described.attributes.type),
      forms: column(blocks, described.attributes.form),
      values: column(blocks, described.attributes.value),
      ends: column(blocks, described.strings.end),
      bytes: column(blocks, described.strings.bytes),
    },
    relations: {
      names: column(blocks, described.relations.name),
      from: column(blocks, described.relations.from),
      to: column(blocks, described.relations.to),
    },
  };
}

