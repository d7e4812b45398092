// Detail on demand: for a narrow view, the server sends all transactions in the view; for a wider view, it sends finer
// bins.
import { levelsOfBins } from "../data/bins.js";
import { countVisible } from "../timeline/paint_levels.js";
import { requestTile } from "./server.js";

const WAIT_MS = 120; // after the last change of the view
const MOST_TRANSACTIONS = 20000;
const MOST_BINS = 4096;

/** Begin and end of the view, widened by half of it on both sides, inside the run. */
function widened({ view, base }) {
  const half = BigInt(Math.ceil(view.span / 2));
  const from = view.start - half;
  const to = view.end + half;
  return [from < base.first ? base.first : from, to > base.last ? base.last : to];
}

function covers(window, { view, base }) {
  if (!window) return false;
  const [from, to] = window;
  return (from <= view.start || from <= base.first) && (to >= view.end || to >= base.last);
}

async function loadTransactions(app) {
  const [from, to] = widened(app);
  const { base } = app;
  const answer = await requestTile("transactions", { from, to, limit: MOST_TRANSACTIONS });
  if (!answer.manifest || answer.manifest.more || app.base !== base) return;
  app.use(base.withTransactions(answer.manifest.transactions, answer.blocks, [from, to]));
}

async function loadBins(app) {
  const [from, to] = widened(app);
  const { base } = app;
  const answer = await requestTile("bins", { from, to, count: MOST_BINS });
  if (!answer.manifest || app.base !== base) return;
  const { bins } = answer.manifest;
  for (const one of bins.streams) {
    const finer = { from, to, levels: levelsOfBins(base, bins, one, answer.blocks) };
    base.streams[one.stream].finer = finer;
    app.trace.streams[one.stream].finer = finer;
  }
  app.changed("detail");
}

/** Loads what the view needs and the page does not have. */
async function load(app) {
  const { base, trace, view } = app;
  if (base.isComplete && base.isExact) return;
  if (trace.window && covers(trace.window, app)) return;
  const rest = app.traceWithSelection();
  if (trace !== rest) app.use(rest);
  if (countVisible(app, base.streams) * 2 <= MOST_TRANSACTIONS) {
    await loadTransactions(app);
    return;
  }
  const finest = Math.min(...base.streams.map((stream) => base.levels(stream, view)[0]?.width ?? Infinity));
  if (finest > 4 * view.ticksPerPixel && finest !== Infinity) await loadBins(app);
}

/** Loads detail after each change of the view; one request at a time. */
export function listenForDetail(app) {
  let timer = 0;
  let isBusy = false;
  const start = async () => {
    timer = 0;
    if (isBusy) {
      timer = setTimeout(start, WAIT_MS);
      return;
    }
    isBusy = true;
    await load(app);
    isBusy = false;
  };
  app.listen((change) => {
    if (change !== "view" && change !== "data" && change !== "search") return;
    clearTimeout(timer);
    timer = setTimeout(start, WAIT_MS);
  });
}
