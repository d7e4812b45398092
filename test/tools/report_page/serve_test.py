#!/usr/bin/python3
"""The page of `ftr report --serve` in Chromium: it loads every transaction of the visible time,
searches all transactions of the file, and follows a file that grows.

    serve_test.py FTR RECORD_TRAFFIC FOLDER
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from page_test import FTR, RECORD_TRAFFIC, PageTest  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from trace_of import Trace  # noqa: E402

COUNT = 100000
AT_ONCE = 10  # searches in one script of the browser
BUDGET = "600000"  # bytes: most transactions do not fit


#: Lets the page and the server do the same searches. Returns those with different results, and the
#: number of searches that the page did, that the server did, and that found a part of the transactions.
COMPARE = """
const [texts, done] = arguments;
const { app, searchBox } = ftrReport;
async function matches(text, byServer) {
  app.base.isComplete = !byServer;
  app.found = null;
  await searchBox.setText(text);
  app.base.isComplete = true;
  const { count, shown, trace, problem } = app.found;
  counts[trace === app.base ? 0 : 1] += problem ? 0 : 1;
  counts[2] += !problem && !byServer && count > 0 && count < app.base.count ? 1 : 0;
  if (problem && byServer) return (await (await fetch(`search?condition=${encodeURIComponent(text)}`)).text()).trim();
  return problem ? problem : JSON.stringify([count, shown.map((i) => [trace.ids[i], trace.begin(i), trace.end(i), trace.flags[i] & 3,
    trace.stream(i).name, trace.generator(i).name,
    ...trace.attributes.of(i).map(({ at, name }) => `${name}=${trace.attributes.text(at, trace.scale)}`)].map(String))]);
}
const counts = [0, 0, 0];
const different = [];
async function compare() {
  for (const text of texts) {
    const [here, there] = [await matches(text, false), await matches(text, true)];
    if (here !== there) different.push([text, here.slice(0, 400), there.slice(0, 400)]);
  }
}
compare().then(() => done([different, counts]), (error) => done([[String(error)], counts]));
"""

#: Queries for each value of the trace.
SHOWN_VALUES = """
const { base } = ftrReport.app;
const found = new Set();
for (let i = 0; i < base.count; i++) {
  for (const { at, name } of base.attributes.of(i)) {
    const text = base.attributes.text(at, base.scale).slice(0, 60);
    found.add(`${name}="${text}"`);
    found.add(`${name}~"${text.toUpperCase()}"`);
    found.add(`"${text}"`);
  }
}
return [...found].filter((query) => query.length < 1000);
"""


#: [id, begin, end, stream, generator, [[name, shown value]...]] of each transaction with attributes.
VALUES = """
const { base } = ftrReport.app;
return Array.from(base.ids.keys(), (i) => [base.ids[i], base.begin(i), base.end(i), base.stream(i).name, base.generator(i).name]
  .map(String).concat([base.attributes.of(i).map(({ at, name }) => [name, base.attributes.text(at, base.scale).slice(0, 40)])]))
  .filter(([, , , , , attributes]) => attributes.length > 0);
"""


#: Limits the number of transactions that the server compares in one request, so that each search takes several requests
#: on each computer. Notes the texts of the search field with the marked matches.
SMALL_STEPS = """
const [limit] = arguments;
const { fetch } = window;
const { app, searchBox } = ftrReport;
window.seen = [];
window.fetch = (address, options) => fetch(String(address).startsWith("search?") ? `${address}&limit=${limit}` : address, options);
const show = searchBox.show.bind(searchBox);
searchBox.show = (text, title) => {
  show(text, title);
  const { found } = app;
  const { loaded, others } = app.matchPlaces();
  if (text.includes("searched")) window.seen.push({ text: text.replaceAll("\u202f", ""), marks: loaded.length + others.length,
    ids: found ? found.shown.map((i) => String(found.trace.ids[i])) : [] });
};
"""


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

    def test_injected_code_has_no_effect(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, "1000"], check=True)
        self.start(path)
        self.check_injected_code_has_no_effect(policies=2)

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
                                 "return /match|server|column|ended/.test(t) ? t : ''").replace("\u202f", "")

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
            more = ", first 2000 marked" * (len(wanted) > 2000)
            self.assertEqual(shown, f"{len(wanted)} match{'es' * (len(wanted) != 1)}{more}", text)
            ids = self.browser.js("const {shown, trace} = ftrReport.app.found; return shown.map((i) => String(trace.ids[i]))")
            self.assertEqual([int(i) for i in ids], [i for _, i in wanted[:2000]], text)

    def test_matches_are_marked_before_the_search_is_complete(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, str(COUNT)], check=True)
        trace = Trace(FTR, path)
        self.start(path)
        total = len(trace.transactions)
        matches = {tx.id for tx in trace.transactions if tx.generator == "read"}
        self.browser.js(SMALL_STEPS, str(total // 20))
        last = self.search("read")
        steps = self.browser.js("return seen")
        parts = [step for step in steps if step["ids"]]
        self.assertGreater(len(parts), 0, steps)
        for step in parts:
            found, share = re.fullmatch(r"(\d+) so far(?:, first \d+ marked)?, (\d+)% searched", step["text"]).groups()
            marked = re.search(r"first (\d+) marked", step["text"])
            self.assertEqual(int(marked.group(1)) if marked else int(found), len(step["ids"]))
            self.assertEqual(step["marks"], len(step["ids"]))
            self.assertLess(int(share), 100)
            self.assertLessEqual({int(i) for i in step["ids"]}, matches)
        self.assertEqual(last, f"{len(matches)} matches, first 2000 marked")

    def test_all_matches_of_the_visible_time_are_marked(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, str(COUNT)], check=True)
        trace = Trace(FTR, path)
        self.start(path)
        self.search("read")
        part = trace.transactions[-300:-100]
        self.show_interval(part[0].begin, part[-1].end)
        self.browser.wait("return ftrReport.app.trace.window !== null")
        marked = self.browser.js("const {app} = ftrReport; return app.matchPlaces().loaded.map((i) => String(app.trace.ids[i]))")
        loaded = {int(i) for i in self.browser.js("return [...ftrReport.app.trace.ids].map(String)")}
        self.assertLessEqual({tx.id for tx in part}, loaded)
        self.assertEqual({int(i) for i in marked}, {tx.id for tx in trace.transactions if tx.id in loaded and tx.generator == "read"})

    def test_a_match_outside_of_the_page_is_shown_with_its_attributes(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, str(COUNT)], check=True)
        trace = Trace(FTR, path)
        self.start(path)
        kept = {int(i) for i in self.browser.js("return [...ftrReport.app.base.ids].map(String)")}
        outside = [tx for tx in trace.transactions[COUNT // 2:] if tx.id not in kept and tx.generator == "write"]
        wanted = outside[0]
        address = f"address={wanted.value('address'):#x}"
        matches = sorted((tx.begin, tx.id) for tx in trace.transactions if tx.value("address") == wanted.value("address"))
        self.search(address)
        for _ in range(1 + [i for _, i in matches].index(wanted.id)):
            self.browser.keys(Keys.ENTER)
        self.browser.wait("return document.querySelector('.details h3')?.textContent.endsWith(arguments[0])", f"#{wanted.id}")
        self.assertEqual((self.ticks("begin"), self.ticks("lasts")), (wanted.begin, wanted.duration))
        self.assertIn(f"{wanted.value('address'):#x}", self.facts()["address"])
        # Its neighbours are loaded, with relations; the matches are still those of the search.
        self.browser.wait("return ftrReport.app.trace.window !== null")
        self.assertEqual(self.selected(), wanted.id)
        self.assertTrue(self.browser.wait("return document.querySelector('.details .relations .link')"))
        self.assertEqual(self.browser.js("return ftrReport.app.found.count"), len(matches))
        self.show("transactions")
        listed = self.browser.js("return [...document.querySelectorAll('#part-transactions td:first-child')].map((c) => c.textContent)")
        self.assertEqual(sorted(int(text.split("#")[1]) for text in listed), sorted(i for _, i in matches)[:500])

    def compare_searches(self, kind, size_of_reals, make=None):
        """Lets the page and the server do the same searches in all transactions of a trace."""
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, kind, path, "20", size_of_reals], check=True)
        with open(path, "rb+") as file:
            content = file.read()
            # Texts that are not UTF-8.
            changed = content.replace(b"deseret", b"d\xffs\xfe\xe2\x82t").replace(b"kelvin", b"\xf0\x9f\x98vin")
            self.assertEqual(content == changed, kind == "hostile")
            file.seek(0)
            file.write(changed)
        self.start(path, "10M")
        self.assertTrue(self.browser.js("return ftrReport.app.base.isComplete"))
        queries = make() if make else self.queries()
        self.browser.driver.set_script_timeout(600)  # seconds, on a loaded machine
        total = [0, 0, 0]
        for first in range(0, len(queries), AT_ONCE):
            different, counts = self.browser.driver.execute_async_script(COMPARE, queries[first:first + AT_ONCE])
            self.assertEqual(different, [])
            self.assertEqual(counts[0], counts[1])
            self.assertGreater(counts[0], 0)
            total = [a + b for a, b in zip(total, counts)]
        self.assertNotIn("harmed", self.browser.js("return document.title"))
        # The browser reports the requests that the server refuses.
        console, _ = self.browser.logs()
        self.assertEqual([message for message in console if "status of 400" not in message], [])
        return total

    def test_the_server_finds_the_same_with_reals_of_4_bytes(self):
        self.compare_searches("values", "4")

    def test_the_server_finds_the_same_with_reals_of_8_bytes(self):
        self.compare_searches("values", "8")

    def test_the_server_finds_the_same_in_hostile_texts(self):
        self.compare_searches("hostile", "4")

    def test_page_and_server_agree_on_generated_conditions(self):
        """Conditions of every form, and broken ones: the same matches, or the same message with the same column."""
        self.generator = random.Random(35)
        understood, _, parts = self.compare_searches("values", "8", self.generated)
        self.assertLess(understood, 950)
        self.assertGreater(parts, 200)

    def generated(self):
        values = self.browser.js(VALUES)
        made = []
        while len(made) < 1000:
            text = self.alternatives(values, 2)
            if self.generator.random() < 0.6:
                at = self.generator.randrange(len(text))
                text = text[:at] + self.generator.choice(["", *"()!&|=~<>#\"'`.-+ 0x1esn%"]) + text[at + self.generator.randrange(3):]
            if text.strip():
                made.append(text)
        return made

    def alternatives(self, values, depth):
        pick = self.generator.choice
        text = self.term(values, depth)
        for _ in range(pick([0, 0, 1, 1, 2])):
            text += pick([" ", "  ", " && ", " || ", " || "]) + self.term(values, depth)
        return text

    def term(self, values, depth):
        pick = self.generator.choice
        if depth > 0 and self.generator.random() < 0.3:
            return pick(["", "!", "! "]) + f"({self.alternatives(values, depth - 1)})"
        identity, begin, end, stream, generator, attributes = pick(values)
        name, shown = pick(attributes)
        some = shown[:self.generator.randrange(1, len(shown) + 2)]
        quoted = pick([f'"{shown}"', f'"{some}"', f"'{some}'", "true", "false", f"`{pick(attributes)[0]}`"])
        number = pick([str(self.generator.randrange(-70, 70)), begin, end, str(int(end) - int(begin)), identity, "0x40", "1e3", "-.5", "1.5",
                       "18446744073709551615", "1e30", "0.1", "010", pick(attributes)[1]])
        number += pick(["", "", "", *(pick(["", " "]) + unit for unit in ("s", "ms", "us", "\u00b5s", "ns", "ps", "fs", "as", "B", "KiB", "MB", "%", "tx/s"))])
        name = pick([name, name, f"`{name}`", "id", "begin", "end", "duration", "stream", "generator", "nosuch"])
        order = pick(["<", "<=", ">", ">="])
        return pick(["", "", "", "!"]) + pick([
            f'"{some}"', some.replace(" ", ""), f"{name}={some}", f'{name}="{shown}"', f'{name}~"{some}"', f"{name}{order}{number}",
            f"{name}{pick(['==', '!=', ' == ', ' != '])}{pick([number, number, quoted])}", f"#{identity}", f"{order}{number}",
            f"{name} =~ {pick(['*', '', '?', 'top'])}{some.replace(' ', '?')}{pick(['*', ''])}", f"stream=~{stream[:3]}*,{generator}",
            f"stream == {stream}", f"generator!={generator}", f"`{name.strip('`')}`", "error", "unfinished", name, f"{name} = {some}"])

    def queries(self):
        """Words about each value of the trace, as the page shows it, and words that are hard to parse."""
        shown = self.browser.js(SHOWN_VALUES)
        self.assertGreater(len(shown), 15)
        times = ["0 s", "1 ps", "1ns", "1.5 us", "18446744.073709551615 s"]
        words = ["values", "VALUES", "top.\u03c3tream", "\u03a3TREAM \ufffd", "\u00e4", "\u00c4RGER", "STRASSE", "\u00f7", "\u0130", "i\u0307",
                 "\u0178", "\u00ff", "\u017f", "s", "\u03bf\u03b4\u03bf\u03c3", "\u03bf\u03b4\u03bf\u03c2", "\u0441", "\u0434\u0430", "\u0451",
                 "\u04cf", "\u04c0", "\u212a", "k", "\U00010400", "\U00010428", "\u1e9e", '"\ufeff"', '"\ufeffmark"', "mark", "\ufffd", "\u2026",
                 "last", "\u20ac\u20ac", "(none)", "true", "FALSE", "64", "0x40", "0X40", "0x0040", "-64", "1e+21", "NaN", "infinity", "%", "a+b",
                 "number=0x40", "number=64", "number=064", "number=0x10000000000000000", "number=18446744073709551616", "number~4",
                 "integer=-64", "integer~-", "integer=0x-40", "pointer=64", "pointer=0x40", "pointer~4", "myADDRess=0x40", "myADDRess=64",
                 "myADDRess~0x4", "myaddress=64", "flag=true", "flag=TRUE", "flag~TR", "real=1", "real=1.0", "real=01", "real=-0", "real=0",
                 "real~.", "real~E+", "text=", "text~", 'text=""', '""', 'text="Plain OK"', "text=plain", "text~plain", "text=0x40", "text=64",
                 "\u00c4~1", '"quoted"', '\\"', "=~", "=", "~x", "a=b=c", "a~b=c", "real", "ear real", "#1", "#64", "#99999999999999999999",
                 "#18446744073709551616", ">0", ">=0", "<0", "<=0", ">5", "<5 values", ">=5", "<=5", ">1ns", "<1ns", ">1h", ">99999999999999999999s",
                 "<99999999999999999999s", ">=99999999999999999999s", "<=99999999999999999999s", ">1ns <2ns number=1000", "error", "unfinished",
                 "error unfinished", "Error", "error request", "ftr.notes", *(f'time="{t}"' for t in times), *(f'"{t}"' for t in times), "time~ps", "time=0x1", "time=1000", " ".join("a" * 32)]
        return [*shown, *words]

    def test_a_search_that_the_server_cannot_do_says_so(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, str(COUNT)], check=True)
        self.start(path)
        self.assertEqual(self.search("x" * 5000), "this search is too long for the server")
        self.browser.logs()  # the browser reports the refused request
        self.assertEqual(self.search(">1h"), "column 2: '1h' is not a number with a known unit")
        self.assertRegex(self.search("read"), r"^\d+ matches, first 2000 marked$")
        self.server.close()
        self.assertEqual(self.search("write"), "the server does not answer")
        self.browser.logs()

    def test_finer_columns_are_loaded_before_single_transactions(self):
        path = "served.ftr"
        subprocess.run([RECORD_TRAFFIC, "bus", path, "2000000"], check=True)
        self.start(path)
        # Takes several requests, between which other ones are answered.
        stats = Trace.run(FTR, "stats", "--json", path)
        errors = sum(row["errors"] for row in json.loads(stats)["generators"])
        self.assertIn(f"{errors} matches", self.search("error"))
        self.browser.js("ftrReport.searchBox.setText('')")
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
            part = int(re.sub(r"\D", "", self.search("write").split(" match")[0]))
            self.assertLess(part, before + 1)
            self.assertIn("recording", self.browser.wait("return document.getElementById('live')?.textContent"))
            file.write(content[len(content) * 2 // 3:])
        self.browser.wait("return ftrReport.app.base.run.transactions > arguments[0]", before)
        self.browser.wait("return document.getElementById('live').textContent === 'recording ended'")
        self.assertEqual(self.browser.js("return ftrReport.app.base.run.transactions"), 20000)
        self.assertIn("20\u202f000", self.browser.text("header"))
        # The search was repeated with the new transactions.
        trace = Trace(FTR, whole)
        matches = sum(tx.generator == "write" for tx in trace.transactions)
        self.browser.wait("return document.querySelector('.search output').textContent.replace(/\\D/g, '').startsWith(arguments[0])",
                          str(matches))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
