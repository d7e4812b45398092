// Relations between the transactions of the page, found from either end.

/** Sorts the indices of an array of keys by key: returns `entries`, the sorted indices, and `first`, the place in
 * `entries` at which each key begins. */
function groupBy(keys, keyCount) {
  const first = new Uint32Array(keyCount + 1);
  for (const key of keys) first[key + 1]++;
  for (let k = 0; k < keyCount; k++) first[k + 1] += first[k];
  const next = first.slice(0, keyCount);
  const entries = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) entries[next[keys[i]]++] = i;
  return { first, entries };
}

export class Relations {
  /** @param given columns as the block has them, or null; @param places new index of each old one */
  constructor(given, places) {
    const count = given ? given.names.length : 0;
    this.names = given ? given.names : new Uint32Array(0);
    this.from = new Uint32Array(count);
    this.to = new Uint32Array(count);
    for (let r = 0; r < count; r++) {
      this.from[r] = places[given.from[r]];
      this.to[r] = places[given.to[r]];
    }
    this.count = count;
    this.txCount = places.length;
    this.outgoing = null;
    this.incoming = null;
  }

  /** Relations from transaction i: [{name, other}]; the name is the number of a string. */
  leaving(i) {
    if (this.count === 0) return [];
    this.outgoing ??= groupBy(this.from, this.txCount);
    return this.list(this.outgoing, i, this.to);
  }

  /** Relations to transaction i. */
  arriving(i) {
    if (this.count === 0) return [];
    this.incoming ??= groupBy(this.to, this.txCount);
    return this.list(this.incoming, i, this.from);
  }

  list(groups, i, others) {
    const found = [];
    for (let k = groups.first[i]; k < groups.first[i + 1]; k++) {
      const r = groups.entries[k];
      found.push({ name: this.names[r], other: others[r] });
    }
    return found;
  }
}
