#!/usr/bin/python3
"""The page of `ftr report --serve` in Chromium: it loads every transaction of the visible time,
searches all transactions of the file, and follows a file that grows.

    serve_test.py FTR RECORD_TRAFFIC FOLDER
"""

import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from page_test import FTR, RECORD_TRAFFIC, PageTest  # noqa: E402
from trace_of import Trace  # noqa: E402

COUNT = 100000
BUDGET = "600000"  # bytes: most transactions do not fit


class Server:
    def __init__(self, path, budget=BUDGET):
        self.process = subprocess.Popen([FTR, "report", "--serve", "--budget", budget, path],
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[-1]

    def close(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)
        self.process.stdout.close()


class Serve(PageTest):
    def start(self, path, budget=BUDGET):
        server = Server(path, budget)
        self.addCleanup(server.close)
        self.server = server
        self.browser.open(server.address, offline=False)
        self.assertEqual(self.browser.state("state"), "ready", self.browser.text("#page"))

    def tearDown(self):
        """Requests go only to the server of the page."""
        console, requests = self.browser.logs()
        self.assertEqual(console, [])
        self.assertEqual([url for url in requests
                          if not url.startswith((self.server.address, "data:", "about:", "chrome:"))], [])

    def show_interval(self, begin, end):
        self.browser.js("ftrReport.app.view.showInterval(BigInt(arguments[0]), BigInt(arguments[1]), 0.01);"
                        "ftrReport.app.changed('view')", str(begin), str(end))

    def test_every_transaction_of_the_visible_time_is_loaded(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, str(COUNT)], check=True)
        trace = Trace(FTR, path)
        self.start(path)
        self.assertFalse(self.browser.js("return ftrReport.app.base.isComplete"))
        part = trace.transactions[COUNT // 3:COUNT // 3 + 200]
        self.show_interval(part[0].begin, part[-1].end)
        self.browser.wait("return ftrReport.app.trace.window !== null")
        loaded = self.browser.js("const {trace} = ftrReport.app;"
                                 "return [...trace.ids].map((id, i) => [id, trace.begin(i), trace.end(i)].map(String))")
        loaded = {int(identity): (int(begin), int(end)) for identity, begin, end in loaded}
        for tx in part:
            self.assertEqual(loaded.get(tx.id), (tx.begin, tx.end))
        for tx in part[50:60]:
            self.browser.click(*self.place_of(tx.id))
            self.assertEqual((self.selected(), self.ticks("lasts")), (tx.id, tx.duration))
        child = {first: second for _, first, second in trace.relations}
        parent = next(tx for tx in part[80:] if tx.id in child)
        self.browser.click(*self.place_of(parent.id))
        self.browser.press(".details .relations .link")
        self.assertEqual(self.selected(), child[parent.id])

    def search(self, text):
        """Types into the search field; returns the text of the result."""
        self.browser.js("const f = document.querySelector('.search input'); f.value = arguments[0];"
                        "document.querySelector('.search output').textContent = '';"
                        "f.dispatchEvent(new Event('input')); f.focus()", text)
        return self.browser.wait("const t = document.querySelector('.search output').textContent;"
                                 "return /match|server|write|ended/.test(t) ? t : ''").replace("\u202f", "")

    def test_the_search_covers_all_transactions_of_the_file(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, str(COUNT)], check=True)
        trace = Trace(FTR, path)
        self.start(path)
        kept = {int(i) for i in self.browser.js("return [...ftrReport.app.base.ids].map(String)")}
        self.assertLess(len(kept), len(trace.transactions) // 2)
        everything = trace.transactions
        for text, test in (("read", lambda tx: tx.generator == "read"),
                           ("CPU1", lambda tx: "cpu1" in tx.stream),
                           ("error", lambda tx: tx.is_error),
                           ("unfinished", lambda tx: tx.is_unfinished),
                           ("memory >9ns", lambda tx: "memory" in tx.stream and tx.duration > 9000),
                           ("address=0x80000000", lambda tx: tx.value("address") == 0x80000000),
                           ("nothing", lambda tx: False)):
            wanted = sorted((tx.begin, tx.id) for tx in everything if test(tx))
            shown = self.search(text)
            more = ", first 2000 shown" * (len(wanted) > 2000)
            self.assertEqual(shown, f"{len(wanted)} match{'es' * (len(wanted) != 1)}{more}", text)
            ids = self.browser.js("const {shown, trace} = ftrReport.app.found; return shown.map((i) => String(trace.ids[i]))")
            self.assertEqual([int(i) for i in ids], [i for _, i in wanted[:2000]], text)

    def test_finer_columns_are_loaded_before_single_transactions(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, "2000000"], check=True)
        self.start(path)
        last = int(self.browser.js("return String(ftrReport.app.base.last)"))
        finest = self.browser.js("const {base} = ftrReport.app; return base.levels(base.streams[0])[0].width")
        self.show_interval(last // 2, last // 2 + last // 40)
        self.browser.wait("return ftrReport.app.base.streams[0].finer")
        self.browser.settle()
        used = self.browser.js("const {app} = ftrReport; return app.trace.levels(app.trace.streams[0], app.view)[0].width")
        self.assertLess(used, finest)
        x, y = self.browser.middle("canvas.rows")
        row = self.browser.js("const r = ftrReport.timeline.rows.find((r) => r.isSingle); return [r.streams[0].name, r.y + r.height / 2]")
        top = self.browser.js("return document.querySelector('canvas.rows').getBoundingClientRect().top")
        self.browser.move(x, top + row[1])
        shown = self.browser.js("return {...document.querySelector('.tip').dataset}")
        counted = subprocess.run([FTR, "dump", "--json", "--stream", row[0], "--from", str(int(shown["begin"])) + " ps",
                                  "--to", str(int(shown["end"])) + " ps", path], check=True, capture_output=True, text=True)
        begins = [int(line.split('"begin": ')[1].split(",")[0]) for line in counted.stdout.splitlines()]
        self.assertEqual(int(shown["count"]), sum(int(shown["begin"]) <= b < int(shown["end"]) for b in begins))

    def test_the_page_shows_new_data_of_a_growing_file(self):
        whole = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", whole, "20000"], check=True)
        with open(whole, "rb") as file:
            content = file.read()
        with open("growing.ftr", "wb") as file:
            file.write(content[:len(content) * 2 // 3])
            file.flush()
            self.start("growing.ftr")
            before = self.browser.js("return ftrReport.app.base.run.transactions")
            self.assertIn("recording", self.browser.wait("return document.getElementById('live')?.textContent"))
            file.write(content[len(content) * 2 // 3:])
        self.browser.wait("return ftrReport.app.base.run.transactions > arguments[0]", before)
        self.browser.wait("return document.getElementById('live').textContent === 'recording ended'")
        self.assertEqual(self.browser.js("return ftrReport.app.base.run.transactions"), 20001)
        self.assertIn("20\u202f001", self.browser.text("header"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
