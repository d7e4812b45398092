// Events inside transactions (docs/format.md, "Events"): the transactions of a generator with the suffix `.events`, with
// a relation `parent_of` from the parent of each.
import { valueText } from "./value_text.js";

const SUFFIX = ".events";

/** The index of the parent of each transaction, -1 if it is not an event or its parent is not loaded; null if no
 * transaction is an event. */
export function eventParents(trace) {
  const isEvents = trace.generators.map(({ name }) => name.length > SUFFIX.length && name.endsWith(SUFFIX));
  if (!isEvents.includes(true)) return null;
  const { relations } = trace;
  const parents = new Int32Array(trace.count).fill(-1);
  for (let r = 0; r < relations.count; r++) {
    const event = relations.to[r];
    if (parents[event] >= 0 || event === relations.from[r] || !isEvents[trace.generatorOf[event]]) continue;
    if (trace.attributes.string(relations.names[r]) === "parent_of") parents[event] = relations.from[r];
  }
  return parents;
}

/** True if transaction i is an event that is painted as a mark on the bar of its parent. An event outside of its parent,
 * or of another event, has a bar of its own. */
export function isMark(trace, i) {
  const parent = trace.parents?.[i] ?? -1;
  return parent >= 0 && trace.parents[parent] < 0 && trace.generator(parent).stream === trace.generator(i).stream &&
    trace.begins[i] >= trace.begins[parent] && trace.ends[i] <= trace.ends[parent];
}

/** The events of transaction i, in order of begin. */
export function eventsOf(trace, i) {
  if (!trace.parents) return [];
  const related = new Set(trace.relations.leaving(i).map(({ other }) => other));
  return trace.sortByBegin([...related].filter((e) => trace.parents[e] === i));
}

/** The name of an event; of a transaction without the attribute `name`, the name of its generator. */
export function eventName(trace, i) {
  const name = trace.attributes.of(i).find((a) => a.name === "name" && a.class === "begin");
  return name ? valueText(trace, name) : trace.generator(i).name;
}
