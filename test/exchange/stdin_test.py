#!/usr/bin/python3
"""Every importer reads stdin for the name "-", from a file or from a pipe.

    stdin_test.py FTR SOURCES
"""

import os
import subprocess
import sys
import threading
import unittest

from dumped import Dump, ExchangeTest, run
from kev_file import Log, RUNNING, DESTROY, THREAD

FTR = os.path.abspath(sys.argv[1])
CORPUS = os.path.abspath(sys.argv[2]) + "/test/fuzz/corpus"
# A value that single precision cannot hold, so that an import begins again with other floats.
SCV = """scv_tr_stream (ID 1, name "top.bus", kind "transactor")
scv_tr_generator (ID 2, name "read", scv_tr_stream 1,
begin_attribute (ID 0, name "level", type "DOUBLE")
)
tx_begin 1 2 10 ns
a 0.12345678901234567
tx_end 1 2 20 ns
"""


class StdinTest(ExchangeTest):

    def setUp(self):
        with open("in.scv", "w", encoding="utf-8") as file:
            file.write(SCV)
        log = Log().record(1, THREAD, RUNNING, 7, 1)  # before it has a name
        log.add(*log.combined(2, THREAD, 3 << 6, *log.text([1, 7], b"/sbin/init"))).record(3, THREAD, DESTROY, 7, 1)
        log.write("in.kev")
        self.inputs = {"scv": "in.scv", "kev": "in.kev", "flux": CORPUS + "/fuzz_flux/small.recTr"}

    def convert(self, format_, source, status=0, stderr="", **more):
        run(FTR, "convert", "--input-format", format_, "--force", "-o", "out.ftr", source, status=status, stderr=stderr,
            **more)
        return Dump(FTR, "out.ftr").transactions

    def test_stdin_is_imported_like_the_file(self):
        for format_, path in self.inputs.items():
            result = subprocess.run([FTR, "convert", "--input-format", format_, "--force", "-o", "out.ftr", path],
                                    capture_output=True, text=True, check=False)
            expected = Dump(FTR, "out.ftr").transactions
            self.assertTrue(expected)
            said = result.stderr.replace(f"ftr: {path}:", "ftr: -:")
            with open(path, "rb") as file:
                self.assertEqual(self.convert(format_, "-", result.returncode, said, stdin=file), expected)
            with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
                self.assertEqual(self.convert(format_, "-", result.returncode, said, stdin=cat.stdout), expected)
            with subprocess.Popen(["gzip", "-c", path], stdout=subprocess.PIPE) as gzip:
                self.assertEqual(self.convert(format_, "-", result.returncode, said, stdin=gzip.stdout), expected)

    def test_named_pipes_are_imported_like_the_file(self):
        os.mkfifo("pipe")
        for format_, path in self.inputs.items():
            result = subprocess.run([FTR, "convert", "--input-format", format_, "--force", "-o", "out.ftr", path],
                                    capture_output=True, text=True, check=False)
            expected = Dump(FTR, "out.ftr").transactions

            def write(path=path):
                with open(path, "rb") as file, open("pipe", "wb") as pipe:
                    pipe.write(file.read())
            writer = threading.Thread(target=write)
            writer.start()
            self.assertEqual(self.convert(format_, "pipe", result.returncode,
                                          result.stderr.replace(path, "pipe"), timeout=60), expected)
            writer.join()

    def test_a_thread_of_a_log_in_a_pipe_has_one_name(self):
        with subprocess.Popen(["cat", "in.kev"], stdout=subprocess.PIPE) as cat:
            self.assertEqual([tx["stream"] for tx in self.convert("kev", "-", stdin=cat.stdout)],
                             ["threads.init.7-1", "events.cpu0", "threads.init.7-1"])

    def test_an_empty_pipe_is_an_error(self):
        for format_ in ("kev", "flux"):
            result = subprocess.run([FTR, "convert", "--input-format", format_, "--force", "-o", "none.ftr", "-"],
                                    input=b"", capture_output=True, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"ftr: -: ", result.stderr)
            self.assertFalse(os.path.exists("none.ftr"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
