#!/usr/bin/python3
"""The ends of attached runs: each leaves a valid file, or a file that `ftr recover` makes valid, or
no file and a message. The prototype is endings.cpp. Arguments: attached.py, main()."""

import os
import random

from attached import Attached, Paths, main, values

WRITTEN = bytes(range(1, 17)).hex()  # data of every write
WITHIN = 30000                       # begin of the sixth call, during which some runs end
NEVER = (b"ftr: warning: the prototype ended before its simulation started: nothing was "
         b"recorded\n")


class Ends(Attached):
    def recorded(self, trace, ended, unfinished=None):
        """Checks the calls: @p ended complete ones, and possibly an unfinished one."""
        calls = trace.of("sends.socket_bl")
        self.assertEqual(len(calls), ended + (unfinished is not None))
        for tx in calls[:ended]:
            self.assertEqual(values(tx)["trans.response_status"], "tlm::TLM_OK_RESPONSE")
            self.assertNotIn("unfinished", values(tx))
        if unfinished is not None:
            last = values(calls[-1])
            self.assertEqual((calls[-1]["begin"], calls[-1]["end"]), (WITHIN, unfinished))
            self.assertTrue(last["unfinished"])
            self.assertEqual((last["trans.address"], last["start_delay"]), (100, 2000))
            self.assertEqual(last["trans.data"], int.from_bytes(range(1, 9), "little"))
            self.assertNotIn("trans.response_status", last)

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
                    self.recorded(trace, 5, end)
                    timed = trace.of("sends.socket_bl_timed")[-1]
                    self.assertTrue(values(timed)["unfinished"])
                    self.assertEqual(timed["begin"], WITHIN + 2000)
                    last = values(trace.of("sends.socket_bl")[-1])
                    self.assertEqual(last.get("trans.bytes"), WRITTEN if variables else None)

    def test_within_a_call_of_the_timed_stream_alone(self):
        trace = self.record("endings", "exception", FTR_EXCLUDE="*_bl")
        timed = trace.of("sends.socket_bl_timed")
        self.assertEqual(len(timed), 6)
        self.assertEqual((timed[-1]["begin"], timed[-1]["end"]), (WITHIN + 2000, 33000))
        self.assertTrue(values(timed[-1])["unfinished"])

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
                    self.recorded(trace, 5, WITHIN)  # nothing later was recorded
                    self.assertEqual(len(trace.of("sends.socket_bl_timed")), 5)
                    last = values(trace.of("sends.socket_bl")[-1])
                    self.assertEqual(last.get("trans.bytes"), WRITTEN if variables else None)

    def test_a_kill_within_any_call(self):
        chance = random.Random(3)
        for _ in range(5):
            last = chance.randrange(5000)
            self.attach("endings", "killed", str(last))
            calls = [values(tx) for tx in self.recovered().of("sends.socket_bl")]
            self.assertEqual([call["trans.address"] for call in calls], list(range(last + 1)))
            self.assertEqual(["unfinished" in call for call in calls], [False] * last + [True])

    def test_within_a_nested_call(self):
        """The outer call is unfinished, too, and both are related."""
        self.attach("loosely_timed_bus", "kill")
        trace = self.recovered()
        calls = {tx["id"]: tx for tx in trace.transactions if "unfinished" in values(tx)}
        self.assertEqual(sorted(tx["stream"] for tx in calls.values()),
                         ["a.s_bl", "bus.out[0]_bl"])
        self.assertEqual([(calls[r["from"]]["stream"], calls[r["to"]]["stream"])
                          for r in trace.relations if r["from"] in calls],
                         [("a.s_bl", "bus.out[0]_bl")])

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
        self.recorded(self.trace(os.path.join(self.folder, others[0])), 5, WITHIN)

    def test_a_program_that_replaces_the_shell_of_the_run_keeps_earlier_files(self):
        """exec keeps the process id of the shell, in which the run began."""
        program = os.path.join(Paths.programs, "endings")
        self.command(["sh", "-c", '"$0" stop; exec "$0" stop', program], FTR_TRACE=self.file)
        self.assertEqual(len(os.listdir(self.folder)), 2)
        for name in os.listdir(self.folder):
            self.recorded(self.trace(os.path.join(self.folder, name)), 6)


if __name__ == "__main__":
    main()
