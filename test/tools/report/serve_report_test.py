#!/usr/bin/python3
"""Asks `ftr report --serve` for details and searches, and compares the answers with a second
implementation; tries requests that must be refused; and follows a growing file.

    serve_report_test.py FTR MAKE_REPORT_TRACE
"""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import made_trace
from report_data import Data
from report_model import Model

FTR = MAKER = None


def word(condition):
    """A condition (kind, value) as the search field has it."""
    kind, value = condition
    name, sign, part = re.match("([^=~]*)([=~]?)(.*)", value, re.S).groups()
    return {"text": f'"{value}"', "attribute": f'{name}{sign}"{part}"', "state": value, "id": f"#{value}", "longer": f">{value}",
            "shorter": f"<{value}", "at_least": f">={value}", "at_most": f"<={value}"}[kind]


class Server:
    """A server for one trace."""

    def __init__(self, path, *options):
        self.process = subprocess.Popen([FTR, "report", "--serve", "--port", "0", *options, path],
                                        stdout=subprocess.PIPE, text=True)
        url = self.process.stdout.readline()
        self.port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n",
                                             url).groups()

    def get(self, path, method="GET", token=None, host=None, timeout=300):
        """Returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=timeout)
        headers = {} if host is None else {"Host": host}
        connection.request(method, f"/{token or self.token}/{path}", headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), body

    def page(self):
        return Data.of_page(self.get("")[2].decode())

    def tile(self, path):
        status, _, body = self.get(path)
        assert status == 200, (path, status)
        return Data.of_tile(body)

    def search(self, *conditions):
        """Searches to the end. Returns the state and the first matches."""
        tile = self.tile("search?" + urllib.parse.urlencode({"condition": " ".join(map(word, conditions))}))
        while not tile.manifest["search"]["complete"]:
            tile = self.tile(f"search?number={tile.manifest['search']['number']}")
        return tile.manifest["search"], tile

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        self.process.stdout.close()
        return status


def shown(kind, value):
    """The text of a value in the page."""
    if kind == "TIME":
        for unit, exponent in (("s", 12), ("ms", 9), ("us", 6), ("ns", 3), ("ps", 0)):
            if value >= 10 ** exponent or exponent == 0:
                break
        text = f"{value // 10 ** exponent}.{value % 10 ** exponent:0{exponent}}".rstrip("0")
        return "0 s" if value == 0 else text.rstrip(".") + " " + unit
    if kind == "POINTER":
        return f"{value:#x}"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def is_value(wanted, name, kind, value):
    """Whether a value is the wanted one."""
    number = isinstance(value, int) and not isinstance(value, bool)
    return shown(kind, value) == wanted or (number and value >= 0 and (
        (re.fullmatch("0x[0-9a-f]+", wanted.lower()) is not None and int(wanted, 16) == value)
        or ("addr" in name.lower() and f"{value:#x}" == wanted)))


def meets(tx, condition):
    """Whether a transaction meets a condition."""
    kind, wanted = condition
    if kind == "text":
        part = wanted.lower()
        return part in ".".join(tx.key).lower() or any(
            part in name.lower() or (part in value.lower() if isinstance(value, str)
                                     else is_value(part, name, type_, value))
            for _, name, type_, value in tx.attributes)
    if kind == "attribute":
        name, sign, value = re.fullmatch("([^=~]+)([=~])(.*)", wanted).groups()
        return any(n == name and (is_value(value, n, t, v) if sign == "="
                                  else value.lower() in shown(t, v).lower())
                   for _, n, t, v in tx.attributes)
    if kind == "state":
        return tx.error if wanted == "error" else tx.unfinished
    number = int(wanted)
    return {"id": tx.id == number, "longer": tx.latency > number, "shorter": tx.latency < number,
            "at_least": tx.latency >= number, "at_most": tx.latency <= number}[kind]


class Serve(unittest.TestCase):
    """A server for a trace with families."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.scratch.name, "run.ftr")
        subprocess.run([MAKER, "families", "600", cls.path], check=True)
        cls.server = Server(cls.path)
        cls.model, cls.data = Model(cls.path), cls.server.page()
        cls.streams = [s["name"] for s in cls.data.manifest["streams"]]
        cls.generators = [(cls.streams[g["stream"]], g["name"])
                          for g in cls.data.manifest["generators"]]

    @classmethod
    def tearDownClass(cls):
        assert cls.server.end() == 0
        cls.scratch.cleanup()

    def test_page(self):
        self.assertEqual(self.data.manifest["serve"], {"revision": 1, "live": False})
        self.assertEqual(self.data.manifest["run"]["transactions"], sum(not tx.unfinished for tx in self.model.txs))
        status, headers, page = self.server.get("")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertEqual(headers["Cache-Control"], "no-store")
        policy = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1).decode()
        self.assertRegex(policy, "^default-src 'none'; script-src 'sha256-[^' ]{44}'; style-src 'sha256-[^' ]{44}'; ")
        self.assertEqual(headers["Content-Security-Policy"], policy + "; frame-ancestors 'none'")
        self.assertEqual(self.server.get("data?revision=1")[0], 204)
        self.assertEqual(self.server.get("data?revision=0")[0], 200)

    def rows(self, tile):
        return [(t["id"], t["begin"], t["end"], self.generators[t["generator"]],
                 [(n, v) for _, n, _, v in t["attributes"]]) for t in tile.transactions()]

    @staticmethod
    def expected(txs):
        return [(t.id, t.begin, t.end, t.key, [(n, v) for _, n, _, v in t.attributes])
                for t in txs]

    def test_transactions(self):
        for low, high in ((0, 1 << 60), (100000, 150000), (5000, 5000), (1 << 50, 1 << 51)):
            tile = self.server.tile(f"transactions?from={low}&to={high}")
            inside = [t for t in self.model.txs if t.begin <= high and t.end >= low]
            self.assertEqual(self.rows(tile), self.expected(inside))
            self.assertFalse(tile.manifest["more"])
            kept = {t.id for t in inside}
            self.assertEqual(sorted(tile.relations()),
                             sorted(r for r in self.model.relations
                                    if r[1] in kept and r[2] in kept))
            for row, tx in zip(tile.transactions(), inside):
                self.assertEqual(row["flags"] & 7, tx.error + 2 * tx.unfinished)

    def test_limit_and_stream(self):
        tile = self.server.tile("transactions?from=0&to=99999999999&limit=10")
        self.assertEqual(self.rows(tile), self.expected(self.model.txs[:10]))
        self.assertTrue(tile.manifest["more"])
        for i, name in enumerate(self.streams):
            tile = self.server.tile(f"transactions?from=0&to=200000&stream={i}")
            self.assertEqual(self.rows(tile), self.expected(
                t for t in self.model.of_stream[name] if t.begin <= 200000))

    def test_transaction(self):
        for _, source, target in self.model.relations[:20]:
            related = {b if a == source else a for _, a, b in self.model.relations
                       if source in (a, b)} | {source}
            self.assertIn(target, related)
            tile = self.server.tile(f"transaction?id={source}")
            self.assertEqual({row[0] for row in self.rows(tile)}, related)
            self.assertEqual(sorted(self.rows(tile)), sorted(self.expected(
                self.model.by_id[i] for i in related)))
        self.assertEqual(self.server.tile("transaction?id=99999999").transactions(), [])

    def test_bins(self):
        for low, high, count in ((0, self.model.last, 64), (100000, 160000, 100), (777, 778, 2)):
            bins = self.server.tile(f"bins?from={low}&to={high}&count={count}")
            given = bins.manifest["bins"]
            shift, first, number = given["shift"], int(given["first"]), given["count"]
            self.assertLessEqual(number, count)
            self.assertEqual((first, first + number - 1), (low >> shift, high >> shift))
            for stream in given["streams"]:
                txs = self.model.of_stream[self.streams[stream["stream"]]]
                whole = self.model.bins(txs, shift)
                base = self.model.slots(shift)[0]
                for name, column in bins.columns(stream).items():
                    expected = [whole[name][first + i - base]
                                if 0 <= first + i - base < len(whole[name]) else 0
                                for i in range(number)]
                    self.assertEqual(column, expected, (name, low))

    def check_search(self, *conditions):
        """Compares a search with the model. Returns the number of matches."""
        state, tile = self.server.search(*conditions)
        wanted = [t for t in self.model.txs if all(meets(t, c) for c in conditions)]
        wanted.sort(key=lambda t: (t.begin, t.id))
        self.assertEqual((state["count"], state["tested"], state["revision"]),
                         (len(wanted), len(self.model.txs), 1), conditions)
        self.assertEqual(self.rows(tile), self.expected(wanted[:2000]), conditions)
        for row, tx in zip(tile.transactions(), wanted):
            self.assertEqual(row["flags"] & 7, tx.error + 2 * tx.unfinished)
        return len(wanted)

    def test_search_finds_names_values_and_states(self):
        tx = self.model.txs[100]
        address = dict((n, v) for _, n, _, v in tx.attributes)["trans.address"]
        for least, *conditions in (
                (100, ("text", "read")), (100, ("text", "TOP.BUS")), (100, ("text", "us.re")),
                (100, ("text", "TLM_ok")), (100, ("text", "delay")), (1, ("text", "64")),
                (0, ("text", "nothing")), (10, ("text", "true")), (1, ("text", f"{address:#x}")),
                (1000, ("text", "")), (1, ("text", "-5")), (1, ("text", "0.5")),
                (1, ("text", "568 ps")), (1, ("attribute", f"trans.address={address:#x}")),
                (1, ("attribute", f"trans.address={address}")),
                (1, ("attribute", f"trans.address={address:#X}".replace("0X", "0x"))),
                (0, ("attribute", f"trans.address=0{address}")),
                (0, ("attribute", "trans.data_length=x")),
                (10, ("attribute", "trans.data_length=10")),
                (10, ("attribute", "trans.data_length=0x0a")),
                (10, ("attribute", "trans.data_length~1")), (0, ("attribute", "data_length~1")),
                (10, ("attribute", "trans.response_status~address_error")),
                (0, ("attribute", "trans.response_status=address_error")),
                (1, ("attribute", "delay=568 ps")), (10, ("attribute", "delay~7 PS")),
                (1, ("attribute", "delay=0x10e")), (0, ("attribute", "delay=568")),
                (10, ("attribute", "payload~7fff00")), (10, ("attribute", "payload=0x7fff00000000")),
                (0, ("attribute", "payload=140733193388032")), (10, ("attribute", "cached=true")),
                (10, ("attribute", "level~-")), (1, ("attribute", "level=-55")),
                (1, ("attribute", "share=0.5")), (0, ("attribute", "share=0.50")),
                (10, ("state", "error")), (1, ("state", "unfinished")),
                (0, ("state", "error"), ("state", "unfinished")),
                (1, ("text", "top.cpu"), ("state", "error"), ("attribute", "payload~7f"))):
            self.assertGreaterEqual(self.check_search(*conditions), least, conditions)

    def test_search_compares_durations_and_ids(self):
        tx = max(self.model.txs, key=lambda t: t.latency)
        for kind, found in (("longer", 0), ("at_least", 1), ("shorter", len(self.model.txs) - 1),
                            ("at_most", len(self.model.txs))):
            self.assertEqual(self.check_search((kind, str(tx.latency))), found)
            huge = self.check_search((kind, str(1 << 64)))
            self.assertEqual(huge, len(self.model.txs) if kind in ("shorter", "at_most") else 0)
        self.assertEqual(self.check_search(("id", str(tx.id))), 1)
        self.assertEqual(self.check_search(("id", str((1 << 64) + tx.id))), 0)
        self.assertGreater(self.check_search(("longer", "1000"), ("at_most", "2000"),
                                             ("text", "memory")), 10)

    def test_matches_are_sent_before_the_search_is_complete(self):
        """The first matches among the transactions compared so far, in parts of the file."""
        of = {t.id: t for t in self.model.txs}
        for condition, limit in ((("text", "read"), 100), (("text", ""), 2), (("state", "error"), 1000)):
            matches = [t for t in self.model.txs if meets(t, condition)]
            tile = self.server.tile("search?" + urllib.parse.urlencode({"condition": word(condition), "limit": limit}))
            number, parts, largest = tile.manifest["search"]["number"], 0, 0
            for step in range(1, 200):
                state, rows = tile.manifest["search"], self.rows(tile)
                self.assertLessEqual(state["tested"], step * limit)
                if state["complete"]:
                    break
                self.assertGreater(state["tested"], largest)
                largest = state["tested"]
                if rows:
                    parts += 1
                    sent = [of[int(row["id"])] for row in tile.transactions()]
                    self.assertEqual(rows, self.expected(sorted(sent, key=lambda t: (t.begin, t.id))))
                    self.assertEqual(len(sent), min(state["count"], 2000))
                    self.assertTrue(all(meets(t, condition) for t in sent))
                self.assertLessEqual(state["count"], len(matches))
                tile = self.server.tile(f"search?number={number}&limit={limit}")
            self.assertGreater(parts, 0, condition)

    def test_a_new_search_ends_the_former_one(self):
        first = self.server.search(("text", "read"))[0]["number"]
        self.assertEqual(self.server.get(f"search?number={first}")[0], 200)
        second = self.server.search(("text", "write"))[0]["number"]
        self.assertEqual(self.server.get(f"search?number={first}")[0], 410)
        self.assertEqual(self.server.get(f"search?number={second}")[0], 200)
        self.assertEqual(self.server.get("search?number=0")[0], 410)
        self.assertEqual(self.server.get("search?number=12345678901")[0], 410)

    def test_malformed_searches(self):
        long = "x" * 4096
        for query in ("", "nothing=5", "condition=", "condition=%20", "condition=a%00", "condition=%ff", "condition=%c3",
                      "condition=%ed%a0%80", "condition=%", "condition=%4", "condition=%zz", "condition=a%", "number=x",
                      f"condition={long}x", "condition=a&condition=b", "condition=" + "+".join("a" * 33),
                      "condition=a&x=y", "condition=a&limit=1", "limit=2", "condition=%3e1h", "condition=(a"):
            status, headers, body = self.server.get("search?" + query)
            self.assertEqual((status, headers["Content-Type"]),
                             (400, "text/plain; charset=utf-8"), query[:40])
            self.assertLess(10, len(body), query[:40])
        self.assertEqual(self.server.get("search?condition=read+%3e1h")[2], b"column 7: '1h' is not a number with a known unit\n")
        self.assertEqual(self.server.get(f"search?condition={long}")[0], 200)
        self.assertEqual(self.server.get("search?condition=" + "+".join("a" * 32))[0], 200)
        self.assertEqual(self.server.get("search?condition=%01%0a%f0%9f%9a%80")[0], 200)
        self.assertIn(self.server.get("search?condition=" + "x" * 100000)[0], (400, 413, 414, 431))
        for path in ("search/x", "search/../../etc/passwd?condition=a"):
            self.assertEqual(self.server.get(path)[0], 404)
        self.assertEqual(self.server.get("search?condition=a", token="0" * 32)[0], 404)
        self.assertEqual(self.server.get("search?condition=a", host="evil.example")[0], 403)
        self.assertEqual(self.server.get("search?condition=a", method="POST")[0], 405)
        self.check_search(("text", "read"))

    def test_many_searches_at_the_same_time(self):
        failed = []

        def search(number):
            for i in range(10):
                status = self.server.get(f"search?condition={number}{i}")[0]
                again = self.server.get(f"search?number={number * 10 + i}")[0]
                if status != 200 or again not in (200, 410):
                    failed.append((status, again))

        threads = [threading.Thread(target=search, args=(n,)) for n in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        self.check_search(("text", "read"))

    def test_malformed_numbers(self):
        """Each number of each request. The message names the parameter and its range."""
        number = self.server.search(("text", "read"))[0]["number"]
        for request, parameter, least in (
                ("data?revision=", "revision", 0), ("transaction?id=", "id", 0),
                ("transactions?to=9&from=", "from", 0), ("transactions?from=0&to=", "to", 0),
                ("transactions?from=0&to=9&limit=", "limit", 2),
                ("transactions?from=0&to=9&stream=", "stream", 0),
                ("bins?to=9&from=", "from", 0), ("bins?from=0&to=", "to", 0),
                ("bins?from=0&to=9&count=", "count", 2), ("bins?from=0&to=9&stream=", "stream", 0),
                ("search?condition=read&limit=", "limit", 2), ("search?condition=read&number=", "number", 0),
                (f"search?number={number}&limit=", "limit", 2)):
            wrong = ["", "abc", "5x", "-1", "+5", "%205", "5%20", "0x5", "5.0", "5%00", str(1 << 64),
                     "9" * 30] + [str(n) for n in range(least)]
            for value in wrong:
                status, headers, body = self.server.get(request + value)
                self.assertEqual((status, headers["Content-Type"], body.decode()),
                                 (400, "text/plain; charset=utf-8",
                                  f"{parameter}: expected an integer from {least} to {(1 << 64) - 1}\n"),
                                 request + value)
            self.assertEqual(self.server.get(request[:-1])[0], 400, request)
        self.assertEqual(self.server.get(f"search?number={number}")[0], 200)
        self.assertEqual(self.server.get("transactions?from=5&to=4")[2], b"from: greater than `to`\n")
        self.assertEqual(self.server.get(f"bins?from=0&to=4&stream={len(self.streams)}")[2],
                         b"stream: the run has %d streams\n" % len(self.streams))

    def test_refusals(self):
        get = self.server.get
        for path in ("../../etc/passwd", "..%2f..%2fetc%2fpasswd", "run.ftr", "nothing", "bins/x",
                     "%00", "x" * 5000):
            self.assertEqual(get(path)[0], 404, path[:40])
        for path in ("transactions", "transactions?from=5&to=4", "transactions?from=-1&to=4",
                     "transactions?from=0&to=5&stream=8"):
            self.assertEqual(get(path)[0], 400, path)
        for token in ("0" * 32, self.server.token[:-1], self.server.token + "0", "x"):
            self.assertEqual(get("", token=token)[0], 404)
        for host in ("evil.example", f"evil.example:{self.server.port}", "127.0.0.1",
                     f"127.0.0.1:{int(self.server.port) + 1}", ""):
            self.assertEqual(get("", host=host)[0], 403, host)
        self.assertEqual(get("", host=f"localhost:{self.server.port}")[0], 200)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
            self.assertEqual(get("", method=method)[0], 405)

    def test_connections_without_the_token_do_not_block_the_user(self):
        """Each of them sends half a request, and never ends it."""
        lines = []
        for _ in range(100):
            line = socket.create_connection(("127.0.0.1", int(self.server.port)), 10)
            line.sendall(b"GET /0123456789abcdef/ HTTP/1.1\r\nHost: 127")
            lines.append(line)
        for _ in range(3):
            self.assertEqual(self.server.get("", timeout=30)[0], 200)
        ended = 0
        for line in lines:  # also those that the server has not closed for newer ones
            try:
                line.settimeout(30)
                ended += line.recv(1) == b""
            except ConnectionError:
                ended += 1
            line.close()
        self.assertEqual(ended, 100)
        self.assertEqual(self.server.get("")[0], 200)

    def test_malformed_requests(self):
        for request in (b"\r\n\r\n", b"GET", b"\x00" * 3000, b"GET / HTTP/9.9\r\n\r\n",
                        b"GET /" + self.server.token.encode() + b"/ HTTP/1.1\r\n\r\n",
                        b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\nabc"):
            with socket.create_connection(("127.0.0.1", int(self.server.port)), 10) as line:
                line.sendall(request)
                line.shutdown(socket.SHUT_WR)
                line.settimeout(5)
                try:
                    self.assertNotIn(b"200 OK", line.recv(4096))
                except OSError:
                    pass
        self.assertEqual(self.server.get("")[0], 200)

    def test_only_loopback(self):
        with open("/proc/net/tcp", encoding="ascii") as sockets:
            rows = [line.split() for line in sockets][1:]
        port = f"{int(self.server.port):04X}"
        listening = {row[1] for row in rows if row[3] == "0A" and row[1].endswith(":" + port)}
        self.assertEqual(listening, {"0100007F:" + port})

    def test_misuse(self):
        for arguments in (("--serve", "-o", "x.html"), ("--serve", "--text"), ("--port", "80"),
                          ("--serve", "--port", "65536"), ("--serve", "--port", "x"),
                          ("--serve", "--port", self.server.port)):
            done = subprocess.run([FTR, "report", *arguments, self.path], stderr=subprocess.PIPE,
                                  stdout=subprocess.PIPE, check=False, timeout=300)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr)


class Part(unittest.TestCase):
    """A server for a part of a trace: a search finds only transactions of this part."""

    def test_search(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.ftr")
            subprocess.run([MAKER, "families", "200", path], check=True)
            txs = Model(path).txs
            last = txs[len(txs) // 2].begin
            for options, test in ((("--stream", "top.cpu*"), lambda t: t.stream.startswith("top.cpu")),
                                  (("--generator", "read"), lambda t: t.generator == "read"),
                                  (("--to", f"{last} ps"), lambda t: t.begin <= last)):
                server = Server(path, *options)
                wanted = sorted((t.begin, t.id) for t in txs if test(t))
                state, tile = server.search(("text", ""))
                self.assertEqual(state["count"], len(wanted), options)
                self.assertEqual([t["id"] for t in tile.transactions()], [i for _, i in wanted])
                self.assertEqual(server.end(), 0)


class Follow(unittest.TestCase):
    """A file that grows while it is served."""

    def test_texts_outside_the_dictionary(self):
        """Other recorders store texts in the attributes, so that these texts have no number."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.ftr")
            texts = ["alpha", "beta", "gamma"]
            made_trace.write(path, [[(i + 1, 10 * i, 10 * i + 5, [(8, 3, 5, text)])
                                     for i, text in enumerate(texts)]], ["status"])
            server = Server(path)
            found = server.tile("transactions?from=0&to=25").transactions()
            self.assertEqual([[a[3] for a in t["attributes"]] for t in found], [[t] for t in texts])
            for text in texts:
                self.assertEqual(server.search(("text", text))[0]["count"], 1, text)
                self.assertEqual(server.search(("attribute", f"status={text}"))[0]["count"], 1, text)
            self.assertEqual(server.end(), 0)

    def test_growth(self):
        with tempfile.TemporaryDirectory() as folder:
            whole, path = os.path.join(folder, "whole.ftr"), os.path.join(folder, "run.ftr")
            subprocess.run([MAKER, "plain", "30000", whole], check=True)
            with open(whole, "rb") as file:
                content = file.read()
            with open(path, "wb") as file:
                file.write(content[:len(content) // 2])
            server = Server(path)
            first = server.page().manifest
            present = server.search(("text", ""))[0]
            self.assertEqual(present["tested"], first["run"]["transactions"])
            self.assertEqual(present["count"], first["run"]["transactions"])
            self.assertEqual(first["serve"], {"revision": 1, "live": True})
            self.assertGreater(first["run"]["transactions"], 0)
            self.assertLess(first["run"]["transactions"], 30000)
            self.assertEqual(server.get("data?revision=1")[0], 204)
            with open(path, "ab") as file:
                file.write(content[len(content) // 2:])
            for _ in range(300):
                status, _, body = server.get("data?revision=1")
                if status == 200:
                    break
                time.sleep(0.1)
            later = Data.of_page(body.decode()).manifest
            self.assertEqual(later["run"]["transactions"], 30000)
            self.assertEqual(later["serve"], {"revision": 2, "live": False})
            grown = server.search(("text", ""))[0]
            self.assertEqual((grown["count"], grown["revision"]), (30000, 2))
            model = Model(whole)
            tile = server.tile(f"transactions?from={model.last - 500}&to={model.last}")
            self.assertEqual([t["id"] for t in tile.transactions()],
                             [t.id for t in model.txs if t.end >= model.last - 500])
            self.assertEqual(server.end(), 0)


if __name__ == "__main__":
    FTR, MAKER = sys.argv[1:3]
    del sys.argv[1:]
    unittest.main()
