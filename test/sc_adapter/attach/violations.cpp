// A processor, a bus and a memory, each of which can break a rule of the TLM-2.0 base protocol.
// Arguments: the rule, and "planted" or "correct". Both run the same scenario, which has one
// mistake in the planted one. protocol_test.py attaches to it.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "violations_model.hpp"

using namespace violations;

namespace
{

using scenario = std::function<void(model &, bool planted)>;

/* The payload is set up, and sent. */
scenario set_up(std::function<void(tlm_generic_payload &, model &)> mistake)
{
    return [mistake](model &m, bool planted) {
        m.cpu.script = [&m, mistake, planted] {
            m.send(m.payload());
            tlm_generic_payload &trans = m.payload();
            if (planted)
                mistake(trans, m);
            m.send(trans);
            m.send(m.payload());
        };
    };
}

/* The memory makes a mistake in the second of three calls. */
scenario served(std::function<void(tlm_generic_payload &, sc_time &, model &)> mistake)
{
    return [mistake](model &m, bool planted) {
        m.ram.serve = [&m, mistake, planted, calls = 0](tlm_generic_payload &trans,
                                                        sc_time &delay) mutable {
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
            delay += sc_time(2, SC_NS);
            if (++calls == 2 && planted)
                mistake(trans, delay, m);
        };
        m.cpu.script = [&m] {
            for (int i = 0; i < 3; ++i)
                m.send(m.payload(), sc_time(7, SC_NS));
        };
    };
}

/* The bus makes a mistake in the second of three calls, before it passes the call on or after. */
scenario passed(bool is_before,
                std::function<void(tlm_generic_payload &, sc_time &, model &)> mistake)
{
    return [=](model &m, bool planted) {
        (is_before ? m.middle.before : m.middle.after) =
            [&m, mistake, planted, calls = 0](tlm_generic_payload &trans, sc_time &delay) mutable {
                if (++calls == 2 && planted)
                    mistake(trans, delay, m);
            };
        m.cpu.script = [&m] {
            for (int i = 0; i < 3; ++i)
                m.send(m.payload(), sc_time(7, SC_NS));
        };
    };
}

/* The memory answers a request in phases. */
scenario answered(nonblocking planted_answer, nonblocking correct_answer,
                  std::function<void(model &, tlm_generic_payload &)> rest)
{
    return [=](model &m, bool planted) {
        m.ram.answer = planted ? planted_answer : correct_answer;
        m.cpu.script = [&m, rest] {
            tlm_generic_payload &trans = m.managed();
            m.forward(trans, tlm::BEGIN_REQ, sc_time(3, SC_NS));
            sc_core::wait(3, SC_NS);
            rest(m, trans);
        };
    };
}

scenario phases(std::function<void(model &, bool planted)> script)
{
    return [script](model &m, bool planted) {
        m.cpu.script = [&m, script, planted] { script(m, planted); };
    };
}

scenario granted(tlm::tlm_command command,
                 std::function<void(tlm_generic_payload &, tlm::tlm_dmi &, model &)> mistake)
{
    return [=](model &m, bool planted) {
        if (planted)
            m.ram.grant = [&m, mistake](tlm_generic_payload &trans, tlm::tlm_dmi &dmi) {
                mistake(trans, dmi, m);
            };
        m.cpu.script = [&m, command] { m.get_memory(command); };
    };
}

void nothing_more(model &, tlm_generic_payload &) {}

/* ---- scenarios ------------------------------------------------------------------------------- */

/* The memory's response is passed to the processor, which completes the transaction; the bus ends
 * the memory's response later. */
void reuse_payload(model &m, bool planted)
{
    m.cpu.answer = [](tlm_generic_payload &, tlm_phase &phase, sc_time &) {
        return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    };
    m.middle.backward = [&m](tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay) {
        m.middle.in->nb_transport_bw(trans, phase, delay);
        return tlm::TLM_ACCEPTED;
    };
    const auto end_response = [&m](tlm_generic_payload &trans) {
        tlm_phase phase = tlm::END_RESP;
        sc_time delay;
        m.middle.out->nb_transport_fw(trans, phase, delay);
    };
    tlm_generic_payload &trans = m.managed();
    m.forward(trans, tlm::BEGIN_REQ);
    sc_core::wait(5, SC_NS);
    m.backward(trans, tlm::BEGIN_RESP);
    if (!planted)
        end_response(trans);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::wait(5, SC_NS);
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    m.ram.answer = [](tlm_generic_payload &of, tlm_phase &, sc_time &) {
        of.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    };
    if (planted) {
        /* Only the processor begins again: the bus has not ended the response before. */
        m.middle.backward = accept;
        m.middle.before = [](tlm_generic_payload &, sc_time &) {};
    }
    m.cpu.socket->nb_transport_fw(trans, phase, delay);
}

void exclude_requests(model &m, bool planted)
{
    tlm_generic_payload &first = m.managed();
    tlm_generic_payload &second = m.managed();
    m.forward(first, tlm::BEGIN_REQ);
    sc_core::wait(5, SC_NS);
    if (planted) {
        m.forward(second, tlm::BEGIN_REQ);
        sc_core::wait(5, SC_NS);
        m.backward(first, tlm::END_REQ);
    } else {
        m.backward(first, tlm::END_REQ);
        m.forward(second, tlm::BEGIN_REQ);
    }
    m.backward(second, tlm::END_REQ);
    for (tlm_generic_payload *trans : {&second, &first}) { // out of order is allowed
        m.backward(*trans, tlm::BEGIN_RESP);
        m.forward(*trans, tlm::END_RESP);
    }
}

void exclude_responses(model &m, bool planted)
{
    tlm_generic_payload &first = m.managed();
    tlm_generic_payload &second = m.managed();
    for (tlm_generic_payload *trans : {&first, &second}) {
        m.forward(*trans, tlm::BEGIN_REQ);
        m.backward(*trans, tlm::END_REQ);
    }
    m.backward(first, tlm::BEGIN_RESP);
    if (!planted)
        m.forward(first, tlm::END_RESP);
    m.backward(second, tlm::BEGIN_RESP);
    sc_core::wait(5, SC_NS);
    if (planted)
        m.forward(first, tlm::END_RESP);
    m.forward(second, tlm::END_RESP);
}

/* The bus answers a request that it has passed on, before the memory does. */
void answer_early(model &m, bool planted)
{
    tlm_generic_payload &trans = m.managed();
    m.forward(trans, tlm::BEGIN_REQ);
    sc_core::wait(5, SC_NS);
    if (!planted) {
        m.finish(trans);
        return;
    }
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay;
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    m.middle.in->nb_transport_bw(trans, phase, delay);
}

/* Two processes of the processor send a payload at the same time. */
void share_payload(model &m, bool planted)
{
    m.ram.serve = [](tlm_generic_payload &trans, sc_time &) {
        sc_core::wait(10, SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    tlm_generic_payload &first = m.payload();
    tlm_generic_payload &second = planted ? first : m.payload();
    sc_core::sc_spawn([&m, &first] { m.send(first); }, "first");
    sc_core::wait(5, SC_NS);
    m.send(second);
}

void mix_transport(model &m, bool planted)
{
    tlm_generic_payload &trans = m.managed();
    m.forward(trans, tlm::BEGIN_REQ);
    if (planted)
        m.send(trans);
    else
        m.send(m.managed());
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    m.finish(trans);
}

DECLARE_EXTENDED_PHASE(data_beat);

/* Sends two transactions, the second one with an ignorable phase: before its request (0), after its
 * request (1) or after its response (2). */
void send_with_beat(model &m, int place)
{
    m.four_phases(m.managed());
    tlm_generic_payload &trans = m.managed();
    const auto send_at = [&](int at) {
        tlm_phase phase = data_beat;
        sc_time delay;
        if (place == at)
            m.middle.out->nb_transport_fw(trans, phase, delay);
    };
    send_at(0);
    m.forward(trans, tlm::BEGIN_REQ);
    send_at(1);
    m.finish(trans);
    send_at(2);
}

void wait_in_phase(model &m, bool planted)
{
    m.ram.answer = [planted](tlm_generic_payload &, tlm_phase &phase, sc_time &) {
        if (planted && phase == tlm::BEGIN_REQ)
            sc_core::wait(1, SC_NS);
        return tlm::TLM_ACCEPTED;
    };
    m.four_phases(m.managed());
}

/* The second descriptor maps the same addresses to other memory. */
void overlap(model &m, bool planted)
{
    static unsigned char other[256];
    m.ram.grant = [planted, calls = 0](tlm_generic_payload &, tlm::tlm_dmi &dmi) mutable {
        if (++calls == 2 && planted) {
            dmi.set_start_address(0x10);
            dmi.set_dmi_ptr(other);
        }
    };
    m.cpu.script = [&m] {
        m.get_memory(tlm::TLM_READ_COMMAND);
        m.get_memory(tlm::TLM_READ_COMMAND);
    };
}

void debug_access(model &m, std::function<void(tlm_generic_payload &)> prepare)
{
    tlm_generic_payload &trans = m.payload(tlm::TLM_READ_COMMAND);
    prepare(trans);
    m.answered += m.cpu.socket->transport_dbg(trans);
}

/* The memory makes a mistake in the second of two calls with END_RESP. */
scenario ended(std::function<void(tlm_generic_payload &, sc_time &, model &)> mistake)
{
    return phases([mistake](model &m, bool planted) {
        m.ram.answer = [&m, mistake, planted](tlm_generic_payload &trans, tlm_phase &phase,
                                              sc_time &delay) {
            if (phase != tlm::END_RESP)
                return tlm::TLM_ACCEPTED;
            if (m.answered == 1 && planted)
                mistake(trans, delay, m);
            return m.answered == 1 ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        m.four_phases(m.managed());
        m.four_phases(m.managed());
    });
}

/* The processor releases the payload in the call with BEGIN_RESP, takes it for its next
 * transaction, and completes the call. In the planted scenario, the memory still holds it; in the
 * other one, the processor had acquired it a second time. */
scenario completed(std::function<void(tlm_generic_payload &, sc_time &, model &)> change)
{
    return phases([change](model &m, bool planted) {
        tlm_generic_payload &trans = m.managed();
        m.ram.answer = [planted, count = 0](tlm_generic_payload &of, tlm_phase &phase,
                                            sc_time &) mutable {
            if (planted && phase == tlm::BEGIN_REQ && count++ == 0)
                of.acquire();
            return tlm::TLM_ACCEPTED;
        };
        m.cpu.answer = [&m, change, planted](tlm_generic_payload &of, tlm_phase &phase,
                                             sc_time &delay) {
            of.release();
            if (!planted && m.answered == 0)
                of.release();
            of.acquire();
            change(of, delay, m);
            phase = tlm::END_RESP;
            return m.answered++ ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
        };
        for (int i = 0; i < 2; ++i) {
            trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            m.forward(trans, tlm::BEGIN_REQ);
            if (!planted && i == 0)
                trans.acquire(); // by the processor
            sc_core::wait(5, SC_NS);
            m.backward(trans, tlm::BEGIN_RESP);
            if (planted && i == 0)
                trans.release();
        }
    });
}

/* Attributes that change, by the memory and by the bus, and in the call that ends a transaction. */
void add_changes(std::map<std::string, scenario> &to)
{
    const std::map<std::string, std::function<void(tlm_generic_payload &, sc_time &, model &)>>
        changes{
            {"command-changed",
             [](tlm_generic_payload &trans, sc_time &, model &) { trans.set_read(); }},
            {"data-pointer-changed",
             [](tlm_generic_payload &trans, sc_time &, model &m) {
                 trans.set_data_ptr(reinterpret_cast<unsigned char *>(m.data + 1));
             }},
            {"data-length-changed",
             [](tlm_generic_payload &trans, sc_time &, model &) { trans.set_data_length(4); }},
            {"byte-enable-changed",
             [](tlm_generic_payload &trans, sc_time &, model &m) {
                 trans.set_byte_enable_ptr(m.enables);
                 trans.set_byte_enable_length(8);
             }},
            {"streaming-width-changed",
             [](tlm_generic_payload &trans, sc_time &, model &) { trans.set_streaming_width(4); }},
            {"write-data-changed",
             [](tlm_generic_payload &trans, sc_time &, model &) { ++*trans.get_data_ptr(); }},
        };
    for (const auto &change : changes) {
        to.emplace(change.first, served(change.second));
        to.emplace(change.first + "/forward", passed(true, change.second));
        to.emplace(change.first + "/backward", passed(false, change.second));
        if (change.first == "write-data-changed")
            continue; // the data of a completed transaction may change
        to.emplace(change.first + "/ended", ended(change.second));
        to.emplace(change.first + "/completed", completed(change.second));
    }
}

const std::map<std::string, scenario> &scenarios()
{
    static const nonblocking completes = [](tlm_generic_payload &trans, tlm_phase &, sc_time &) {
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    };
    static std::map<std::string, scenario> all{
        {"data-pointer",
         set_up([](tlm_generic_payload &trans, model &) { trans.set_data_ptr(nullptr); })},
        {"data-length",
         set_up([](tlm_generic_payload &trans, model &) { trans.set_data_length(0); })},
        {"byte-enable-length", set_up([](tlm_generic_payload &trans, model &m) {
             trans.set_byte_enable_ptr(m.enables);
         })},
        {"streaming-width",
         set_up([](tlm_generic_payload &trans, model &) { trans.set_streaming_width(0); })},
        {"dmi-hint",
         set_up([](tlm_generic_payload &trans, model &) { trans.set_dmi_allowed(true); })},
        {"response-start", set_up([](tlm_generic_payload &trans, model &) {
             trans.set_response_status(tlm::TLM_OK_RESPONSE);
         })},
        {"gp-option", set_up([](tlm_generic_payload &trans, model &) {
             trans.set_gp_option(tlm::TLM_FULL_PAYLOAD);
         })},
        {"reference-count",
         set_up([](tlm_generic_payload &trans, model &m) { trans.set_mm(&m.payloads); })},
        {"response-end", served([](tlm_generic_payload &trans, sc_time &, model &) {
             trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
         })},
        {"address-changed",
         served([](tlm_generic_payload &trans, sc_time &, model &) { trans.set_address(0); })},
        {"delay-lowered",
         served([](tlm_generic_payload &, sc_time &delay, model &) { delay = sc_time(4, SC_NS); })},
        {"manager-left",
         [](model &m, bool planted) {
             m.middle.before = [&m](tlm_generic_payload &trans, sc_time &) {
                 trans.set_mm(&m.payloads);
                 trans.acquire();
             };
             m.middle.after = [planted](tlm_generic_payload &trans, sc_time &) {
                 if (!planted)
                     trans.set_mm(nullptr);
             };
             m.cpu.script = [&m] { m.send(m.payload()); };
         }},
        {"extension-left",
         [](model &m, bool planted) {
             static note extension;
             m.middle.before = [](tlm_generic_payload &trans, sc_time &) {
                 trans.set_extension(&extension);
             };
             m.middle.after = [planted](tlm_generic_payload &trans, sc_time &) {
                 if (!planted)
                     trans.clear_extension(&extension);
             };
             m.cpu.script = [&m] {
                 tlm_generic_payload &trans = m.payload();
                 m.send(trans);
                 trans.clear_extension(&extension);
             };
         }},
        {"extension-left/many",
         [](model &m, bool planted) {
             static note extension;
             const unsigned number = many_extensions::define(std::make_integer_sequence<int, 40>());
             m.middle.before = [number](tlm_generic_payload &trans, sc_time &) {
                 trans.set_extension(number, &extension);
             };
             m.middle.after = [planted, number](tlm_generic_payload &trans, sc_time &) {
                 if (!planted)
                     trans.set_extension(number, nullptr);
             };
             m.cpu.script = [&m, number] {
                 tlm_generic_payload &trans = m.payload();
                 m.send(trans);
                 trans.set_extension(number, nullptr);
             };
         }},
        {"read-data-changed",
         [](model &m, bool planted) {
             m.ram.serve = [&m](tlm_generic_payload &trans, sc_time &) {
                 m.data[0] += 3;
                 trans.set_response_status(tlm::TLM_OK_RESPONSE);
             };
             m.middle.after = [planted](tlm_generic_payload &trans, sc_time &) {
                 if (planted)
                     ++*trans.get_data_ptr();
             };
             m.cpu.script = [&m] { m.send(m.payload(tlm::TLM_READ_COMMAND)); };
         }},
        {"response-overwritten",
         [](model &m, bool planted) {
             m.ram.serve = [](tlm_generic_payload &trans, sc_time &) {
                 trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
             };
             m.middle.after = [planted](tlm_generic_payload &trans, sc_time &) {
                 if (planted)
                     trans.set_response_status(tlm::TLM_OK_RESPONSE);
             };
             m.cpu.script = [&m] { m.send(m.payload()); };
         }},
        {"blocking-in-method",
         [](model &m, bool planted) {
             m.cpu.is_method = planted;
             m.cpu.script = [&m] { m.send(m.payload()); };
         }},
        {"delay-negative", phases([](model &m, bool planted) {
             sc_time delay = sc_time(1, SC_NS);
             delay -= sc_time(planted ? 2 : 1, SC_NS);
             m.send(m.payload(), delay);
         })},
        {"payload-shared", phases(share_payload)},
        {"mixed-transport", phases(mix_transport)},
        {"nonblocking-waits", phases(wait_in_phase)},
        {"memory-manager", phases([](model &m, bool planted) {
             m.four_phases(planted ? m.payload() : m.managed());
         })},
        /* Between its phases. */
        {"memory-manager/lost", phases([](model &m, bool planted) {
             tlm_generic_payload &trans = m.managed();
             m.forward(trans, tlm::BEGIN_REQ);
             if (planted)
                 trans.set_mm(nullptr);
             m.finish(trans);
         })},
        {"payload-reused", phases(reuse_payload)},
        {"delay-decreases", phases([](model &m, bool planted) {
             tlm_generic_payload &trans = m.managed();
             m.forward(trans, tlm::BEGIN_REQ, sc_time(7, SC_NS));
             sc_core::wait(5, SC_NS);
             m.backward(trans, tlm::END_REQ, sc_time(planted ? 1 : 2, SC_NS));
             m.backward(trans, tlm::BEGIN_RESP, sc_time(9, SC_NS));
             m.forward(trans, tlm::END_RESP, sc_time(9, SC_NS));
         })},
        {"phase-path", phases([](model &m, bool planted) {
             tlm_generic_payload &trans = m.managed();
             m.forward(trans, tlm::BEGIN_REQ);
             if (planted)
                 m.forward(trans, tlm::END_REQ);
             m.finish(trans);
         })},
        {"phase-order", phases([](model &m, bool planted) {
             tlm_generic_payload &trans = m.managed();
             m.forward(trans, tlm::BEGIN_REQ);
             if (planted)
                 m.backward(trans, tlm::END_REQ);
             m.finish(trans);
         })},
        /* The response ends before it has begun. */
        {"phase-order/skipped", phases([](model &m, bool planted) {
             tlm_generic_payload &trans = m.managed();
             m.forward(trans, tlm::BEGIN_REQ);
             sc_core::wait(5, SC_NS);
             m.backward(trans, tlm::END_REQ);
             sc_core::wait(5, SC_NS);
             if (!planted)
                 m.backward(trans, tlm::BEGIN_RESP);
             m.forward(trans, tlm::END_RESP);
         })},
        {"status-phase",
         answered([](tlm_generic_payload &, tlm_phase &, sc_time &) { return tlm::TLM_UPDATED; },
                  [](tlm_generic_payload &, tlm_phase &, sc_time &) { return tlm::TLM_ACCEPTED; },
                  nothing_more)},
        {"end-status", answered(
                           [](tlm_generic_payload &, tlm_phase &phase, sc_time &) {
                               return phase == tlm::END_RESP ? tlm::TLM_UPDATED : tlm::TLM_ACCEPTED;
                           },
                           [](tlm_generic_payload &, tlm_phase &phase, sc_time &) {
                               return phase == tlm::END_RESP ? tlm::TLM_COMPLETED
                                                             : tlm::TLM_ACCEPTED;
                           },
                           [](model &m, tlm_generic_payload &trans) { m.finish(trans); })},
        {"after-completion", phases([](model &m, bool planted) {
             m.ram.answer = completes;
             tlm_generic_payload &trans = m.managed();
             m.forward(trans, tlm::BEGIN_REQ);
             m.ram.answer = accept;
             if (planted)
                 m.forward(trans, tlm::END_RESP);
         })},
        {"accepted-changed", answered(
                                 [](tlm_generic_payload &, tlm_phase &, sc_time &delay) {
                                     delay += sc_time(1, SC_NS);
                                     return tlm::TLM_ACCEPTED;
                                 },
                                 [](tlm_generic_payload &, tlm_phase &phase, sc_time &delay) {
                                     phase = tlm::END_REQ;
                                     delay += sc_time(1, SC_NS);
                                     return tlm::TLM_UPDATED;
                                 },
                                 nothing_more)},
        {"request-exclusion", phases(exclude_requests)},
        {"response-exclusion", phases(exclude_responses)},
        {"response-path", phases(answer_early)},
        {"dmi-command", phases([](model &m, bool planted) {
             tlm::tlm_dmi dmi;
             m.answered += m.cpu.socket->get_direct_mem_ptr(
                 m.payload(planted ? tlm::TLM_IGNORE_COMMAND : tlm::TLM_READ_COMMAND), dmi);
         })},
        {"ignorable-phase", phases([](model &m, bool planted) {
             send_with_beat(m, planted ? 0 : 1); // before the request
         })},
        {"ignorable-phase/after",
         phases([](model &m, bool planted) { send_with_beat(m, planted ? 2 : 1); })},
        {"dmi-descriptor", phases([](model &m, bool planted) {
             tlm::tlm_dmi dmi;
             if (planted)
                 dmi.set_dmi_ptr(m.ram.bytes);
             m.answered += m.cpu.socket->get_direct_mem_ptr(m.payload(), dmi);
         })},
        {"dmi-grant", granted(tlm::TLM_READ_COMMAND, [](tlm_generic_payload &, tlm::tlm_dmi &dmi,
                                                        model &) { dmi.set_start_address(0x11); })},
        {"dmi-access", granted(tlm::TLM_WRITE_COMMAND, [](tlm_generic_payload &, tlm::tlm_dmi &dmi,
                                                          model &) { dmi.allow_read(); })},
        {"dmi-refused",
         [](model &m, bool planted) {
             m.ram.grants = false;
             m.middle.grants_always = planted;
             m.cpu.script = [&m] { m.get_memory(tlm::TLM_READ_COMMAND); };
         }},
        {"dmi-waits", granted(tlm::TLM_READ_COMMAND, [](tlm_generic_payload &, tlm::tlm_dmi &,
                                                        model &) { sc_core::wait(1, SC_NS); })},
        {"dmi-overlap", overlap},
        {"invalidation-range", phases([](model &m, bool planted) {
             m.get_memory(tlm::TLM_READ_COMMAND);
             m.ram.socket->invalidate_direct_mem_ptr(planted ? 0x20 : 0, 0xf);
         })},
        {"memory-option", granted(tlm::TLM_READ_COMMAND,
                                  [](tlm_generic_payload &trans, tlm::tlm_dmi &, model &) {
                                      trans.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
                                  })},
        {"debug-pointer", phases([](model &m, bool planted) {
             debug_access(m, [planted](tlm_generic_payload &trans) {
                 if (planted)
                     trans.set_data_ptr(nullptr);
             });
         })},
        {"debug-pointer/after", phases([](model &m, bool planted) {
             m.ram.debug = [planted](tlm_generic_payload &trans) {
                 if (planted)
                     trans.set_data_ptr(nullptr);
                 return 0;
             };
             debug_access(m, [](tlm_generic_payload &) {});
         })},
        {"memory-changed", phases([](model &m, bool planted) {
             m.ram.debug = [planted](tlm_generic_payload &trans) {
                 if (planted)
                     trans.set_write();
                 return 8;
             };
             debug_access(m, [](tlm_generic_payload &) {});
         })},
        {"debug-waits", phases([](model &m, bool planted) {
             m.ram.debug = [planted](tlm_generic_payload &) {
                 if (planted)
                     sc_core::wait(sc_core::SC_ZERO_TIME);
                 return 8;
             };
             debug_access(m, [](tlm_generic_payload &) {});
         })},
        {"debug-length", phases([](model &m, bool planted) {
             m.ram.debug = [planted](tlm_generic_payload &trans) {
                 return trans.get_data_length() + planted;
             };
             debug_access(m, [](tlm_generic_payload &) {});
         })},
        {"debug-payload", phases([](model &m, bool planted) {
             debug_access(m, [planted](tlm_generic_payload &trans) {
                 trans.set_gp_option(tlm::TLM_FULL_PAYLOAD);
                 if (planted)
                     trans.set_streaming_width(0);
             });
         })},
    };
    add_changes(all);
    return all;
}

} // namespace

int sc_main(int argc, char *argv[])
{
    const auto found = scenarios().find(argc > 1 ? argv[1] : "");
    if (found == scenarios().end()) {
        for (const auto &known : scenarios())
            std::cout << known.first << '\n';
        return argc > 1 ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    model m;
    found->second(m, argc > 2 && std::string(argv[2]) == "planted");
    sc_core::sc_start();
    std::cout << m.answered << " at " << sc_core::sc_time_stamp() << std::endl;
    return EXIT_SUCCESS;
}
