// Finds the indices of transactions by their ids. This is a hash table in one typed array, because a Map of a million
// 64-bit ids takes too long to fill.

function hash(low, high) {
  let value = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  value ^= value >>> 15;
  return value >>> 0;
}

export class IdIndex {
  /** @param ids BigUint64Array */
  constructor(ids) {
    this.words = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
    let size = 16;
    while (size < ids.length * 2) size *= 2;
    this.mask = size - 1;
    this.slots = new Int32Array(size).fill(-1);
    for (let i = 0; i < ids.length; i++) {
      let slot = hash(this.words[2 * i], this.words[2 * i + 1]) & this.mask;
      while (this.slots[slot] >= 0) slot = (slot + 1) & this.mask;
      this.slots[slot] = i;
    }
  }

  /** The index of an id (BigInt), or -1. */
  find(id) {
    const low = Number(id & 0xffffffffn);
    const high = Number(id >> 32n);
    let slot = hash(low, high) & this.mask;
    for (; this.slots[slot] >= 0; slot = (slot + 1) & this.mask) {
      const i = this.slots[slot];
      if (this.words[2 * i] === low && this.words[2 * i + 1] === high) return i;
    }
    return -1;
  }
}
