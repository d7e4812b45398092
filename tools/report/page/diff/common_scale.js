// Converts the run of one side of a comparison to ticks of the common scale. All times of a file with a coarser scale
// are multiplied by a power of ten.

const RUN_TIMES = ["first", "last"];
const GENERATOR_TIMES = ["min", "mean", "p50", "p90", "p99", "max", "sum", "first", "last", "busy"];
const SLOWEST_TIMES = ["begin", "latency"];

function scaled(object, names, factor) {
  const made = { ...object };
  for (const name of names) if (made[name] !== undefined) made[name] = String(BigInt(made[name]) * factor);
  return made;
}

/** A manifest of a run with all its times in ticks of @p scale. The columns keep their own ticks. */
export function inCommonScale(manifest, factor, scale) {
  if (factor === 1n) return manifest;
  return {
    ...manifest,
    time_scale: scale,
    tick_factor: String(factor),
    run: scaled(manifest.run, RUN_TIMES, factor),
    generators: manifest.generators.map((generator) => ({
      ...scaled(generator, GENERATOR_TIMES, factor),
      slowest: generator.slowest.map((s) => scaled(s, SLOWEST_TIMES, factor)),
    })),
  };
}
