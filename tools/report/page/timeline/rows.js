// Streams as rows of their hierarchy. The dots of the names are the levels; a level with a single child is joined with it.

/** A node has a label, the full name of its level, children, and the stream of exactly this name, if there is one. */
function makeNode(label, name) {
  return { label, name, children: new Map(), stream: null };
}

function insert(root, stream) {
  let node = root;
  const parts = stream.name.split(".");
  for (let i = 0; i < parts.length; i++) {
    let child = node.children.get(parts[i]);
    if (!child) {
      child = makeNode(parts[i], parts.slice(0, i + 1).join("."));
      node.children.set(parts[i], child);
    }
    node = child;
  }
  // If two streams have the same name, the second one gets a node of its own.
  if (node.stream) node.children.set(`\u0000${stream.index}`, { ...makeNode("", stream.name), stream });
  else node.stream = stream;
  if (stream.link) node.label = withoutModules(stream.link, parts.slice(0, -2)); // instead of a name that SystemC generated
}

/** The label of a link below the row of its module: without the modules around this module. */
function withoutModules(label, modules) {
  const around = modules.length > 0 ? `${modules.join(".")}.` : "";
  return label.startsWith(around) ? label.slice(around.length) : label;
}

function join(node) {
  node.children = [...node.children.values()].map(join);
  if (node.children.length === 1 && !node.stream && node.name !== null) {
    const child = node.children[0];
    return { ...child, label: child.stream?.link ?? `${node.label}.${child.label}` };
  }
  return node;
}

/** All streams at and below a node. */
function streamsOf(node, found = []) {
  if (node.stream) found.push(node.stream);
  for (const child of node.children) streamsOf(child, found);
  return found;
}

/** Builds the tree of streams. */
export function buildTree(streams) {
  const root = makeNode("", null);
  for (const stream of streams) insert(root, stream);
  return join(root);
}

const LEAST_LANE = 14;
const GREATEST_LANE = 22;
const LEAST_HEIGHT = 24;
const LEAST_HEIGHT_OF_MANY = 40; // of a row with more than MANY transactions, which are painted as bins at low zoom
const MANY = 2000;
const GREATEST_HEIGHT = 130;
const GREATEST_HEIGHT_OF_MARKS = 56;
const FOLDER_HEIGHT = 22;
const FOLDED_HEIGHT = 34;

function rowHeight(stream, lane) {
  const least = stream.count > MANY ? LEAST_HEIGHT_OF_MANY : LEAST_HEIGHT;
  // Marks without a duration that are stacked at one time need less room than bars.
  const most = stream.outstanding <= 2 ? GREATEST_HEIGHT_OF_MARKS : GREATEST_HEIGHT;
  return Math.min(Math.max(stream.lanes * lane + 6, least), most);
}

/** The height of a lane with which few streams fill @p room pixels, within limits. */
export function laneHeight(streams, room) {
  let lanes = 0;
  for (const stream of streams) lanes += stream.lanes;
  return Math.min(Math.max(Math.floor((room * 0.8) / Math.max(lanes, 1)), LEAST_LANE), GREATEST_LANE);
}

/** The visible rows for a set of folded names, with their vertical positions. */
export function layoutRows(tree, folded, lane) {
  const rows = [];
  let y = 0;
  function put(node, depth) {
    const isFolder = node.children.length > 0;
    const isFolded = isFolder && folded.has(node.name);
    const streams = isFolded ? streamsOf(node) : node.stream ? [node.stream] : [];
    const height = isFolded ? FOLDED_HEIGHT : node.stream ? rowHeight(node.stream, lane) : FOLDER_HEIGHT;
    rows.push({ node, depth, isFolder, isFolded, streams, y, height, isSingle: !isFolded && node.stream !== null });
    y += height;
    if (isFolder && !isFolded) for (const child of node.children) put(child, depth + 1);
  }
  for (const child of tree.children) put(child, 0);
  return { rows, height: y };
}

/** The row at a vertical position, or null. */
export function rowAt(rows, y) {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (y < row.y) high = middle - 1;
    else if (y >= row.y + row.height) low = middle + 1;
    else return row;
  }
  return null;
}
