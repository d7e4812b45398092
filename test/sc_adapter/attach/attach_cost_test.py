#!/usr/bin/python3
"""Counts the instructions that recording adds to an access, on the simulation thread and on the
writer thread. Two differences are taken: between chains with one hop more or less, and between runs
with and without recording. The counts of a run begin after its first quarter.
Arguments: attached.py, main()."""

import os
import re

from attached import Attached, Paths, main

CALLS = 2000
COUNTED = CALLS * 3 // 4
ROOT, SHORT, LONG = 0, 1, 2  # hops


def total(path):
    with open(path, encoding="ascii") as file:
        return int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)[1])


class Instructions(Attached):
    """b_transport: an access with its relation to the access of the hop before."""
    arguments = ()
    root, nested = 260, 245  # limits: an access without a parent, and one with a parent
    writer = 1520            # on the writer thread, with compression and journal
    # The same for a summary without a trace. A slow run writes the file of the summary more often: every two seconds.
    summary = 1250
    checks = (85, 64, 61)    # FTR_PROTOCOL: the only link, the last one of two, one between two others

    def profile(self, calls, hops, **variables):
        profile = os.path.join(self.folder, "profile")
        done = self.command(["valgrind", "--tool=callgrind", "--separate-threads=yes", "--dump-before=counted",
                             "--callgrind-out-file=" + profile,
                             os.path.join(Paths.programs, "cost"), str(calls), str(hops), *self.arguments],
                            **variables)
        self.assertEqual((done.returncode, done.stdout), (0, f"{calls}\n".encode()), done.stderr)
        return profile

    def count(self, hops, **variables):
        """Returns the instructions of the simulation thread for a call with its hops."""
        return total(self.profile(CALLS, hops, **variables) + ".2-01") / COUNTED

    @classmethod
    def setUpClass(cls):
        cls.alone = {}
        cls.costs = {}

    def count_alone(self, hops):
        if hops not in self.alone:
            self.alone[hops] = self.count(hops)
        return self.alone[hops]

    def of_calls(self, hops, **variables):
        """Returns the instructions that recording adds to one call with its hops. Counts them once for each setting."""
        key = (hops, *sorted(variables.items()))
        if key not in self.costs:
            self.costs[key] = self.count(hops, FTR_TRACE=self.file, **variables) - self.count_alone(hops)
            self.assertEqual(len(self.trace().of("calls.socket")), CALLS)
        return self.costs[key]

    def cost(self, **variables):
        """Returns the instructions of one observed access within another."""
        return self.of_calls(LONG, **variables) - self.of_calls(SHORT, **variables)

    def test_an_access(self):
        self.assertLess(self.of_calls(ROOT), self.root)

    def test_an_access_within_another(self):
        self.assertLess(self.cost(), self.nested)

    def test_excluded_links_cost_nothing(self):
        more = self.count(SHORT, FTR_TRACE=self.file, FTR_EXCLUDE="*") - self.count_alone(SHORT)
        self.assertLess(more / (1 + SHORT), 1)

    def test_one_excluded_link_costs_nothing(self):
        """The access before it is the parent of the one after it."""
        more = self.of_calls(SHORT, FTR_EXCLUDE="hop_0.*") - self.of_calls(ROOT)
        self.assertLess(abs(more), 6)

    def test_the_writer(self):
        """An access with its relation on the writer thread. That thread lags behind the calls: runs of different length
        are compared."""
        (few, some), (more, most) = ([self.count_of_the_writer(calls, hops) for hops in (SHORT, LONG)]
                                     for calls in (CALLS - COUNTED, CALLS))
        self.assertLess(((most - more) - (some - few)) / COUNTED, self.writer)

    def test_the_writer_of_a_summary(self):
        """A call with its hops, which are two accesses with a relation."""
        few, many = (self.count_of_the_writer(calls, SHORT, FTR_SUMMARY=f"{self.file}-{calls}.fts")
                     for calls in (CALLS - COUNTED, CALLS))
        self.assertLess((many - few) / COUNTED / 2, self.summary)

    def count_of_the_writer(self, calls, hops, **variables):
        return total(self.profile(calls, hops, **(variables or {"FTR_TRACE": self.file})) + "-02")

    def cost_of_check(self, hops, **variables):
        """Returns the instructions that FTR_PROTOCOL adds, above recording, to one call with its hops."""
        recorded, checked = (self.of_calls(hops, **variables, **more) for more in ({}, {"FTR_PROTOCOL": "check"}))
        return checked - recorded

    def check_cost(self, *limits, **variables):
        """Compares the costs of the only link, of the last one of two, and of one between two others."""
        earlier = 0
        for hops, limit in enumerate(limits):
            cost = self.cost_of_check(hops, **variables)
            with self.subTest(hops=hops, **variables):
                self.assertLess(cost - earlier, limit)
            earlier = cost

    def test_checking_the_protocol(self):
        self.check_cost(*self.checks)


class Settings(Instructions):
    """The same with other settings."""
    test_an_access = test_excluded_links_cost_nothing = test_one_excluded_link_costs_nothing = None
    test_an_access_within_another = test_the_writer = test_checking_the_protocol = None
    test_the_writer_of_a_summary = None

    def test_no_data_costs_no_more_than_some(self):
        none, some = (self.cost(FTR_PAYLOAD=size) for size in ("0", "8"))
        self.assertLessEqual(none, some)

    def test_checking_the_protocol_with_few_bytes_of_data(self):
        self.check_cost(117, 86, 62, FTR_PAYLOAD="4")

    def test_no_check_costs_nothing(self):
        # On a loaded machine, the prototype provides a block of the recording more or less by itself.
        self.assertLess(abs(self.cost(FTR_PROTOCOL="off") - self.cost()), 6)


class Early(Settings):
    """Before the time window, in which nothing is recorded."""
    test_no_check_costs_nothing = test_no_data_costs_no_more_than_some = None
    test_checking_the_protocol_with_few_bytes_of_data = None

    def test_an_access_before_the_window(self):
        costs = [self.count(hops, FTR_TRACE=self.file, FTR_START="1s") - self.count(hops) for hops in (SHORT, LONG)]
        self.assertLess(costs[1] - costs[0], 42)

    def test_an_access_in_the_window(self):
        """All accesses are in this window."""
        self.assertLess(self.cost(FTR_START="0s"), 260)


class LongData(Instructions):
    """The same with 64 bytes of data, all of which are recorded."""
    arguments = ("blocking", "64")
    more = 125  # limit: instructions above those of 8 bytes
    test_an_access = test_an_access_within_another = test_excluded_links_cost_nothing = None
    test_one_excluded_link_costs_nothing = test_the_writer = test_checking_the_protocol = None

    def test_all_data(self):
        self.assertLess(self.cost(FTR_PAYLOAD="all") - self.cost(FTR_PAYLOAD="8"), self.more)


class LongerData(LongData):
    """The same with 1 KiB."""
    arguments = ("blocking", "1024")
    more = 1200


class Managed(Instructions):
    """The same of b_transport calls with a payload that has a memory manager."""
    arguments = ("managed",)
    test_an_access = test_excluded_links_cost_nothing = test_one_excluded_link_costs_nothing = None
    test_an_access_within_another = test_the_writer = test_the_writer_of_a_summary = None


class Pool(Managed):
    """The same with the payloads of a pool in turn."""
    arguments = ("pool",)


class Phases(Instructions):
    """The same of nb_transport calls that complete a transaction early."""
    arguments = ("phases",)
    root, nested = 357, 390
    writer = 1250
    summary = 1250
    checks = (197, 188, 186)


class FourPhases(Instructions):
    """The same of transactions in four calls."""
    arguments = ("four-phases",)
    root, nested = 470, 500
    writer = 1250
    summary = 2400
    checks = (421, 400, 400)


if __name__ == "__main__":
    main()
