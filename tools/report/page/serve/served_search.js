// Search among all transactions of the file, by the server. Each request continues the search for a short time, so that
// the search ends when the page sends no more requests.
import { requestTile } from "./server.js";

export const ENDED = "the server has ended this search";

/**
 * Searches the file. @p condition is the text of the search field. @p showProgress receives the number of tested
 * transactions and what was found so far: {count, shown, trace} or, if the matches of the former call are still the first
 * ones, only {count}.
 * @returns {Promise<any>} {count, shown, trace, revision} with a trace of the first matches; {problem}; null if isOld() is true
 */
export async function searchFile(base, condition, isOld, showProgress) {
  let parameters = [["condition", condition]];
  for (;;) {
    const answer = await requestTile("search", parameters);
    if (isOld()) return null;
    if (!answer.manifest) return { problem: problemOf(answer.status), count: 0, shown: [] };
    const { number, revision, complete, tested, count } = answer.manifest.search;
    const isOutdated = revision !== base.manifest.serve.revision;
    if (complete) return isOutdated ? { isOutdated, count, shown: [] } : { count, ...matchesOf(base, answer) };
    const isNew = answer.manifest.transactions.count > 0 && !isOutdated;
    showProgress(tested, { count, ...(isNew ? matchesOf(base, answer) : {}) });
    parameters = [["number", String(number)]];
  }
}

/** The first matches of an answer, in a trace of their own. */
function matchesOf(base, { manifest, blocks }) {
  const trace = base.withMatches(manifest.transactions, blocks);
  return { shown: trace.sortByBegin(Array.from(trace.ids.keys())), trace };
}

function problemOf(status) {
  if (status === 410) return ENDED;
  if ([400, 413, 414, 431].includes(status)) return "this search is too long for the server";
  return status === 0 ? "the server does not answer" : "the server could not read the file";
}
