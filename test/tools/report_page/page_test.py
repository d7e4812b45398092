#!/usr/bin/python3
"""The page of a run in Chromium: its numbers are those of `ftr dump` and `ftr stats`, and pointer,
keys, search and links work.

    page_test.py FTR RECORD_TRAFFIC FOLDER [PROTOTYPE LIBFTR_ATTACH]

FOLDER is for the reports and for pictures of the pages.
"""

import base64
import hashlib
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from trace_of import Trace, busy, percentile  # noqa: E402

FTR, RECORD_TRAFFIC, FOLDER, *ATTACHED = map(os.path.abspath, sys.argv[1:6])
PLACES = 20

#: Adds code and style to the page, as a name that is not escaped could. Returns what took effect, and the number of
#: violations of the Content-Security-Policy that the browser reports.
INJECT = """
const done = arguments[0];
const effects = [];
window.ran = (name) => effects.push(name);
let violations = 0;
addEventListener("securitypolicyviolation", () => violations++);
const holder = document.createElement("div");
holder.innerHTML = `<p class="handler" onclick="ran('handler')"></p><a href="javascript:ran('link')">link</a>
  <p class="attribute" style="left:7px"></p><style>.element{left:7px}</style><p class="element"></p>`;
document.body.append(holder);
for (const [name, value] of [["textContent", "ran('script')"], ["src", "data:text/javascript,ran('source')"]]) {
  const script = document.createElement("script");
  script[name] = value;
  holder.append(script);
}
for (const place of [".handler", "a"]) holder.querySelector(place).click();
for (const place of ["attribute", "element"]) {
  if (getComputedStyle(holder.querySelector(`.${place}`)).left === "7px") effects.push(place);
}
setTimeout(() => { holder.remove(); done([effects, violations]); }, 200);
"""
# Reports name their files as given: pictures show no path of this machine.
os.chdir(FOLDER)


def report(name, *arguments):
    """Records a trace, writes its report, and returns both paths."""
    trace, page = name + ".ftr", name + ".html"
    subprocess.run([RECORD_TRAFFIC, arguments[0], trace, *arguments[1:]], check=True)
    subprocess.run([FTR, "report", "--force", trace, "-o", page], check=True)
    return trace, page


class PageTest(unittest.TestCase):
    """Opens pages; fails if one writes to the console or requests anything."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, path, link=""):
        self.address = "file://" + os.path.abspath(path)
        self.browser.open(self.address + link)
        self.assertEqual(self.browser.state("state"), "ready", self.browser.text("#page"))

    def tearDown(self):
        console, requests = self.browser.logs()
        self.assertEqual(console, [])
        foreign = [url for url in requests
                   if not url.startswith(("file:", "data:", "about:", "chrome:"))]
        self.assertEqual(foreign, [])

    def check_injected_code_has_no_effect(self, policies=1):
        """Each of the six injected parts violates each policy: that of the page and that of a server."""
        self.assertEqual(self.browser.driver.execute_async_script(INJECT), [[], 6 * policies])
        self.assertEqual(len(self.refusals()), 6 * policies)

    def refusals(self):
        """Messages of the browser about violations of the Content-Security-Policy."""
        return [message for message in self.browser.logs()[0]
                if "violates the following Content Security Policy directive" in message]

    def facts(self):
        """The rows of the details of the selected transaction as a dictionary."""
        rows = self.browser.js(
            "return [...document.querySelectorAll('.details .facts tr')]"
            ".map((row) => [row.cells[0].textContent, row.cells[1].textContent])")
        return dict(rows)

    def ticks(self, fact):
        return int(re.search(r"\((\d+) ticks?\)", self.facts()[fact]).group(1))

    def selected(self):
        """The id of the selected transaction, as the details show it; None without one."""
        match = re.search(r"#(\d+)$", self.browser.text(".details h3") or "")
        return int(match.group(1)) if match else None

    def search(self, text):
        """Types into the search field; returns the number of matches that the page shows."""
        self.browser.js("const f = document.querySelector('.search input'); f.value = ''; f.focus();")
        self.browser.keys(text)
        self.browser.js("document.querySelector('.search output').textContent = ''")
        self.browser.js("const f = document.querySelector('.search input');"
                        "f.dispatchEvent(new Event('input'))")
        result = self.browser.wait("return document.querySelector('.search output').textContent")
        return int(re.sub(r"\D", "", result.split("match")[0]))

    def find(self, identity):
        """Selects a transaction with the search field and the Enter key."""
        self.search(f"#{identity}")
        self.browser.keys(Keys.ENTER)
        self.browser.js("document.activeElement.blur()")
        self.browser.settle()

    def place_of(self, identity):
        return self.browser.js(
            "const {app, timeline} = ftrReport; const i = app.trace.find(BigInt(arguments[0]));"
            "const p = timeline.placeOf(i); return [p.x, p.y]", str(identity))

    def show(self, part):
        self.browser.press(f"#tab-{part}")


class BusTest(PageTest):
    """Opens the report of a bus with a thousand accesses before each test."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        path, cls.page = report("bus", "bus", "1000")
        cls.trace = Trace(FTR, path)
        cls.random = random.Random(22)

    def setUp(self):
        self.open(self.page)


class EventsTest(PageTest):
    """Events are marks on the bar of their parent, and a list in its details."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        path, cls.page = report("events", "events", "20")
        cls.trace = Trace(FTR, path)
        cls.parents = {to: of for name, of, to in cls.trace.relations if name == "parent_of"}

    def setUp(self):
        self.open(self.page)

    def is_inside(self, event):
        """True if an event is within the time of its parent."""
        parent = self.trace.by_id.get(self.parents.get(event.id))
        return parent is not None and parent.begin <= event.begin and event.end <= parent.end

    def show_time(self, begin, end):
        self.browser.js("ftrReport.app.view.showInterval(BigInt(arguments[0]), BigInt(arguments[1]), 0.9);"
                        "ftrReport.app.changed('view')", str(begin), str(end))
        self.browser.settle()

    def test_events_take_no_lane(self):
        lanes = dict(self.browser.js("const {app} = ftrReport; return app.trace.streams.map((s) => [s.name, s.lanes])"))
        # Two reads overlap. An event after the end of its parent has a bar, which overlaps only one read.
        self.assertEqual(lanes["top.core"], 2)
        for event in self.trace.of("top.core.read.events"):
            own, of = self.browser.js(
                "const {trace} = ftrReport.app; return arguments[0].map((id) => trace.lane[trace.find(BigInt(id))])",
                [str(event.id), str(self.parents[event.id])])
            if self.is_inside(event):
                self.assertEqual(own, of)

    def test_marks_are_selected_where_they_are_painted(self):
        for event in self.trace.of("top.core.read.events")[:12]:
            self.show_time(event.begin - 4000, event.end + 4000)
            self.browser.click(*self.place_of(event.id))
            selected = self.trace.by_id[self.selected()]
            # Two events at the same time have the same mark.
            self.assertEqual((selected.begin, selected.end, selected.generator),
                             (event.begin, event.end, event.generator))
            parent = self.trace.by_id[self.parents[event.id]]
            text = self.browser.text(".details")
            self.assertIn(f"Event {selected.value('name')} of {parent.generator} #{parent.id}", text)
            self.assertNotIn("Relations from", text)

    def test_the_bar_beside_its_marks_is_selected(self):
        parent = self.trace.of("top.core.read")[5]
        self.show_time(parent.begin, parent.end)
        x, y = self.place_of(parent.id)
        x += self.browser.js("return ftrReport.app.view.x(BigInt(arguments[0])) - ftrReport.app.view.x(BigInt(arguments[1]))",
                             str(parent.begin + 3500), str(parent.begin + 4500))
        self.browser.click(x, y - 2)  # above the strip of the stall
        self.assertEqual(self.selected(), parent.id)

    def test_details_list_the_events_of_a_transaction(self):
        for parent in self.trace.of("top.core.read")[2:5] + self.trace.of("top.memory.access")[:1]:
            self.find(parent.id)
            events = sorted((tx for tx in self.trace.transactions if self.parents.get(tx.id) == parent.id),
                            key=lambda tx: (tx.begin, tx.id))
            found = self.browser.js("return [...document.querySelectorAll('.details .events li')].map((e) => e.textContent)")
            self.assertEqual(len(found), len(events))
            for line, event in zip(found, events):
                self.assertIn(f" {event.value('name')}", line)
                self.assertIn("+" if event.begin >= parent.begin else "\u2212", line)
                self.assertEqual("lasts" in line, event.duration > 0)
                for name, _, value in event.attributes[1:]:
                    self.assertIn(f"{name} = {value}", line)
            related = self.browser.js("return [...document.querySelectorAll('.details .relations:not(.events) li')]"
                                      ".map((e) => e.textContent)")
            self.assertEqual(any("parent_of" in line for line in related), False)
            if events:
                self.browser.press(".details .events li button")
                self.assertEqual(self.selected(), events[0].id)
                self.browser.press(".details p button")
                self.assertEqual(self.selected(), parent.id)

    def test_events_without_a_parent_are_transactions(self):
        orphan = self.trace.of("top.memory.access.events")[0]
        self.find(orphan.id)
        self.assertNotIn("Event ", self.browser.text(".details"))
        self.show_time(orphan.begin - 2000, orphan.end + 2000)
        self.browser.click(*self.place_of(orphan.id))
        self.assertEqual(self.selected(), orphan.id)

    def test_pictures_of_events(self):
        parent = self.trace.of("top.core.read")[4]
        for dark in (False, True):
            self.browser.resize("usual", dark)
            self.open(self.page)
            self.show_time(parent.begin - 3000, parent.end + 9000)
            self.find(parent.id)
            self.browser.move(*self.place_of(next(tx.id for tx in self.trace.transactions
                                                  if self.parents.get(tx.id) == parent.id)))
            self.browser.screenshot(f"events_{'dark' if dark else 'light'}.png")
        self.browser.resize("usual")


class Policy(BusTest):
    """The Content-Security-Policy of the page."""

    def test_injected_code_has_no_effect(self):
        self.check_injected_code_has_no_effect()

    def test_only_the_script_and_the_style_of_the_page_are_allowed(self):
        with open(self.page, encoding="utf-8", newline="") as file:
            page = file.read()
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        for name, tag in (("script-src", "script"), ("style-src", "style")):
            parts = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
            hashes = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in parts]
            self.assertEqual([rules[name]], [f"'sha256-{value}'" for value in hashes])
        self.assertEqual(rules["default-src"], "'none'")

    def test_code_in_the_file_does_not_run(self):
        with open(self.page, encoding="utf-8", newline="") as file:
            page = file.read()
        injected = "<script>window.ran = 1</script><img src='data:,' onerror='window.ran = 2'>"
        with open("injected.html", "w", encoding="utf-8", newline="") as file:
            file.write(page.replace("<noscript>", injected + "<noscript>"))
        self.open("injected.html")
        self.browser.wait("return document.images.length > 0 && document.images[0].complete")
        self.browser.settle()
        self.assertIsNone(self.browser.js("return window.ran ?? null"))
        self.assertEqual(len(self.refusals()), 2)


class Numbers(BusTest):
    """Numbers of the page at random places."""

    def test_header_has_the_counts(self):
        text = self.browser.text("header")
        self.assertIn("transactions 1\u202f000", text)
        self.assertIn(f"errors {sum(tx.is_error for tx in self.trace.transactions)}", text)
        self.assertIn("unfinished 1", text)

    def test_bars_show_their_transaction(self):
        for tx in self.random.sample(self.trace.transactions, PLACES):
            self.find(tx.id)
            self.browser.keys(Keys.ENTER)
            x, y = self.place_of(tx.id)
            self.browser.keys(Keys.ESCAPE)
            self.assertIsNone(self.selected())
            self.browser.click(x, y)
            self.assertEqual(self.selected(), tx.id)
            self.assertEqual((self.ticks("begin"), self.ticks("end"), self.ticks("lasts")),
                             (tx.begin, tx.end, tx.duration))
            facts = self.facts()
            for name, _, value in tx.attributes:
                shown = facts[name]
                number = re.search(r"\((\d+)\)$", shown)
                self.assertEqual(number.group(1) if number else shown,
                                 str(value).lower() if isinstance(value, bool) else str(value))

    def test_bars_are_painted_where_they_are_clicked(self):
        for tx in self.random.sample([t for t in self.trace.transactions if not t.is_unfinished], 5):
            self.find(tx.id)
            self.browser.keys(Keys.ENTER)
            x, y = self.place_of(tx.id)
            # Below the upper edge: the middle may be covered by the name.
            painted = self.browser.js(
                "const c = ftrReport.timeline.canvas, b = c.getBoundingClientRect();"
                "const [r, g, blue] = c.getContext('2d').getImageData(arguments[0] - b.left, arguments[1] - b.top, 1, 1).data;"
                "return `rgb(${r}, ${g}, ${blue})`", x, y - 6)
            self.assertEqual(painted, self.browser.js(
                "return getComputedStyle(document.querySelector('.details .swatch')).backgroundColor"))

    def test_a_selected_column_is_marked_and_stays_filled(self):
        tx = self.trace.of("top.cpus.cpu1.write")[60]
        # The colours of some lines of pixels around the transaction, from the top of its row.
        lines = ("const {app, timeline} = ftrReport, i = app.trace.find(BigInt(arguments[0]));"
                 "const row = timeline.rows.find((r) => r.isSingle && r.streams[0] === app.trace.stream(i));"
                 "const x = app.view.x((app.trace.begin(i) + app.trace.end(i)) / 2n);"
                 "return [...timeline.canvas.getContext('2d').getImageData(x - 5, row.y + arguments[1], 10, 2).data]")
        self.browser.js("ftrReport.timeline.barsPerPixel = 0; ftrReport.app.changed('view')")
        self.browser.settle()
        # The mark is above the second place; an arrow would be below it.
        before = [self.browser.js(lines, str(tx.id), top) for top in (3, 9)]
        self.browser.js("const {app} = ftrReport; app.select(app.trace.find(BigInt(arguments[0])))", str(tx.id))
        self.browser.settle()
        after = [self.browser.js(lines, str(tx.id), top) for top in (3, 9)]
        self.assertEqual(self.selected(), tx.id)
        self.assertNotEqual(before[0], after[0])
        self.assertEqual(before[1], after[1])

    def test_columns_count_all_transactions(self):
        # Few transactions would be painted one by one.
        self.browser.js("ftrReport.timeline.barsPerPixel = 0; ftrReport.app.changed('view')")
        self.browser.settle()
        box = self.browser.js("const b = document.querySelector('canvas.rows').getBoundingClientRect();"
                              "return [b.left, b.top, b.width]")
        rows = self.browser.js("return ftrReport.timeline.rows.filter((r) => r.isSingle)"
                               ".map((r) => [r.streams[0].name, r.y + r.height / 2])")
        seen = 0
        for _ in range(PLACES):
            stream, y = self.random.choice(rows)
            self.browser.move(box[0] + self.random.uniform(0.02, 0.97) * box[2], box[1] + y)
            shown = self.browser.js("return {...document.querySelector('.tip').dataset}")
            if not shown:
                continue
            seen += 1
            begin, end = int(shown["begin"]), int(shown["end"])
            inside = [tx for tx in self.trace.transactions
                      if tx.stream == stream and begin <= tx.begin < end]
            self.assertEqual(int(shown["count"]), len(inside))
            self.assertEqual(int(shown["errors"]), sum(tx.is_error for tx in inside))
            self.assertEqual(int(shown["latency"]), max((tx.duration for tx in inside), default=0))
        self.assertGreater(seen, PLACES // 2)

    def test_table_has_the_figures_of_stats(self):
        self.show("latency")
        rows = self.browser.js(
            "return [...document.querySelectorAll('#part-latency section:last-child tbody tr')]"
            ".map((row) => [...row.cells].map((c) => c.querySelector('[title$=ticks]')?.title ?? c.textContent))")
        self.assertEqual(len(rows), len(self.trace.stats["generators"]))
        for row in rows:
            figures = self.trace.generator(row[0])
            self.assertEqual(int(re.sub(r"\D", "", row[1])), figures["count"])
            for column, name in ((3, "min"), (4, "mean"), (5, "p50"), (6, "p90"), (7, "p99"), (8, "max")):
                self.assertEqual(int(row[column].split()[0]), figures[name], (row[0], name))
            self.assertEqual(int(row[9]), figures["outstanding"])
            self.assertEqual(int(re.sub(r"\D", "", row[11]) or 0), figures["errors"])

    def test_histogram_counts_every_latency(self):
        self.show("latency")
        for name in {tx.name for tx in self.trace.transactions}:
            self.browser.js("[...document.querySelectorAll('#part-latency tbody .link')]"
                            ".find((b) => b.textContent === arguments[0]).click()", name)
            bars = self.browser.js("return [...document.querySelectorAll('#part-latency rect[data-from]')]"
                                   ".map((b) => [b.dataset.from, b.dataset.to, b.dataset.count].map(Number))")
            durations = [tx.duration for tx in self.trace.ended(name)]
            self.assertEqual(sum(count for _, _, count in bars), len(durations))
            for low, high, count in bars:
                self.assertEqual(count, sum(low <= d < high for d in durations), (name, low, high))

    def test_curves_have_the_figures_of_their_slot(self):
        self.show("over-time")
        name = "top.memory.access"
        self.browser.js("const s = document.querySelector('#part-over-time select');"
                        "s.value = arguments[0]; s.dispatchEvent(new Event('change'))", name)
        box = self.browser.js("const b = document.querySelector('.curves svg').getBoundingClientRect();"
                              "return [b.left, b.top, b.width, b.height]")
        all_of = self.trace.of(name)
        for _ in range(PLACES):
            self.browser.move(box[0] + box[2] * self.random.uniform(0.1, 0.98), box[1] + box[3] / 2)
            shown = {key: int(value) for key, value in self.browser.js(
                "return {...document.querySelector('#part-over-time .readout').dataset}").items()}
            inside = [tx for tx in all_of if shown["begin"] <= tx.begin < shown["end"]]
            self.assertEqual(shown["count"], len(inside))
            self.assertEqual(shown["busy"], busy(all_of, shown["begin"], shown["end"]))
            if inside:
                durations = [tx.duration for tx in inside]
                self.assertEqual([shown["p50"], shown["p99"], shown["max"]],
                                 [percentile(durations, 50), percentile(durations, 99), max(durations)])

    def test_rate_is_the_count_per_second(self):
        self.show("over-time")
        box = self.browser.js("const b = document.querySelector('.curves svg').getBoundingClientRect();"
                              "return [b.left, b.top, b.width, b.height]")
        self.browser.move(box[0] + box[2] * 0.5, box[1] + box[3] / 2)
        text = self.browser.text("#part-over-time .readout")
        count, rate, prefix = re.search(r": (\d+) transactions? \(([\d.]+) ?([kMGT]?)/s\)", text).groups()
        shown = self.browser.js("return {...document.querySelector('#part-over-time .readout').dataset}")
        exact = int(count) / ((int(shown["end"]) - int(shown["begin"])) * 1e-12)
        factor = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}[prefix]
        self.assertAlmostEqual(float(rate) * factor / exact, 1, delta=0.001)

    def test_shares_add_up_to_the_latency(self):
        self.show("flow")
        cards = self.browser.js(
            "return [...document.querySelectorAll('#part-flow .card')].map((c) => [c.querySelector('h3').textContent,"
            " [...c.querySelectorAll('tr')].map((r) => r.dataset.ticks), c.querySelector('.about').textContent])")
        self.assertEqual(len(cards), 4)
        parents = {first for name, first, _ in self.trace.relations if name == "PARENT_CHILD"}
        children = {first: self.trace.by_id[second] for _, first, second in self.trace.relations}
        unfinished = 0
        for name, parts, about in cards:
            of_generator = self.trace.of(name)
            number, are_unfinished = re.search(r" in (\d+) transactions(?: \((\d+) unfinished\))?, ", about).groups()
            self.assertEqual(int(number), len(of_generator))
            unfinished += int(are_unfinished or 0)
            self.assertEqual(sum(map(int, parts)), sum(tx.duration for tx in of_generator))
            self.assertEqual(int(parts[0]), sum(children[tx.id].duration for tx in of_generator
                                                if tx.id in parents))
        self.assertEqual(unfinished, 1)

    def test_cells_of_the_address_map_count_accesses(self):
        self.show("addresses")
        self.browser.settle()
        titles = self.browser.js("return [...document.querySelectorAll('#part-addresses h3')].map((h) => h.textContent)")
        map_of = titles.index("top.memory: address")
        self.browser.js("document.querySelectorAll('#part-addresses canvas')[arguments[0]].scrollIntoView()", map_of)
        self.browser.settle()
        box = self.browser.js("const b = document.querySelectorAll('#part-addresses canvas')[arguments[0]]"
                              ".getBoundingClientRect(); return [b.left, b.top, b.width, b.height]", map_of)
        for _ in range(PLACES):
            self.browser.move(box[0] + 125 + (box[2] - 130) * self.random.random(),
                              box[1] + (box[3] - 25) * self.random.random())
            shown = {key: int(value) for key, value in self.browser.js(
                "return {...document.querySelectorAll('#part-addresses .readout')[arguments[0]].dataset}", map_of).items()}
            inside = [tx for tx in self.trace.transactions if tx.stream == "top.memory"
                      and shown["begin"] <= tx.begin < shown["end"]
                      and shown["low"] <= tx.value("address") < shown["high"]]
            self.assertEqual(shown["count"], len(inside))


class Operation(BusTest):
    """Pointer, keys, search, links."""

    def span(self):
        return self.browser.js("return ftrReport.app.view.span")

    def test_search_finds_names_values_and_durations(self):
        everything = self.trace.transactions
        self.assertEqual(self.search("cpu1"), sum("cpu1" in tx.stream for tx in everything))
        self.assertEqual(self.search("trans.response_status=TLM_OK_RESPONSE"),
                         sum(tx.value("trans.response_status") == "TLM_OK_RESPONSE" for tx in everything))
        self.assertEqual(self.search("error"), sum(tx.is_error for tx in everything))
        self.assertEqual(self.search(">10ns"), sum(tx.duration > 10000 for tx in everything))
        self.assertEqual(self.search("memory <=5ns"),
                         sum(tx.duration <= 5000 and "memory" in tx.stream for tx in everything))
        address = everything[0].value("address")
        self.assertEqual(self.search(f"address={address:#x}"),
                         sum(tx.value("address") == address for tx in everything))

    def test_search_steps_through_the_matches_in_order_of_time(self):
        self.search("error")
        errors = sorted((tx for tx in self.trace.transactions if tx.is_error), key=lambda tx: tx.begin)
        for tx in errors[:4]:
            self.browser.keys(Keys.ENTER)
            self.assertEqual(self.selected(), tx.id)

    def test_wheel_and_keys_zoom_around_the_pointer(self):
        x, y = self.browser.middle("canvas.rows")
        self.browser.move(x, y)
        tick = "return String(ftrReport.app.view.tickAt(arguments[0] -" \
               " document.querySelector('canvas.rows').getBoundingClientRect().left))"
        whole, before = self.span(), int(self.browser.js(tick, x))
        for _ in range(5):
            self.browser.wheel(x, y, -200)
        self.assertLess(self.span(), whole / 5)
        self.assertLess(abs(int(self.browser.js(tick, x)) - before), whole / 1000)
        for _ in range(60):
            self.browser.keys("+")
        self.assertEqual(self.span(), 4)
        self.browser.keys("0")
        self.assertAlmostEqual(self.span() / whole, 1, places=6)

    def test_drag_moves_the_view(self):
        x, y = self.browser.middle("canvas.rows")
        self.browser.move(x, y)
        for _ in range(6):
            self.browser.keys("+")
        start = int(self.browser.js("return String(ftrReport.app.view.start)"))
        per_pixel = self.browser.js("return ftrReport.app.view.ticksPerPixel")
        self.browser.drag((x, y), (x - 100, y))
        moved = int(self.browser.js("return String(ftrReport.app.view.start)")) - start
        self.assertAlmostEqual(moved / per_pixel, 100, delta=2)

    def test_minimap_jumps(self):
        x, y = self.browser.middle("canvas.rows")
        self.browser.move(x, y)
        for _ in range(10):
            self.browser.keys("+")
        box = self.browser.js("const b = document.querySelector('canvas.head').getBoundingClientRect();"
                              "return [b.left, b.top, b.width]")
        self.browser.click(box[0] + box[2] * 0.25, box[1] + 10)
        middle = int(self.browser.js("return String(ftrReport.app.view.tickAt(ftrReport.app.view.width / 2))"))
        last = max(tx.end for tx in self.trace.transactions)
        self.assertAlmostEqual(middle / last, 0.25, delta=0.01)

    def test_relations_are_followed_in_both_directions(self):
        _, parent, child = self.trace.relations[7]
        self.find(parent)
        self.assertIn("Waited longest for", self.browser.text(".details"))
        self.browser.press(".details .relations .link")
        self.assertEqual(self.selected(), child)
        self.browser.keys("R")
        self.assertEqual(self.selected(), parent)
        self.browser.keys("r")
        self.assertEqual(self.selected(), child)
        self.browser.keys(Keys.BACKSPACE)
        self.assertEqual(self.selected(), parent)

    def test_cursors_measure_exact_distances(self):
        first, second = self.trace.transactions[10], self.trace.transactions[11]
        self.find(first.id)
        self.browser.js("const v = ftrReport.app.view; v.showInterval(BigInt(arguments[0]), BigInt(arguments[1]), 0.3);"
                        "ftrReport.app.changed('view')", str(first.begin), str(second.end + 1000))
        self.browser.settle()
        places = self.browser.js(
            "const {app, timeline} = ftrReport; const box = timeline.canvas.getBoundingClientRect();"
            "return [arguments[0], arguments[1]].map((id) => { const i = app.trace.find(BigInt(id));"
            " return [box.left + app.view.x(app.trace.begin(i)) + 1, timeline.placeOf(i).y]; })",
            str(first.id), str(second.id))
        self.browser.click(*places[0])
        self.browser.click(*places[1], shift=True)
        self.assertIn(f"({second.begin - first.begin} ticks)", self.browser.text("[data-cursor=distance]"))
        self.browser.keys("c")
        self.assertIsNone(self.browser.text("[data-cursor=distance]"))

    def test_keys_select_transactions_errors_and_parts(self):
        self.find(self.trace.transactions[0].id)
        stream = [tx for tx in self.trace.transactions if tx.stream == self.trace.transactions[0].stream]
        self.browser.keys("n")
        self.assertEqual(self.selected(), stream[1].id)
        self.browser.keys("p")
        self.assertEqual(self.selected(), stream[0].id)
        self.browser.keys("e")
        self.assertEqual(self.selected(), next(tx.id for tx in stream if tx.is_error))
        self.browser.keys("s")
        self.assertEqual(self.ticks("lasts"), max(tx.duration for tx in stream))
        self.browser.keys("?")
        self.assertTrue(self.browser.js("return document.querySelector('dialog.help').open"))
        self.browser.keys(Keys.ESCAPE)
        self.assertFalse(self.browser.js("return document.querySelector('dialog.help').open"))
        for number, part in enumerate(("timeline", "latency", "over-time", "flow", "addresses",
                                       "transactions", "run"), 1):
            self.browser.keys(str(number))
            self.assertFalse(self.browser.js("return document.getElementById('part-' + arguments[0]).hidden", part))

    def test_everything_can_be_reached_with_the_tab_key(self):
        seen = set()
        for _ in range(40):
            self.browser.keys(Keys.TAB)
            seen.add(self.browser.js("const e = document.activeElement; return e.id || e.className || e.tagName"))
        for wanted in ("tab-timeline", "rows", "name folder"):
            self.assertIn(wanted, seen)

    def test_link_restores_the_view(self):
        tx = self.trace.transactions[100]
        self.find(tx.id)
        self.browser.keys("a")
        self.browser.wait("return location.hash.includes('tx=') && /[#&]a=/.test(location.hash)")
        before = self.browser.js("const {app} = ftrReport; return [String(app.view), String(app.cursorA)]")
        link = self.browser.js("return location.hash")
        self.open(self.page, link)
        self.assertEqual(self.selected(), tx.id)
        self.assertEqual(self.browser.js("const {app} = ftrReport; return [String(app.view), String(app.cursorA)]"), before)

    def test_invalid_links_are_ignored(self):
        self.open(self.page, "#t=a,b,c&tx=99999999999999999999999&tab=none&a=-1&fold=<b>")
        self.assertIsNone(self.selected())
        self.assertFalse(self.browser.js("return document.getElementById('part-timeline').hidden"))

    def test_folded_rows_add_their_streams(self):
        rows = len(self.browser.js("return ftrReport.timeline.rows.map((r) => r.y)"))
        self.browser.js("[...document.querySelectorAll('.name.folder')].find((b) => b.title === 'top.cpus').click()")
        self.browser.settle()
        self.assertEqual(len(self.browser.js("return ftrReport.timeline.rows.map((r) => r.y)")), rows - 4)
        row = self.browser.js("return ftrReport.timeline.rows.find((r) => r.isFolded).y")
        box = self.browser.js("const b = document.querySelector('canvas.rows').getBoundingClientRect();"
                              "return [b.left, b.top, b.width]")
        self.browser.move(box[0] + box[2] / 2, box[1] + row + 10)
        shown = self.browser.js("return {...document.querySelector('.tip').dataset}")
        inside = [tx for tx in self.trace.transactions if tx.stream.startswith("top.cpus")
                  and int(shown["begin"]) <= tx.begin < int(shown["end"])]
        self.assertEqual(int(shown["count"]), len(inside))

    def test_tables_sort_and_filter(self):
        self.show("transactions")
        first = "document.querySelector('#part-transactions tbody tr').cells"
        longest = max(self.trace.transactions, key=lambda tx: tx.duration)
        self.assertEqual(self.browser.js(f"return {first}[3].firstChild.title"), f"{longest.duration} ticks")
        self.browser.js("document.querySelectorAll('#part-transactions thead button')[2].click()")
        self.browser.js("document.querySelectorAll('#part-transactions thead button')[2].click()")
        self.assertEqual(self.browser.js(f"return {first}[2].firstChild.title"), f"{self.trace.transactions[0].begin} ticks")
        self.browser.js("const f = document.querySelector('#part-transactions input'); f.value = '#17 ';"
                        "f.dispatchEvent(new Event('input'))")
        self.assertTrue(self.browser.js(f"return {first}[0].textContent").endswith("#17"))

    def test_slowest_transactions_lead_to_the_timeline(self):
        self.show("latency")
        slowest = max(self.trace.transactions, key=lambda tx: (tx.duration, -tx.begin))
        self.browser.js("document.querySelector('#part-latency .cards table .link').click()")
        self.browser.settle()
        self.assertEqual(self.ticks("lasts"), slowest.duration)
        self.assertFalse(self.browser.js("return document.getElementById('part-timeline').hidden"))
        count = len(self.trace.ended(f"{slowest.stream}.{slowest.generator}"))
        self.assertEqual(self.facts()["rank"], f"slowest of {count} transactions")
        for place, ordinal in ((2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th")):
            self.show("latency")
            self.browser.js("document.querySelectorAll('#part-latency .cards table .link')[arguments[0]].click()", place - 1)
            self.browser.settle()
            self.assertEqual(self.facts()["rank"], f"{ordinal} slowest of {count} transactions")


class Prototype(PageTest):
    """Accesses of a processor and of a DMA to a memory and a UART behind a bus."""

    LABELS = {"platform.bus.simple_initiator_socket_0": "platform.bus -> memory",
              "platform.bus.simple_initiator_socket_1": "platform.bus -> a_uart_with_a_name_that_is_too_long"}
    TARGETS = {"platform.cpu.s": "bus", "platform.dma.s": "bus", "platform.bus.simple_initiator_socket_0": "memory",
               "platform.bus.simple_initiator_socket_1": "a_uart_with_a_name_that_is_too_long"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        path, cls.page = report("prototype", "prototype", "600")
        cls.trace = Trace(FTR, path)
        cls.random = random.Random(36)
        cls.child = {source: cls.trace.by_id[target] for _, source, target in cls.trace.relations}

    def setUp(self):
        self.open(self.page)

    def shown_labels(self):
        """The labels in the rows, which are below a row for `platform`."""
        return [label.removeprefix("platform.") for label in self.LABELS.values()]

    def rows(self):
        return self.browser.js("return [...document.querySelectorAll('.names .name:not(.folder)')].map((n) => n.textContent)")

    def parts(self, tx):
        """{place: ticks} of the time of an access, with the rule of docs/report-format.md, tick by tick in ns."""
        parts, child = {}, self.child.get(tx.id)
        for tick in range(tx.begin, tx.end, 1000):
            response = tick >= tx.end - (tx.value("response_time") or 0)
            inner = child is not None and not response and child.begin <= tick < child.end
            owner = child if inner else tx
            target = self.TARGETS[owner.stream]
            initiator = owner.stream.split(".")[1]
            place = f"{target} accepts the request" if tick < owner.begin + (owner.value("request_time") or 0) else \
                f"{initiator} accepts the response" if response else target
            parts[place] = parts.get(place, 0) + 1000
        return parts

    def shown(self, selector):
        return self.browser.js("return [...document.querySelectorAll(arguments[0])].map((row) => "
                               "[row.cells[0].firstChild.textContent, Number(row.dataset.ticks)])", selector)

    def test_each_link_has_a_row_on_the_first_screen(self):
        labels = self.browser.js("return ftrReport.timeline.rows.filter((row) => !row.isFolder).map((row) => row.node.label)")
        self.assertEqual(sorted(labels), sorted(["cpu.s", "dma.s", *self.shown_labels()]))
        self.assertEqual(len(self.rows()), 4)

    def test_long_names_lack_their_middle(self):
        for name in self.rows():
            head, dots, tail = name.partition("\u2026")
            self.assertTrue(any(label.startswith(head) and label.endswith(tail) and (dots or label == name)
                                for label in ("cpu.s", "dma.s", *self.shown_labels())), name)
        self.assertTrue(any("\u2026" in name and name.endswith("long") for name in self.rows()), self.rows())
        sizes = self.browser.js("return [...document.querySelectorAll('.names .name span:not(.note):not(.sign)')]"
                                ".map((s) => [s.scrollWidth, s.clientWidth])")
        for needed, room in sizes:
            self.assertLessEqual(needed, room + 1)

    def test_names_are_more_important_than_the_number_of_shown_transactions(self):
        subprocess.run([RECORD_TRAFFIC, "prototype", "long.ftr", "50000"], check=True)
        subprocess.run([FTR, "report", "--force", "--budget", "500k", "long.ftr", "-o", "long.html"], check=True)
        self.open("long.html")
        rows = self.browser.js("return [...document.querySelectorAll('.names .name:not(.folder)')].map((n) => [n.firstChild.textContent, "
                               "n.querySelector('.note')?.textContent, n.scrollHeight - n.clientHeight])")
        self.assertLessEqual({"cpu.s", "dma.s", "bus -> memory"}, {name for name, _, _ in rows})
        for _, note, hidden in rows:
            self.assertRegex(note, r"^[\d\u202f]+ of [\d\u202f]+$")
            self.assertLessEqual(hidden, 0)

    def test_the_run_has_a_row_for_each_link(self):
        self.show("run")
        rows = self.browser.js("return [...document.querySelectorAll('#part-run tr')].map((r) => [r.cells[0].textContent, r.cells[1].textContent])")
        self.assertIn(["link", "platform.dma.s \u2192 platform.bus.in[1]"], rows)
        self.assertEqual([name for name, _ in rows], ["file", *["link"] * 4, "report made by"])

    def test_the_first_screen_states_where_initiators_wait(self):
        total = {}
        for tx in self.trace.transactions:
            if tx.stream in ("platform.cpu.s", "platform.dma.s"):
                for place, ticks in self.parts(tx).items():
                    key = tx.name, place
                    total[key] = total.get(key, 0) + ticks
        found = {}
        blocks = self.browser.js("return [...document.querySelectorAll('.hint-flow > div')].map((d) => [d.querySelector('b').textContent, "
                                 "[...d.querySelectorAll('tr')].map((r) => [r.cells[0].textContent, Number(r.dataset.ticks)])])")
        for name, rows in blocks:
            found.update({(name, place): ticks for place, ticks in rows})
        self.assertEqual(found, {key: ticks for key, ticks in total.items() if key in found})
        self.assertGreater(found["platform.dma.s.read", "bus accepts the request"], 0)
        self.assertGreater(found["platform.dma.s.read", "dma accepts the response"], 0)
        self.assertGreater(found["platform.cpu.s.read", "memory"], 0)

    def test_parts_of_each_generator_add_up(self):
        self.show("flow")
        cards = self.browser.js("return [...document.querySelectorAll('#part-flow .card')].map((c) => [Number(c.dataset.generator), "
                                "[...c.querySelectorAll('tr')].map((r) => [r.cells[0].firstChild.textContent, Number(r.dataset.ticks)])])")
        names = self.browser.js("const {base} = ftrReport.app; return base.generators.map((g) => `${base.streams[g.stream].name}.${g.name}`)")
        self.assertEqual(len(cards), 8)
        for generator, rows in cards:
            expected = {}
            for tx in self.trace.of(names[generator]):
                for place, ticks in self.parts(tx).items():
                    expected[place] = expected.get(place, 0) + ticks
            found = {}
            for place, ticks in rows:
                found[place] = found.get(place, 0) + ticks
            self.assertEqual(found, expected, names[generator])
            self.assertEqual(sum(found.values()), sum(tx.duration for tx in self.trace.of(names[generator])))

    def test_parts_of_an_access_add_up(self):
        for tx in self.random.sample(self.trace.transactions, PLACES):
            self.find(tx.id)
            expected = self.parts(tx)
            found = {}
            for place, ticks in self.shown(".details .time-parts tr"):
                place = place if place != "itself" else self.TARGETS[tx.stream]
                found[place] = found.get(place, 0) + ticks
            self.assertEqual(found, expected if len(expected) > 1 else {}, tx.id)
            if len(expected) > 1 and tx.id in self.child:
                text = self.browser.text(".details .waited")
                self.assertIn(f"#{self.child[tx.id].id} in", text)
                self.assertIn(self.LABELS[self.child[tx.id].stream], text)

    def test_errors_count_where_they_arose(self):
        failed = [tx for tx in self.trace.transactions if str(tx.value("response")).endswith("_ERROR")]
        self.assertGreater(len(failed), 4)
        self.assertIn(f"errors {len(failed) // 2}", self.browser.text("header"))
        outer = next(tx for tx in failed if tx.id in self.child)
        self.find(outer.id)
        self.assertIn(f"passed on an error of write #{self.child[outer.id].id}".replace("write", self.child[outer.id].generator),
                      self.browser.text(".details .bad"))
        self.find(self.child[outer.id].id)
        self.assertIn("ended with an error", self.browser.text(".details .bad"))

    def test_an_address_is_counted_on_the_link_of_its_initiator(self):
        self.show("addresses")
        titles = self.browser.js("return [...document.querySelectorAll('#part-addresses h3')].map((h) => h.textContent)")
        self.assertEqual(titles, ["platform.cpu.s: address", "platform.dma.s: address"])


class CommandsTest(PageTest):
    """Commands of a DRAM controller are children of the accesses, and take no time."""

    def places(self):
        return self.browser.js("return [...document.querySelectorAll('#part-flow tr')].map((r) => [r.cells[0].firstChild.textContent, "
                               "r.cells[4].textContent])")

    def test_a_command_is_not_an_access_to_the_target(self):
        _, page = report("commands", "commands", "20", "60000")
        self.open(page)
        self.show("flow")
        self.assertEqual(self.places(), [["ctrl", ""], ["ctrl.s.phases.ACT", "20 children"]])
        self.show("addresses")
        titles = self.browser.js("return [...document.querySelectorAll('#part-addresses h3')].map((h) => h.textContent)")
        self.assertEqual(titles, ["cpu.s: address"])

    def test_the_first_screen_states_that_accesses_take_no_time(self):
        _, page = report("timeless", "commands", "20", "0")
        self.open(page)
        self.assertIn("take 0 s of simulated time", self.browser.text(".hint-flow"))
        self.show("flow")
        self.assertIn("1 generator: all transactions take 0 s", self.browser.text("#part-flow"))


class Hostile(PageTest):
    """Names and values are data; times are exact."""

    def test_names_are_escaped(self):
        path, page = report("hostile", "hostile")
        trace = Trace(FTR, path)
        self.open(page)
        for tx in trace.transactions:
            self.find(tx.id)
            self.assertEqual(self.selected(), tx.id)
        for part in ("latency", "over-time", "flow", "addresses", "transactions", "run", "timeline"):
            self.show(part)
            self.browser.settle()
            self.assertLessEqual(self.browser.js("return document.documentElement.scrollWidth"), 1280)
        self.assertEqual(self.browser.js("return document.title"), "ftr report")
        self.assertEqual(self.browser.js("return document.images.length"), 0)
        titles = self.browser.js("return [...document.querySelectorAll('.names .name')].map((n) => n.title).join()")
        self.assertIn("</script><script>document.title='harmed'</script>", titles)
        self.assertIn("'harmed'</script>", self.browser.text(".names"))

    def test_long_values_are_shown_completely(self):
        path, page = report("hostile", "hostile")
        trace = Trace(FTR, path)
        self.open(page)
        longest = max(trace.transactions, key=lambda tx: len(tx.stream))
        self.find(longest.id)
        self.assertIn("x" * 10000, self.browser.text(".details details"))

    def test_ticks_beyond_doubles_are_exact(self):
        path, page = report("wide", "wide")
        trace = Trace(FTR, path)
        self.open(page)
        for tx in trace.transactions:
            self.find(tx.id)
            self.assertEqual((self.ticks("begin"), self.ticks("end")), (tx.begin, tx.end))
            self.assertEqual(self.facts()["number"], str(tx.value("number")))
        second, third = trace.transactions[1:3]
        self.find(second.id)
        self.browser.js("ftrReport.app.view.showInterval(BigInt(arguments[0]), BigInt(arguments[1]), 0.2);"
                        "ftrReport.app.changed('view')", str(second.begin), str(third.end))
        self.browser.settle()
        places = [self.place_of(tx.id)[0] for tx in (second, third)]
        self.assertAlmostEqual((places[1] - places[0]) * self.browser.js("return ftrReport.app.view.ticksPerPixel"),
                               third.begin - second.begin, places=3)
        for tx in (second, third):
            self.browser.click(*self.place_of(tx.id))
            self.assertEqual(self.selected(), tx.id)


class Look(PageTest):
    """Pages fit every size, and pictures of them are kept."""

    def pictures(self, name, page, parts, link=""):
        for size, dark in (("usual", False), ("usual", True), ("wide", False), ("narrow", False), ("narrow", True)):
            self.browser.resize(size, dark)
            self.open(page, link)
            for part in parts:
                self.show(part)
                self.browser.settle()
                self.browser.screenshot(os.path.join(FOLDER, f"{name}-{part}-{size}-{'dark' if dark else 'light'}.png"))
                width = self.browser.js("return [document.documentElement.scrollWidth, innerWidth]")
                self.assertLessEqual(width[0], width[1], (part, size))
        self.browser.resize("usual")

    def test_pictures_of_a_prototype(self):
        path, page = report("prototype", "prototype", "600")
        self.pictures("prototype", page, ("timeline", "flow", "latency", "addresses"))
        slowest = max((tx for tx in Trace(FTR, path).transactions if tx.stream == "platform.dma.s"), key=lambda tx: tx.duration)
        self.pictures("access", page, ("timeline",), f"#tx={slowest.id}&t={slowest.begin - 40000},0.0,100000")

    def test_pictures_of_a_bus(self):
        path, page = report("bus", "bus", "1000")
        trace = Trace(FTR, path)
        slowest = max(trace.transactions, key=lambda tx: tx.duration)
        self.pictures("bus", page, ("timeline", "latency", "over-time", "flow", "addresses", "transactions", "run"),
                      f"#tx={slowest.id}&t={slowest.begin - 40000},0.0,100000")

    def test_every_part_can_be_read_on_a_phone(self):
        _, page = report("bus", "bus", "1000")
        self.browser.resize("phone")
        self.addCleanup(self.browser.resize, "usual")
        self.open(page)
        field, toolbar = self.browser.js("return ['.search input', '.toolbar'].map((s) => document.querySelector(s).clientWidth)")
        self.assertGreater(field, toolbar * 0.8)
        for part in ("timeline", "latency", "over-time", "flow", "addresses", "transactions", "run"):
            self.show(part)
            self.browser.settle()
            self.browser.screenshot(os.path.join(FOLDER, f"bus-{part}-phone-light.png"))
            left, right = self.browser.js("const b = document.getElementById('tab-' + arguments[0]).getBoundingClientRect();"
                                          "return [b.left, b.right]", part)
            self.assertGreaterEqual(left, -1, part)
            self.assertLessEqual(right, 391, part)
            self.assertLessEqual(self.browser.js("return document.documentElement.scrollWidth"), 390, part)
            # Charts are not scaled down.
            scales = self.browser.js("return [...document.querySelectorAll('#part-' + arguments[0] + ' svg')].map("
                                      "(s) => s.getBoundingClientRect().width / s.viewBox.baseVal.width)", part)
            self.assertGreater(min(scales, default=1), 0.8, part)
        self.show("transactions")
        rows = self.browser.js("return [...document.querySelectorAll('#part-transactions tbody tr')].map((r) => r.clientHeight)")
        self.assertLess(max(rows), 80)
        self.show("flow")
        self.assertGreaterEqual(min(self.browser.js(
            "return [...document.querySelectorAll('#part-flow td.shares')].map((c) => c.clientWidth)")), 70)

    def test_a_trace_without_a_description_and_without_time(self):
        path, page = report("still", "still")
        self.assertEqual({tx.duration for tx in Trace(FTR, path).transactions}, {0})
        self.open(page)
        self.show("run")
        self.assertIn("This trace does not describe its run.", self.browser.text("#part-run"))
        self.show("over-time")
        self.assertIn("all transactions of this generator take 0 s", self.browser.text("#part-over-time"))
        self.show("addresses")
        self.assertIn("1 access to 1 region of ", self.browser.text("#part-addresses"))
        self.show("latency")
        self.assertEqual(self.browser.text("#part-latency rect title"), "0 s: 1 transaction")

    def test_a_crashed_run_names_its_journal_and_the_command_that_recovers_it(self):
        trace, page, sound = "crashed.ftr", "crashed.html", "recovered.ftr"
        other, _ = report("beside", "bus", "100")
        for path in (trace, trace + ".journal", page, sound):
            if os.path.exists(path):
                os.remove(path)
        with subprocess.Popen([RECORD_TRAFFIC, "bus", trace, "100000000"]) as running:
            while not os.path.exists(trace) or os.path.getsize(trace) < 100000:
                self.assertIsNone(running.poll())
                time.sleep(0.01)
            running.send_signal(signal.SIGSTOP)
            # While the program exists, its journal is in use, and there is nothing to recover.
            subprocess.run([FTR, "report", trace, "-o", page], check=False, capture_output=True)
            self.open(page)
            self.assertNotIn("ftr recover", self.browser.text("header"))
            self.assertIn("losses unknown", self.browser.text("header"))
            running.kill()
        subprocess.run([FTR, "report", trace, "-o", page], check=False, capture_output=True)
        self.open(page)
        text = self.browser.text("header")
        self.assertIn("losses unknown", text)
        self.assertIn(f"in its journal {os.path.abspath(trace)}.journal.", text)
        self.assertIn(f"ftr recover {trace} -o OUTPUT adds them", text)
        self.pictures("crashed", page, ("timeline",))
        subprocess.run([FTR, "report", "--diff", trace, other, "--force", "-o", page], check=False, capture_output=True)
        self.open(page)
        self.show("runs")
        self.assertIn(f"ftr recover {trace} -o OUTPUT adds them", self.browser.text("#part-runs"))
        subprocess.run([FTR, "recover", trace, "-o", sound], check=True, capture_output=True)
        subprocess.run([FTR, "report", "--force", sound, "-o", page], check=True)
        self.open(page)
        self.assertNotIn("ftr recover", self.browser.text("header"))
        self.assertIn("losses 0", self.browser.text("header"))
        for path in (trace, trace + ".journal", page, sound):
            os.remove(path)

    @unittest.skipUnless(ATTACHED, "built without SystemC")
    def test_pictures_of_an_attached_prototype(self):
        prototype, library = ATTACHED
        trace, page = "attached.ftr", "attached.html"
        subprocess.run([prototype], check=True, capture_output=True,
                       env=dict(os.environ, LD_PRELOAD=library, FTR_TRACE=trace, FTR_PROTOCOL="check",
                                ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:handle_segv=0"))
        subprocess.run([FTR, "report", "--force", trace, "-o", page], check=True)
        self.open(page)
        text = self.browser.text("header")
        self.assertIn(os.path.basename(prototype), text)
        self.assertIn("exit status", text)
        figures = Trace(FTR, trace)
        self.assertIn(f"transactions {len(figures.transactions)}", text)
        # The access that the bus passes on is the child of the processor's access.
        slowest = max((tx for tx in figures.transactions if tx.stream == "cpu.data"), key=lambda tx: tx.duration)
        child = next(target for name, source, target in figures.relations if (name, source) == ("PARENT_CHILD", slowest.id))
        self.find(slowest.id)
        self.assertIn(f"Waited longest for write #{child} in bus.out[1]: 100 ns", self.browser.text(".details"))
        self.check_parts_of_an_attached_prototype(figures)
        self.pictures("attached", page, ("timeline", "flow", "run"))

    def check_parts_of_an_attached_prototype(self, figures):
        # Generators without a transaction, here of the checks of the protocol, have no colour to explain.
        legend = self.browser.js("return [...document.querySelectorAll('.legend span')].map((s) => s.textContent)")
        self.assertEqual(sorted(legend[:-2]), sorted({tx.generator for tx in figures.transactions}))
        self.show("over-time")
        names = self.browser.js("return [...document.querySelectorAll('#part-over-time option')].map((o) => o.textContent)")
        order = self.browser.js("const {base} = ftrReport.app; return base.generators.filter((g) => g.count > 0)"
                                ".map((g) => `${base.streams[g.stream].name}.${g.name}`)")
        self.assertEqual(names, order)
        marks = self.browser.js("return [...document.querySelectorAll('.curves svg')]"
                                ".map((s) => s.querySelectorAll('text[text-anchor=end]').length)")
        self.assertGreater(min(marks), 1, marks)
        self.show("flow")
        cards = self.browser.js("return [...document.querySelectorAll('#part-flow .card')].map((c) => [c.querySelector('h3').textContent, "
                                "Object.fromEntries([...c.querySelectorAll('tr')].map((r) => [r.cells[0].firstChild.textContent, Number(r.dataset.ticks)]))])")
        for name, parts in cards:
            self.assertEqual(sum(parts.values()), sum(tx.duration for tx in figures.of(name)), name)
        self.assertEqual({place for _, parts in cards for place in parts}, {"bus", "ram", "console"})
        self.assertEqual(dict(cards)["cpu.data.write"]["console"], sum(tx.duration for tx in figures.of("bus.out[1].write")))
        self.show("timeline")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
