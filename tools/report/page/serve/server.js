// Requests to `ftr report --serve`: docs/report-format.md describes them. The page asks only the server that it came from.

/**
 * Requests a part of the run.
 * @returns {Promise<any>} {status, manifest, blocks}; without an answer of the server, status is 0; only status if it refuses
 */
export async function requestTile(name, parameters) {
  const query = new URLSearchParams(parameters);
  try {
    const answer = await fetch(`${name}?${query}`, { cache: "no-store" });
    const { status } = answer;
    if (!answer.ok) return { status };
    const bytes = await answer.arrayBuffer();
    const size = new DataView(bytes).getUint32(0, true);
    const manifest = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)));
    return { status, manifest, blocks: new Map([["tile", new Uint8Array(bytes, 4 + size)]]) };
  } catch {
    return { status: 0 };
  }
}

/** Requests the page again. Returns its document if the run has grown since a revision, null if not, false without an answer. */
export async function requestPage(revision) {
  try {
    const answer = await fetch(`data?revision=${revision}`, { cache: "no-store" });
    if (answer.status === 204) return null;
    if (!answer.ok) return false;
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return false;
  }
}
