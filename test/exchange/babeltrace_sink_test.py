#!/usr/bin/python3
"""The component class sink.ftr.file: FTR files converted to events and back, all field classes,
pairs of events, clocks, losses, parameters.

    babeltrace_sink_test.py FTR PLUGIN_DIRECTORY MAKE_TOOL_FILES MAKE_AWKWARD_FILE
"""

import gc
import os
import resource
import shutil
import signal
import subprocess
import sys
import unittest

import bt2

from cbor_file import write_ftr, write_lossy_file
from dumped import Dump, ExchangeTest, run

FTR, PLUGINS, MAKE_TOOL_FILES, MAKE_AWKWARD_FILE = map(os.path.abspath, sys.argv[1:5])
BABELTRACE = ("babeltrace2", "--plugin-path=" + PLUGINS)
PLUGIN = {plugin.name: plugin for plugin in bt2.find_plugins_in_path(PLUGINS)}["ftr"]
SINK = PLUGIN.sink_component_classes["file"]


def plain(dump):
    """Returns transactions and relations without ids, with attributes in the order of CTF."""
    named = {tx["id"]: (tx["stream"], tx["generator"], tx["begin"], tx["end"],
                        tuple(sorted(map(repr, tx["attributes"])))) for tx in dump.transactions}
    return sorted(named.values()), sorted((r["name"], named[r["from"]], named[r["to"]]) for r in dump.relations)


class Events(bt2._UserMessageIterator):
    """Messages that a function makes with the iterator and the trace class."""

    def __init__(self, config, port):
        self.messages = port.user_data(self)

    def __next__(self):
        return next(self.messages)


class Source(bt2._UserSourceComponent, message_iterator_class=Events):
    def __init__(self, config, params, make):
        self.make = make
        self._add_output_port("out", lambda iterator: make(self, iterator))


class Recording:
    """A trace with one stream class; events are dictionaries of fields."""

    def __init__(self, source, iterator, name="trace", stream="stream", clock=None, has_clock=True, packets=False):
        self.iterator = iterator
        self.trace_class = source._create_trace_class()
        self.clock = source._create_clock_class(**(clock or {})) if has_clock else None
        self.stream_class = self.trace_class.create_stream_class(
            name="kind", default_clock_class=self.clock, supports_packets=packets,
            packets_have_beginning_default_clock_snapshot=packets and has_clock,
            packets_have_end_default_clock_snapshot=packets and has_clock, supports_discarded_events=True,
            discarded_events_have_default_clock_snapshots=has_clock, supports_discarded_packets=packets,
            discarded_packets_have_default_clock_snapshots=packets and has_clock)
        self.trace = self.trace_class(name=name)
        self.stream = self.trace.create_stream(self.stream_class, name=stream)
        self.classes = {}

    def begin(self):
        return self.iterator._create_stream_beginning_message(self.stream)

    def end(self):
        return self.iterator._create_stream_end_message(self.stream)

    def event(self, name, time=None, **fields):
        if name not in self.classes:
            payload = self.trace_class.create_structure_field_class()
            for field, value in fields.items():
                payload.append_member(field, self.trace_class.create_string_field_class() if isinstance(value, str)
                                      else self.trace_class.create_signed_integer_field_class())
            self.classes[name] = self.stream_class.create_event_class(name=name, payload_field_class=payload)
        message = self.iterator._create_event_message(self.classes[name], self.stream, default_clock_snapshot=time)
        for field, value in fields.items():
            message.event.payload_field[field] = value
        return message


class SinkTest(ExchangeTest):
    makers = ((MAKE_TOOL_FILES,), (MAKE_AWKWARD_FILE, "awkward.ftr"))

    def setUp(self):
        if os.path.exists("out.ftr"):
            os.remove("out.ftr")

    def record(self, *makers, **params):
        """Runs the merged messages of several sources into the sink. Returns the content of the
        file."""
        graph = bt2.Graph()
        sink = graph.add_component(SINK, "sink", {"path": "out.ftr", **params})
        muxer = graph.add_component(bt2.find_plugin("utils").filter_component_classes["muxer"], "muxer")
        for number, make in enumerate(makers):
            source = graph.add_component(Source, f"source{number}", obj=make)
            graph.connect_ports(source.output_ports["out"], muxer.input_ports[f"in{number}"])
        graph.connect_ports(muxer.output_ports["out"], sink.input_ports["in"])
        graph.run()
        del graph, sink
        run(FTR, "check", "out.ftr")
        return [(tx["stream"], tx["generator"], tx["begin"], tx["end"],
                 [(class_, name, kind, value) for class_, name, kind, value in tx["attributes"]])
                for tx in Dump(FTR, "out.ftr").transactions]

    # ---- conversion to events and back

    def test_ftr_files_survive_the_round_trip(self):
        for path in ("small.ftr", "awkward.ftr", "nanoseconds.ftr"):
            run(FTR, "convert", "--output-format", "ctf", "-o", "ctf-" + path, path)
            for name, source in (("plug-in", path), ("ctf", "ctf-" + path)):
                with self.subTest(path, source=name):
                    back = f"{name}-of-{path}"
                    run(*BABELTRACE, source, "-c", "sink.ftr.file", "-p", f'path="{back}",floats="double"')
                    self.assertEqual(plain(Dump(FTR, back)), plain(Dump(FTR, path)))
                    summaries = [run(FTR, "info", file).splitlines()[1:3] for file in (path, back)]
                    self.assertEqual(*summaries)  # tick, time of tick 0, interval

    def test_losses_survive_the_round_trip_once(self):
        write_lossy_file("lossy.ftr")
        run(*BABELTRACE, "lossy.ftr", "-c", "sink.ftr.file", "-p", 'path="back-lossy.ftr"')
        self.assertEqual(plain(Dump(FTR, "back-lossy.ftr")), plain(Dump(FTR, "lossy.ftr")))

    # ---- empty texts

    def test_empty_texts_of_ftr_files_stay_empty(self):
        texts = ["", "long text", "", "x", ""]
        write_ftr("empty.ftr", [("top", "", [
            ("read", 10 * i, 10 * i + 5, [("begin", "first", texts[i % 5]), ("end", "second", texts[i % 3])])
            for i in range(400)])])
        run(FTR, "convert", "--output-format", "ctf", "-o", "empty-ctf", "empty.ftr")
        for source in ("empty.ftr", "empty-ctf"):
            with self.subTest(source):
                run(*BABELTRACE, source, "-c", "sink.ftr.file", "-p", 'path="out.ftr",force=yes')
                self.assertEqual(plain(Dump(FTR, "out.ftr")), plain(Dump(FTR, "empty.ftr")))

    def write_ctf(self, directory, events):
        """Writes a trace with the events "x_entry" and "x_exit": (number, time, key, note)."""
        os.mkdir(directory)
        with open(directory + "/metadata", "w", encoding="ascii") as file:
            fields = "fields := struct { string key; string note; };"
            file.write("/* CTF 1.8 */\n"
                       "typealias integer { size = 8; align = 8; } := u8;\n"
                       "trace { major = 1; minor = 8; byte_order = le; };\n"
                       "clock { name = c; freq = 1000000000; };\n"
                       "typealias integer { size = 64; align = 8; map = clock.c.value; } := u64;\n"
                       "stream { event.header := struct { u8 id; u64 timestamp; }; };\n"
                       f'event {{ name = "x_entry"; id = 0; {fields} }};\n'
                       f'event {{ name = "x_exit"; id = 1; {fields} }};\n')
        with open(directory + "/stream", "wb") as file:
            for number, time, key, note in events:
                file.write(bytes([number]) + time.to_bytes(8, "little") + key + b"\0" + note + b"\0")

    def test_empty_texts_of_other_traces_stay_empty_and_pair_events(self):
        # The empty key is a key of its own, also if an earlier event had another key in the same field.
        events, expected = [], []
        for i in range(200):
            time = 10 * i
            events += [(0, time, b"a", b"note"), (0, time + 1, b"", b""), (0, time + 2, b"b", b"x"),
                       (1, time + 3, b"a", b"yes"), (1, time + 4, b"", b""), (1, time + 5, b"b", b"")]
            expected += [(time, time + 3, ["note", "yes"]), (time + 1, time + 4, ["", ""]),
                         (time + 2, time + 5, ["x", ""])]
        self.write_ctf("keyed", events)
        run(*BABELTRACE, "keyed", "-c", "sink.ftr.file", "-p", 'path="out.ftr",keys=["key"]')
        self.assertEqual(
            sorted((tx["begin"], tx["end"], [a[3] for a in tx["attributes"] if a[1] == "note"])
                   for tx in Dump(FTR, "out.ftr").transactions), expected)

    # ---- content of events

    def test_fields_of_every_class(self):
        def make(source, iterator):
            r = Recording(source, iterator)
            tc = r.trace_class
            enumeration = tc.create_unsigned_enumeration_field_class()
            enumeration.add_mapping("ONE", bt2.UnsignedIntegerRangeSet([(1, 1)]))
            enumeration.add_mapping("LOW", bt2.UnsignedIntegerRangeSet([(1, 2)]))
            signed = tc.create_signed_enumeration_field_class()
            signed.add_mapping("MINUS", bt2.SignedIntegerRangeSet([(-9, -1)]))
            payload = tc.create_structure_field_class()
            for name, class_ in (
                    ("truth", tc.create_bool_field_class()), ("bits", tc.create_bit_array_field_class(5)),
                    ("most", tc.create_unsigned_integer_field_class()),
                    ("least", tc.create_signed_integer_field_class()), ("both", enumeration),
                    ("single", tc.create_single_precision_real_field_class()), ("minus", signed),
                    ("double", tc.create_double_precision_real_field_class()),
                    ("text", tc.create_string_field_class()), ("void", tc.create_structure_field_class()),
                    ("s", tc.create_structure_field_class()),
                    ("fixed", tc.create_static_array_field_class(tc.create_bool_field_class(), 2)),
                    ("dynamic", tc.create_dynamic_array_field_class(tc.create_string_field_class())),
                    ("none", tc.create_dynamic_array_field_class(tc.create_string_field_class())),
                    ("some", tc.create_option_without_selector_field_class(tc.create_bool_field_class())),
                    ("nothing", tc.create_option_without_selector_field_class(tc.create_bool_field_class())),
                    ("v", tc.create_variant_field_class())):
                if name == "s":
                    class_.append_member("x", tc.create_signed_integer_field_class())
                    leaf = tc.create_structure_field_class()
                    leaf.append_member("y", tc.create_string_field_class())
                    class_.append_member("deep", tc.create_static_array_field_class(leaf, 1))
                elif name == "v":
                    class_.append_option("number", tc.create_unsigned_integer_field_class())
                    class_.append_option("word", tc.create_string_field_class())
                payload.append_member(name, class_)
            specific = tc.create_structure_field_class()
            specific.append_member("c", tc.create_bool_field_class())
            yield r.begin()
            message = iterator._create_event_message(
                r.stream_class.create_event_class(name="all", payload_field_class=payload,
                                                  specific_context_field_class=specific),
                r.stream, default_clock_snapshot=5)
            field = message.event.payload_field
            message.event.specific_context_field["c"] = True
            field["bits"].value_as_integer = 0b01101
            field["truth"], field["most"], field["least"] = True, 2**64 - 1, -2**63
            field["both"], field["minus"], field["single"], field["double"] = 1, -3, 0.5, 1e300
            field["text"], field["fixed"], field["dynamic"], field["none"] = "hé", [True, False], ["a", ""], []
            field["s"]["x"] = -1
            field["s"]["deep"][0]["y"] = "leaf"
            field["some"].has_field = True
            field["some"].field.value = True
            field["nothing"].has_field = False
            field["v"].selected_option_index = 1
            field["v"].selected_option.value = "chosen"
            yield message
            yield r.end()

        (stream, generator, begin, end, attributes), = self.record(make, floats="text")
        self.assertEqual((stream, generator, begin, end), ("trace.stream", "all", 5, 5))
        self.assertEqual([entry[1:] for entry in attributes], [
            ("truth", "BOOLEAN", True), ("bits", "BIT_VECTOR", "01101"), ("most", "UNSIGNED", 2**64 - 1),
            ("least", "INTEGER", -2**63), ("both", "ENUMERATION", "ONE|LOW"), ("single", "STRING", "0.5"),
            ("minus", "ENUMERATION", "MINUS"), ("double", "STRING", "1e+300"), ("text", "STRING", "hé"),
            ("void", "STRING", "{}"), ("s.x", "INTEGER", -1), ("s.deep[0].y", "STRING", "leaf"),
            ("fixed[0]", "BOOLEAN", True), ("fixed[1]", "BOOLEAN", False), ("dynamic[0]", "STRING", "a"),
            ("dynamic[1]", "STRING", ""), ("none", "STRING", "[]"), ("some", "BOOLEAN", True),
            ("v.word", "STRING", "chosen"), ("specific.c", "BOOLEAN", True)])

    def test_begins_and_ends_are_transactions(self):
        def make(source, iterator):
            r = Recording(source, iterator)
            yield r.begin()
            for time, name, fields in (
                    (1, "job_begin", {"n": 1}), (2, "job_begin", {"n": 2}), (3, "syscall_entry_open", {}),
                    (4, "job_end", {"r": 3}), (5, "beginner", {}), (6, "end", {}), (7, "syscall_exit_open", {}),
                    (8, "job_end", {"r": 4}), (9, "a:enter", {}), (10, "a:exit", {}), (11, "job_begin", {"n": 5})):
                yield r.event(name, time, **fields)
            yield r.end()

        found = self.record(make)
        self.assertEqual([(entry[1:4] + tuple((class_, value) for class_, _, _, value in entry[4]))
                          for entry in found], [
            ("job", 1, 8, ("begin", 1), ("end", 4)), ("job", 2, 4, ("begin", 2), ("end", 3)),
            ("syscall_open", 3, 7), ("beginner", 5, 5), ("end", 6, 6), ("a", 9, 10),
            ("job", 11, 11, ("begin", 5), ("end", True))])
        os.remove("out.ftr")
        self.assertEqual(len(self.record(make, pairs=[])), 11)
        os.remove("out.ftr")
        self.assertIn(("jo", 1, 11), [(entry[1][:2], entry[2], entry[3])
                                      for entry in self.record(make, pairs=["beginner=end", "job_begin=never"])])

    def test_keys_pair_events_of_different_streams(self):
        def make(source, iterator):
            r = Recording(source, iterator, stream="cpu0")
            other = r.trace.create_stream(r.stream_class, name="/a/path/cpu1")
            yield r.begin()
            yield iterator._create_stream_beginning_message(other)
            for time, stream, name, tid in ((1, r.stream, "x_entry", "a"), (2, other, "x_entry", "b"),
                                            (3, other, "x_exit", "a"), (4, r.stream, "x_exit", "b")):
                r.stream = stream
                yield r.event(name, time, tid=tid)
            yield r.end()
            yield iterator._create_stream_end_message(other)

        # Each key is an attribute once, of the begin.
        self.assertEqual(self.record(make, keys=["tid"]),
                         [("trace.cpu0", "x", 1, 3, [("begin", "tid", "STRING", "a")]),
                          ("trace.cpu1", "x", 2, 4, [("begin", "tid", "STRING", "b")])])

    def test_keys_of_every_kind_pair_events_and_only_compared_values_are_omitted(self):
        def make(source, iterator):
            r = Recording(source, iterator)
            tc = r.trace_class
            for name in ("x_entry", "x_exit"):
                payload = tc.create_structure_field_class()
                payload.append_member("flag", tc.create_bool_field_class())
                payload.append_member("bits", tc.create_bit_array_field_class(3))
                payload.append_member("number", tc.create_unsigned_integer_field_class())
                payload.append_member("real", tc.create_double_precision_real_field_class())
                r.classes[name] = r.stream_class.create_event_class(name=name, payload_field_class=payload)
            yield r.begin()
            for time, name, flag, bits, number, real in ((1, "x_entry", True, 5, 7, 0.5), (2, "x_entry", False, 5, 7, 0.5),
                                                         (3, "x_entry", True, 4, 7, 0.5), (4, "x_exit", True, 5, 7, 1.5),
                                                         (5, "x_exit", False, 5, 7, 0.5), (6, "x_exit", True, 4, 7, 0.5)):
                message = r.event(name, time, flag=flag, number=number, real=real)
                message.event.payload_field["bits"].value_as_integer = bits
                yield message
            yield r.end()

        found = self.record(make, keys=["flag", "bits", "number", "real"])
        self.assertEqual([entry[2:4] for entry in found], [(1, 4), (2, 5), (3, 6)])
        for entry in found:
            self.assertEqual([attribute[:2] for attribute in entry[4]],
                             [("begin", "flag"), ("begin", "bits"), ("begin", "number"), ("begin", "real"),
                              ("end", "real")])
        self.assertEqual(found[0][4][-1][3], 1.5)

    # ---- time

    def timed(self, clock, *times, **params):
        def make(source, iterator):
            r = Recording(source, iterator, clock=clock)
            yield r.begin()
            for time in times:
                yield r.event("e", time)
            yield r.end()
        begins = [entry[2] for entry in self.record(make, **params)]
        info = run(FTR, "info", "out.ftr").splitlines()[1]
        os.remove("out.ftr")
        return begins, info.split("a tick is ")[1]

    def test_clocks_are_ticks(self):
        offset = bt2.ClockClassOffset(1_000_000_000, 7)
        self.assertEqual(self.timed({"frequency": 10**12, "offset": offset}, 3, 2**62),
                         ([10, 2**62 + 7], "1 ps, 0 is 2001-09-09 01:46:40 UTC"))
        self.assertEqual(self.timed({"frequency": 1, "offset": bt2.ClockClassOffset(1_000_000_000, 0)}, 3),
                         ([3], "1 s, 0 is 2001-09-09 01:46:40 UTC"))
        # a third of a second is between ticks
        self.assertEqual(self.timed({"frequency": 3, "offset": bt2.ClockClassOffset(1_000_000_000, 1)}, 0, 2)[0],
                         [333333333, 1000000000])
        self.assertEqual(self.timed({"frequency": 10**9, "offset": bt2.ClockClassOffset(1_000_000_000, 0)}, 3,
                                    **{"time-scale": "fs"}), ([3000000], "1 fs, 0 is 2001-09-09 01:46:40 UTC"))
        # a clock with an early origin
        far = 10**9 * 100000
        self.assertEqual(self.timed({"frequency": 10**9, "offset": bt2.ClockClassOffset(1_000_000_000, 10**9 - 1)},
                                    far + 2, far + 5), ([1, 4], "1 ns, 0 is 2001-09-10 05:33:21 UTC"))

    def test_traces_of_different_clocks_are_one_file(self):
        def make(frequency, offset, *times):
            def messages(source, iterator):
                r = Recording(source, iterator, name=f"hz{frequency}", clock={
                    "frequency": frequency, "offset": bt2.ClockClassOffset(1_000_000_000 + offset, 0)})
                yield r.begin()
                for time in times:
                    yield r.event("e", time)
                yield r.end()
            return messages
        # the finest clock determines the tick, in any order
        for first in (0, 1100):
            found = [entry[::2][:2] for entry in self.record(make(10**9, 0, first * 10**6 + 5, 3 * 10**9),
                                                             make(1000, 1, 50))]
            begin = 10**9 if first else 0  # the clock with the first event determines tick 0
            self.assertEqual(found, [(name, time - begin) for name, time in sorted(
                [("hz1000000000.stream", first * 10**6 + 5), ("hz1000.stream", 1_050_000_000),
                 ("hz1000000000.stream", 3_000_000_000)], key=lambda entry: entry[1])])
            os.remove("out.ftr")

    def test_a_time_that_is_not_a_number_of_ticks_is_an_error(self):
        def make(source, iterator):
            r = Recording(source, iterator, clock={"frequency": 10**9})
            yield r.begin()
            yield r.event("e", 5)
            yield r.event("e", 2**60)
            yield r.end()
        with self.assertRaises(bt2._Error) as caught:
            self.record(make, **{"time-scale": "ps"})
        self.assertFalse(os.path.exists("out.ftr"))
        self.assertIn("1 times are before tick 0 or exceed 64 bits of ticks", " ".join(str(caught.exception).split()))

    def test_events_without_a_clock_are_kept(self):
        def make(source, iterator):
            r = Recording(source, iterator, name="", stream="", has_clock=False)
            yield r.begin()
            yield r.event("e", n=1)
            yield r.event("e", n=2)
            yield r.end()
        self.assertEqual([entry[:4] for entry in self.record(make)], [("kind0", "e", 0, 0)] * 2)

    # ---- losses

    def test_discarded_events_and_packets_are_losses(self):
        def make(source, iterator):
            r = Recording(source, iterator, packets=True)
            yield r.begin()
            yield iterator._create_discarded_events_message(r.stream, 7, 3, 9)
            yield iterator._create_discarded_packets_message(r.stream, None, 10, 11)
            yield r.end()
        self.assertEqual(self.record(make), [
            ("trace.stream.ftr.losses", "loss", 3, 9,
             [("begin", "what", "STRING", "events were discarded by the tracer"), ("begin", "count", "UNSIGNED", 7)]),
            ("trace.stream.ftr.losses", "loss", 10, 11,
             [("begin", "what", "STRING", "packets were discarded by the tracer")])])

    def test_output_before_a_failed_input_is_kept(self):
        def make(source, iterator):
            r = Recording(source, iterator)
            yield r.begin()
            yield r.event("e", 5)
            raise ValueError("broken")
        with self.assertRaises(bt2._Error) as caught:
            self.record(make)
        caught.exception.__traceback__ = None  # the traceback references the graph, which closes the file when it is destroyed
        gc.collect()
        self.assertEqual([(tx["stream"], tx["begin"]) for tx in Dump(FTR, "out.ftr").transactions],
                         [("trace.stream", 5), ("ftr.losses", 5)])

    def test_a_torn_trace_is_marked(self):
        run(MAKE_AWKWARD_FILE, "long.ftr", "2500")
        run(FTR, "convert", "--output-format", "ctf", "-o", "torn-ctf", "long.ftr")
        with open("torn-ctf/top.a_b", "r+b") as file:  # magic number of its last packet
            file.seek(file.read().rindex(b"\xc1\x1f\xfc\xc1"))
            file.write(b"torn")
        run(*BABELTRACE, "torn-ctf", "-c", "sink.ftr.file", "-p", 'path="out.ftr"', status=1, stderr=None)
        losses = [tx for tx in Dump(FTR, "out.ftr").transactions if tx["stream"] == "ftr.losses"]
        self.assertEqual([tx["attributes"][0][3] for tx in losses],
                         ["the conversion ended before its input: later events are missing"])

    # ---- LTTng

    def test_an_lttng_trace(self):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lttng")
        has_header = subprocess.run(["cc", "-E", "-"], input=b"#include <lttng/tracepoint.h>\n", capture_output=True,
                                    check=False).returncode == 0
        if not shutil.which("lttng-sessiond") or not has_header:
            self.skipTest("lttng-tools or liblttng-ust-dev is not installed")
        run("cc", "-I" + source, os.path.join(source, "shop.c"), "-o", "shop", "-llttng-ust", "-ldl")
        environment = {**os.environ, "LTTNG_HOME": os.getcwd(), "LTTNG_UST_REGISTER_TIMEOUT": "20000"}
        if subprocess.run(["lttng-sessiond", "--no-kernel", "--daemonize"], env=environment,
                          check=False).returncode != 0:
            self.skipTest("a session daemon of LTTng cannot be started")

        def lttng(*arguments):
            run("lttng", "--no-sessiond", *arguments, env=environment, stderr=None)
        try:
            lttng("create", "ftr-test", f"--output={os.getcwd()}/lttng-trace")
            lttng("enable-event", "-u", "shop:*")
            lttng("add-context", "-u", "-t", "vtid", "-t", "procname")
            lttng("start")
            run("./shop", env=environment)
            lttng("stop")
            lttng("destroy")
        finally:
            with open("/var/run/lttng/lttng-sessiond.pid" if os.geteuid() == 0 else ".lttng/lttng-sessiond.pid",
                      encoding="ascii") as file:
                os.kill(int(file.read()), signal.SIGTERM)
        run(*BABELTRACE, "lttng-trace", "-c", "sink.ftr.file", "-p", 'path="out.ftr",keys=["vtid"]')
        run(FTR, "check", "out.ftr")
        # merged with a trace of a prototype that is years older
        run(*BABELTRACE, "lttng-trace", "small.ftr", "-c", "sink.ftr.file", "-p",
            'path="both.ftr",time-scale="ns",force=yes', stderr=None)
        self.assertEqual(len(Dump(FTR, "both.ftr").transactions), 20 + 12)
        transactions = Dump(FTR, "out.ftr").transactions
        sales = [tx for tx in transactions if tx["generator"] == "shop:sale"]
        bells = [tx for tx in transactions if tx["generator"] == "shop:bell"]
        self.assertEqual((len(sales), len(bells)), (10, 10))
        for number, (sale, bell) in enumerate(zip(sales, bells)):
            self.assertLessEqual(sale["begin"], bell["begin"])
            self.assertLessEqual(bell["begin"], sale["end"])
            begin = {name: value for class_, name, _, value in sale["attributes"] if class_ == "begin"}
            self.assertEqual((begin["number"], begin["what"], begin["price"], begin["common.procname"]),
                             (number, "tea" if number % 2 else "", number * 0.5, "shop"))
            self.assertIn(["end", "number", "INTEGER", number], sale["attributes"])
            values = {name: value for _, name, _, value in bell["attributes"]}
            self.assertEqual([values[f"fixed[{n}]"] for n in range(2)], [3, -4])
            self.assertEqual([values.get(f"some[{n}]") for n in range(2)],
                             [3 if number % 3 > 0 else None, -4 if number % 3 > 1 else None])

    # ---- parameters and output

    def refused(self, parameters, said, **more):
        result = subprocess.run([*BABELTRACE, "small.ftr", "-c", "sink.ftr.file", "-p", parameters],
                                capture_output=True, text=True, check=False, **more)
        self.assertEqual(result.returncode, 1)
        self.assertIn(said, " ".join(result.stderr.split()))

    def test_invalid_parameters_are_named(self):
        for parameters, said in (
                ('force=yes', "parameter `path`: expected the path of the file to write"),
                ('path=3', "parameter `path`: expected"), ('path="x.ftr",pth=""', "unknown parameter `pth`"),
                ('path="x.ftr",force="yes"', "parameter `force`: expected yes or no"),
                ('path="x.ftr",floats="half"', 'parameter `floats`: expected "single", "double" or "text"'),
                ('path="x.ftr",time-scale="min"', "parameter `time-scale`: expected"),
                ('path="x.ftr",pairs="a=b"', "parameter `pairs`: expected an array"),
                ('path="x.ftr",pairs=["ab"]', "parameter `pairs`: expected an array"),
                ('path="x.ftr",pairs=["a=a"]', "parameter `pairs`: expected an array"),
                ('path="x.ftr",keys=[3]', "parameter `keys`: expected an array")):
            with self.subTest(parameters):
                self.refused(parameters, said)
                self.assertFalse(os.path.exists("x.ftr"))

    def test_a_file_that_exists_is_not_replaced(self):
        with open("there.ftr", "wb") as file:
            file.write(b"mine")
        self.refused('path="there.ftr"', "there.ftr: exists; the parameter force=yes replaces it")
        self.assertEqual(os.path.getsize("there.ftr"), 4)
        run(*BABELTRACE, "small.ftr", "-c", "sink.ftr.file", "-p", 'path="there.ftr",force=yes', stderr=None)
        self.assertEqual(len(Dump(FTR, "there.ftr").transactions), 12)

    def test_an_output_that_fails_is_an_error(self):
        self.refused('path="/proc/nowhere/x.ftr"', "/proc/nowhere/x.ftr: No such file or directory")

        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        self.refused('path="full.ftr"', "full.ftr: could not be written", preexec_fn=limit_files)
        self.assertEqual([name for name in os.listdir() if name.startswith("full")], [])
        os.mkdir("folder")
        self.refused('path="folder",force=yes', "folder: Is a directory")

    def test_an_input_can_be_replaced_by_itself(self):
        shutil.copy("small.ftr", "itself.ftr")
        run(*BABELTRACE, "itself.ftr", "-c", "sink.ftr.file", "-p", 'path="itself.ftr",force=yes')
        self.assertEqual(plain(Dump(FTR, "itself.ftr")), plain(Dump(FTR, "small.ftr")))

    def test_rounded_floats_are_reported(self):
        run(*BABELTRACE, "awkward.ftr", "-c", "sink.ftr.file", "-p", 'path="rounded.ftr"',
            stderr='WARNING: [sink.ftr.file] rounded.ftr: 106 floats are not exact in single precision: '
                   'the parameter floats="text" or floats="double" keeps them\n')


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
