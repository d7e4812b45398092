// The parts of the page about one run, behind the timeline.
import { section } from "../parts/dom.js";
import { addressesPart } from "./addresses.js";
import { flowPart } from "./flow.js";
import { runTable } from "./header.js";
import { latencyPart } from "./latency.js";
import { overTimePart } from "./over_time.js";
import { transactionsPart } from "./transactions.js";

export function runParts(app) {
  return [
    { id: "latency", title: "Latency", make: () => latencyPart(app) },
    { id: "over-time", title: "Over time", make: () => overTimePart(app) },
    { id: "flow", title: "Where the time goes", make: () => flowPart(app) },
    { id: "addresses", title: "Addresses", make: () => addressesPart(app) },
    { id: "transactions", title: "Transactions", make: () => transactionsPart(app) },
    { id: "run", title: "Run", make: () => section("Run", "How the run was started and how it ended, as the recorder wrote it down.", runTable(app.base.manifest)) },
  ];
}
