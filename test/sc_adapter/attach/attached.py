"""Shared by tests of attached prototypes: runs one with and without ftr, and reads its file with
ftr_decode.py."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
DECODER = [sys.executable, os.path.join(HERE, "..", "..", "support", "ftr_decode.py")]


class Paths:
    """Set by main(): the directory of the prototypes, libftr_attach.so and the ftr command."""
    programs = ""
    library = ""
    ftr = ""


# The message of the prototype that grants DMI.
GRANTED = {"sockets": b"ftr: DMI was granted on 1 link (for example top.dmi.socket): accesses through DMI pointers are "
                      b"not observed; with FTR_DMI=deny, all accesses are calls\n"}


# Messages about calls that are not observed; missed_calls_test.py tests them.
MISSED = re.compile(rb"^ftr: (DMI was granted on|\d+ ports? carr|\d+ initiator sockets? with the interface)[^\n]*\n",
                    re.MULTILINE)


class Trace:
    """A file, read by ftr_decode.py."""

    def __init__(self, path):
        listing = subprocess.run(DECODER + ["json", path], capture_output=True, text=True, check=True)
        records = [json.loads(line) for line in listing.stdout.splitlines()]
        self.streams = {r["name"]: r["kind"] for r in records if r["record"] == "stream"}
        self.transactions = [r for r in records if r["record"] == "transaction"]
        self.relations = [r for r in records if r["record"] == "relation"]

    def of(self, stream, generator=None):
        return sorted((tx for tx in self.transactions
                       if tx["stream"] == stream and generator in (None, tx["generator"])),
                      key=lambda tx: tx["begin"])

    def counts(self):
        """Returns {stream: {generator: transactions}}, without the stream ftr.run."""
        found = {}
        for tx in self.transactions:
            if not tx["stream"].startswith("ftr."):
                generators = found.setdefault(tx["stream"], {})
                generators[tx["generator"]] = generators.get(tx["generator"], 0) + 1
        return found


def streams_of(prototype, form):
    """Returns the streams and relations of a prototype of this folder, by the names in streams.json."""
    with open(os.path.join(HERE, "streams.json"), encoding="utf-8") as file:
        return json.load(file)[prototype][form]


def values(tx):
    return {name: value for _, name, _, value in tx["attributes"]}


# The names of attributes in the form of calls.
NAMES_OF_CALLS = {"address": "trans.address", "payload_id": "trans.id", "delay": "start_delay"}


class Attached(unittest.TestCase):
    maxDiff = None
    form = "accesses"  # FTR_TLM

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = os.path.join(self.folder, "run.ftr")

    def command(self, command, preload=None, stdin=None, **variables):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith("FTR_") and k != "LD_PRELOAD"}
        # For builds with sanitizers: the sanitizer's library is not the first preloaded one, the kernel never
        # frees its objects, and prototypes crash on purpose.
        environment["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0:handle_segv=0"
        environment.update(variables)
        if self.form != Attached.form:
            environment.setdefault("FTR_TLM", self.form)
        if variables:
            environment["LD_PRELOAD"] = preload or Paths.library
        return subprocess.run(command, input=stdin, capture_output=True, cwd=self.folder,
                              env=environment, timeout=300, check=False)

    def attach(self, name, *arguments, said=None, stdin=None, **variables):
        """Runs a prototype with and without recording, and compares its output."""
        command = [os.path.join(Paths.programs, name), *arguments]
        alone = self.command(command, stdin=stdin)
        attached = self.command(command, stdin=stdin, FTR_TRACE=self.file, **variables)
        self.assertEqual(attached.stdout, alone.stdout)
        if said is None:
            self.assertEqual(MISSED.sub(b"", attached.stderr), alone.stderr)
        else:
            self.assertEqual(attached.stderr, alone.stderr + said)
        self.assertEqual(attached.returncode, alone.returncode)
        return attached

    def trace(self, path=None):
        checked = subprocess.run(DECODER + ["check", path or self.file], capture_output=True,
                                 text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        return Trace(path or self.file)

    def record(self, name, *arguments, **variables):
        self.attach(name, *arguments, **variables)
        return self.trace()

    def stream(self, link, suffix="_bl"):
        """Returns the name of a stream of a link. @p suffix: of the form of calls"""
        return link + suffix if self.form == "calls" else link

    def access(self, tx):
        """Returns attributes of a blocking access, or of a call, by the names of accesses."""
        found = values(tx)
        if self.form == "calls":
            for name, of_calls in NAMES_OF_CALLS.items():
                if of_calls in found:
                    found[name] = found[of_calls]
            if "trans.response_status" in found:
                found["response"] = found["trans.response_status"][len("tlm::TLM_"):-len("_RESPONSE")]
            if "trans.data" in found:
                found["data"] = found["trans.data"].to_bytes(8, "little").hex()
            found["data"] = found.get("trans.bytes", found.get("data"))
        return found


def in_both_forms(tests):
    """Decorates a class of tests: the same tests run with FTR_TLM=calls, as the class with `OfCalls` appended."""
    twin = type(tests.__name__ + "OfCalls", (tests,), {"form": "calls", "__module__": tests.__module__})
    setattr(sys.modules[tests.__module__], twin.__name__, twin)
    return tests


def main():
    """Arguments: the directory of the prototypes, libftr_attach.so, the ftr command, arguments for
    unittest. A class that is named also runs in the other form (in_both_forms)."""
    Paths.programs = os.path.abspath(sys.argv.pop(1))
    Paths.library = os.path.abspath(sys.argv.pop(1))
    Paths.ftr = os.path.abspath(sys.argv.pop(1))
    defined = vars(sys.modules["__main__"])
    sys.argv += [name + "OfCalls" for name in sys.argv[1:] if name + "OfCalls" in defined]
    unittest.main()
