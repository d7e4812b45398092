#!/usr/bin/python3
"""The ends of attached runs: each leaves a valid file, or a file that `ftr recover` makes valid, or
no file and a message. The prototype is endings.cpp. Arguments: attached.py, main()."""

import os
import random

from attached import Attached, Paths, in_both_forms, main, values

WRITTEN = bytes(range(1, 17)).hex()  # data of every write
WITHIN = 30000                       # time of the sixth call, during which some runs end
DELAY = 2000                         # passed with each call
NEVER = (b"ftr: warning: the prototype ended before its simulation started: nothing was "
         b"recorded\n")


@in_both_forms
class Ends(Attached):
    def accesses(self, trace):
        return trace.of(self.stream("sends.socket"))

    def begin(self):
        """Returns the begin of the sixth access."""
        return WITHIN if self.form == "calls" else WITHIN + DELAY

    def recorded(self, trace, ended, unfinished=None, data=WRITTEN[:16]):
        """Checks the accesses: @p ended complete ones, and possibly an unfinished one, with its end and its data."""
        accesses = self.accesses(trace)
        self.assertEqual(len(accesses), ended + (unfinished is not None))
        for tx in accesses[:ended]:
            self.assertEqual(self.access(tx)["response"], "OK")
            self.assertNotIn("unfinished", values(tx))
            if self.form == "accesses":
                self.assertEqual(tx["end"] - tx["begin"], 4000)  # wait(3 ns), and 1 ns more delay
        if unfinished is not None:
            last = self.access(accesses[-1])
            self.assertEqual((accesses[-1]["begin"], accesses[-1]["end"]), (self.begin(), unfinished))
            self.assertTrue(last["unfinished"])
            self.assertEqual((last["address"], last["delay"], last["data"]), (100, DELAY, data))
            self.assertNotIn("response", last)

    def recovered(self):
        """Recovers the trace from the journal, which must be gone afterwards."""
        self.assertTrue(os.path.exists(self.file + ".journal"))
        info = self.command([Paths.ftr, "info", self.file])
        # before the first write, between two writes, or during one
        self.assertRegex(info.stderr, b"the file is empty|was not closed|an incomplete chunk")
        sound = os.path.join(self.folder, "sound.ftr")
        done = self.command([Paths.ftr, "recover", self.file, "-o", sound])
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = self.trace(sound)
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))
        return trace

    def test_that_close_the_file(self):
        ways = {"stop": 5, "exit": 7, "throw": 1, "report": 1, "fork": 5, "fork_within": 5,
                "throw_late": 1, "stop_within": 5}
        for way, status in ways.items():
            with self.subTest(way):
                trace = self.record("endings", way)
                self.recorded(trace, 6)
                run = values(trace.of("ftr.run", "run")[0])
                self.assertEqual((run["exit_status"], run["open_transactions"]), (status, 0))
                self.assertFalse(os.path.exists(self.file + ".journal"))

    def test_within_a_call_of_a_process_that_runs(self):
        for way, end in {"kill": 100000, "exception": 33000, "in_flight": 100000,
                         "exit_within": 33000}.items():
            for variables in ({}, {"FTR_PAYLOAD": "all"}):
                with self.subTest(way, **variables):
                    trace = self.record("endings", way, **variables)
                    self.recorded(trace, 5, end, WRITTEN if variables else WRITTEN[:16])
                    if self.form == "calls":
                        self.timed_twin(trace)

    def timed_twin(self, trace):
        """Checks the unfinished call in the stream of calls with annotated delays."""
        timed = trace.of("sends.socket_bl_timed")[-1]
        self.assertTrue(values(timed)["unfinished"])
        self.assertEqual(timed["begin"], WITHIN + DELAY)

    def test_that_ends_the_program(self):
        for way in ("_exit", "abort", "terminate"):
            with self.subTest(way):
                self.attach("endings", way)
                self.recorded(self.recovered(), 6)

    def test_that_ends_the_program_within_a_call(self):
        """The journal contains the call from its begin."""
        for way in ("_exit_within", "abort_within", "kill_within", "crash_within"):
            for variables in ({}, {"FTR_PAYLOAD": "all"}):
                with self.subTest(way, **variables):
                    self.attach("endings", way, **variables)
                    trace = self.recovered()
                    # Nothing later than the begin was recorded.
                    self.recorded(trace, 5, self.begin(), WRITTEN if variables else WRITTEN[:16])
                    if self.form == "calls":
                        self.assertEqual(len(trace.of("sends.socket_bl_timed")), 5)

    def test_a_kill_within_any_call(self):
        chance = random.Random(3)
        for _ in range(5):
            last = chance.randrange(5000)
            self.attach("endings", "killed", str(last))
            calls = [self.access(tx) for tx in self.accesses(self.recovered())]
            self.assertEqual([call["address"] for call in calls], list(range(last + 1)))
            self.assertEqual(["unfinished" in call for call in calls], [False] * last + [True])

    def test_within_a_nested_call(self):
        """The outer call is unfinished, too, and both are related."""
        self.attach("loosely_timed_bus", "kill")
        trace = self.recovered()
        calls = {tx["id"]: tx for tx in trace.transactions if "unfinished" in values(tx)}
        hops = [self.stream("a.s"), self.stream("bus.out[0]")]
        self.assertEqual(sorted(tx["stream"] for tx in calls.values()), hops)
        self.assertEqual([(calls[r["from"]]["stream"], calls[r["to"]]["stream"])
                          for r in trace.relations if r["from"] in calls], [tuple(hops)])

    def test_before_the_simulation_starts(self):
        for way in ("never", "throw_early"):
            with self.subTest(way):
                self.attach("endings", way, said=NEVER)
                self.assertEqual(os.listdir(self.folder), [])

    def test_the_next_run_recovers_a_killed_run(self):
        self.attach("endings", "kill_within")
        done = self.command([os.path.join(Paths.programs, "endings"), "stop"], FTR_TRACE=self.file)
        self.assertEqual(done.returncode, 5)
        self.recorded(self.trace(), 6)
        others = [name for name in os.listdir(self.folder) if name != "run.ftr"]
        self.assertEqual(len(others), 1, others)
        self.assertIn(others[0].encode(), done.stderr)
        self.recorded(self.trace(os.path.join(self.folder, others[0])), 5, self.begin())

    def test_a_program_that_replaces_the_shell_of_the_run_keeps_earlier_files(self):
        """exec keeps the process id of the shell, in which the run began."""
        program = os.path.join(Paths.programs, "endings")
        self.command(["sh", "-c", '"$0" stop; exec "$0" stop', program], FTR_TRACE=self.file)
        self.assertEqual(len(os.listdir(self.folder)), 2)
        for name in os.listdir(self.folder):
            self.recorded(self.trace(os.path.join(self.folder, name)), 6)


class EndsOfTimedCalls(Attached):
    form = "calls"

    def test_within_a_call_of_the_timed_stream_alone(self):
        trace = self.record("endings", "exception", FTR_EXCLUDE="*_bl")
        timed = trace.of("sends.socket_bl_timed")
        self.assertEqual(len(timed), 6)
        self.assertEqual((timed[-1]["begin"], timed[-1]["end"]), (WITHIN + DELAY, 33000))
        self.assertTrue(values(timed[-1])["unfinished"])


if __name__ == "__main__":
    main()
