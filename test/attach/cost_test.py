#!/usr/bin/python3
"""Counts the instructions that an observed b_transport costs the simulation thread: those of more
calls less those of fewer, with and without. One hop, so that half of the calls are related to
another. Arguments: attached.py, main()."""

import os
import re

from attached import Attached, Paths, main

FEWER, MORE = 2000, 12000
HOPS = 1


class Instructions(Attached):
    alone = {}

    def count(self, calls, **variables):
        """Of the simulation thread."""
        profile = os.path.join(self.folder, "profile")
        done = self.command(["valgrind", "--tool=callgrind", "--separate-threads=yes",
                             "--callgrind-out-file=" + profile,
                             os.path.join(Paths.programs, "cost"), str(calls), str(HOPS)],
                            **variables)
        self.assertEqual((done.returncode, done.stdout), (0, f"{calls}\n".encode()), done.stderr)
        with open(profile + "-01", encoding="ascii") as file:
            return int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)[1])

    def cost(self, **variables):
        """Of one observed call."""
        for calls in (FEWER, MORE):
            if calls not in self.alone:
                self.alone[calls] = self.count(calls)
        fewer, more = (self.count(calls, FTR_TRACE=self.file, **variables) - self.alone[calls]
                       for calls in (FEWER, MORE))
        self.assertEqual(len(self.trace().of("calls.socket_bl")), MORE)
        return (more - fewer) / ((MORE - FEWER) * (1 + HOPS))

    def test_calls_alone(self):
        self.assertLess(self.cost(FTR_EXCLUDE="*_timed"), 400)

    def test_calls_and_their_timed_twins(self):
        self.assertLess(self.cost(), 700)


if __name__ == "__main__":
    main()
