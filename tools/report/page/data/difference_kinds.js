// The kinds of differences between two runs.

/** Kinds in the order of their numbers: [name, sign, meaning]. */
export const KINDS = [
  ["deleted", "\u2212", "only in the first file"],
  ["inserted", "+", "only in the second file"],
  ["changed", "\u2260", "attributes differ"],
  ["duration", "\u2194", "longer or shorter"],
  ["moved", "\u21c6", "begins later or earlier; the next one is on time"],
  ["shifted", "\u21a6", "this one and all that follow begin later or earlier"],
];
