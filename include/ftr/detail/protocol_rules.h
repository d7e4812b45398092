/** @file
 *  The rules of the TLM-2.0 base protocol that ftr checks: one table, for the checker of a running
 *  prototype and for the checker of a trace. docs/protocol.md prints it. Not for direct use. */
#ifndef FTR_PROTOCOL_RULES_H
#define FTR_PROTOCOL_RULES_H

/* X(identifier, name, clause, severity, demand) */
#define FTR_PROTOCOL_RULE_TABLE(X)                                                               \
    X(data_pointer, "data-pointer", "14.11 e", error, "a read or write has a data pointer")      \
    X(data_length, "data-length", "14.12 d", error, "the data length is greater than 0")         \
    X(byte_enable_length, "byte-enable-length", "14.14 f", error,                                \
      "with a byte enable pointer, the byte enable length is greater than 0")                    \
    X(streaming_width, "streaming-width", "14.15 f", error,                                      \
      "the streaming width is greater than 0")                                                   \
    X(dmi_hint, "dmi-hint", "14.16", error, "dmi_allowed is false when a transaction begins")    \
    X(response_start, "response-start", "14.17 e", error,                                        \
      "the response status is TLM_INCOMPLETE_RESPONSE when a transaction begins")                \
    X(response_end, "response-end", "14.17 e", error,                                            \
      "the response status is not TLM_INCOMPLETE_RESPONSE when a transaction is answered")       \
    X(gp_option, "gp-option", "14.8 g", error,                                                   \
      "the option is TLM_MIN_PAYLOAD when transport begins, and stays so")                       \
    X(memory_manager, "memory-manager", "14.5 i", error,                                         \
      "a payload of non-blocking transport has a memory manager")                                \
    X(reference_count, "reference-count", "14.5 t", error,                                       \
      "a payload with a memory manager has a reference count of at least 1")                     \
    X(payload_reused, "payload-reused", "14.5 x", error,                                         \
      "a payload does not begin again while an earlier response path still uses it")             \
    X(payload_shared, "payload-shared", "11.1.1.4", error,                                       \
      "a payload is in two b_transport calls at once only if one of them passes it on")          \
    X(manager_left, "manager-left", "14.5 aa", error,                                            \
      "a memory manager that is set on the way is cleared before b_transport returns")           \
    X(extension_left, "extension-left", "14.5 aa", error,                                        \
      "without a memory manager, an extension that is set on the way is cleared before "         \
      "b_transport returns")                                                                     \
    X(command_changed, "command-changed", "14.7", error, "the command does not change")          \
    X(data_pointer_changed, "data-pointer-changed", "14.7", error,                               \
      "the data pointer does not change")                                                        \
    X(data_length_changed, "data-length-changed", "14.7", error,                                 \
      "the data length does not change")                                                         \
    X(byte_enable_changed, "byte-enable-changed", "14.7", error,                                 \
      "the byte enable pointer, the length and the first 64 bytes of the array do not change")   \
    X(streaming_width_changed, "streaming-width-changed", "14.7", error,                         \
      "the streaming width does not change")                                                     \
    X(write_data_changed, "write-data-changed", "14.7", error,                                   \
      "the first 64 bytes of written data do not change")                                        \
    X(read_data_changed, "read-data-changed", "14.7", error,                                     \
      "after TLM_OK_RESPONSE of the target, the first 64 bytes of read data do not change")      \
    X(address_changed, "address-changed", "14.7", warning,                                       \
      "the address is changed by interconnects only, on the way to the target")                  \
    X(response_overwritten, "response-overwritten", "14.7", error,                               \
      "TLM_OK_RESPONSE comes from the target, not from an interconnect")                         \
    X(blocking_in_method, "blocking-in-method", "11.1.1.4 b", error,                             \
      "b_transport is not called from a method process")                                         \
    X(nonblocking_waits, "nonblocking-waits", "11.1.2.4", error,                                 \
      "no simulated time and no delta cycle passes in nb_transport")                             \
    X(delay_negative, "delay-negative", "11.1.3", error,                                         \
      "the delay is not the result of a subtraction below zero")                                 \
    X(delay_lowered, "delay-lowered", "15.2.7", error,                                           \
      "b_transport returns at an effective time that is not before that of its call")            \
    X(delay_decreases, "delay-decreases", "15.2.7 c", error,                                     \
      "the effective time does not decrease from phase to phase of a transaction on a link")     \
    X(mixed_transport, "mixed-transport", "15.2.10 c", error,                                    \
      "a transaction is not in b_transport and in nb_transport of a link at the same time")      \
    X(phase_path, "phase-path", "15.2.3 c", error,                                               \
      "BEGIN_REQ and END_RESP travel forward, END_REQ and BEGIN_RESP backward")                  \
    X(phase_order, "phase-order", "15.2.4", error,                                               \
      "a transaction has its phases in order, each of them once")                                \
    X(ignorable_phase, "ignorable-phase", "15.2.5 e", error,                                     \
      "an ignorable phase comes after BEGIN_REQ and before END_RESP of its transaction")         \
    X(status_phase, "status-phase", "15.2.4", error,                                             \
      "TLM_UPDATED comes with a later phase, and END_REQ is answered with TLM_ACCEPTED")         \
    X(end_status, "end-status", "15.2.4", warning,                                               \
      "END_RESP is answered with TLM_ACCEPTED or TLM_COMPLETED")                                 \
    X(after_completion, "after-completion", "11.1.2.7", error,                                   \
      "after TLM_COMPLETED or END_RESP, a link has no more calls of a transaction")              \
    X(accepted_changed, "accepted-changed", "11.1.2.7", error,                                   \
      "with TLM_ACCEPTED, phase and delay return as they were passed")                           \
    X(request_exclusion, "request-exclusion", "15.2.6 e", error,                                 \
      "a link has no BEGIN_REQ while another request is not ended")                              \
    X(response_exclusion, "response-exclusion", "15.2.6 f", error,                               \
      "a link has no BEGIN_RESP while another response is not ended")                            \
    X(response_path, "response-path", "15.2.11 a", error,                                        \
      "a response passes the links of its request in reverse order")                             \
    X(dmi_command, "dmi-command", "11.2.4 g", error,                                             \
      "the command of a DMI request is a read or a write")                                       \
    X(dmi_descriptor, "dmi-descriptor", "11.2.5", error,                                         \
      "a DMI request comes with a DMI descriptor in its initial state")                          \
    X(dmi_grant, "dmi-grant", "11.2.5", error,                                                   \
      "granted DMI has a pointer, an access type and a range that contains the address")         \
    X(dmi_access, "dmi-access", "11.2.5", error, "granted DMI allows the requested command")     \
    X(dmi_refused, "dmi-refused", "11.2.3 j", error,                                             \
      "an interconnect does not grant DMI that a target has refused")                            \
    X(dmi_waits, "dmi-waits", "11.2.3 o", error,                                                 \
      "no simulated time and no delta cycle passes in get_direct_mem_ptr")                       \
    X(dmi_overlap, "dmi-overlap", "11.2.5", warning,                                             \
      "DMI ranges that overlap map an address to the same memory")                               \
    X(invalidation_range, "invalidation-range", "11.2.6", warning,                               \
      "an invalidated range does not end before it starts")                                      \
    X(memory_option, "memory-option", "14.8 h", error,                                           \
      "the option of a DMI or debug request is not TLM_FULL_PAYLOAD_ACCEPTED at its start, and " \
      "changes from TLM_FULL_PAYLOAD to that only")                                              \
    X(memory_changed, "memory-changed", "14.7", error,                                           \
      "the command of a DMI or debug request, and the data length and the first 64 bytes of "    \
      "written data of a debug request do not change")                                           \
    X(debug_pointer, "debug-pointer", "11.3.4 l", error,                                         \
      "transport_dbg with a data length has a data pointer, which does not change")              \
    X(debug_length, "debug-length", "11.3.4 s", error,                                           \
      "transport_dbg returns at most the data length")                                           \
    X(debug_waits, "debug-waits", "11.3.4 t", error,                                             \
      "no simulated time and no delta cycle passes in transport_dbg")                            \
    X(debug_payload, "debug-payload", "14.8 f", error,                                           \
      "with TLM_FULL_PAYLOAD, a DMI or debug request is initialised as for transport")

#endif
