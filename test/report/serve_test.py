#!/usr/bin/python3
"""Asks `ftr report --serve` for details and compares them with a second implementation; tries
requests that must be refused; and follows a growing file.

    serve_test.py FTR MAKE_REPORT_TRACE
"""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from report_data import Data
from report_model import Model

FTR = MAKER = None


class Server:
    """A server for one trace."""

    def __init__(self, path):
        self.process = subprocess.Popen([FTR, "report", "--serve", "--port", "0", path],
                                        stdout=subprocess.PIPE, text=True)
        url = self.process.stdout.readline()
        self.port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n",
                                             url).groups()

    def get(self, path, method="GET", token=None, host=None):
        """Returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=300)
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

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        self.process.stdout.close()
        return status


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
        self.assertEqual(self.data.manifest["run"]["transactions"], len(self.model.txs))
        status, headers, _ = self.server.get("")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertEqual(headers["Cache-Control"], "no-store")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
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

    def test_refusals(self):
        get = self.server.get
        for path in ("../../etc/passwd", "..%2f..%2fetc%2fpasswd", "run.ftr", "nothing", "bins/x",
                     "%00", "x" * 5000):
            self.assertEqual(get(path)[0], 404, path[:40])
        for path in ("transactions", "transactions?from=5&to=4", "transactions?from=-1&to=4",
                     "transactions?from=0&to=99999999999999999999999", "bins?from=a&to=4",
                     "bins?from=0&to=5&count=0", "transaction", "transaction?id=",
                     "transactions?from=0&to=5&stream=8", "transactions?from=0x1&to=5"):
            status, _, body = get(path)
            self.assertEqual((status, body), (400, b""), path)
        for token in ("0" * 32, self.server.token[:-1], self.server.token + "0", "x"):
            self.assertEqual(get("", token=token)[0], 404)
        for host in ("evil.example", f"evil.example:{self.server.port}", "127.0.0.1",
                     f"127.0.0.1:{int(self.server.port) + 1}", ""):
            self.assertEqual(get("", host=host)[0], 403, host)
        self.assertEqual(get("", host=f"localhost:{self.server.port}")[0], 200)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
            self.assertEqual(get("", method=method)[0], 405)

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


class Follow(unittest.TestCase):
    """A file that grows while it is served."""

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
            model = Model(whole)
            tile = server.tile(f"transactions?from={model.last - 500}&to={model.last}")
            self.assertEqual([t["id"] for t in tile.transactions()],
                             [t.id for t in model.txs if t.end >= model.last - 500])
            self.assertEqual(server.end(), 0)


if __name__ == "__main__":
    FTR, MAKER = sys.argv[1:3]
    del sys.argv[1:]
    unittest.main()
