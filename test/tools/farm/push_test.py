#!/usr/bin/python3
"""A night without a shared file system: runs the script of docs/campaign.md against a local HTTP server that accepts PUT
and refuses each first request.

    push_test.py FTR MAKE_RUN
"""

import concurrent.futures
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "test" / "figures" / "runs"))
from figures import read_summary  # noqa: E402

FTR, MAKE_RUN = map(os.path.abspath, sys.argv[1:3])
SKIPPED = 77
# test, seed, what the program does, state of its run
JOBS = [("boot", 1, "", "sound"), ("boot", 2, "", "sound"), ("boot", 3, "exit=1", "sound"), ("dma", 1, "", "sound"),
        ("dma", 2, "die=15", "killed"), ("dma", 3, "die=9", "unfinished"), ("irq", 1, "none", "absent"),
        ("irq", 2, "count=3", "sound"), ("lost", 1, "node", None)]


class Server(http.server.ThreadingHTTPServer):
    """Stores files in a folder; each appears when it is complete."""

    def __init__(self, folder):
        self.folder, self.refused, self.lock = Path(folder), set(), threading.Lock()
        self.folder.mkdir()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            is_first = self.path not in self.server.refused
            self.server.refused.add(self.path)
        if not is_first:
            part = self.server.folder / (Path(self.path).name + ".part")
            part.write_bytes(content)
            part.rename(part.with_suffix(""))
        self.send_response(503 if is_first else 201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Push(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        os.chdir(self.directory.name)
        page = (ROOT / "docs" / "campaign.md").read_text(encoding="utf-8")
        script = re.search(r"^```bash\n(#!/bin/bash\n# job.sh .*?)^```$", page, re.M | re.S).group(1)
        programs = Path("programs")
        programs.mkdir()
        programs.joinpath("ftr").symlink_to(FTR)
        for i, (_, _, does, _) in enumerate(JOBS):
            node = Path(f"node{i}")
            (node / "scratch").mkdir(parents=True)
            self.write(node / "job.sh", script)
            self.write(node / "vp", "#!/bin/sh\n" + {
                "none": "exit 3\n",
                # the node dies while the program runs: neither the script nor the program ends regularly
                "node": f"'{MAKE_RUN}' default 5\nkill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat) $PPID $$\n",
            }.get(does, f"exec '{MAKE_RUN}' default $2 identity=vp count=50 {does}\n"))

    def tearDown(self):
        os.chdir("/")
        self.directory.cleanup()

    @staticmethod
    def write(path, text):
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run_job(self, i, store):
        """Runs a job in a folder of its own, as on a node of its own."""
        test, seed, _, _ = JOBS[i]
        scratch = Path(f"node{i}/scratch").resolve()
        environment = {**os.environ, "PATH": f"{Path('programs').resolve()}:{os.environ['PATH']}", "STORE": store,
                       "TMPDIR": str(scratch)}
        done = subprocess.run(["./job.sh", test, str(seed)], cwd=f"node{i}", env=environment, capture_output=True, text=True,
                              check=False, timeout=120)
        return done.returncode, done.stderr, sorted(scratch.iterdir())

    def test_collects_the_runs_of_all_jobs(self):
        server = Server("store")
        store = f"http://127.0.0.1:{server.server_address[1]}/night"
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda i: self.run_job(i, store), range(len(JOBS))))
        server.shutdown()
        server.server_close()
        for (test, seed, does, _), (status, said, left) in zip(JOBS, results):
            expected = {"exit=1": 1, "die=15": 128 + 15, "die=9": 128 + 9, "none": 3, "node": -9}.get(does, 0)
            self.assertEqual(status, expected, (test, seed, said))
            self.assertEqual(bool(left), does == "node", (test, seed, left))
        files = sorted(Path("store").iterdir())
        self.assertEqual(len(files), len(JOBS) - 1)
        self.assertLess(max(file.stat().st_size for file in files), 20000)
        merged = subprocess.run([FTR, "summary", "--merge", *files, "-o", "night.fts"], capture_output=True, text=True,
                                check=False)
        self.assertEqual(merged.returncode, 0, merged.stderr)
        found = {}
        for run in read_summary("night.fts").values():
            found.setdefault(run["info"].get("tags"), []).append((run["state"], run["count"]))
        expected = {f"test={test},seed={seed}": state for test, seed, _, state in JOBS if state not in (None, "absent")}
        self.assertEqual({tags: states[0][0] for tags, states in found.items() if tags}, expected)
        self.assertTrue(all(len(states) == 1 for states in found.values()), found)
        self.assertEqual(found[None][0][0], "absent")
        counts = {tags: states[0][1] for tags, states in found.items() if tags}
        self.assertEqual(counts["test=dma,seed=3"], counts["test=dma,seed=1"], "the journal has all transactions")
        Path("rules").write_text("* losses == 0\n", encoding="utf-8")
        Path("tests.txt").write_text("boot\ndma\nirq\nlost\n", encoding="utf-8")
        judged = subprocess.run([FTR, "gate", "rules", "night.fts", "--expect", "tests.txt"], capture_output=True, text=True,
                                check=False)
        self.assertEqual(judged.returncode, 1, judged.stderr)
        self.assertIn("  lost\n    absent: the run is expected\n", judged.stdout)
        self.assertNotIn("  boot\n", judged.stdout)

    def test_a_job_fails_if_the_server_is_not_there(self):
        status, said, left = self.run_job(0, "http://127.0.0.1:9/night")
        self.assertEqual((status, left), (75, []))
        self.assertIn("curl: ", said)


if shutil.which("curl") is None:
    sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1])
