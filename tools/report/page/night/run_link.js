// Links to what was kept of a run.
import { element, printable } from "../parts/dom.js";

function address(path) {
  return `./${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
}

/** A link to the report of the run or to the trace that was kept, or the name of the file. */
export function runLink(night, run) {
  const name = printable(night.runName(run), 120);
  const file = printable(run.file, 1000);
  if (run.report) return element("a", { href: address(run.report), title: `${file} (opens the report of the run)` }, name);
  if (run.link) return element("a", { href: address(run.link), title: `${file} (the trace is kept)` }, name);
  return element("span", { title: file }, name);
}
