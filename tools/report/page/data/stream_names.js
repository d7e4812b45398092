// Names of streams and generators for people. `ftr report` computes the label of a link (figures/runs/link_names.h).

/** The label of a stream's link, or the name of the stream. */
export function streamName(stream) {
  return stream.link ?? stream.name;
}

/** The full name of a generator of a stream. */
export function nameOf(stream, name) {
  return stream.link ? `${stream.link} ${name}` : `${stream.name}.${name}`;
}

/** The full name of a generator. */
export function generatorName(trace, generator) {
  return nameOf(trace.streams[generator.stream], generator.name);
}

/** The full name of a generator in the manifest of a difference, of which both runs have the streams. */
export function nameInRuns(manifest, stream, generator) {
  const found = [manifest.first, manifest.second].map((run) => run.streams.find(({ name }) => name === stream));
  return nameOf(found.find((one) => one?.link) ?? { name: stream }, generator);
}

/** The name of a stream, and its label if it has one, as a tooltip. */
export function streamTitle(stream) {
  const ends = stream.initiator && stream.target ? `${stream.initiator} \u2192 ${stream.target}` : "";
  return ends && ends !== stream.name ? `${stream.name}\n${ends}` : stream.name;
}
