#!/usr/bin/python3
"""Compares each recorded access with the account that the modules of a model keep themselves (account.hpp): times,
phases, attributes and the access of the hop before. The models are random: ACCOUNTED_SEEDS=COUNT in the environment sets
the number of runs for each setting. Arguments: attached.py, main()."""

import collections
import os
import random

from attached import Attached, Paths, Trace, main, values

# The attributes of an access, with their types and classes.
ATTRIBUTES = {"payload_id": ("UNSIGNED", "begin"), "address": ("UNSIGNED", "begin"), "length": ("UNSIGNED", "begin"),
              "delay": ("TIME", "begin"), "data": ("STRING", "record"), "response": ("STRING", "end"),
              "dmi_allowed": ("BOOLEAN", "end"), "request_time": ("TIME", "end"), "response_time": ("TIME", "end"),
              "phase": ("STRING", "end"), "unfinished": ("BOOLEAN", "end"), "lowered_by": ("TIME", "end"),
              "request_lowered_by": ("TIME", "end"), "response_lowered_by": ("TIME", "end"),
              "streaming_width": ("UNSIGNED", "begin"), "byte_enable": ("STRING", "begin"),
              "gp_option": ("STRING", "begin"), "extension": ("STRING", "begin")}
ACCESSES = ["NONE", "READ", "WRITE", "READ_WRITE"]  # of tlm_dmi


# If an access has one of these, its slot may have no room for the phase that a killed run keeps.
FURTHER = {"streaming_width", "byte_enable", "gp_option", "extension", "request_lowered_by"}


class Access:
    """An access in the account of a model."""

    def __init__(self, fields, parent):
        self.link = fields["link"]
        self.generator = fields["command"]
        self.begin = int(fields["time"])
        self.fields = fields
        self.parent = parent  # an Access, or None
        self.life = parent.life if parent and fields["same"] == "1" else self  # identity of the payload
        self.phases = []  # (name, time, address)
        self.answer = None
        self.end = None
        self.is_abandoned = False

    def times(self):
        """Returns {phase: time} of the base protocol."""
        return {name: time for name, time, _ in self.phases if name not in ("MARK", "GRANT")}


class Account:
    """What the modules of a model have printed."""

    def __init__(self, text):
        self.accesses = {}  # {number: Access}
        self.others = collections.defaultdict(list)  # {kind: [fields]}
        for line in text.splitlines():
            kind, number, *fields = line.split(" ")
            fields = dict(field.split("=", 1) for field in fields)
            self.read(kind, int(number), fields)

    def read(self, kind, number, fields):
        if kind == "begin":
            parent = self.accesses.get(int(fields["parent"]))
            # An access that was interrupted is not the parent of one that began later.
            self.accesses[number] = Access(fields, parent if parent and not parent.is_abandoned else None)
        elif kind == "phase":
            self.accesses[number].phases.append((fields["name"], int(fields["time"]), int(fields["address"])))
        elif kind == "answer":
            self.accesses[number].answer = fields
        elif kind in ("end", "abandon"):
            self.accesses[number].end = int(fields["time"])
            self.accesses[number].is_abandoned = kind == "abandon"
        else:
            self.others[kind].append(fields)


def short_status(text):
    """OK of TLM_OK_RESPONSE"""
    return text[len("TLM_"):-len("_RESPONSE")]


class Expected:
    """The rules of docs/attach.md: what is recorded of an account."""

    def __init__(self, payload=8, delay=True, is_recorded=lambda link: True, window=None):
        self.payload = payload
        self.has_delay = delay
        self.is_recorded = is_recorded
        self.window = window  # (start, stop)
        self.named = set()  # links on which the extension was named

    def parent(self, access):
        """Returns the nearest access before that is recorded, on another link unless the payload is a copy."""
        before = access.parent
        while before and (not self.is_recorded(before.link)
                          or before.link == access.link and before.life == access.life):
            before = before.parent
        return before

    def is_in_window(self, begin, end):
        """Returns whether a transaction overlaps the window."""
        return not self.window or (begin <= self.window[1] and end >= self.window[0])

    def bytes_of(self, hexadecimal):
        return hexadecimal[:2 * self.payload]

    def request(self, access):
        fields = access.fields
        found = {"address": int(fields["address"]), "length": int(fields["length"])}
        if self.has_delay and int(fields["delay"]):
            found["delay"] = int(fields["delay"])
        if int(fields["width"]) < found["length"]:
            found["streaming_width"] = int(fields["width"])
        if self.bytes_of(fields["mask"]):
            found["byte_enable"] = self.bytes_of(fields["mask"])
        if fields["option"] != "0":
            found["gp_option"] = "FULL_PAYLOAD"
        if access.generator == "write" and self.bytes_of(fields["data"]):
            found["data"] = self.bytes_of(fields["data"])
        if fields["extended"] == "1" and access.link not in self.named:
            self.named.add(access.link)
            found["extension"] = "marker"
        return found

    def response(self, access):
        if not access.answer:
            return {}
        found = {"response": short_status(access.answer["status"])}
        if access.answer["allowed"] == "1":
            found["dmi_allowed"] = True
        if access.generator == "read" and found["response"] == "OK" and self.bytes_of(access.answer["data"]):
            found["data"] = self.bytes_of(access.answer["data"])
        return found

    @staticmethod
    def phases(access):
        times = access.times()
        found = {}

        def put(name, begin, end):
            found[name + "_time"] = max(end - begin, 0)
            if end < begin:
                found[name + "_lowered_by"] = begin - end

        if "END_REQ" in times or "BEGIN_RESP" in times:
            put("request", access.begin, times.get("END_REQ", times.get("BEGIN_RESP")))
        if "END_RESP" in times:
            put("response", times["BEGIN_RESP"], times["END_RESP"])
        return found

    def access(self, access):
        """Returns begin, end and attributes."""
        found = {**self.request(access), **self.response(access), **self.phases(access)}
        end = access.end
        if end is None or access.is_abandoned:
            found["unfinished"] = True
        if end is None and access.phases:
            found["phase"], end = list(access.times().items())[-1]
        elif end is not None and end < access.begin and not access.is_abandoned:
            found["lowered_by"] = access.begin - end
        return access.begin, None if end is None else max(end, access.begin), found


class Accounted(Attached):
    seeds = int(os.environ.get("ACCOUNTED_SEEDS", "2"))
    program = ""
    transactions = "60"

    def run_model(self, seed, *arguments, **variables):
        """Records a run and returns the account and the trace."""
        command = [os.path.join(Paths.programs, self.program), str(seed), self.transactions, *arguments]
        alone = self.command(command)
        done = self.command(command, FTR_TRACE=self.file, FTR_DEBUG_TRANSPORT="1", **variables)
        self.assertEqual((done.returncode, done.stdout), (alone.returncode, alone.stdout), done.stderr)
        return Account(alone.stdout.decode())

    def compare(self, account, trace, expected, has_events=False, is_killed=False):
        self.assertGreater(len(account.accesses), 100)
        of = self.compare_accesses(account, trace, expected, is_killed)
        relations = {(r["from"], r["to"]) for r in trace.relations if r["name"] == "PARENT_CHILD"}
        wanted = set()
        for access, tx in of.items():
            parent = expected.parent(access)
            if parent in of:
                wanted.add((of[parent]["id"], tx["id"]))
        if has_events:
            self.compare_events(trace, of)
        else:
            wanted |= self.compare_other_phases(account, trace, of, expected)
        names = {tx["id"]: (tx["stream"], hex(values(tx)["address"]), tx["begin"]) for tx in trace.transactions
                 if "address" in values(tx)}
        self.assertEqual([[names[tx] for tx in relation] for relation in relations - wanted], [], "no such hop")
        self.assertEqual([[names[tx] for tx in relation] for relation in wanted - relations], [], "missing hop")
        return of

    def compare_accesses(self, account, trace, expected, is_killed):
        """Compares times and attributes. Returns {Access: transaction}."""
        recorded = {(tx["stream"], values(tx)["address"]): tx for tx in trace.transactions
                    if trace.streams[tx["stream"]] == "TLM" and not tx["generator"].endswith(".events")}
        of = {}
        different = []
        for access in account.accesses.values():
            if not expected.is_recorded(access.link):
                continue
            begin, end, attributes = expected.access(access)
            if not is_killed and not expected.is_in_window(begin, end):
                continue
            self.assertIn((access.link, attributes["address"]), recorded)
            tx = of[access] = recorded.pop((access.link, attributes["address"]))
            found = values(tx)
            found.pop("payload_id", None)
            if access.end is None and is_killed:
                end = tx["end"]
                if "phase" not in found and FURTHER & set(found):
                    attributes.pop("phase", None)
            wanted = access.generator, begin, end, attributes
            if (tx["generator"], tx["begin"], tx["end"], found) != wanted:
                different.append((access.link, "recorded", tx["generator"], tx["begin"], tx["end"], found,
                                  "in the account", *wanted))
            for class_, name, type_, _ in tx["attributes"]:
                self.assertEqual((type_, class_), ATTRIBUTES[name], name)
        self.assertEqual(recorded, {})
        self.assertEqual(different[:3], [], f"{len(different)} of {len(of)} accesses are different")
        return of

    def compare_events(self, trace, of):
        """Compares the phases that are recorded as events."""
        events = {tx["id"]: tx for tx in trace.transactions if tx["generator"].endswith(".events")}
        parents = {r["to"]: r["from"] for r in trace.relations if r["name"] == "parent_of"}
        self.assertEqual(set(parents), set(events))
        found = collections.defaultdict(list)
        for number, event in events.items():
            self.assertEqual(event["begin"], event["end"])
            found[parents[number]].append((event["stream"], event["generator"], values(event)["name"], event["begin"]))
        for access, tx in of.items():
            wanted = [(access.link, access.generator + ".events", name, max(time, access.begin))
                      for name, time, _ in access.phases]
            self.assertEqual(found.pop(tx["id"], []), wanted)
        self.assertEqual(found, {})

    def compare_other_phases(self, account, trace, of, expected):
        """Compares the phases that are not of the base protocol. Returns their relations."""
        recorded = collections.defaultdict(list)
        for tx in trace.transactions:
            if trace.streams[tx["stream"]] == "TLM phases":
                recorded[tx["stream"][:-len("/phases")], tx["generator"], tx["begin"],
                         values(tx)["address"]].append(tx["id"])
        relations = set()
        for access in account.accesses.values():
            for name, time, address in access.phases:
                if name in ("MARK", "GRANT") and expected.is_recorded(access.link) \
                        and expected.is_in_window(time, time):
                    key = access.link, name, time, address
                    self.assertTrue(recorded[key], key)
                    phase = recorded[key].pop()
                    if access in of:
                        relations.add((of[access]["id"], phase))
        strays = [(key[0], key[1], key[2], key[3]) for key, rest in recorded.items() for _ in rest]
        wanted = [(fields["link"], fields["name"], int(fields["time"]), int(fields["address"]))
                  for fields in account.others["stray"] if expected.is_recorded(fields["link"])
                  and expected.is_in_window(int(fields["time"]), int(fields["time"]))]
        self.assertEqual(sorted(strays), sorted(wanted))
        return relations

    def check(self, expected=None, **variables):
        """Compares a run for each seed. Returns the names of all attributes."""
        names = set()
        for seed in range(self.seeds):
            with self.subTest(seed=seed, **variables):
                expected = expected or Expected()
                expected.named.clear()
                account = self.run_model(seed, **variables)
                trace = self.trace()
                of = self.compare(account, trace, expected, "FTR_PHASES" in variables)
                names.update(name for tx in of.values() for name in values(tx))
        return names

    def check_window(self, links):
        """Only what overlaps the window is recorded."""
        account = self.run_model(3)
        last = max(access.end or 0 for access in account.accesses.values())
        for start, stop, more in ((last // 3, last * 2 // 3, {}), (last // 2, last * 2, {}), (0, last // 2, {}),
                                  (last // 3, None, {}), (last // 3, None, {"FTR_PROTOCOL": "check"})):
            end = {} if stop is None else {"FTR_STOP": f"{stop}ps"}
            self.run_model(3, FTR_START=f"{start}ps", **end, **more)
            trace = self.trace()
            of = self.compare(account, trace, Expected(window=(start, last * 2 if stop is None else stop)))
            self.check_description(trace, start)
            self.assertEqual({access.link for access in of} & set(links), set(links))
            self.assertLess(len(of), len(account.accesses))
        done = self.command([os.path.join(Paths.programs, self.program), "3", self.transactions], FTR_TRACE=self.file,
                            FTR_START=f"{last * 10}ps")
        self.assertIn(b"ftr: nothing of the model is recorded: the simulation ended at ", done.stderr)
        self.assertIn(f", before FTR_START={last * 10}ps\n".encode(), done.stderr)
        trace = self.trace()
        self.check_description(trace, last * 10)
        self.assertEqual([tx["generator"] for tx in trace.transactions], ["start", "run"])

    def check_description(self, trace, start):
        """The run is described at the begin of the window, with its links and its end."""
        described, ended = (trace.of("ftr.run", generator)[0] for generator in ("start", "run"))
        self.assertEqual((described["begin"], described["end"]), (start, start))
        self.assertTrue([name for name in values(described) if name.startswith("target.")])
        self.assertEqual(values(ended)["exit_status"], 0)

    def check_files(self, name, **variables):
        """Compares runs that write several files: each access is in one of them, and its relations within a file are
        kept. @p name: part of the names of the further files"""
        account = self.run_model(5, **variables)
        expected = Expected()
        wanted = {(access.link, int(access.fields["address"])): (access, expected.access(access))
                  for access in account.accesses.values()}
        paths = [os.path.join(self.folder, file) for file in sorted(os.listdir(self.folder)) if file.endswith(".ftr")]
        self.assertTrue([path for path in paths if name in path], paths)
        for path in paths:
            trace = self.trace(path)
            of = {}
            for tx in trace.transactions:
                if trace.streams[tx["stream"]] == "TLM":
                    access, content = wanted.pop((tx["stream"], values(tx)["address"]))
                    of[access] = tx["id"]
                    self.assertEqual((tx["begin"], tx["end"], values(tx)), content)
            self.assertEqual({(r["from"], r["to"]) for r in trace.relations
                              if r["from"] in of.values() and r["to"] in of.values()},
                             {(of[expected.parent(access)], tx) for access, tx in of.items()
                              if expected.parent(access) in of})
            os.remove(path)
        self.assertEqual(wanted, {})

    def check_killed(self, links):
        """Kills the program in a random access of some links."""
        chance = random.Random(11)
        for seed in range(self.seeds):
            with self.subTest(seed=seed):
                numbers = [number for number, access in self.run_model(seed).accesses.items()
                           if access.link in links and number > 200]
                account = self.run_model(seed, str(chance.choice(numbers)))
                sound = os.path.join(self.folder, "sound.ftr")
                done = self.command([Paths.ftr, "recover", "--force", self.file, "-o", sound])
                self.assertEqual(done.returncode, 0, done.stderr)
                of = self.compare(account, self.trace(sound), Expected(), is_killed=True)
                self.assertTrue([tx for access, tx in of.items() if access.end is None])
                for name in os.listdir(self.folder):
                    os.remove(os.path.join(self.folder, name))

    def check_identities(self):
        """The number of a payload is equal on all hops of an access, and different from all others."""
        for seed in range(self.seeds):
            account = self.run_model(seed, FTR_PROTOCOL="check")
            of = self.compare(account, self.trace(), Expected())
            numbers = collections.defaultdict(set)
            for access, tx in of.items():
                numbers[access.life].add(values(tx)["payload_id"])
            self.assertEqual({len(found) for found in numbers.values()}, {1})
            self.assertEqual(len({next(iter(found)) for found in numbers.values()}), len(numbers))


class Blocking(Accounted):
    program = "accounted_blocking"

    def test_every_access(self):
        names = self.check()
        self.assertEqual({"unfinished", "lowered_by", "delay", "streaming_width", "byte_enable", "gp_option",
                          "extension", "dmi_allowed", "response"} - names, set())

    def test_dmi_and_debug_transport(self):
        account = self.run_model(7)
        trace = self.trace()
        gets = [(fields["link"], int(fields["time"]), fields["command"].upper(), int(fields["address"]),
                 fields["granted"] == "1", int(fields["start"]), int(fields["end"]), ACCESSES[int(fields["access"])],
                 int(fields["read"]), int(fields["write"])) for fields in account.others["get"]]
        invalidations = [(fields["link"], int(fields["time"]), int(fields["start"]), int(fields["end"]))
                         for fields in account.others["invalidate"]]
        debugs = []
        for fields in account.others["debug"]:
            debugs.append((fields["link"], int(fields["time"]), fields["command"], int(fields["address"]),
                           int(fields["length"]), int(fields["transported"]), short_status(fields["status"]),
                           fields["data"][:16] or None))
        found = collections.defaultdict(list)
        for tx in trace.transactions:
            kind = trace.streams[tx["stream"]]
            if kind in ("TLM DMI", "TLM debug"):
                self.assertEqual(tx["begin"], tx["end"])
                names = ("address", "length", "transported", "response", "data") if kind == "TLM debug" else \
                    [name for _, name, _, _ in tx["attributes"]]
                row = [tx["stream"].replace("/", "."), tx["begin"], *(values(tx).get(name) for name in names)]
                if kind == "TLM debug":
                    row.insert(2, tx["generator"])
                found["debug" if kind == "TLM debug" else tx["generator"]].append(tuple(row))
        for kind, wanted in (("get", gets), ("invalidate", invalidations), ("debug", debugs)):
            self.assertGreater(len(wanted), 0)
            self.assertEqual(sorted(found[kind], key=repr), sorted(wanted, key=repr), kind)

    def test_any_number_of_bytes(self):
        for setting, size in (("0", 0), ("3", 3), ("20", 20), ("all", 1000)):
            self.check(Expected(payload=size), FTR_PAYLOAD=setting)

    def test_no_delay(self):
        self.check(Expected(delay=False), FTR_TLM_DELAY="0")

    def test_checked_accesses(self):
        self.check_identities()

    def test_some_links(self):
        """The parent is the nearest access that is recorded."""
        self.check(Expected(is_recorded=lambda link: not link.startswith("bus.")), FTR_EXCLUDE="bus.*")
        self.check(Expected(is_recorded=lambda link: link.endswith((".s", ".out"))), FTR_INCLUDE="*.s,*.out")
        self.check(Expected(is_recorded=lambda link: link != "turn.out"), FTR_EXCLUDE="turn.out", FTR_PROTOCOL="check")

    def test_a_window(self):
        self.check_window(("first.s", "bus.out[0]"))

    def test_several_files(self):
        self.check_files("run-bus", FTR_BUFFERS="bus=linear,1M,>file,bus.*")
        self.check_files("run_file0002", FTR_MAX_SIZE="64K", FTR_MAX_FILES="50", FTR_COMPRESS="none")

    def test_a_killed_program(self):
        self.check_killed(("bus.out[0]", "bus.out[1]", "copier.out", "queue.out"))


class Phased(Accounted):
    program = "accounted_phases"

    def test_every_access(self):
        names = self.check()
        self.assertEqual({"unfinished", "phase", "request_time", "response_time", "request_lowered_by",
                          "response_lowered_by", "lowered_by", "extension", "response"} - names, set())

    def test_phases_as_events(self):
        self.check(FTR_PHASES="events")

    def test_any_number_of_bytes(self):
        for setting, size in (("0", 0), ("3", 3), ("20", 20), ("all", 1000)):
            self.check(Expected(payload=size), FTR_PAYLOAD=setting)

    def test_no_delay(self):
        self.check(Expected(delay=False), FTR_TLM_DELAY="0")

    def test_checked_accesses(self):
        self.check_identities()

    def test_some_links(self):
        """The parent is the nearest access that is recorded."""
        self.check(Expected(is_recorded=lambda link: not link.endswith(".s")), FTR_EXCLUDE="*.s")
        self.check(Expected(is_recorded=lambda link: link == "queued.s"), FTR_INCLUDE="queued.s")

    def test_a_window(self):
        self.check_window(("queued.s", "queue.out"))

    def test_several_files(self):
        self.check_files("run-bus", FTR_BUFFERS="bus=linear,1M,>file,bus.*")
        self.check_files("run_file0002", FTR_MAX_SIZE="64K", FTR_MAX_FILES="50", FTR_COMPRESS="none")

    def test_a_killed_program(self):
        self.check_killed(("bus.out[0]", "bus.out[1]", "relay.out[0]", "last_bridge.phased", "converter.out"))


if __name__ == "__main__":
    main()
