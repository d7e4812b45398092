#!/usr/bin/python3
"""The form of calls, FTR_TLM=calls: each call of b_transport and nb_transport is a transaction, and another one with
annotated delays. Arguments: attached.py, main()."""

import hashlib
import json
import os

from attached import Attached, Paths, main, streams_of, values


class Calls(Attached):
    form = "calls"


class Unchanged(Calls):
    """Traces in this form stay as they were before FTR recorded accesses: ids, order and attributes."""

    def test_traces_have_the_digests_of_the_earlier_release(self):
        for name, *arguments in (["approximately_timed"], ["loosely_timed_bus"], ["sockets"],
                                 ["accounted_blocking", "2", "20"], ["accounted_phases", "2", "20"]):
            with self.subTest(name):
                trace = self.record(name, *arguments, FTR_RUN_INFO="0", FTR_DEBUG_TRANSPORT="1")
                streams = {stream: [kind, [tx for tx in trace.transactions if tx["stream"] == stream]]
                           for stream, kind in trace.streams.items()}
                self.assertEqual([self.digest(streams), self.digest(trace.relations)],
                                 streams_of(name, "calls")["digests"])

    @staticmethod
    def digest(content):
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


class Setting(Attached):
    def test_other_values_are_refused(self):
        for setting, expected in (("FTR_TLM", "accesses or calls"), ("FTR_PHASES", "times or events"),
                                  ("FTR_TLM_DELAY", "1 or 0")):
            command = [os.path.join(Paths.programs, "loosely_timed_bus")]
            done = self.command(command, FTR_TRACE=self.file, **{setting: "other"})
            self.assertIn(f"ftr: error: {setting}=other is invalid: expected {expected}\n", done.stderr.decode())
            self.assertEqual(self.trace().counts(), streams_of("loosely_timed_bus", "accesses")["streams"])


class Blocking(Calls):
    def test_hops_are_related_from_the_initiator_to_the_target(self):
        trace = self.record("loosely_timed_bus", FTR_EXCLUDE="*_timed")
        streams = {tx["id"]: tx["stream"] for tx in trace.transactions}
        hops = [(streams[r["from"]], streams[r["to"]].split("[")[0]) for r in trace.relations]
        self.assertEqual(sorted(set(hops)), [("a.s_bl", "bus.out"), ("b.s_bl", "bus.out")])
        self.assertEqual(len(hops), 200)

    def test_hops_without_timed_streams(self):
        self.attach("approximately_timed", FTR_EXCLUDE="*_timed")
        hops = [r for r in self.trace().relations if r["name"] == "PARENT_CHILD"]
        self.assertEqual(len(hops), 6 * 20)
        self.assertFalse([s for s in self.trace().counts() if s.endswith("_timed")])

    def test_request_values_are_of_the_request(self):
        trace = self.record("loosely_timed_bus")
        first = values(trace.of("a.s_bl", "read")[-1])
        self.assertEqual(first["trans.address"] & 0x1000, 0x1000)  # the bus changes it
        self.assertEqual(first["trans.response_status"], "tlm::TLM_OK_RESPONSE")
        self.assertEqual(first["start_delay"], 99000)
        self.assertEqual(first["end_delay"], 5000)

    def test_timed_counts_delays(self):
        trace = self.record("loosely_timed_bus")
        calls, timed = trace.of("a.s_bl"), trace.of("a.s_bl_timed")
        for call, with_delays in zip(calls, timed):
            self.assertEqual(with_delays["begin"], call["begin"] + values(call)["start_delay"])
            self.assertEqual(with_delays["end"], call["end"] + values(call)["end_delay"])

    def test_payload_is_captured_in_part_or_completely(self):
        for setting, word, whole in (("0", None, None), ("2", 0x0201, None),
                                     ("8", 0x0807060504030201, None),
                                     ("12", 0x0807060504030201, 12), ("all", 0x0807060504030201, 16)):
            trace = self.record("endings", "stop", FTR_PAYLOAD=setting)
            found = values(trace.of("sends.socket_bl")[0])
            self.assertEqual(found.get("trans.data"), word, setting)
            expected = bytes(range(1, whole + 1)).hex() if whole else None
            self.assertEqual(found.get("trans.bytes"), expected, setting)

    def test_other_calls_are_recorded_if_these_are_excluded(self):
        """The first excluded call replaces the observer of its link."""
        expected = {stream: counts for stream, counts in
                    self.record("sockets", FTR_DEBUG_TRANSPORT="1").counts().items()
                    if not stream.endswith(("_bl", "_bl_timed"))}
        for stream in "top.dmi.socket_dmi", "top.dmi.socket_dbg", "top.plain.left_nb":
            self.assertIn(stream, expected)
        trace = self.record("sockets", FTR_DEBUG_TRANSPORT="1", FTR_EXCLUDE="*_bl,*_bl_timed")
        self.assertEqual(trace.counts(), expected)

    def test_byte_enables_are_recorded_as_far_as_the_data(self):
        for setting, mask in (("0", None), ("2", "ff00"), ("8", "ff00ffff")):
            trace = self.record("sockets", FTR_PAYLOAD=setting)
            for stream, generator in (("top.cores_0.socket_bl", "write"),
                                      ("top.plain.left_nb_timed", "request")):
                found = [values(tx).get("trans.byte_enable") for tx in trace.of(stream, generator)]
                self.assertEqual(found, [None, mask] + [None] * 8, (setting, stream))
        timed = self.record("sockets", FTR_EXCLUDE="*_bl").of("top.cores_0.socket_bl_timed")
        self.assertEqual(values(timed[1])["trans.byte_enable"], "ff00ffff")


class Phases(Calls):
    def test_four_phases(self):
        trace = self.record("approximately_timed")
        request = trace.of("i_four.socket_nb_timed", "request")[0]
        response = trace.of("i_four.socket_nb_timed", "response")[0]
        self.assertEqual((request["begin"], request["end"]), (2000, 2000))
        self.assertEqual((response["begin"], response["end"]), (12000, 13000))
        self.assertIn([request["id"], response["id"]],
                      [[r["from"], r["to"]] for r in trace.relations])

    def test_request_ends_with_the_response_when_end_req_is_skipped(self):
        trace = self.record("approximately_timed")
        request = trace.of("i_skip.socket_nb_timed", "request")[0]
        self.assertEqual((request["begin"], request["end"]), (2000, 12000))

    def test_early_completion_ends_the_request(self):
        trace = self.record("approximately_timed")
        request = trace.of("i_early.socket_nb_timed", "request")[0]
        self.assertEqual((request["begin"], request["end"]), (2000, 9000))
        call = values(trace.of("i_early.socket_nb", "fw")[0])
        self.assertEqual(call["tlm_sync"], "tlm::TLM_COMPLETED")
        self.assertEqual(call["trans.response_status"], "tlm::TLM_OK_RESPONSE")

    def test_early_completion_has_the_final_response_and_the_read_data(self):
        trace = self.record("approximately_timed")
        for stream in ("i_early.socket_nb_timed", "b_early.out_nb_timed"):
            for request in trace.of(stream, "request"):
                found = values(request)
                self.assertEqual(found["trans.response_status"], "tlm::TLM_OK_RESPONSE")
                written = found["trans.address"] // 8
                is_read = found["trans.command"] == "tlm::TLM_READ_COMMAND"
                self.assertEqual(found["trans.data"], found["trans.address"] + 1 if is_read else written)
        for request in trace.of("i_four.socket_nb_timed", "request"):
            self.assertEqual(values(request)["trans.response_status"], "tlm::TLM_INCOMPLETE_RESPONSE")

    def test_returned_phases_are_phases(self):
        trace = self.record("approximately_timed")
        request = trace.of("i_update.socket_nb_timed", "request")[0]
        self.assertEqual((request["begin"], request["end"]), (2000, 3000))
        call = values(trace.of("i_update.socket_nb", "fw")[0])
        self.assertEqual((call["tlm_phase"], call["tlm_phase[return_path]"]), ("BEGIN_REQ", "END_REQ"))
        self.assertEqual((call["delay"], call["delay[return_path]"]), (2000, 3000))

    def test_extended_phases_are_recorded_by_name(self):
        trace = self.record("approximately_timed")
        phases = [values(tx)["tlm_phase"] for tx in trace.of("i_grant.socket_nb", "bw")]
        self.assertEqual(phases.count("GRANT"), 20)

    def test_every_request_is_answered(self):
        trace = self.record("approximately_timed")
        for tx in trace.transactions:
            self.assertNotIn("unfinished", values(tx))


class Dmi(Calls):
    def test_granted_regions_are_recorded(self):
        trace = self.record("sockets")
        get = values(trace.of("top.dmi.socket_dmi", "get")[0])
        self.assertEqual((get["granted"], get["dmi_data.start_address"], get["dmi_data.end_address"],
                          get["dmi_data.access"]), (True, 0x100, 0x1ff, "tlm::DMI_ACCESS_READ_WRITE"))
        gone = values(trace.of("top.dmi.socket_dmi", "invalidate")[0])
        self.assertEqual((gone["start_addr"], gone["end_addr"]), (0x100, 0x1ff))

    def test_denied_dmi_shows_all_traffic(self):
        command = [os.path.join(Paths.programs, "sockets")]
        denied = self.command(command, FTR_TRACE=self.file, FTR_DMI="deny")
        self.assertEqual(denied.returncode, 0)
        trace = self.trace()
        self.assertEqual(len(trace.of("top.dmi.socket_bl")), 10)
        get = values(trace.of("top.dmi.socket_dmi", "get")[0])
        self.assertEqual((get["granted"], get["dmi_data.access"]), (False, "tlm::DMI_ACCESS_NONE"))

    def test_debug_transport_is_recorded_on_request(self):
        self.assertNotIn("top.dmi.socket_dbg", self.record("sockets").streams)
        trace = self.record("sockets", FTR_DEBUG_TRANSPORT="1")
        self.assertEqual(values(trace.of("top.dmi.socket_dbg", "write")[0])["transported"], 8)


if __name__ == "__main__":
    main()
