#!/usr/bin/python3
"""Attaches to the prototypes in this folder and compares the recording with their activity:
transactions per stream (streams.json), the attributes of accesses, the prototypes' own output with
and without ftr, and the effect of preloading on other processes. Arguments: attached.py, main()."""

import json
import os
import re
import subprocess
import sys

from attached import Attached, Paths, in_both_forms, main, streams_of, values


@in_both_forms
class Counts(Attached):
    """The accesses, or calls, of each socket, under its own name."""

    def check(self, name, **variables):
        expected = streams_of(name, self.form)
        trace = self.record(name, **variables)
        self.assertEqual(trace.counts(), expected["streams"])
        relations = {}
        for relation in trace.relations:
            relations[relation["name"]] = relations.get(relation["name"], 0) + 1
        self.assertEqual(relations, expected["relations"])
        return trace

    def test_loosely_timed_bus(self):
        self.check("loosely_timed_bus")

    def test_approximately_timed(self):
        self.check("approximately_timed")

    def test_decoupled(self):
        trace = self.check("decoupled")
        for link in ("host.socket", "other.socket"):
            ahead = [self.access(tx).get("delay", 0) for tx in trace.of(self.stream(link))]
            self.assertGreater(max(ahead), 50000, link)  # of a quantum of 100 ns

    def test_sockets(self):
        self.check("sockets")

    def test_runs_with_other_recording_options_are_equal(self):
        others = []
        for number, variables in enumerate(({}, {"FTR_COMPRESS": "none"}, {"FTR_COMPRESS": "lz4hc"})):
            self.attach("loosely_timed_bus", **variables)
            others.append(os.path.join(self.folder, f"run{number}.ftr"))
            os.rename(self.file, others[-1])
        others.append(os.path.join(self.folder, "cut.ftr"))
        subprocess.run([Paths.ftr, "cut", "--quiet", "-o", others[-1], others[0]], check=True)
        for other in others:
            diff = subprocess.run([Paths.ftr, "diff", others[0], other], capture_output=True, check=False)
            self.assertEqual((diff.returncode, diff.stdout, diff.stderr), (0, b"", b""), other)

    def test_recorders_placed_by_hand(self):
        trace = self.record("inline_recorder")
        totals = {stream: sum(generators.values()) for stream, generators in trace.counts().items()}
        for link in ("probe", "sends_packets.socket", "receives_packets.socket"):
            self.assertEqual(totals[self.stream(link)], 10)
        extension, kinds = {
            "accesses": ("burst.length", {"sends_packets.socket": "TLM", "probe": "TLM"}),
            "calls": ("trans.burst.length", {"sends_packets.socket_bl": "[TLM][custom-protocol][b]",
                                             "probe_bl_timed": "[TLM][base-protocol][b][timed]"})}[self.form]
        self.assertEqual([values(tx)[extension] for tx in trace.of(self.stream("probe"))], list(range(10)))
        self.assertEqual({stream: trace.streams[stream] for stream in kinds}, kinds)


@in_both_forms
class Example(Attached):
    """sc_examples/riscv_platform, compared with its own output."""

    def run_platform(self, **variables):
        attached = self.attach("../riscv_platform", **variables)
        said = re.search(rb"(\d+) instructions, (\d+) loads, (\d+) stores", attached.stdout)
        self.assertIn(b"\n136\n", b"\n" + attached.stdout)
        return [int(number) for number in said.groups()], self.trace().counts()

    def test_riscv_platform(self):
        (_, loads, stores), counts = self.run_platform()
        self.assertEqual(counts[self.stream("cpu.data")], {"read": loads, "write": stores})
        self.assertEqual(counts[self.stream("bus.out[1]")], {"write": len("136\n")})
        self.assertEqual(counts[self.stream("cpu.fetches")], {"read": 1})  # afterwards it uses a pointer
        self.assertEqual(counts["cpu.fetches_dmi" if self.form == "calls" else "cpu.fetches/dmi"], {"get": 1})

    def test_denied_dmi_shows_every_fetch(self):
        command = [os.path.join(Paths.programs, "../riscv_platform")]
        done = self.command(command, FTR_TRACE=self.file, FTR_DMI="deny")
        instructions = int(re.search(rb"(\d+) instructions", done.stdout)[1])
        self.assertEqual(self.trace().counts()[self.stream("cpu.fetches")], {"read": instructions})


class Blocking(Attached):
    def test_hops_are_related_from_the_initiator_to_the_target(self):
        trace = self.record("loosely_timed_bus")
        streams = {tx["id"]: tx["stream"] for tx in trace.transactions}
        hops = [(streams[r["from"]], streams[r["to"]].split("[")[0]) for r in trace.relations]
        self.assertEqual(sorted(set(hops)), [("a.s", "bus.out"), ("b.s", "bus.out")])
        self.assertEqual(len(hops), 200)

    def test_an_access_has_its_effective_times_and_the_values_of_its_request(self):
        trace = self.record("loosely_timed_bus")
        last = trace.of("a.s", "read")[-1]
        self.assertEqual(values(last), {"address": 0x1060, "length": 4, "delay": 99000,  # the bus changes the address
                                        "data": "62000000", "response": "OK"})
        called = last["begin"] - 99000  # the memory waits for the delay and 1 ns of the bus, and adds 5 ns
        self.assertEqual(last["end"], called + 99000 + 1000 + 5000)

    def test_the_delay_can_be_omitted(self):
        told, omitted = (self.record("loosely_timed_bus", FTR_TLM_DELAY=setting) for setting in ("1", "0"))
        self.assertEqual(len([tx for tx in told.transactions if "delay" in values(tx)]), 2 * 99 + 200)
        self.assertEqual([tx for tx in omitted.transactions if "delay" in values(tx)], [])
        self.assertEqual([(tx["begin"], tx["end"]) for tx in omitted.of("a.s")],
                         [(tx["begin"], tx["end"]) for tx in told.of("a.s")])

    def test_data_is_captured_in_part_or_completely(self):
        for setting, expected in (("0", None), ("2", 2), ("8", 8), ("12", 12), ("all", 16)):
            trace = self.record("endings", "stop", FTR_PAYLOAD=setting)
            found = values(trace.of("sends.socket")[0])
            self.assertEqual(found.get("data"), expected and bytes(range(1, expected + 1)).hex(), setting)

    def test_data_of_any_length(self):
        """Short data is in the slot of the transaction, longer data beside it."""
        for size in (9, 17, 64, 96, 97, 113, 255, 256, 1024, 65536):
            calls = 20 if size == 65536 else 300
            for variables in ({}, {"FTR_PROTOCOL": "check"}):
                trace = self.record("cost", str(calls), "1", "blocking", str(size), FTR_PAYLOAD="all", **variables)
                for link in ("calls.socket", "hop_0.out"):
                    accesses = trace.of(link)
                    self.assertEqual(len(accesses), calls)
                    for tx in accesses:
                        found = values(tx)
                        number = (found["address"] // 8).to_bytes(8, "little")
                        data = number + bytes(7 * i % 256 for i in range(8, size))
                        self.assertEqual((found["data"], found["length"], found["response"]), (data.hex(), size, "OK"))

    def test_accesses_that_last_until_the_window(self):
        """The third one begins long before the window, and is recorded at its end."""
        for data in ({}, {"FTR_PAYLOAD": "all"}):
            trace = self.record("cost", "10", "1", "slow", FTR_START="100us", **data)
            socket, hop = (trace.of(link) for link in ("calls.socket", "hop_0.out"))
            for accesses in (socket, hop):
                self.assertEqual([(tx["begin"], tx["end"]) for tx in accesses],
                                 [(40000000 * i, 40000000 * (i + 1)) for i in range(2, 10)])
                for i, tx in enumerate(accesses, 2):
                    self.assertEqual(tx["generator"], ("write", "read")[i % 2])
                    self.assertEqual(values(tx), {"address": 8 * i, "length": 8, "response": "OK",
                                                  "data": i.to_bytes(8, "little").hex()})
            self.assertEqual(sorted((r["from"], r["to"]) for r in trace.relations),
                             sorted((a["id"], b["id"]) for a, b in zip(socket[1:], hop[1:])))

    def test_calls_that_last_until_the_window(self):
        trace = self.record("cost", "10", "1", "slow", FTR_START="100us", FTR_TLM="calls")
        for stream in ("calls.socket_bl", "hop_0.out_bl", "calls.socket_bl_timed", "hop_0.out_bl_timed"):
            self.assertEqual([tx["begin"] for tx in trace.of(stream)], [40000000 * i for i in range(2, 10)])

    def test_accesses_after_the_window_are_not_recorded(self):
        for form, suffix in (("accesses", ""), ("calls", "_bl")):
            trace = self.record("cost", "10", "1", "slow", FTR_STOP="100us", FTR_TLM=form)
            for link in ("calls.socket", "hop_0.out"):
                self.assertEqual([(tx["begin"], tx["end"]) for tx in trace.of(link + suffix)],
                                 [(40000000 * i, 40000000 * (i + 1)) for i in range(3)])

    def test_other_calls_are_recorded_if_these_are_excluded(self):
        """The first excluded call replaces the observer of its link."""
        every = self.record("sockets", FTR_DEBUG_TRANSPORT="1").counts()
        others = "top.dmi.socket.dmi,top.dmi.socket.debug"
        trace = self.record("sockets", FTR_DEBUG_TRANSPORT="1", FTR_INCLUDE=others)
        # The dot is replaced only if the stream of the link is in the file.
        self.assertEqual(trace.counts(), {stream.replace("/", "."): counts for stream, counts in every.items()
                                          if "/" in stream})
        self.assertEqual(set(trace.counts()), set(others.split(",")))
        trace = self.record("sockets", FTR_EXCLUDE="top.plain.l*,top.cores_1.socket", FTR_DEBUG_TRANSPORT="1")
        self.assertEqual(trace.counts(), {stream: counts for stream, counts in every.items()
                                          if stream not in ("top.plain.left", "top.cores_1.socket")})

    def test_a_pattern_that_matches_a_link_covers_its_other_streams(self):
        covered = {"top.dmi.socket", "top.dmi.socket/dmi", "top.dmi.socket/debug"}
        trace = self.record("sockets", FTR_DEBUG_TRANSPORT="1", FTR_INCLUDE="top.dmi.socket")
        self.assertEqual(set(trace.counts()), covered)
        trace = self.record("sockets", FTR_DEBUG_TRANSPORT="1", FTR_EXCLUDE="top.dmi.socket")
        self.assertEqual([stream for stream in trace.counts() if stream.startswith("top.dmi")], [])
        self.assertIn("top.plain.left", trace.counts())

    def test_byte_enables_are_recorded_as_far_as_the_data(self):
        for setting, mask in (("0", None), ("2", "ff00"), ("8", "ff00ffff")):
            trace = self.record("sockets", FTR_PAYLOAD=setting)
            for stream in ("top.cores_0.socket", "top.plain.left"):
                found = [values(tx).get("byte_enable") for tx in trace.of(stream, "write")]
                self.assertEqual(found, [None, mask] + [None] * 8, (setting, stream))


class Phases(Attached):
    def first(self, trace, link):
        """Returns begin, end and attributes of the first access of a link."""
        tx = trace.of(link)[0]
        return tx["begin"], tx["end"], values(tx)

    def test_four_phases(self):
        self.assertEqual(self.first(self.record("approximately_timed"), "i_four.socket"),
                         (2000, 13000, {"address": 0, "length": 8, "delay": 2000, "data": "00" * 8, "response": "OK",
                                        "request_time": 0, "response_time": 1000}))

    def test_the_request_ends_with_the_response_when_end_req_is_skipped(self):
        begin, end, found = self.first(self.record("approximately_timed"), "i_skip.socket")
        self.assertEqual((begin, end, found["request_time"], found["response_time"]), (2000, 13000, 10000, 1000))

    def test_early_completion_has_no_phases(self):
        trace = self.record("approximately_timed")
        for link in ("i_early.socket", "b_early.out"):
            accesses = trace.of(link)
            self.assertEqual(len(accesses), 20)
            for tx in accesses:
                found = values(tx)
                self.assertEqual(tx["end"] - tx["begin"], 7000)
                number = found["address"] // 8
                data = found["address"] + 1 if tx["generator"] == "read" else number
                self.assertEqual(found, {"address": number * 8, "length": 8, "delay": 2000, "response": "OK",
                                         "data": data.to_bytes(8, "little").hex()})

    def test_returned_phases_are_phases(self):
        _, _, found = self.first(self.record("approximately_timed"), "i_update.socket")
        self.assertEqual(found["request_time"], 1000)

    def test_extended_phases_are_counted_by_name(self):
        trace = self.record("approximately_timed")
        self.assertEqual(trace.streams["i_grant.socket/phases"], "TLM phases")
        accesses = {tx["id"]: tx for tx in trace.of("i_grant.socket")}
        parents = {r["to"]: r["from"] for r in trace.relations if r["name"] == "PARENT_CHILD"}
        phases = trace.of("i_grant.socket/phases", "GRANT")
        self.assertEqual(len(phases), 20)
        for phase in phases:
            access = accesses[parents[phase["id"]]]
            self.assertEqual((phase["begin"], phase["end"]), (access["begin"], access["begin"]))
            self.assertEqual(values(phase)["address"], values(access)["address"])

    def test_phases_can_be_events(self):
        trace = self.record("approximately_timed", FTR_PHASES="events")
        self.assertNotIn("i_grant.socket/phases", trace.streams)
        events = {tx["id"]: tx for tx in trace.transactions if tx["generator"].endswith(".events")}
        of = {}
        for relation in trace.relations:
            if relation["name"] == "parent_of":
                of.setdefault(relation["from"], []).append(events.pop(relation["to"]))
        self.assertEqual(events, {})  # each event has a parent
        for tx in trace.transactions:
            if tx["stream"] == "i_grant.socket" and tx["id"] in of:
                self.assertEqual([(e["generator"], values(e)["name"], e["begin"], e["end"]) for e in of[tx["id"]]],
                                 [(tx["generator"] + ".events", name, tx["begin"] + after, tx["begin"] + after)
                                  for name, after in (("BEGIN_REQ", 0), ("GRANT", 0), ("END_REQ", 0),
                                                      ("BEGIN_RESP", 10000), ("END_RESP", 11000))])

    def test_buffers_keep_all_attributes(self):
        """The kinds of buffers have different calls for the steps of an access."""
        alone, buffered = (sorted(self.record("approximately_timed", **variables).transactions, key=str)
                           for variables in ({}, {"FTR_BUFFERS": "all=linear,1M,*"}))
        accesses, same = ([(tx["stream"], tx["begin"], tx["end"], values(tx)) for tx in of
                           if not tx["stream"].startswith("ftr.")] for of in (alone, buffered))
        self.assertEqual(accesses, same)
        self.assertGreater(len(accesses), 200)

    def test_every_request_is_answered(self):
        trace = self.record("approximately_timed")
        for tx in trace.transactions:
            self.assertNotIn("unfinished", values(tx))


class Dmi(Attached):
    def test_granted_regions_are_recorded(self):
        trace = self.record("sockets")
        self.assertEqual(trace.streams["top.dmi.socket/dmi"], "TLM DMI")
        self.assertEqual(values(trace.of("top.dmi.socket/dmi", "get")[0]),
                         {"command": "WRITE", "address": 0x100, "granted": True, "start_address": 0x100,
                          "end_address": 0x1ff, "access": "READ_WRITE", "read_latency": 0, "write_latency": 0})
        self.assertEqual(values(trace.of("top.dmi.socket/dmi", "invalidate")[0]),
                         {"start_address": 0x100, "end_address": 0x1ff})
        self.assertEqual([values(tx).get("dmi_allowed") for tx in trace.of("top.dmi.socket")], [True, True])

    def test_denied_dmi_shows_all_traffic(self):
        command = [os.path.join(Paths.programs, "sockets")]
        denied = self.command(command, FTR_TRACE=self.file, FTR_DMI="deny")
        self.assertEqual(denied.returncode, 0)
        trace = self.trace()
        self.assertEqual(len(trace.of("top.dmi.socket")), 10)
        get = values(trace.of("top.dmi.socket/dmi", "get")[0])
        self.assertEqual((get["granted"], get["access"]), (False, "NONE"))

    def test_debug_transport_is_recorded_on_request(self):
        self.assertNotIn("top.dmi.socket/debug", self.record("sockets").streams)
        trace = self.record("sockets", FTR_DEBUG_TRANSPORT="1")
        self.assertEqual(trace.streams["top.dmi.socket/debug"], "TLM debug")
        self.assertEqual(values(trace.of("top.dmi.socket/debug", "write")[0]),
                         {"address": 0x100, "length": 8, "data": "00" * 8, "transported": 8, "response": "OK"})


class Runs(Attached):
    def test_a_run_is_identified(self):
        trace = self.record("endings", "exit")
        start = values(trace.of("ftr.run", "start")[0])
        self.assertEqual(start["program"], os.path.join(Paths.programs, "endings"))
        self.assertEqual(start["arguments"], "exit")
        self.assertEqual(start["resolution"], "1 ps")
        run = values(trace.of("ftr.run", "run")[0])
        self.assertEqual(run["exit_status"], 7)
        self.assertEqual(run["transactions.sends.socket"], 6)
        told = self.command([Paths.ftr, "info", "--json", self.file])
        said = json.loads(told.stdout)
        self.assertEqual(said["transactions"], len(trace.transactions))
        self.assertEqual(said["run"]["exit_status"], 7)

    def test_run_information_can_be_omitted(self):
        self.assertNotIn("ftr.run", self.record("endings", "stop", FTR_RUN_INFO="0").streams)

    def test_the_target_of_each_recorded_link_is_named(self):
        def targets(**variables):
            start = values(self.record("sockets", **variables).of("ftr.run", "start")[0])
            return {name[len("target."):]: value for name, value in start.items() if name.startswith("target.")}

        every = targets()
        self.assertEqual(len(every), 17)
        self.assertEqual(every["top.plain.right"], "top.plain_right.socket")
        self.assertEqual(every["top.nested.core.socket"], "top.nested_target.inner.socket")
        self.assertEqual(every["top.multi.core.out[1]"], "top.multi_right.in[0]")
        self.assertEqual(every["top.to_multi.socket"], "top.multi_right.in[1]")
        lines = self.command([Paths.ftr, "info", self.file]).stdout.splitlines()
        self.assertIn(b"  top.plain.right -> top.plain_right.socket", lines)
        self.assertEqual(targets(FTR_INCLUDE="top.plain.l*,ftr.*"), {"top.plain.left": "top.plain_left.socket"})

    def test_observed_sockets_are_counted(self):
        for name, counted in (("sockets", "15 of 15 bound initiator sockets observed (17 links), 1 unbound"),
                              ("inline_recorder", "2 of 3 bound initiator sockets observed (2 links), 0 unbound")):
            done = self.command([os.path.join(Paths.programs, name)], FTR_TRACE=self.file, FTR_VERBOSE="1")
            self.assertIn(f"ftr: {counted}\n".encode(), done.stderr)

    def test_secrets_in_arguments_are_masked(self):
        trace = self.record("endings", "exit", "0", "--password", "a1", "--api-key=a2", "+API_TOKEN=a3",
                            "--set=db.secret=a4", "--verbose", "shown", "monkey", "--passwd",
                            "--level=2", "ftp://me:a5@there/x:y@z", "--via=https://me:a:6@there",
                            "http://me@there:80/")
        start = values(trace.of("ftr.run", "start")[0])
        self.assertEqual(start["arguments"], "exit 0 --password '***' '--api-key=***' "
                         "'+API_TOKEN=***' '--set=db.secret=***' --verbose shown monkey --passwd "
                         "--level=2 'ftp://me:***@there/x:y@z' '--via=https://me:***@there' "
                         "http://me@there:80/")

    def test_arguments_can_be_omitted(self):
        start = values(self.record("endings", "exit", FTR_RUN_INFO="no-arguments")
                       .of("ftr.run", "start")[0])
        self.assertNotIn("arguments", start)
        self.assertIn("program", start)

    def test_reports_are_recorded_with_any_handler_of_the_model(self):
        trace = self.record("endings", "reports")
        reports = trace.of("ftr.reports")
        self.assertEqual(values(reports[0]), {"severity": "WARNING", "id": "model", "process": "",
                                              "text": "before elaboration"})
        self.assertEqual([values(tx)["text"] for tx in reports],
                         ["before elaboration", "to another handler", "to another handler, too",
                          "to the default handler"])

    def test_a_report_that_is_thrown_is_recorded_once(self):
        self.assertEqual(len(self.record("endings", "report").of("ftr.reports")), 1)

    def test_processes_of_one_run_do_not_share_a_file(self):
        program = os.path.join(Paths.programs, "endings")
        done = self.command(["sh", "-c", f"{program} stop; {program} stop & {program} stop; wait"],
                            FTR_TRACE=self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        files = sorted(os.listdir(self.folder))
        self.assertEqual(len(files), 3, files)
        self.assertIn("run.ftr", files)
        for name in files:
            self.assertRegex(name, r"^run(-\d+)?\.ftr$")
            self.assertEqual(len(self.trace(os.path.join(self.folder, name)).of("sends.socket")), 6)

    def test_the_next_run_replaces_the_file(self):
        self.record("endings", "stop")
        self.record("endings", "stop")
        self.assertEqual(os.listdir(self.folder), ["run.ftr"])


class Harmless(Attached):
    def test_the_library_depends_only_on_libc(self):
        needed = subprocess.run(["readelf", "-d", Paths.library], capture_output=True, text=True, check=True)
        libraries = [line for line in needed.stdout.splitlines() if "(NEEDED)" in line]
        self.assertEqual(len(libraries), 1, libraries)
        self.assertIn("[libc.so.6]", libraries[0])

    def test_a_plugin_that_cannot_be_loaded_is_named(self):
        command = [os.path.join(Paths.programs, "endings"), "stop"]
        done = self.command(command, FTR_TRACE=self.file, FTR_ATTACH_PLUGIN="/nowhere/plugin.so")
        self.assertIn(b"/nowhere/plugin.so", done.stderr)
        self.assertIn(b"this run is not recorded", done.stderr)
        self.assertEqual(done.returncode, 5)

    def test_messages_do_not_act_on_a_terminal(self):
        hostile = "e\x1b[31m\x07\u009b1m\u202e\x7f"
        for variables in ({"FTR_TRACE": f"/dev/null/{hostile}.ftr"}, {"FTR_TRACE": f"{hostile}.ftr", "FTR_VERBOSE": "1"},
                          {"FTR_SUMMARY": f"/dev/null/{hostile}.fts"}, {"FTR_COMPRESS": hostile}, {"FTR_START": hostile},
                          {"FTR_PAYLOAD": hostile}, {"FTR_PROTOCOL": hostile}, {"FTR_DMI": hostile}, {"FTR_INCLUDE": hostile},
                          {"FTR_BUFFERS": hostile}, {"FTR_JOURNAL_DIR": f"/dev/null/{hostile}"}, {"FTR_MAX_SIZE": hostile},
                          {"FTR_ATTACH_PLUGIN": f"/nowhere/{hostile}.so"}):
            command = [os.path.join(Paths.programs, "loosely_timed_bus")]
            done = self.command(command, **{"FTR_TRACE": self.file, **variables})
            said = done.stderr.decode()
            self.assertIn("e\\x1b[31m\\x07\\xc2\\x9b1m\\xe2\\x80\\xae\\x7f", said, variables)
            self.assertEqual(set(said) & {"\x1b", "\x07", "\u009b", "\u202e", "\x7f"}, set(), variables)

    def test_has_no_effect_without_a_trace(self):
        command = [os.path.join(Paths.programs, "endings"), "stop"]
        done = self.command(command, FTR_TRACE="")
        self.assertEqual(done.stdout, self.command(command).stdout)
        self.assertEqual(os.listdir(self.folder), [])


class Command(Attached):
    """ftr attach"""

    def run_attach(self, *arguments):
        return self.command([Paths.ftr, "attach", *arguments])

    def runs(self, name):
        """The description of each run in a summary."""
        listing = subprocess.run([Paths.ftr, "summary", "--json", os.path.join(self.folder, name)],
                                 capture_output=True, text=True, check=True)
        records = [json.loads(line) for line in listing.stdout.splitlines()]
        return [record["info"] for record in records if "info" in record]

    def test_records_and_returns_the_exit_status(self):
        done = self.run_attach("--exclude", "bus.*", "-o", "out.ftr", "--",
                               os.path.join(Paths.programs, "loosely_timed_bus"))
        self.assertEqual(done.returncode, 0)
        trace = self.trace(os.path.join(self.folder, "out.ftr"))
        self.assertEqual(trace.counts(), {link: {"read": 50, "write": 50} for link in ("a.s", "b.s")})
        self.assertEqual(self.run_attach(os.path.join(Paths.programs, "endings"), "exit").returncode, 7)

    def test_names_the_file_after_the_prototype(self):
        self.run_attach(os.path.join(Paths.programs, "endings"), "stop")
        self.assertEqual(os.listdir(self.folder), ["endings.ftr"])

    def test_summary_without_a_trace(self):
        prototype = os.path.join(Paths.programs, "endings")
        done = self.run_attach("--summary", "new/run.fts", "--tags", "seed=17,branch=a b", "--", prototype, "exit")
        self.assertEqual((done.returncode, os.listdir(self.folder)), (7, ["new"]), done.stderr)
        run, = self.runs("new/run.fts")
        self.assertEqual((run["tags"], run["exit_status"]), ("seed=17,branch=a b", "7"))

    def test_summary_beside_a_trace(self):
        self.run_attach("--summary", "run.fts", "-o", "run.ftr", "--tags=seed=18", "--",
                        os.path.join(Paths.programs, "endings"), "exit")
        self.assertEqual(sorted(os.listdir(self.folder)), ["run.ftr", "run.fts"])
        trace = self.trace()
        self.assertIn("seed=18", [values(tx).get("tags") for tx in trace.of("ftr.run")])
        run, = self.runs("run.fts")
        self.assertEqual(run["tags"], "seed=18")

    def test_a_summary_is_that_of_the_trace(self):
        """Without a trace, only the path and the description of the run differ."""
        after, alone = (os.path.join(self.folder, name) for name in ("after.fts", "alone.fts"))
        for prototype in ("loosely_timed_bus", "approximately_timed", "decoupled"):
            for variables in ({}, {"FTR_PHASES": "events"}, {"FTR_TLM": "calls"}, {"FTR_START": "200 ns"},
                              {"FTR_STOP": "400 ns", "FTR_PAYLOAD": "all"}):
                command = [Paths.ftr, "attach", "--summary", self.file + ".fts", "-o", self.file, "--",
                           os.path.join(Paths.programs, prototype)]
                self.assertEqual(self.command(command, **variables).returncode, 0)
                subprocess.run([Paths.ftr, "summary", self.file, "-o", after], check=True, capture_output=True)
                with open(after, "rb") as expected, open(self.file + ".fts", "rb") as written:
                    self.assertEqual(written.read(), expected.read(), (prototype, variables))
                command[3:6] = [alone]
                self.assertEqual(self.command(command, **variables).returncode, 0)
                runs = [json.loads(subprocess.run([Paths.ftr, "summary", "--json", path], check=True,
                                                  capture_output=True).stdout.splitlines()[0])
                        for path in (after, alone)]
                for figure in ("streams", "count", "losses", "slot_ticks", "state"):
                    self.assertEqual(runs[1][figure], runs[0][figure], (prototype, variables))
                self.assertGreater(runs[0]["count"], 0)
                for path in (self.file, self.file + ".fts", after, alone):
                    os.unlink(path)

    def test_the_message_explains_that_a_static_kernel_cannot_be_observed(self):
        done = self.run_attach(os.path.join(Paths.programs, "hidden_kernel"))
        self.assertEqual((done.returncode, done.stdout), (125, b""))
        self.assertIn(b"has SystemC linked in statically", done.stderr)
        self.assertIn(b"--whole-archive", done.stderr)

    def test_runs_programs_without_a_kernel(self):
        self.assertEqual(self.run_attach("sh", "-c", "exit 9").returncode, 9)

    def test_strict_requires_a_prototype(self):
        for command in (["true"], ["sh", "-c", "exit 9"]):
            done = self.run_attach("--strict", "--", *command)
            self.assertEqual(done.returncode, 125, done.stderr)
            self.assertIn(b"is not a SystemC prototype", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_strict_keeps_the_exit_status_of_the_run(self):
        prototype = os.path.join(Paths.programs, "endings")
        for command in ([prototype, "exit"], ["sh", "-c", prototype + " exit"],
                        [sys.executable, "-c", "import subprocess, sys;"
                         "sys.exit(subprocess.call(sys.argv[1:]))", prototype, "exit"]):
            done = self.run_attach("--strict", "-o", "out.ftr", "--", *command)
            self.assertEqual(done.returncode, 7, done.stderr)
            self.assertNotIn(b"ftr:", done.stderr)
            self.trace(os.path.join(self.folder, "out.ftr"))
        done = self.run_attach("--strict", "--", "sh", "-c", "kill -KILL $$")
        self.assertEqual(done.returncode, -9)

    def test_strict_keeps_the_signal_of_the_run(self):
        environment = dict(os.environ, TMPDIR=self.folder, ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")
        with subprocess.Popen([Paths.ftr, "attach", "--strict", "--", "sh", "-c", "echo; exec sleep 60"],
                              stdout=subprocess.PIPE, cwd=self.folder, env=environment) as running:
            running.stdout.read(1)
            running.terminate()
            self.assertEqual(running.wait(30), -15)
        self.assertEqual(os.listdir(self.folder), [])

    def test_strict_refuses_a_static_kernel(self):
        command = [os.path.join(Paths.programs, "hidden_kernel")]
        done = self.command(command, FTR_TRACE=self.file, FTR_STRICT="1")
        self.assertEqual((done.returncode, done.stdout), (125, b""))
        self.assertIn(b"has SystemC linked in statically", done.stderr)
        done = self.command(command, FTR_TRACE=self.file)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_strict_refuses_a_plugin_that_cannot_be_loaded(self):
        done = self.command([os.path.join(Paths.programs, "endings"), "stop"], FTR_TRACE=self.file,
                            FTR_STRICT="1", FTR_ATTACH_PLUGIN="/nowhere/plugin.so")
        self.assertEqual((done.returncode, done.stdout), (125, b""))
        self.assertIn(b"/nowhere/plugin.so", done.stderr)

    def test_misuse(self):
        for arguments, status in ((["--nonsense"], 125), ([], 125), (["no such program"], 127),
                                  (["--library", "/nowhere.so", "true"], 125)):
            done = self.run_attach(*arguments)
            self.assertEqual(done.returncode, status, arguments)
            self.assertTrue(done.stderr.startswith(b"ftr"), done.stderr)


class Linked(Attached):
    """The linked plug-in, and a linked adapter together with a preloaded plug-in."""

    def test_missed_reports_are_counted(self):
        """Without interception, a handler that the model sets is noticed at the next stage."""
        command = [os.path.join(Paths.programs, "endings_linked"), "reports"]
        self.command(command, preload=" ", FTR_TRACE=self.file)
        trace = self.trace()
        self.assertEqual([values(tx)["missed"] for tx in trace.of("ftr.reports", "gap")], [3])
        self.assertEqual([values(tx)["text"] for tx in trace.of("ftr.reports", "warning")],
                         ["before elaboration"])

    def test_linked_statically(self):
        command = [os.path.join(Paths.programs, "loosely_timed_bus_linked")]
        done = self.command(command, preload=" ", FTR_TRACE=self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum(self.trace().counts()["a.s"].values()), 100)

    def test_linked_and_preloaded_records_once(self):
        command = [os.path.join(Paths.programs, "loosely_timed_bus_linked")]
        self.command(command, FTR_TRACE=self.file)
        self.assertEqual(sum(self.trace().counts()["a.s"].values()), 100)

    def test_messages_about_the_environment_are_printed_once(self):
        program = [os.path.join(Paths.programs, "inline_recorder")]
        for setting, message in (({"FTR_PAYLOAD": "x"}, b"FTR_PAYLOAD=x is invalid"),
                                 ({"FTR_COMPRESS": "x"}, b"FTR_COMPRESS=x is invalid"),
                                 ({"FTR_COMPRESS": "x"}, b"this run is not recorded"),
                                 ({"FTR_VERBOSE": "1"}, b"recording to ")):
            done = self.command(program, FTR_TRACE=self.file, **setting)
            self.assertEqual(done.stderr.count(message), 1, done.stderr)

    def test_instrumented_by_hand_and_attached_share_one_file(self):
        for name in ("inline_recorder", "inline_recorder_static"):
            trace = self.record(name)
            self.assertEqual(os.listdir(self.folder), ["run.ftr"])
            self.assertIn("probe", trace.counts())
            self.assertIn("sends.socket", trace.counts())
            self.assertIn("by hand", trace.counts())


class NamedAsModules(Attached):
    """Streams of the model with the names of modules: the observed sockets below them are renamed only as far as
    viewers demand, and every filter matches the dotted names."""

    SOCKETS = ["top.cpu.isock", "top.dma.isock"]

    def names(self, mode, path=None, **variables):
        self.attach("named_as_module", mode, **variables)
        return sorted(name for name in self.trace(path).counts())

    def run_ftr(self, *arguments):
        done = self.command([Paths.ftr, *arguments])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def test_only_one_dot_below_a_stream_changes(self):
        self.assertEqual(self.names("none"), self.SOCKETS)
        self.assertEqual(self.names("one"), ["top.cpu", "top.cpu/isock", "top.dma.isock"])
        self.assertEqual(self.names("all"), ["top.cpu", "top/cpu.isock", "top/dma.isock"])
        start = values(self.trace().of("ftr.run", "start")[0])
        self.assertEqual(start["target.top.cpu.isock"], "top.ram.tsock")

    def test_recording_filters_take_dotted_names(self):
        self.assertEqual(self.names("one", FTR_INCLUDE="top.cpu,top.cpu.*"), ["top.cpu", "top.cpu/isock"])
        self.assertEqual(self.names("all", FTR_INCLUDE="top,top.cpu.isock"), ["top/cpu.isock"])
        self.assertEqual(self.names("one", FTR_INCLUDE="top.cpu"), ["top.cpu"])
        self.assertEqual(self.names("all", FTR_EXCLUDE="top.cpu.isock,top.d*"), ["top.cpu"])

    def test_a_name_that_no_stream_needs_is_not_changed(self):
        """The stream of the module is not in the file."""
        self.assertEqual(self.names("one", FTR_INCLUDE="top.cpu.*"), self.SOCKETS[:1])
        self.assertEqual(self.names("all", FTR_INCLUDE="top.cpu.isock"), self.SOCKETS[:1])
        self.assertEqual(self.names("one", FTR_EXCLUDE="top.cpu"), self.SOCKETS)

    def test_buffers_take_dotted_names(self):
        self.assertEqual(self.names("all", FTR_BUFFERS="cpu=linear,1M,>file,top.cpu.isock"),
                         ["top.cpu", "top/dma.isock"])
        beside = self.trace(os.path.join(self.folder, "run-cpu.ftr"))
        self.assertEqual({name: sum(found.values()) for name, found in beside.counts().items()},
                         {"top.cpu.isock": 5})  # the file contains no stream of a module

    def test_the_tool_takes_dotted_names(self):
        for mode in ("none", "one", "all"):
            self.names(mode)
            for pattern, lines in (("top.cpu.isock", 5), ("top.dma.is*", 3), ("top.*.isock", 8)):
                with self.subTest(mode=mode, pattern=pattern):
                    chosen = ["--stream", pattern]
                    self.assertEqual(len(self.run_ftr("dump", "run.ftr", *chosen).splitlines()), lines)
                    cut = os.path.join(self.folder, "cut.ftr")
                    self.run_ftr("cut", "run.ftr", "-o", "cut.ftr", "--force", *chosen)
                    self.assertEqual(len(self.trace(cut).transactions), lines)
                    rows = self.run_ftr("stats", "--csv", "run.ftr", *chosen).splitlines()[1:]
                    self.assertEqual(sum(int(row.split(",")[4]) for row in rows), lines)
                    self.run_ftr("summary", "run.ftr", "-o", "run.fts", *chosen)
                    rows = [row for row in self.run_ftr("summary", "--csv", "run.fts").splitlines()
                            if row.startswith('"run.ftr"')]
                    self.assertEqual(sum(int(row.split(",")[4]) for row in rows), lines)
            self.run_ftr("summary", "run.ftr", "-o", "run.fts")
            with open(os.path.join(self.folder, "rules"), "w", encoding="ascii") as rules:
                rules.write("top.cpu.isock.read  count == 5\n")
            self.assertIn("0 failed", self.run_ftr("gate", "rules", "run.fts"))


if __name__ == "__main__":
    main()
