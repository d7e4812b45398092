#!/usr/bin/python3
"""Times in kernel event logs of QNX: records have the low 32 bits of their times; the rest must be found.

    kev_clock_test.py FTR
"""

import os
import random
import re
import sys
import unittest

from dumped import Dump, ExchangeTest, run
from kev_file import BUFFER, CONTROL, INTERRUPT, Log, READY, RUNNING, THREAD, TIME, USER, read

FTR = os.path.abspath(sys.argv[1])
PERIOD = 2**32


class Kernel:
    """A kernel that records events at times of 64 bits, and remembers the times."""

    def __init__(self, now, cpus=1, announces=True, **more):
        self.log, self.now, self.cpus, self.announces = Log(**more), now, cpus, announces
        self.times, self.sequence = [], 0
        if announces:
            self.announce()

    def announce(self, cpu=0):
        self.log.record(self.now, CONTROL, TIME, self.now >> 32, self.now & (PERIOD - 1), cpu)
        self.times.append(self.now)

    def add(self, time, cpu=0, class_=USER, number=1, first=0, second=0):
        self.log.record(time, class_, number, first, second, cpu)
        self.times.append(time)

    def wait(self, cycles):
        """Lets time pass; the kernel announces each rollover, a little later."""
        end = self.now + cycles
        while self.announces and end // PERIOD > self.now // PERIOD:
            self.now = min(end, (self.now // PERIOD + 1) * PERIOD + random.choice((0, 1, 500)))
            self.announce(random.randrange(self.cpus))
        self.now = end

    def buffer(self):
        self.sequence += 1
        self.log.record(self.now, CONTROL, BUFFER, self.sequence, 9)
        self.times.append(self.now)
        self.announce()


class KevClockTest(ExchangeTest):

    def equal(self, found, expected):
        """Reports only the first difference, because unittest needs minutes to print long lists."""
        for index, pair in enumerate(zip(found, expected)):
            self.assertEqual(*(f"{index}: {time:#x}" for time in pair))
        self.assertEqual(len(found), len(expected))

    def compare(self, kernel, is_simple=False):
        path = kernel.log.write("log.kev")
        lines = run(FTR, "dump", path).splitlines()
        times = [int(found[1], 16) for found in (re.match("t:0x([0-9a-f]+) ", line) for line in lines) if found]
        self.equal(times, kernel.times)
        run(FTR, "convert", "--input-format", "kev", "--force", "-o", "log.ftr", path)
        instants = [tx["begin"] for tx in Dump(FTR, "log.ftr").transactions if tx["begin"] == tx["end"]]
        self.equal(sorted(instants), sorted(kernel.times))
        if is_simple:
            self.equal([event.time for event in read(kernel.log.data)], kernel.times)

    def test_an_event_follows_the_last_time_after_any_gap(self):
        for gap in (2**31 - 1, 2**31, 2**31 + 1, 2_600_000_000, 0xc0000000, 0xf0000001, 0xfffffff0 - 0x100):
            kernel = Kernel(7 * PERIOD + 0x100)
            kernel.wait(gap)
            kernel.add(kernel.now)
            if gap < 0xf0000000:
                self.compare(kernel, is_simple=True)
            kernel.wait(PERIOD)
            kernel.add(kernel.now, number=2)
            kernel.wait(PERIOD)
            self.compare(kernel)

    def test_a_state_does_not_begin_before_the_log(self):
        kernel = Kernel(5 * PERIOD + 0x10)
        kernel.wait(2_600_000_000)
        kernel.log.record(kernel.now, THREAD, READY, 7, 1)
        kernel.log.record(kernel.now + 10, THREAD, RUNNING, 7, 1)
        run(FTR, "convert", "--input-format", "kev", "--force", "-o", "log.ftr", kernel.log.write("log.kev"))
        self.assertEqual([(tx["generator"], tx["begin"]) for tx in Dump(FTR, "log.ftr").transactions],
                         [("CONTROL TIME", 5 * PERIOD + 0x10), ("READY", kernel.now), ("RUNNING", kernel.now + 10)])

    def test_an_idle_system(self):
        """Rollovers without any other event, and a few events at any place of a period."""
        for seed in range(6):
            random.seed(seed)
            kernel = Kernel(random.randrange(2**40), cpus=4)
            for _ in range(30):
                kernel.wait(random.randrange(3 * PERIOD))
                kernel.add(kernel.now, random.randrange(4))
            kernel.wait(PERIOD)
            self.compare(kernel)

    def test_gaps_of_half_a_period_and_more(self):
        for seed in range(6):
            random.seed(seed)
            kernel = Kernel(random.randrange(2**40), cpus=2)
            for _ in range(50):
                kernel.wait(random.randrange(2**31, PERIOD))
                kernel.add(kernel.now, random.randrange(2))
            kernel.wait(PERIOD)
            self.compare(kernel)

    def test_records_of_other_cpus_are_late_or_early(self):
        for seed in range(12):
            random.seed(seed)
            kernel = Kernel(random.randrange(2**40), cpus=4, big=seed % 2 == 1)
            for _ in range(60):
                kernel.wait(random.choice((random.randrange(1000), random.randrange(2**24), random.randrange(PERIOD))))
                kernel.add(kernel.now, 0)
                if random.random() < 0.3:
                    kernel.add(max(0, kernel.now - random.randrange(1, 2**random.choice((4, 10, 20, 27)))), 1)
                    kernel.wait(100)
                    kernel.add(kernel.now, 0)
                if random.random() < 0.1:
                    kernel.buffer()
            self.compare(kernel)

    def test_a_record_late_after_a_rollover(self):
        for distance in (1, 0x20, 2**20, 2**27):
            kernel = Kernel(4 * PERIOD + 5, cpus=2)
            kernel.add(5 * PERIOD - 1, 0)
            kernel.wait(PERIOD - 5)
            kernel.add(5 * PERIOD - distance, 1)
            kernel.add(5 * PERIOD + 7, 0)
            self.compare(kernel)

    def test_a_record_between_a_rollover_and_its_announcement(self):
        for gap in (1, 1000, 2**27):
            kernel = Kernel(4 * PERIOD + 5, cpus=2)
            kernel.add(5 * PERIOD - gap, 0)
            kernel.add(5 * PERIOD + 2, 1)
            kernel.add(5 * PERIOD - 1, 0)
            kernel.add(5 * PERIOD + 3, 1)
            kernel.now = 5 * PERIOD + 9
            kernel.announce()
            kernel.add(5 * PERIOD + 10, 1)
            self.compare(kernel)

    def test_many_records_shortly_before_a_rollover(self):
        kernel = Kernel(4 * PERIOD + 5, cpus=2)
        for n in range(1000, 0, -1):
            kernel.add(5 * PERIOD - 3 * n, 1)
        self.compare(kernel)

    def test_a_log_without_announcements(self):
        for seed in range(6):
            random.seed(seed)
            kernel = Kernel(random.randrange(1000), announces=False)
            for _ in range(50):
                kernel.now += random.choice((random.randrange(1000), random.randrange(2**31), 2**31 + 5))
                kernel.add(kernel.now, 0)
            self.compare(kernel)

    def test_a_log_that_begins_long_before_the_first_announcement(self):
        for gap in (10, 2**31, 0xe0000000):
            kernel = Kernel(9 * PERIOD + 0x1000, announces=False)
            kernel.add(kernel.now - gap, number=2)
            kernel.add(kernel.now - gap + 1, cpu=3)
            kernel.announce()
            kernel.add(kernel.now + 1)
            self.compare(kernel)

    def test_times_at_the_limits(self):
        kernel = Kernel(0)
        kernel.add(5, cpu=1)
        kernel.add(0xfffffff0)
        self.compare(kernel)
        kernel = Kernel(2**63 + 0xfffff000)
        kernel.add(2**63 + 0xfffffff0)
        kernel.add(2**63 + PERIOD + 3)  # the announcement is missing
        self.compare(kernel)
        kernel = Kernel(2**64 - 100)
        kernel.add(2**64 - 50)
        self.compare(kernel)

    def test_interrupts_last_as_long_as_recorded(self):
        kernel = Kernel(3 * PERIOD + 0x10)
        kernel.wait(2**31 + 77)
        kernel.log.record(kernel.now, INTERRUPT, 1, 33, 0)
        kernel.log.record(kernel.now + 2**31 + 5, INTERRUPT, 2, 33, 0)  # without a rollover
        run(FTR, "convert", "--input-format", "kev", "--force", "-o", "log.ftr", kernel.log.write("log.kev"))
        found = [(tx["begin"], tx["end"]) for tx in Dump(FTR, "log.ftr").transactions if tx["begin"] != tx["end"]]
        self.assertEqual(found, [(kernel.now, kernel.now + 2**31 + 5)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
