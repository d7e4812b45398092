#!/usr/bin/python3
"""The lines of kernel events, which are those of traceprinter of QNX.

    kev_dump_test.py FTR
"""

import os
import random
import re
import sys
import unittest

from dumped import ExchangeTest, run
from kev_file import BUFFER, CALL, CONTROL, INTERRUPT, Log, RUNNING, SYSTEM, THREAD, TIME, USER, read

FTR = os.path.abspath(sys.argv[1])
COMM = 7


class KevDumpTest(ExchangeTest):

    def lines(self, log, *options):
        return [line for line in run(FTR, "dump", *options, log.write("log.kev")).splitlines() if ":: " not in line]

    def tails(self, log):
        """Returns the lines without time and CPU; each sequence of blanks is one."""
        return [" ".join(line.split()[2:]) for line in self.lines(log)]

    def test_the_form_of_a_line(self):
        log = Log().record(0x4f81e320, CONTROL, BUFFER, 33, 714)
        log.record(0x4f81e320, CONTROL, TIME, 0x37b0, 0x4f81e014)
        log.add(*log.combined(0x4f82017a, THREAD, 3 << 6, *log.text([0, 1], b"proc/boot/procnto-smp-instr"), cpu=12))
        log.record(0x4f82017b, USER, 9, 1, 2)
        self.assertEqual(self.lines(log)[1:3], [
            "t:0x37b04f81e320 CPU:00 CONTROL         :TIME               msb:0x000037b0 lsb(offset):0x4f81e014",
            "t:0x37b04f82017a CPU:12 PROCESS         :PROCCREATE_NAME    ppid:0 pid:1 "
            "name:proc/boot/procnto-smp-instr"])
        self.assertEqual(self.tails(log)[0], "CONTROL :BUFFER sequence = 33, num_events = 714")
        self.assertIn("CYCLES_PER_SEC:: 1000000000", run(FTR, "dump", "log.kev").splitlines())

    def test_names_of_events(self):
        log = Log()
        for class_, number, words, _ in (lines := (
                (THREAD, 2, [7, 1], "THREAD :THREADY pid:7 tid:1"),
                (THREAD, RUNNING, [7, 1, 10, 2], "THREAD :THRUNNING pid:7 tid:1 priority:10 policy:2"),
                (THREAD, 24, [7, 2], "THREAD :THCREATE pid:7 tid:2"),
                (THREAD, 25, [7, 2], "THREAD :THDESTROY pid:7 tid:2"),
                (THREAD, 1 << 6, [1, 7], "PROCESS :PROCCREATE ppid:1 pid:7"),
                (THREAD, 2 << 6, [1, 7], "PROCESS :PROCDESTROY ppid:1 pid:7"),
                (THREAD, 4 << 6, log.text([1, 7], b"ksh"), "PROCESS :PROCDESTROY_NAME ppid:1 pid:7 name:ksh"),
                (THREAD, 5 << 6, log.text([7, 1], b"a b"), "PROCESS :PROCTHREAD_NAME pid:7 tid:1 name:a b"),
                (INTERRUPT, 1, [36, 0xf00], "INT_ENTR :0x00000024 (36) IP:0x00000f00"),
                (INTERRUPT, 2, [36, 1], "INT_EXIT :0x00000024 (36) inkernel:0x00000001"),
                (INTERRUPT, 3, [1, 36, 0xf0, 0], "INT_HANDLER_ENTR:0x00000024 (36) PID:1 IP:0x000000f0 "
                 "AREA:0x00000000"),
                (CALL, 11, [5, 0x61626364], 'KER_CALL :MSG_SENDV/11 coid:0x00000005 msg:"dcba" (0x61626364)'),
                (CALL, 11, [5, 1, 2, 0x40116, 0, 0], 'KER_CALL :MSG_SENDV/11 coid:0x00000005 sparts:1 rparts:2 '
                                                     'msg:"" (0x00040116) "" (0x00000000) "" (0x00000000)'),
                (CALL, 128 + 11, [0, 0], 'KER_EXIT :MSG_SENDV/11 status:0 rmsg:"" (0x00000000)'),
                (CALL, 128 + 14, [2**32 - 1, 4], "KER_EXIT :MSG_RECEIVEV/14 ret_val:-1 errno:4"),
                (CALL, 256 + 14, [0, 0], "INT_CALL :MSG_RECEIVEV/14 0x00000000 0x00000000"),
                (CALL, 24, [1, 1], "KER_CALL :MSG_RECEIVEPULSEV/24 chid:0x00000001 rparts:1"),
                (CALL, 83, [0x80, 1], "KER_CALL :SYNC_CONDVAR_SIGNAL/83 sync_p:0x00000080 all:1"),
                (CALL, 0x200 | 11, [1, 2, 3, 4], "KER_CALL :MSG_SENDV/11 0x00000001 0x00000002 0x00000003 0x00000004"),
                (SYSTEM, 2, log.text([7, 1], b"/dev/null"), "SYSTEM :PATHMGR_OPEN pid:7 tid:1 path:/dev/null"),
                (SYSTEM, 3, log.text([2], b"System"), "SYSTEM :APS_NAME partition_id:2 name:System"),
                (SYSTEM, 7, [7, 0x1000, 1, 0x2000, 0], "SYSTEM :MUNMAP pid:7 vaddr:0x100001000 len:0x2000 0x00000000"),
                (SYSTEM, 10, [0x10, 0x20], "SYSTEM :FUNC_ENTER thisfn:0x00000010 call_site:0x00000020"),
                (COMM, 0, [9, 3], "COMM :SND_MESSAGE rcvid:0x00000009 pid:3"),
                (COMM, 10, [1, 3], "COMM :REPLY_MESSAGE tid:1 pid:3"),
                (USER, 111, [1, 13], "USREVENT :EVENT:111 d0:0x00000001 d1:0x0000000d"),
                (17, 1000, [1, 2], "class:17 :1000 0x00000001 0x00000002"))):
            log.add(*log.combined(len(log.data), class_, number, *words))
        self.assertEqual(self.tails(log), [line for *_, line in lines])

    def test_user_strings(self):
        log = Log()
        words = log.text([], b"Hello world 0")
        log.add(*log.combined(1, USER, 7, *words)).add(*log.combined(2, USER, 7, 1, 2, 100, 4000000000))
        self.assertEqual(self.tails(log), [
            'USREVENT :EVENT:7 STR:"Hello world 0" ' + " ".join(f"0x{word:08x}" for word in words),
            "USREVENT :EVENT:7 0x00000001 0x00000002 0x00000064 0xee6b2800"])

    def test_every_word_is_printed(self):
        """Any event of any class and length prints each of its words: as a number of either form, or as text."""
        random.seed(5)
        for big in (False, True):
            log = Log(big=big)
            for stamp in range(400):
                words = [random.randrange(2**31, 2**32 - 1) for _ in range(random.randrange(1, 12) * 2)]
                log.add(*log.combined(stamp, random.randrange(12), random.randrange(1024), *words, cpu=stamp % 64))
            lines, events = self.lines(log), read(log.data)
            self.assertEqual(len(lines), len(events))
            for event, line in zip(events, lines):
                self.assertIn(f"CPU:{event.cpu:02} ", line)
                for word in event.words:
                    self.assertTrue(re.search(f"(?<!\\w)({word}|{word - 2**32}|0x{word:08x})(?!\\w)|{word:08x}", line),
                                    (event, line))

    def test_the_format_of_a_line(self):
        log = Log(frequency=1000000).record(0x10, CONTROL, TIME, 1, 0x10).record(1234583, THREAD, RUNNING, 7, 1, cpu=3)
        for format_, line in (
                ("t:0x%08c CPU:%02C %-16Z:%-18z", "t:0x10012d697 CPU:03 THREAD          :THRUNNING         "),
                ("e:%06e t:%014t c:0x%010c CPU:%02C %-16Z:%-18z|",
                 "e:000001 t:0001.234.567us c:0x010012d697 CPU:03 THREAD          :THRUNNING         |"),
                ("%.3z|%.-3z|%12.4Z|%-6.-4Z|%%|%3C|%-3C|", "THR|ING|        THRE|READ  |%|  3|3  |"),
                ("no field", "no field"), ("", ""), ("%c", "10012d697"), ("%.12c", "00010012d697")):
            self.assertEqual(self.lines(log, "-p", format_)[1], line + " pid:7 tid:1", format_)
            self.assertEqual(self.lines(log, "--format", format_)[1], line + " pid:7 tid:1", format_)
        for bad, at in (("%", "%"), ("%q", "%q"), ("a %08", "%08"), ("%c %5.", "%5."), ("%1234c", "%1234c")):
            run(FTR, "dump", "-p", bad, "log.kev", status=2, stderr=f"ftr dump: --format: invalid field at '{at}'; a "
                "field is %c, %C, %e, %t, %Z, %z or %%, with flags (- 0), width and precision behind the percent sign\n"
                "Try 'ftr help dump'.\n")
        with open("text.txt", "w", encoding="utf-8") as file:
            file.write("no log")
        run(FTR, "dump", "-p", "%c", "text.txt", status=2, stderr="ftr dump: text.txt: --format is only valid for a "
            "QNX kernel log\nTry 'ftr help dump'.\n")

    def test_a_log_on_stdin(self):
        log = Log().record(5, THREAD, RUNNING, 7, 1)
        expected = run(FTR, "dump", log.write("log.kev"))
        with open("log.kev", "rb") as file:
            self.assertEqual(run(FTR, "dump", "-", stdin=file), expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
