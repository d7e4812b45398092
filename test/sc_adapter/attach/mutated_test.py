#!/usr/bin/python3
"""Compares the checker with a second one, written from the clauses of IEEE 1666-2011 and not from the first: random
transactions with one random mistake (mutated.cpp print their calls), judged by both. Arguments: attached.py's main(),
of which MUTATED_SEEDS=COUNT in the environment sets the number of runs."""

import os

from attached import Attached, Paths, Trace, main, values

BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP = 1, 2, 3, 4
ACCEPTED, UPDATED, COMPLETED = 0, 1, 2
INCOMPLETE, OK = 0, 1
ATTRIBUTES = ("command-changed", "data-length-changed", "streaming-width-changed")


class Passage:
    """A transaction on a link."""

    def __init__(self, request_address, effective):
        self.state = "request"
        self.address = request_address
        self.effective = effective
        self.judged = True  # until a phase is wrong (one mistake is one violation)

    def is_open(self):
        return self.state != "complete"


class Transaction:
    """From the first BEGIN_REQ of a payload until all links are complete."""

    def __init__(self, attributes):
        self.attributes = attributes
        self.passages = {}
        self.answered = {}  # {link: response status}
        self.reported = set()


class Reference:
    """Follows the printed calls."""

    def __init__(self):
        self.found = set()  # (payload, rule, link)
        self.transactions = {}
        self.calls = []  # that have not returned
        self.without_request = {}  # {payload: rules}
        self.latest = {}  # {("request" or "response", link): payload that began it last}
        self.lost = set()  # (payload, link) with a phase before BEGIN_REQ

    def report(self, payload, rule, link):
        transaction = self.transactions.get(payload)
        reported = transaction.reported if transaction else self.without_request.setdefault(payload, set())
        if rule not in reported:  # once for each transaction, where it shows first
            self.found.add((payload, rule, link))
        reported.add(rule)

    def read(self, text):
        for line in text.splitlines():
            if not line.startswith(("call ", "return ")):
                continue
            kind, path, link, *numbers = line.split()
            payload, phase, now, delay, sync, *rest = (int(number) for number in numbers)
            event = {"path": path, "link": link, "payload": payload, "phase": phase, "delay": delay,
                     "effective": now + delay, "attributes": tuple(rest[:3]), "address": rest[3], "status": rest[4]}
            if kind == "call":
                self.calls.append(event)
                self.call(event)
            else:
                self.back(self.calls.pop(), event, sync)

    # 15.2.3 c: BEGIN_REQ and END_RESP are sent forward, END_REQ and BEGIN_RESP backward.
    def call(self, event):
        payload, link, phase = event["payload"], event["link"], event["phase"]
        if (phase in (BEGIN_REQ, END_RESP)) != (event["path"] == "fw"):
            self.report(payload, "phase-path", link)
            passage = self.passage(event)
            if not passage:
                self.lost.add((payload, link))
            elif passage.is_open():
                passage.judged = False
            return
        if phase == BEGIN_REQ:
            self.begin(event)
        else:
            self.advance(event, phase)

    def passage(self, event):
        transaction = self.transactions.get(event["payload"])
        return transaction.passages.get(event["link"]) if transaction else None

    def begin(self, event):
        payload, link = event["payload"], event["link"]
        passage = self.passage(event)
        transaction = self.transactions.get(payload)
        if passage and passage.is_open():  # 15.2.4: each phase once
            if passage.judged:
                self.report(payload, "phase-order", link)
            transaction = None
        if not transaction or not any(p.is_open() for p in transaction.passages.values()):
            transaction = self.transactions[payload] = Transaction(event["attributes"])
        self.same_attributes(event)
        if event["status"] != INCOMPLETE:  # 14.17 e
            self.report(payload, "response-start", link)
        # 15.2.6 e: the request of another transaction must have ended.
        if self.is_open("request", payload, link):
            self.report(payload, "request-exclusion", link)
        transaction.passages[link] = Passage(event["address"], event["effective"])
        transaction.answered.clear()
        self.latest["request", link] = payload

    def is_open(self, state, payload, link):
        """Whether the request or response that began last on the link is another transaction's, and not ended: an
        exclusion is reported for the first transaction that breaks it."""
        other = self.latest.get((state, link))
        if other is None or other == payload:
            return False
        there = self.transactions[other].passages[link]
        return there.state == state and there.judged

    def same_attributes(self, event):  # 14.7
        transaction = self.transactions[event["payload"]]
        for rule, before, now in zip(ATTRIBUTES, transaction.attributes, event["attributes"]):
            if before != now:
                self.report(event["payload"], rule, event["link"])

    def advance(self, event, phase):
        """A phase after BEGIN_REQ, sent or returned."""
        payload, link = event["payload"], event["link"]
        passage = self.passage(event)
        allowed = {END_REQ: ("request",), BEGIN_RESP: ("request", "request ended"), END_RESP: ("response",)}
        if not passage:  # 15.2.4
            if (payload, link) not in self.lost:
                self.report(payload, "phase-order", link)
            self.lost.add((payload, link))
            return
        if not passage.is_open():  # 11.1.2.7
            if passage.judged:
                self.report(payload, "after-completion", link)
            passage.judged = False
            return
        if passage.state not in allowed[phase]:
            if passage.judged:
                self.report(payload, "phase-order", link)
            elif phase == END_RESP:
                passage.state = "complete"
            passage.judged = False
            return
        self.same_attributes(event)
        self.in_time(event, passage)
        if phase == END_REQ:
            passage.state = "request ended"
        elif phase == BEGIN_RESP:
            # 15.2.6 f: the response of another transaction must have ended.
            if self.is_open("response", payload, link):
                self.report(payload, "response-exclusion", link)
            self.latest["response", link] = payload
            passage.state = "response"
            self.answer(event, passage)
        else:
            passage.state = "complete"

    def in_time(self, event, passage):  # 15.2.7 c
        if event["effective"] < passage.effective and passage.judged:
            self.report(event["payload"], "delay-decreases", event["link"])
        passage.effective = event["effective"]

    def answer(self, event, passage):
        payload, link = event["payload"], event["link"]
        transaction = self.transactions[payload]
        if not transaction.answered:  # by the target
            if event["address"] != passage.address:  # 14.7
                self.report(payload, "address-changed", link)
            if event["status"] == INCOMPLETE:  # 14.17 e
                self.report(payload, "response-end", link)
        else:
            *_, below = transaction.answered.values()
            if event["status"] == INCOMPLETE:
                self.report(payload, "response-end", link)
            elif event["status"] == OK and below != OK:  # 14.7
                self.report(payload, "response-overwritten", link)
        transaction.answered[link] = event["status"]

    def back(self, call, event, sync):
        payload, link, called = call["payload"], call["link"], call["phase"]
        passage = self.passage(call)
        if called == END_RESP and passage and passage.state == "complete" and passage.judged:
            self.same_attributes(event)
        if sync == ACCEPTED:  # 11.1.2.7: the arguments are as they were
            if event["phase"] != called or event["delay"] != call["delay"]:
                self.report(payload, "accepted-changed", link)
            return
        if not passage:
            if sync == UPDATED and called == END_RESP and call["path"] == "fw":
                self.report(payload, "end-status", link)
            return
        if sync == UPDATED:
            self.updated(call, event, passage)
        elif passage.is_open():
            self.completed(call, event, passage)

    def updated(self, call, event, passage):
        payload, link, called = call["payload"], call["link"], call["phase"]
        legal = {BEGIN_REQ: (END_REQ, BEGIN_RESP), BEGIN_RESP: (END_RESP,)}  # 15.2.4
        travels = (called == BEGIN_REQ) == (call["path"] == "fw")
        if called == END_RESP:
            self.report(payload, "end-status", link)
        elif event["phase"] not in legal.get(called, ()) or not travels:
            if passage.judged:
                self.report(payload, "status-phase", link)
            passage.judged = False
        elif called == BEGIN_REQ:
            self.advance(event, event["phase"])
        elif passage.state == "response":
            self.in_time(event, passage)
            passage.state = "complete"
            self.same_attributes(event)  # the target still holds the payload

    def completed(self, call, event, passage):
        called = call["phase"]
        if called == END_REQ:  # 15.2.4
            if passage.judged:
                self.report(call["payload"], "status-phase", call["link"])
            passage.judged = False
            return
        self.in_time(event, passage)
        if call["path"] == "fw" and called == BEGIN_REQ and passage.state != "response":
            self.same_attributes(event)
            self.answer(event, passage)
        elif call["path"] == "bw" and called == BEGIN_RESP and passage.judged:
            self.same_attributes(event)
        passage.state = "complete"


def judge(text):
    reference = Reference()
    reference.read(text)
    return reference.found


class Mutations(Attached):
    seeds = int(os.environ.get("MUTATED_SEEDS", "40"))

    def found(self, seed, kind):
        """Returns the violations found by the reference, and those found by the checker."""
        command = [os.path.join(Paths.programs, "mutated"), str(seed), kind]
        alone = self.command(command)
        done = self.command(command, FTR_PROTOCOL="check", FTR_TRACE=self.file)
        self.assertEqual((done.returncode, done.stdout), (0, alone.stdout), seed)
        violations = [values(tx) for tx in Trace(self.file).of("ftr.protocol")]
        os.remove(self.file)
        return (judge(alone.stdout.decode()),
                {((v["address"] >> 12) - 1, v["rule"], v["initiator"]) for v in violations})

    def test_correct_transactions_are_silent(self):
        for seed in range(self.seeds // 3):
            self.assertEqual(self.found(seed, "correct"), (set(), set()), seed)

    def test_both_report_the_same_violations(self):
        with_mistake, rules = 0, set()
        for seed in range(self.seeds):
            with self.subTest(seed=seed):
                expected, found = self.found(seed, "mutated")
                self.assertEqual(found, expected)
                with_mistake += bool(expected)
                rules |= {rule for _, rule, _ in expected}
        self.assertGreater(with_mistake, self.seeds // 2)
        self.assertGreater(len(rules), 10, rules)


if __name__ == "__main__":
    main()
