#!/usr/bin/python3
"""QNX kernel event logs, generated here because no real ones are available.

    kev_test.py FTR PRINT_KERNEL_EVENTS [LIBFTR_KEV SOURCES]
"""

import os
import random
import struct
import sys
import unittest

from dumped import Dump, ExchangeTest, run
from kev_file import (BEGIN, BUFFER, CALL, CONTINUE, CONTROL, DESTROY, END, INTERRUPT, Log, READY, RUNNING, SEND,
                      SYSTEM, THREAD, TIME, USER, read)

FTR, PRINT_KERNEL_EVENTS = map(os.path.abspath, sys.argv[1:3])


class KevTest(ExchangeTest):

    def read(self, log, *said):
        with open("log.kev", "wb") as file:
            file.write(log.data)
        stderr = "".join(f"ftr: log.kev: byte {offset}: {text}\n" for offset, text in said)
        run(FTR, "convert", "--input-format", "kev", "--force", "-o", "log.ftr", "log.kev", status=1 if said else 0,
            stderr=stderr)
        run(FTR, "check", "log.ftr")
        return [(tx["stream"], tx["generator"], tx["begin"], tx["end"],
                 {name: value for _, name, _, value in tx["attributes"]})
                for tx in Dump(FTR, "log.ftr").transactions]

    def test_states_of_threads_are_transactions(self):
        log = (Log().record(100, THREAD, READY, 7, 1).record(200, THREAD, RUNNING, 7, 1, cpu=1)
               .record(250, THREAD, RUNNING, 8, 3).record(300, THREAD, SEND, 7, 1, cpu=1)
               .record(400, THREAD, DESTROY, 7, 1).record(500, USER, 9))
        self.assertEqual(self.read(log), [
            ("threads.7-1", "READY", 100, 200, {"cpu": 0}),
            ("threads.7-1", "RUNNING", 200, 300, {"cpu": 1}),
            ("threads.8-3", "RUNNING", 250, 500, {"cpu": 0, "unfinished": True}),
            ("threads.7-1", "SEND", 300, 400, {"cpu": 1}),
            ("threads.7-1", "DESTROY", 400, 400, {"cpu": 0}),
            ("events.cpu0", "USREVENT 9", 500, 500, {"word0": 0, "word1": 0})])

    def test_calls_follow_their_thread_to_another_cpu(self):
        log = (Log().record(100, THREAD, RUNNING, 7, 1).record(110, CALL, 11, 5, 6)
               .record(120, THREAD, SEND, 7, 1).record(130, THREAD, RUNNING, 7, 1, cpu=1)
               .record(140, CALL, 128 + 11, 1, 2, cpu=1).record(150, CALL, 128 + 12, 3, 4)
               .record(160, THREAD, DESTROY, 7, 1))
        found = self.read(log)
        self.assertIn(("calls.7-1", "MsgSendv", 110, 140,
                       {"argument0": 5, "argument1": 6, "result0": 1, "result1": 2}), found)
        self.assertIn(("events.cpu0", "KER_CALL MsgSendvnc exit", 150, 150, {"word0": 3, "word1": 4}), found)

    def test_interrupts_nest(self):
        log = (Log().record(10, INTERRUPT, 1, 33, 0).record(20, INTERRUPT, 3, 7, 33)
               .record(25, INTERRUPT, 1, 40, 0).record(28, INTERRUPT, 2, 40, 0)
               .record(30, INTERRUPT, 4, 33, 0).record(40, INTERRUPT, 2, 33, 0)
               .record(50, INTERRUPT, 2, 99, 0))
        found = [entry[:4] for entry in self.read(log)]
        self.assertEqual(found, [("interrupts.cpu0", "interrupt", 10, 40),
                                 ("interrupts.cpu0", "handler", 20, 30),
                                 ("interrupts.cpu0", "interrupt", 25, 28),
                                 ("events.cpu0", "INT EXIT", 50, 50)])

    def test_combined_events_of_two_cpus_are_distinguished(self):
        log = Log()
        name = struct.unpack("<4I", b"sbin/init\0pad-pa")
        first = log.combined(100, THREAD, 70, 1, 2, *name)
        second = log.combined(100, THREAD, 70, 3, 4, 5, cpu=1)
        log.add(first[0], second[0]).record(101, USER, 1).add(first[1], second[1], first[2])
        found = {entry[:2]: entry[2:] for entry in self.read(log)}
        self.assertEqual(found["events.cpu0", "PROCESS 70"],
                         (100, 100, {f"word{n}": word for n, word in enumerate([1, 2, *name])}))
        self.assertEqual(found["events.cpu1", "PROCESS 70"],
                         (100, 100, {"word0": 3, "word1": 4, "word2": 5, "word3": 0}))
        self.assertEqual(found["events.cpu0", "USREVENT 1"][0], 101)

    def test_the_clock_is_monotonic_over_rollovers(self):
        top = 0xffffff00
        log = Log().record(top, CONTROL, TIME, 5, top)
        parts = log.combined(top + 0x80, USER, 3, 1, 2, 3, 4)
        log.add(parts[0]).record(0x10, CONTROL, TIME, 6, 0x10).record(0x20, USER, 4)
        log.add(parts[1]).record(0xfffffff0, USER, 5)  # slightly older than the previous one
        log.record(0x80000000, USER, 6).record(0xf0000000, USER, 7).record(0x50000000, USER, 8)
        found = {entry[1]: entry[2] for entry in self.read(log)}
        self.assertEqual(found["USREVENT 3"], 5 << 32 | top + 0x80)
        self.assertEqual(found["USREVENT 4"], 6 << 32 | 0x20)
        self.assertEqual(found["USREVENT 5"], 5 << 32 | 0xfffffff0)
        self.assertEqual(found["USREVENT 7"], found["USREVENT 6"] + 0x70000000)
        self.assertEqual(found["USREVENT 8"], found["USREVENT 7"] + 0x60000000)

    def test_events_before_the_first_full_time_have_full_times(self):
        log = Log().record(0x100, CONTROL, BUFFER, 1, 9).record(0xfffffff8, USER, 1, cpu=1)
        log.record(0x110, CONTROL, TIME, 7, 0x110).record(0x120, USER, 2, cpu=1)
        found = [(entry[1], entry[2]) for entry in self.read(log)]
        self.assertEqual(found, [("USREVENT 1", 6 << 32 | 0xfffffff8), ("CONTROL BUFFER", 7 << 32 | 0x100),
                                 ("CONTROL TIME", 7 << 32 | 0x110), ("USREVENT 2", 7 << 32 | 0x120)])

    def test_a_cpu_without_times_uses_the_clock_of_the_others(self):
        log = Log().record(0x10, CONTROL, TIME, 1, 0x10).record(0x20, USER, 1, cpu=1)
        for half in (2, 3, 4):
            log.record(0x10, CONTROL, TIME, half, 0x10)
        log.record(0x40, USER, 2, cpu=1).record(0xfffffff0, USER, 3, cpu=1)
        found = {entry[1]: entry[2] for entry in self.read(log)}
        self.assertEqual((found["USREVENT 1"], found["USREVENT 2"], found["USREVENT 3"]),
                         (1 << 32 | 0x20, 4 << 32 | 0x40, 3 << 32 | 0xfffffff0))

    def test_a_full_time_that_differs_from_its_record(self):
        log = Log().record(0xfffffff0, CONTROL, TIME, 5, 4).record(0x50, USER, 1)
        self.assertEqual([entry[2] for entry in self.read(log)],
                         [4 << 32 | 0xfffffff0, 5 << 32 | 0x50])

    def test_a_frequency_that_is_no_power_of_ten(self):
        self.assertEqual(self.read(Log(frequency=2400000000).record(240, USER, 1))[0][2], 100000)
        self.assertIn("a tick is 1 ps", run(FTR, "info", "log.ftr"))
        self.assertEqual(self.read(Log(frequency=1000000).record(240, USER, 1))[0][2], 240)
        self.assertIn("a tick is 1 us", run(FTR, "info", "log.ftr"))

    def test_the_other_byte_order(self):
        def fill(log):
            return log.record(5, THREAD, READY, 7, 1).add(*log.combined(9, USER, 2, 1, 2, 3)) \
                .record(10, THREAD, DESTROY, 7, 1)
        little = self.read(fill(Log()))
        self.assertEqual(self.read(fill(Log(big=True))), little)
        self.assertEqual(len(little), 3)
        for big in (False, True):
            log = Log(big=big)
            log.add(*log.combined(9, THREAD, 3 << 6, *log.text([1, 2], b"/bin/ksh")))
            attributes = self.read(log)[0][4]
            self.assertEqual((attributes["word1"], attributes["word2"], attributes["text"]),
                             (2, int.from_bytes(b"/bin", "big" if big else "little"), "/bin/ksh"))

    def test_unknown_keys_and_classes_are_accepted(self):
        log = Log(more="TRACE_NORMALIZED_BY::nobody\nodd line\n").record(5, 17, 1000, 1, 2)
        self.assertEqual(self.read(log), [("events.cpu0", "class 17 1000", 5, 5,
                                           {"word0": 1, "word1": 2})])

    def test_any_number_of_keys_with_any_separators(self):
        more = "".join(f"TRACE_USER{n}:: value {n} \n" for n in range(100))
        log = Log(more=more).record(5, USER, 1, 1, 2)
        self.assertEqual(self.read(log)[0][2], 5)
        self.assertIn("USER99:: value 99\n", run(FTR, "dump", "log.kev"))
        head, mark, rest = log.data.partition(b"TRACE_HEADER_END::")
        for separator in (b"\r\n", b"\0"):
            log.data = head.replace(b"\n", separator) + mark + rest
            self.assertEqual(self.read(log)[0][2], 5)

    def test_an_empty_log_is_an_empty_trace(self):
        self.assertEqual(self.read(Log(syspage=b"")), [])

    def test_flags_that_do_not_fit_are_reported(self):
        log = Log()
        start = len(log.data)
        log.record(5, USER, 1, 1, 2, 0, CONTINUE)   # no beginning
        log.record(6, USER, 2, 1, 2, 0, BEGIN)      # begun a second time
        log.record(6, USER, 2, 3, 4, 0, BEGIN)
        log.record(6, USER, 2, 5, 6, 0, END)
        log.record(7, USER, 3, 1, 2, 0, BEGIN)      # no end
        log.data += b"torn"
        found = self.read(
            log, (start, "a part of a combined event without its first record"),
            (start + 16, "an incomplete combined event: skipped"),
            (start + 80, "the bytes end in the middle of a record"),
            (start + 64, "an incomplete combined event: skipped"))
        self.assertEqual([entry[4] for entry in found],
                         [{"word0": 3, "word1": 4, "word2": 5, "word3": 6}])

    def test_missing_buffers_are_reported(self):
        log = Log()
        start = len(log.data)
        log.record(1, CONTROL, BUFFER, 4, 9).record(2, CONTROL, BUFFER, 5, 9)
        log.record(3, CONTROL, BUFFER, 8, 9)
        self.read(log, (start + 32, "buffers of the kernel are missing before this"))

    def test_calls_of_64_bit_processes(self):
        log = (Log().record(100, THREAD, RUNNING, 7, 1)
               .add(*Log().combined(110, CALL, 0x200 | 14, 5, 6, 7, 8)).record(140, CALL, 0x200 | 128 + 14, 1, 2)
               .record(150, CALL, 0x200 | 128 + 15, 3, 4).record(155, CALL, 256 + 14, 3, 4)
               .record(160, THREAD, DESTROY, 7, 1))
        self.assertEqual(self.read(log)[1:4], [
            ("calls.7-1", "MsgReceivev", 110, 140, {"argument0": 5, "argument1": 6, "argument2": 7, "argument3": 8,
                                                   "result0": 1, "result1": 2}),
            ("events.cpu0", "KER_CALL MsgReplyv exit", 150, 150, {"word0": 3, "word1": 4}),
            ("events.cpu0", "KER_CALL MsgReceivev interrupted", 155, 155, {"word0": 3, "word1": 4})])

    def test_interrupts_of_64_bit_systems(self):
        log = Log()
        log.add(*log.combined(10, INTERRUPT, 5, 33, 0x1000, 0x2000)).add(*log.combined(20, INTERRUPT, 6, 7, 33, 2, 3))
        log.record(30, INTERRUPT, 4, 33, 0).record(40, INTERRUPT, 2, 33, 0).record(50, INTERRUPT, 7, 9, 0)
        self.assertEqual([entry[:4] for entry in self.read(log)], [
            ("interrupts.cpu0", "interrupt", 10, 40), ("interrupts.cpu0", "handler", 20, 30),
            ("events.cpu0", "INT DELIVER", 50, 50)])

    def test_states_have_the_names_of_their_release(self):
        states = [7, 8, 19, 20, 21, 26]
        for release, names in (("7.1.0", ["STACK", "WAITTHREAD", "NET_SEND", "NET_REPLY", "state 21", "state 26"]),
                               ("8.0.0", ["MQ_SEND", "MQ_RECEIVE", "RWLOCK_READ", "RWLOCK_WRITE", "BARRIER",
                                          "MUON_MUTEX"])):
            log = Log(more=f"TRACE_SYS_RELEASE::{release}\n")
            for n, state in enumerate(states):
                log.record(n, THREAD, state, 7, 1)
            log.record(9, CALL, 94).record(10, CALL, 128 + 94)
            found = self.read(log)
            self.assertEqual([entry[1] for entry in found if entry[0] == "threads.7-1"], names)
            self.assertEqual(found[-1][1], "MsgQueueSend" if release[0] == "8" else "NetVtid")

    def assert_words(self, events, big=False):
        """Converts a log with these events (class, number, words, text or None), and checks that each one has all its
        words, and its text or none."""
        log = Log(big=big)
        for stamp, (class_, number, words, _) in enumerate(events):
            log.add(*log.combined(stamp, class_, number, *words))
        for event, (*_, text), found in zip(read(log.data), events, self.read(log), strict=True):
            attributes = {f"word{n}": word for n, word in enumerate(event.words)}
            if text is not None:
                attributes["text"] = text
            self.assertEqual(found[4], attributes)

    def test_user_strings_are_texts(self):
        for big in (False, True):
            events = []
            for text in ("start of test\n", "x", "123456789" * 500, "größer", "1234567", "12345678"):
                for before in ([], [11, 12]):
                    words = Log(big=big).text(before, text.encode())
                    events.append((USER, 3, words, text if len(words) > 2 else None))
            self.assert_words(events, big)

    def test_numbers_are_not_texts(self):
        numbers = ([1, 2, 100, 4000000000], [1, 2, 0x01020304, 5], [3, 4, 8224, 99], [1, 2, 0, 0], [0, 0, 0, 0],
                   [0x41424344, 0x45464748, 0x41424344, 0x45464748], [1, 2, 0x64, 0, 0, 0], [0xffffffff] * 6,
                   [0x80000000, 0x80000001, 0xfffffffe, 0x7fffffff], [1, 2, 0xc3, 0], [1, 2, 0xa0edc3, 0])
        for big in (False, True):
            self.assert_words([(USER, 3, words, None) for words in numbers], big)

    def test_events_that_are_never_texts(self):
        text = Log().text([1, 2], b"hello world")
        self.assert_words([(class_, number, words, None) for words in (text, [3, 4, 8224, 99]) for class_, number in (
            (SYSTEM, 99), (SYSTEM, 10 + 0x100), (THREAD, 70), (8, 1), (9, 2), (17, 5), (7, 9))])

    def test_texts_are_where_the_format_says_so(self):
        places = ((THREAD, 3 << 6, 2), (THREAD, 4 << 6, 2), (THREAD, 5 << 6, 2), (SYSTEM, 2, 2), (SYSTEM, 3, 1),
                  (SYSTEM, 6, 12), (SYSTEM, 8, 3), (SYSTEM, 12, 2), (SYSTEM, 21, 5))
        for big in (False, True):
            events = []
            for class_, number, at in places:
                for text in ("/usr/lib/libc.so.5", "é", "a b", "", "x" * 999):
                    words = Log(big=big).text([0x41424344] * at, text.encode())
                    events.append((class_, number, words, text if text and len(words) > 2 else None))
                for data in (b"\xff\xfe", b"\x01", b"\xed\xa0\x80", b"esc\x1b[0m", b"no end of text!!"):
                    words = Log(big=big).text([1] * at, data)
                    if data[-1:] == b"!":
                        words = words[:at + 4 - at % 2]
                    events.append((class_, number, words, None))
            self.assert_words(events, big)

    def test_events_of_every_length_have_all_words(self):
        random.seed(1)
        values = (0, 1, 8224, 0x41424344, 2**31, 2**32 - 1)
        for big in (False, True):
            self.assert_words([(USER, count % 1024, random.choices(values, k=count - 1) + [2**32 - 1], None)
                               for count in (*range(2, 70), 500, 4097, 65536)], big)

    def test_calls_states_and_interrupts_have_all_words(self):
        words = [7, 1, *range(2**32 - 30, 2**32)]
        log = Log()
        for class_, number, stamp in ((THREAD, READY, 1), (CALL, 11, 2), (CALL, 128 + 11, 3), (INTERRUPT, 1, 4)):
            log.add(*log.combined(stamp, class_, number, *words))
        for (_, name, _, _, attributes), prefix, first in zip(self.read(log), ("word", "argument", "word"), (2, 0, 0)):
            self.assertEqual({name: value for name, value in attributes.items() if name.startswith(prefix)},
                             {f"{prefix}{n}": words[n] for n in range(first, 32)}, name)

    def test_an_event_that_is_too_large_is_reported(self):
        log = Log()
        start = len(log.data)
        log.add(*log.combined(9, USER, 3, *[1] * 65538))
        self.assertEqual(len(self.read(log, (start + 16 * 32768, "a record beyond the largest size of an event: "
                                             "skipped"))[0][4]), 65536)

    def test_streams_have_the_names_of_processes_and_threads(self):
        for big in (False, True):
            log = Log(big=big)
            log.record(1, THREAD, RUNNING, 7, 1)  # before it has a name
            log.add(*log.combined(2, THREAD, 3 << 6, 1, 7, *log.text([], b"/sbin/io-pkt.v4")))
            log.add(*log.combined(3, THREAD, 5 << 6, 7, 1, *log.text([], b"rx")))
            log.record(4, CALL, 11).record(5, CALL, 128 + 11).record(6, THREAD, RUNNING, 7, 2)
            log.record(7, THREAD, DESTROY, 7, 1).record(8, THREAD, DESTROY, 7, 2)
            found = self.read(log)
            self.assertEqual({entry[0] for entry in found},
                             {"threads.io-pkt_v4.7-1:rx", "calls.io-pkt_v4.7-1:rx", "threads.io-pkt_v4.7-2",
                              "events.cpu0"})
            name, = [attributes for _, name, _, _, attributes in found if name == "PROCESS CREATE_NAME"]
            self.assertEqual((name["word0"], name["word1"], name["text"]), (1, 7, "/sbin/io-pkt.v4"))

    def test_a_thread_has_one_name_over_its_life(self):
        log = Log()
        log.record(1, THREAD, READY, 7, 1).add(*log.combined(2, THREAD, 3 << 6, *log.text([1, 7], b"ksh")))
        log.add(*log.combined(3, THREAD, 5 << 6, *log.text([7, 1], b"first"))).record(4, THREAD, RUNNING, 7, 1)
        log.add(*log.combined(5, THREAD, 5 << 6, *log.text([7, 1], b"last"))).record(6, THREAD, SEND, 7, 1)
        log.add(*log.combined(7, THREAD, 3 << 6, *log.text([1, 7], b"bin/ls"))).record(8, THREAD, DESTROY, 7, 1)
        log.record(9, THREAD, READY, 7, 1)  # another thread with this number
        log.record(10, THREAD, DESTROY, 7, 1).record(11, THREAD, 2 << 6, 1, 7)
        log.record(12, THREAD, READY, 7, 1)  # a thread of another process
        log.add(*log.combined(13, THREAD, 3 << 6, *log.text([1, 7], b"next"))).record(14, THREAD, DESTROY, 7, 1)
        self.assertEqual([entry[0] for entry in self.read(log) if entry[0].startswith("threads")],
                         4 * ["threads.ls.7-1:last"] + 2 * ["threads.ls.7-1"] + 2 * ["threads.next.7-1"])

    def test_functions_are_transactions(self):
        log = Log().record(1, THREAD, RUNNING, 7, 1)
        log.record(2, SYSTEM, 10, 0x1000, 0x20).record(3, SYSTEM, 10, 0x2000, 0x1010)
        log.record(4, SYSTEM, 10, 0x1000, 0x2010).record(5, SYSTEM, 11, 0x1000, 0x2010)
        log.record(6, SYSTEM, 11, 0x2000, 0x1010).record(7, SYSTEM, 11, 0x1000, 0x20)
        log.record(8, SYSTEM, 11, 0x1000, 0x20)
        log.add(*log.combined(9, SYSTEM, 0x200 | 10, 0x1000, 7, 0x30, 8))
        log.add(*log.combined(10, SYSTEM, 0x200 | 11, 0x1000, 7, 0x30, 8))
        log.record(11, SYSTEM, 10, 0x3000, 0x40)  # never left
        found = [entry for entry in self.read(log) if entry[0] != "threads.7-1"]
        self.assertEqual(found, [
            ("functions.7-1", "0x1000", 2, 7, {"call_site": 0x20}),
            ("functions.7-1", "0x2000", 3, 6, {"call_site": 0x1010}),
            ("functions.7-1", "0x1000", 4, 5, {"call_site": 0x2010}),
            ("events.cpu0", "SYSTEM FUNC_EXIT", 8, 8, {"word0": 0x1000, "word1": 0x20}),
            ("functions.7-1", "0x700001000", 9, 10, {"call_site": 8 << 32 | 0x30}),
            ("functions.7-1", "0x3000", 11, 11, {"call_site": 0x40, "unfinished": True})])

    def test_programs_get_the_requested_events(self):
        log = Log(more="TRACE_SYS_RELEASE::8.0.0\n").record(0x10, CONTROL, TIME, 1, 0x10)
        log.record(0x20, THREAD, 7, 7, 1, cpu=3).record(0x28, CALL, 11, 1, 2)
        log.add(*log.combined(0x30, USER, 9, 1, 2, *struct.unpack("<2I", b"a text\0\0")))
        start = len(log.data)
        log.record(0x31, USER, 8, 1, 2, 0, CONTINUE)
        with open("events.kev", "wb") as file:
            file.write(log.data)
        self.assertEqual(run(PRINT_KERNEL_EVENTS, "events.kev"),
                         "release 8.0.0, 1000000000 cycles a second\n"
                         "0x100000020 cpu 3 THREAD MQ_SEND 7 1\n"
                         "0x100000030 cpu 0 USREVENT 9 1 2 1702109281 29816 \"a text\"\n"
                         f"finding at {start}: a part of a combined event without its first record\n")
        self.assertEqual(run(PRINT_KERNEL_EVENTS, "events.kev", "1").splitlines()[1:],
                         ["0x100000020 cpu 3 THREAD MQ_SEND 7 1", "stopped"])
        for data, status in ((b"", "FTR_ERR_FORMAT"), (b"TRACE_HEADER_BEGIN::\nTRACE_SYSPAGE_LEN::9\n"
                                                       b"TRACE_HEADER_END::abc", "FTR_ERR_TRUNCATED")):
            with open("no.kev", "wb") as file:
                file.write(data)
            run(PRINT_KERNEL_EVENTS, "no.kev", status=1, stderr=f"no.kev: {status}\n")
        run(PRINT_KERNEL_EVENTS, "missing.kev", status=1, stderr="missing.kev: FTR_ERR_IO\n")

    @unittest.skipIf(len(sys.argv) < 5, "the library is built with sanitizers")
    def test_the_example_of_the_documentation(self):
        library, source = sys.argv[3:5]
        with open(source + "/docs/exchange.md", encoding="utf-8") as file:
            code = file.read().split("```c\n#include <ftr/kev.h>", 1)[1].split("```", 1)[0]
        with open("events.c", "w", encoding="utf-8") as file:
            file.write("#include <ftr/kev.h>" + code)
        run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{source}/include", "events.c", library, "-o", "events")
        with open("example.kev", "wb") as file:
            file.write(Log().record(100, THREAD, READY, 7, 1).record(200, USER, 1).data)
        self.assertEqual(run("./events", "example.kev"), "100 7-1 READY\n")

    def test_files_that_are_not_logs_are_refused(self):
        for data, said in ((b"", "not a QNX kernel event log: it has no head"),
                           (b"TRACE_HEADER_BEGIN::\nTRACE_", "not a QNX kernel event log: it has no head"),
                           (b"TRACE_HEADER_BEGIN::\nTRACE_SYSPAGE_LEN::9\nTRACE_HEADER_END::abc",
                            "it ends before its first record"),
                           (b"TRACE_HEADER_BEGIN::\nTRACE_HEADER_END::",
                            "its head does not contain the number of cycles per second")):
            with open("no.kev", "wb") as file:
                file.write(data)
            run(FTR, "convert", "--input-format", "kev", "--force", "-o", "no.ftr", "no.kev", status=2,
                stderr=f"ftr: no.kev: {said}\n")
            self.assertFalse(os.path.exists("no.ftr"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
