// The data of a campaign, with the columns of its runs and generators.
import { column } from "../data/columns.js";

export class Night {
  constructor(manifest, blocks) {
    this.manifest = manifest;
    this.blocks = blocks;
    this.scale = manifest.time_scale;
    this.runs = manifest.runs.map((run, index) => ({ ...run, index }));
    this.generators = manifest.generators.map((generator, index) => ({ ...generator, index, colour: 0 }));
    this.show = () => {};
  }

  column(description) {
    return column(this.blocks, description);
  }

  /** Short name of a run: its tags; without tags, its file. */
  runName(run) {
    const tags = new Map(run.attributes).get("tags");
    return tags || run.file;
  }

  /** Figures of a generator in each run that has it: [{run, count, p50, p99, max, errors, bytes}], in ticks of the night. */
  byRun(generator) {
    const columns = {};
    for (const [name, description] of Object.entries(generator.by_run)) columns[name] = this.column(description);
    return Array.from(columns.run, (run, i) => {
      const row = {};
      for (const name of Object.keys(columns)) row[name] = columns[name][i];
      return { ...row, run: this.runs[run] };
    });
  }
}
