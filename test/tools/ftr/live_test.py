#!/usr/bin/python3
"""Reads files while they are being written: complete chunks are read, a torn chunk is not. The
arguments are the command and the program live_recording."""

import os
import random
import subprocess
import sys
import tempfile
import threading
import unittest

FTR = RECORDING = ""
COUNT = 20000


class Live(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "run.ftr")

    def start_recording(self):
        """A recorder that has written about half of its transactions."""
        recording = subprocess.Popen([RECORDING, self.path, str(COUNT)], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
        self.addCleanup(recording.kill)
        self.assertEqual(recording.stdout.readline(), "ready\n")
        return recording

    def ids(self, lines):
        return [int(line) for line in lines.split()[1:]]  # after the heading

    def dump(self, path):
        result = subprocess.run([FTR, "dump", "--columns", "id", path], capture_output=True, text=True,
                                timeout=300)
        return self.ids(result.stdout)

    def follow(self, path):
        """Starts to follow the file; the result contains all its ids."""
        follower = subprocess.Popen([FTR, "dump", "--follow", "--columns", "id", path],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(follower.kill)

        def answer():
            output, complaints = follower.communicate(timeout=300)
            # Nothing about the end, which does not exist yet.
            self.assertEqual((follower.returncode, complaints), (0, ""))
            return self.ids(output)
        return answer

    def test_a_growing_file_is_read_up_to_its_last_complete_chunk(self):
        recording = self.start_recording()
        seen = 0
        for _ in range(20):
            ids = self.dump(self.path)
            self.assertEqual(ids, list(range(1, len(ids) + 1)))
            self.assertGreaterEqual(len(ids), max(seen, COUNT // 2 - 100))
            seen = len(ids)
            info = subprocess.run([FTR, "info", self.path], capture_output=True, text=True, timeout=300)
            self.assertIn("top.bus", info.stdout)
            self.assertIn("not closed", info.stdout)
        recording.communicate("")
        self.assertEqual(self.dump(self.path), list(range(1, COUNT + 1)))

    def test_follow_prints_everything_and_ends_with_the_recording(self):
        recording = self.start_recording()
        answer = self.follow(self.path)
        recording.communicate("")
        self.assertEqual(answer(), list(range(1, COUNT + 1)))

    def test_follow_reads_no_incomplete_chunk(self):
        recording = self.start_recording()
        recording.communicate("")
        with open(self.path, "rb") as file:
            whole = file.read()
        chance = random.Random(5)
        torn = self.path + ".torn"
        with open(torn, "wb", buffering=0) as file:
            file.write(whole[:100])
            answer = self.follow(torn)
            at = 100
            while at < len(whole):
                size = chance.randrange(1, 3000)
                file.write(whole[at:at + size])
                at += size
                threading.Event().wait(0.002)
        self.assertEqual(answer(), list(range(1, COUNT + 1)))


if __name__ == "__main__":
    FTR, RECORDING = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
