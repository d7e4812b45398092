// Follows a run that is still being recorded: asks the server each second whether it has grown.
import { readBlock, readManifest } from "../data/columns.js";
import { Trace } from "../data/trace.js";
import { element } from "../parts/dom.js";
import { requestPage } from "./server.js";

const INTERVAL_MS = 1000;

function showState(text) {
  let note = document.getElementById("live");
  if (!note) {
    note = element("span", { id: "live", class: "chip", role: "status" });
    document.querySelector("nav").append(note);
  }
  note.textContent = text;
}

/** The trace of a page that was requested again. */
async function traceOf(page) {
  const manifest = readManifest(page);
  const blocks = new Map();
  for (const name of ["overview", "transactions"]) blocks.set(name, await readBlock(name, page));
  const trace = new Trace(manifest, blocks);
  trace.load(blocks);
  return trace;
}

/** Keeps the page up to date until the recording has ended. */
export function followRun(app) {
  let { revision, live: isLive } = app.base.manifest.serve;
  const look = async () => {
    const page = await requestPage(revision);
    if (page) {
      const trace = await traceOf(page);
      ({ revision, live: isLive } = trace.manifest.serve);
      app.use(trace, "data");
      document.documentElement.dataset.revision = revision;
    }
    showState(page === false ? "the server does not answer" : isLive ? "\u25cf recording" : "recording ended");
    if (isLive || page === false) setTimeout(look, INTERVAL_MS);
  };
  if (isLive) look();
}
