// The data of the page: a manifest in JSON and blocks of columns, as docs/report-format.md describes them.

const TYPES = {
  u8: [1, Uint8Array],
  u16: [2, Uint16Array],
  u32: [4, Uint32Array],
  u64: [8, BigUint64Array],
  f64: [8, Float64Array],
};

/** Bytes of a base64 text. */
function decodeBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads the manifest of a page. Returns null if the page has none. */
export function readManifest(root = document) {
  const holder = root.getElementById("manifest");
  return holder ? JSON.parse(holder.textContent) : null;
}

/** Expands the block `name` of a page, and releases its text. */
export async function readBlock(name, root = document) {
  const holder = root.getElementById(`block-${name}`);
  if (!holder) return null;
  const bytes = await inflate(decodeBase64(holder.textContent.trim()));
  holder.remove();
  return bytes;
}

/**
 * Values of a column as a typed array.
 * @param blocks a Map from the names of blocks to their bytes
 * @returns {any} an array of the type that the column has
 */
export function column(blocks, description) {
  const { b: block, t: type, o: offset, n: count, d: isDifferences } = description;
  const [size, array] = TYPES[type];
  const from = blocks.get(block);
  if (!from || offset + count * size > from.length) throw new Error(`the block ${block} is too short`);
  const bytes = new Uint8Array(count * size);
  for (let k = 0; k < size; k++) {
    for (let i = 0, at = offset + k * count; i < count; i++) bytes[i * size + k] = from[at + i];
  }
  const values = new array(bytes.buffer);
  if (isDifferences) for (let i = 1; i < count; i++) values[i] += values[i - 1];
  return values;
}

/** A column of 64-bit values as doubles, for drawing. Values from 2^53 on are rounded. */
export function columnAsNumbers(blocks, description) {
  const values = column(blocks, description);
  if (!(values instanceof BigUint64Array)) return values;
  const words = new Uint32Array(values.buffer);
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < numbers.length; i++) numbers[i] = words[2 * i] + words[2 * i + 1] * 4294967296;
  return numbers;
}
