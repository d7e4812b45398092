#!/usr/bin/python3
"""Checks that the protocol check allocates nothing in steady state, with tens of thousands of payloads in flight:
steady.cpp counts. Arguments: attached.py's main()."""

import os

from attached import Attached, Paths, in_both_forms, main

IN_FLIGHT = "30000"


@in_both_forms
class Steady(Attached):
    def counted(self, **variables):
        """Returns the allocations that steady.cpp prints."""
        done = self.command([os.path.join(Paths.programs, "steady"), IN_FLIGHT], **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        one, *rounds = (int(number) for number in done.stdout.split())
        self.assertEqual(one, 1)  # the program counts
        return rounds

    def test_the_prototype_itself_allocates_nothing(self):
        self.assertEqual(self.counted(), [0, 0, 0, 0])

    def test_the_check_allocates_nothing(self):
        _, phases, _, blocking = self.counted(FTR_PROTOCOL="check")
        self.assertEqual((phases, blocking), (0, 0))

    def test_recorded_accesses_allocate_nothing(self):
        _, phases, _, blocking = self.counted(FTR_TRACE=self.file)
        self.assertEqual((phases, blocking), (0, 0))

    def test_checked_and_recorded_accesses_allocate_nothing(self):
        _, phases, _, blocking = self.counted(FTR_PROTOCOL="check", FTR_TRACE=self.file)
        self.assertEqual((phases, blocking), (0, 0))


if __name__ == "__main__":
    main()
