// The start of the page: reads the manifest and shows the page for its kind.
import { element, fill } from "./parts/dom.js";
import { readManifest } from "./data/columns.js";
import { showDiff } from "./diff/diff_page.js";
import { showNight } from "./night/night_page.js";
import { showRun } from "./run/run_page.js";

const FORMAT = 1;
const PAGES = { run: showRun, campaign: showNight, diff: showDiff };

async function start() {
  const page = document.getElementById("page");
  try {
    const manifest = readManifest();
    if (!manifest) throw new Error("this file is the empty page without data; `ftr report RUN.ftr -o RUN.html` makes a report");
    if (manifest.format !== FORMAT || !PAGES[manifest.kind]) {
      throw new Error(`the data have format ${manifest.format}, kind ${manifest.kind}; this page shows format ${FORMAT}`);
    }
    await PAGES[manifest.kind](page, manifest);
    document.documentElement.dataset.state = "ready";
  } catch (error) {
    document.documentElement.dataset.state = "failed";
    fill(page, element("p", { class: "problem", role: "alert" }, `This report cannot be shown: ${error.message}`));
    console.error(error);
  }
}

start();
