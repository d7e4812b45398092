#!/usr/bin/python3
"""Reads traces from pipes, FIFOs and sockets, sent by a recorder's callback while it records.
The arguments are the command and the program sending_recording."""

import os
import select
import socket
import subprocess
import sys
import tempfile
import unittest

FTR = SENDING = ""
COUNT = 20000


class Pipe(unittest.TestCase):
    def send(self, to, *arguments, **options):
        sender = subprocess.Popen([SENDING, *map(str, arguments)], stdin=subprocess.PIPE, stdout=to,
                                  **options)
        self.addCleanup(sender.stdin.close)
        self.addCleanup(sender.kill)
        return sender

    def dump(self, *arguments, **options):
        reader = subprocess.Popen([FTR, "dump", "--columns", "id", *arguments], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(reader.kill)
        return reader

    def expect_all(self, reader, count=COUNT):
        output, complaints = reader.communicate(timeout=300)
        self.assertEqual(complaints, "")
        self.assertEqual(reader.returncode, 0)
        self.assertEqual([int(line) for line in output.split()[1:]], list(range(1, count + 1)))

    def whole(self):
        """Returns the bytes of a trace."""
        sender = self.send(subprocess.PIPE, COUNT)
        return sender.communicate(b"", timeout=300)[0]

    def test_data_sent_over_a_socket_is_read(self):
        for hold in ("", "buffer"):
            for arguments in (["-"], ["/dev/fd/0"], ["--follow", "-"]):
                if arguments == ["/dev/fd/0"]:
                    ours, theirs = os.pipe()  # a socket cannot be opened by name
                else:
                    theirs, ours = socket.socketpair()
                reader = self.dump(*arguments, stdin=ours)
                sender = self.send(theirs, COUNT, hold)
                for end in (ours, theirs):
                    os.close(end) if isinstance(end, int) else end.close()
                sender.stdin.close()
                self.expect_all(reader)
                self.assertEqual(sender.wait(60), 0)

    def test_a_fifo_is_read_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fifo")
            os.mkfifo(path)
            for arguments in ([path], ["--follow", path], ["--order", "stored", path]):
                reader = self.dump(*arguments)
                with open(path, "wb") as to:
                    sender = self.send(to, COUNT)
                sender.stdin.close()
                self.expect_all(reader)

    def test_follow_prints_each_chunk_when_it_is_written(self):
        ours, theirs = socket.socketpair()
        reader = self.dump("--follow", "-", stdin=ours)
        sender = self.send(theirs, COUNT)
        ours.close()
        theirs.close()
        # The recorder has not closed its trace: it waits for its stdin.
        seen = ""
        while seen.count("\n") < COUNT + 1:
            ready = select.select([reader.stdout], [], [], 30)[0]
            self.assertTrue(ready, "only %d lines came" % seen.count("\n"))
            seen += os.read(reader.stdout.fileno(), 1 << 16).decode()
        self.assertIsNone(sender.poll())
        self.assertIsNone(reader.poll())
        sender.stdin.close()
        self.assertEqual(reader.communicate(timeout=300)[0], "")
        self.assertEqual(reader.returncode, 0)

    def test_a_cut_stream_is_reported_like_a_torn_file(self):
        whole = self.whole()
        for size, rule in ((len(whole) - 1, "end"), (len(whole) * 2 // 3, "torn")):
            answers = []
            with tempfile.NamedTemporaryFile() as file:
                file.write(whole[:size])
                file.flush()
                answers.append(subprocess.run([FTR, "dump", file.name], capture_output=True, text=True))
            for arguments in (["-"], ["--order", "stored", "-"], ["--follow", "-"]):
                answers.append(subprocess.run([FTR, "dump", *arguments], input=whole[:size],
                                              capture_output=True, timeout=300))
                answers[-1].stdout = answers[-1].stdout.decode()
                answers[-1].stderr = answers[-1].stderr.decode()
            for answer in answers:
                self.assertEqual(answer.returncode, answers[0].returncode)
                self.assertIn("[%s]" % rule, answer.stderr)
                self.assertEqual(answer.stdout, answers[0].stdout)

    def test_a_killed_sender_leaves_complete_chunks(self):
        theirs, ours = os.pipe()
        reader = self.dump("--follow", "-", stdin=theirs)
        sender = self.send(ours, COUNT, "kill")
        os.close(ours)
        os.close(theirs)
        output, complaints = reader.communicate(timeout=300)
        self.assertEqual(sender.wait(60), -9)
        self.assertEqual([int(line) for line in output.split()[1:]], list(range(1, COUNT + 1)))
        self.assertRegex(complaints, r"\[end\]\n$")

    @unittest.skipIf(os.environ.get("FTR_SANITIZE"), "sanitizers hold freed memory back")
    def test_memory_is_bounded(self):
        many = 2000000
        for arguments in (["-"], ["--follow", "-"]):
            theirs, ours = os.pipe()
            reader = self.dump("--memory", "16M", "--limit", "3000000", *arguments, stdin=theirs)
            sender = self.send(ours, many)
            os.close(ours)
            os.close(theirs)
            sender.stdin.close()
            lines = sum(1 for _ in reader.stdout)
            self.assertEqual(lines, many + 1)
            self.assertEqual(sender.wait(60), 0)
            pid, status, usage = os.wait4(reader.pid, 0)
            reader.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual((pid, reader.returncode), (reader.pid, 0))
            self.assertLess(usage.ru_maxrss, 64 << 10)  # in KiB
            reader.stdout.close()
            reader.stderr.close()


if __name__ == "__main__":
    FTR, SENDING = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
