"""Tests with a directory of their own for their files."""

import os
import tempfile
import unittest


class ScratchTest(unittest.TestCase):
    """Runs each test in an empty directory, which is removed afterwards."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        os.chdir(self.directory.name)

    def tearDown(self):
        os.chdir("/")
        self.directory.cleanup()
