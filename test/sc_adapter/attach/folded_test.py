#!/usr/bin/python3
"""Folds recordings of calls of the prototypes. The accesses are the same whichever streams of calls were recorded,
and the same as those that the recorder of accesses records.
Arguments: attached.py's main()."""

import collections
import os
import subprocess

from attached import Attached, Paths, Trace, main, values

PROTOTYPES = ("approximately_timed", "decoupled", "loosely_timed_bus", "sockets")
# What is not in the streams that remain, for each pattern of FTR_EXCLUDE (docs/migration.md).
EXCLUDED = {"*_bl_timed": (), "*_nb_timed": ("byte_enable",), "*_timed": ("byte_enable",), "*_bl": ("delay",),
            "*_nb": ("delay", ".phases")}


class Folded(Attached):
    def fold(self, name, **variables):
        """Returns the decoded accesses of a recording of calls."""
        output = os.path.join(self.folder, "accesses.ftr")
        run = self.command([os.path.join(Paths.programs, name)], FTR_TRACE=self.file, FTR_TLM="calls", **variables)
        self.assertEqual(run.returncode, 0)
        done = subprocess.run([Paths.ftr, "accesses", "--force", "-o", output, self.file], capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), name)
        return self.trace(output)

    def accesses(self, trace, without=()):
        """Returns the accesses by id; two of them are equal if all their content is equal.
        @p without: attributes, and ends of the names of streams"""
        return {tx["id"]: (tx["stream"].replace("/", "."), tx["generator"], tx["begin"], tx["end"],
                           tuple(sorted((k, v) for k, v in values(tx).items() if k not in without)))
                for tx in trace.transactions
                if not tx["stream"].startswith("ftr.") and not tx["stream"].replace("/", ".").endswith(without)}

    def relations(self, trace, accesses):
        return sorted((r["name"], accesses[r["from"]], accesses[r["to"]]) for r in trace.relations
                      if r["from"] in accesses and r["to"] in accesses)

    def compare(self, one, other, without=()):
        first, second = self.accesses(one, without), self.accesses(other, without)
        self.assertEqual(sorted(first.values()), sorted(second.values()))
        self.assertEqual(self.relations(one, first), self.relations(other, second))

    def test_any_streams_suffice(self):
        for name in PROTOTYPES:
            whole = self.fold(name)
            self.assertGreater(len(self.accesses(whole)), 100)
            for pattern, unknown in EXCLUDED.items():
                for protocol in ("off", "check"):
                    with self.subTest(name=name, pattern=pattern, protocol=protocol):
                        part = self.fold(name, FTR_EXCLUDE=pattern, FTR_PROTOCOL=protocol)
                        self.compare(whole, part, (*unknown, "payload_id"))

    def test_direct_recording_is_the_same(self):
        """All but the relations between blocking and non-blocking accesses, and those to extended phases."""
        for name in PROTOTYPES:
            for variables in ({}, {"FTR_PROTOCOL": "check"}, {"FTR_PAYLOAD": "all"}, {"FTR_DEBUG_TRANSPORT": "1"}):
                with self.subTest(name=name, variables=variables):
                    folded = self.fold(name, **variables)
                    phased = {stream[:-3] for stream in Trace(self.file).streams if stream.endswith("_nb")}
                    self.command([os.path.join(Paths.programs, name)], FTR_TRACE=self.file, FTR_TLM="accesses",
                                 **variables)
                    direct = self.trace()
                    self.assertIn("TLM", direct.streams.values())
                    of_fold, of_run = self.accesses(folded), self.accesses(direct, ("extension",))
                    self.assertEqual(sorted(of_fold.values()), sorted(of_run.values()))
                    found, recorded = (collections.Counter(self.relations(trace, accesses)) for trace, accesses in
                                       ((folded, of_fold), (direct, of_run)))
                    self.assertEqual(found - recorded, collections.Counter())
                    self.assertEqual([(parent, child) for _, parent, child in recorded - found
                                      if not child[0].endswith(".phases") and
                                      (parent[0] in phased) == (child[0] in phased)], [])

    def test_long_payloads(self):
        whole = self.fold("loosely_timed_bus", FTR_PAYLOAD="all")
        for pattern in ("*_bl", "*_bl_timed"):
            with self.subTest(pattern=pattern):
                self.compare(whole, self.fold("loosely_timed_bus", FTR_PAYLOAD="all", FTR_EXCLUDE=pattern), ("delay",))


if __name__ == "__main__":
    main()
