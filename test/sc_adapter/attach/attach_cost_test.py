#!/usr/bin/python3
"""Counts the instructions that an observed b_transport, with its relation to the enclosing call,
adds to the simulation thread. Two differences are taken: between chains with one hop more or less,
and between runs with and without recording. The counts of a run begin after its first quarter.
Arguments: attached.py, main()."""

import os
import re

from attached import Attached, Paths, main

CALLS = 2000
COUNTED = CALLS * 3 // 4
SHORT, LONG = 1, 2


def total(path):
    with open(path, encoding="ascii") as file:
        return int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)[1])


class Instructions(Attached):
    arguments = ()
    stream = "calls.socket_bl"
    calls = 1

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
            self.assertEqual(len(self.trace().of(self.stream)), CALLS * self.calls)
        return self.costs[key]

    def cost(self, **variables):
        """Returns the instructions of one observed call within another."""
        return self.of_calls(LONG, **variables) - self.of_calls(SHORT, **variables)

    def test_calls_without_timed_twins(self):
        self.assertLess(self.cost(FTR_EXCLUDE="*_timed"), 295)

    def test_excluded_calls(self):
        for excluded, limit in {"*": 1, "*_bl,*_bl_timed": 8, "*_bl": 560}.items():
            with self.subTest(excluded):
                more = self.count(SHORT, FTR_TRACE=self.file, FTR_EXCLUDE=excluded) - self.count_alone(SHORT)
                self.assertLess(more / (1 + SHORT), limit)

    def test_no_data_costs_no_more_than_some(self):
        none, some = (self.cost(FTR_EXCLUDE="*_timed", FTR_PAYLOAD=size) for size in ("0", "8"))
        self.assertLessEqual(none, some)

    def test_calls_and_their_timed_twins(self):
        self.assertLess(self.cost(), 340)

    def test_encoding(self):
        """Two calls, their twins and three relations on the writer thread, without compression. That thread lags
        behind the calls: runs of different length are compared."""
        fewer, more = (self.count_of_the_writer(calls) for calls in (CALLS - COUNTED, CALLS))
        self.assertLess((more - fewer) / COUNTED, 2250)

    def count_of_the_writer(self, calls):
        return total(self.profile(calls, SHORT, FTR_TRACE=self.file, FTR_COMPRESS="none") + "-02")

    def cost_of_check(self, hops, **variables):
        """Returns the instructions that FTR_PROTOCOL adds, above recording, to one call with its hops."""
        recorded, checked = (self.of_calls(hops, FTR_EXCLUDE="*_timed", **variables, **more)
                             for more in ({}, {"FTR_PROTOCOL": "check"}))
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
        self.check_cost(64, 56, 50)

    def test_checking_the_protocol_with_few_bytes_of_data(self):
        self.check_cost(137, 124, 95, FTR_PAYLOAD="4")

    def test_no_check_costs_nothing(self):
        # On a loaded machine, the prototype provides a block of the recording more or less by itself.
        self.assertLess(abs(self.cost(FTR_EXCLUDE="*_timed", FTR_PROTOCOL="off")
                            - self.cost(FTR_EXCLUDE="*_timed")), 6)


class Managed(Instructions):
    """The same of b_transport calls with a payload that has a memory manager."""
    arguments = ("managed",)

    def test_calls_without_timed_twins(self):
        self.skipTest("measured without a memory manager")

    test_no_data_costs_no_more_than_some = test_excluded_calls = test_calls_without_timed_twins
    test_encoding = test_calls_without_timed_twins
    test_calls_and_their_timed_twins = test_no_check_costs_nothing = test_calls_without_timed_twins
    test_checking_the_protocol_with_few_bytes_of_data = test_calls_without_timed_twins


class Pool(Managed):
    """The same with the payloads of a pool in turn."""
    arguments = ("pool",)


class Phases(Instructions):
    """The same of nb_transport calls that complete a transaction early."""
    arguments = ("phases",)
    stream = "calls.socket_nb"
    calls = 1  # of a transaction on a link

    def test_calls_without_timed_twins(self):
        self.assertLess(self.cost(FTR_EXCLUDE="*_timed"), 1000 * self.calls)

    def test_no_data_costs_no_more_than_some(self):
        self.skipTest("measured for blocking calls")

    def test_excluded_calls(self):
        self.skipTest("measured for blocking calls")

    def test_calls_and_their_timed_twins(self):
        self.skipTest("measured for blocking calls")

    def test_encoding(self):
        self.skipTest("measured for blocking calls")

    def test_checking_the_protocol(self):
        self.check_cost(116, 123, 127)

    def test_checking_the_protocol_with_few_bytes_of_data(self):
        self.skipTest("measured for blocking calls")


class FourPhases(Phases):
    """The same of transactions in four calls."""
    arguments = ("four-phases",)
    calls = 4

    def test_calls_without_timed_twins(self):
        self.assertLess(self.cost(FTR_EXCLUDE="*_timed"), 550 * self.calls)

    def test_no_check_costs_nothing(self):
        self.skipTest("measured for early completion")

    def test_checking_the_protocol(self):
        self.check_cost(109 * self.calls, 109 * self.calls, 109 * self.calls)


if __name__ == "__main__":
    main()
