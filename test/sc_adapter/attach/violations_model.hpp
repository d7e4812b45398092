// The modules of violations.cpp: a processor, a bus and a memory. Functions in their members
// determine their behaviour.
#ifndef FTR_TEST_VIOLATIONS_MODEL_HPP
#define FTR_TEST_VIOLATIONS_MODEL_HPP

#include <cstdint>
#include <deque>
#include <functional>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace violations
{

using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

using blocking = std::function<void(tlm_generic_payload &, sc_time &)>;
using nonblocking = std::function<tlm_sync_enum(tlm_generic_payload &, tlm_phase &, sc_time &)>;

/* Payloads with a memory manager. */
struct pool : tlm::tlm_mm_interface {
    void free(tlm_generic_payload *trans) override { trans->reset(); }
};

struct note : tlm::tlm_extension<note> {
    tlm_extension_base *clone() const override { return new note; }
    void copy_from(const tlm_extension_base &) override {}
};

/* Makes SystemC know as many types of extensions as a large model has; returns the last number. */
class many_extensions : public note
{
  public:
    template <int... Numbers> static unsigned define(std::integer_sequence<int, Numbers...>)
    {
        unsigned last = 0;
        ((last = register_extension(typeid(std::integral_constant<int, Numbers>))), ...);
        return last;
    }
};

inline tlm_sync_enum accept(tlm_generic_payload &, tlm_phase &, sc_time &)
{
    return tlm::TLM_ACCEPTED;
}

struct processor : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<processor> socket;
    std::function<void()> script;
    bool is_method = false;
    nonblocking answer = accept;

    SC_HAS_PROCESS(processor);
    explicit processor(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_nb_transport_bw(this, &processor::nb_transport_bw);
        SC_THREAD(run);
        SC_METHOD(run_as_method);
    }
    void run()
    {
        if (!is_method)
            script();
    }
    void run_as_method()
    {
        if (is_method)
            script();
    }
    tlm_sync_enum nb_transport_bw(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return answer(trans, phase, delay);
    }
};

struct bus : sc_core::sc_module {
    tlm_utils::simple_target_socket<bus> in;
    tlm_utils::simple_initiator_socket<bus> out;
    blocking before = [](tlm_generic_payload &, sc_time &) {};
    blocking after = [](tlm_generic_payload &, sc_time &) {};
    bool grants_always = false;
    nonblocking backward = [this](tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay) {
        return in->nb_transport_bw(trans, phase, delay);
    };

    explicit bus(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &bus::b_transport);
        in.register_nb_transport_fw(this, &bus::nb_transport_fw);
        in.register_get_direct_mem_ptr(this, &bus::get_direct_mem_ptr);
        in.register_transport_dbg(this, &bus::transport_dbg);
        out.register_nb_transport_bw(this, &bus::nb_transport_bw);
        out.register_invalidate_direct_mem_ptr(this, &bus::invalidate);
    }
    void b_transport(tlm_generic_payload &trans, sc_time &delay)
    {
        before(trans, delay);
        out->b_transport(trans, delay);
        after(trans, delay);
    }
    tlm_sync_enum nb_transport_fw(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return out->nb_transport_fw(trans, phase, delay);
    }
    tlm_sync_enum nb_transport_bw(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return backward(trans, phase, delay);
    }
    bool get_direct_mem_ptr(tlm_generic_payload &trans, tlm::tlm_dmi &dmi)
    {
        return out->get_direct_mem_ptr(trans, dmi) || grants_always;
    }
    unsigned transport_dbg(tlm_generic_payload &trans) { return out->transport_dbg(trans); }
    void invalidate(sc_dt::uint64, sc_dt::uint64) {}
};

struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> socket;
    unsigned char bytes[256]{};
    bool grants = true;
    blocking serve = [](tlm_generic_payload &trans, sc_time &) {
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    nonblocking answer = accept;
    std::function<void(tlm_generic_payload &, tlm::tlm_dmi &)> grant = [](tlm_generic_payload &,
                                                                          tlm::tlm_dmi &) {};
    std::function<unsigned(tlm_generic_payload &)> debug = [](tlm_generic_payload &trans) {
        return trans.get_data_length();
    };

    explicit memory(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_b_transport(this, &memory::b_transport);
        socket.register_nb_transport_fw(this, &memory::nb_transport_fw);
        socket.register_get_direct_mem_ptr(this, &memory::get_direct_mem_ptr);
        socket.register_transport_dbg(this, &memory::transport_dbg);
    }
    void b_transport(tlm_generic_payload &trans, sc_time &delay) { serve(trans, delay); }
    tlm_sync_enum nb_transport_fw(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return answer(trans, phase, delay);
    }
    bool get_direct_mem_ptr(tlm_generic_payload &trans, tlm::tlm_dmi &dmi)
    {
        dmi.set_dmi_ptr(bytes);
        dmi.set_start_address(0);
        dmi.set_end_address(255);
        dmi.allow_read_write();
        grant(trans, dmi);
        return grants;
    }
    unsigned transport_dbg(tlm_generic_payload &trans) { return debug(trans); }
};

struct model {
    processor cpu{"cpu"};
    bus middle{"bus"};
    memory ram{"ram"};
    pool payloads;
    std::deque<tlm_generic_payload> made;
    std::uint64_t data[2]{0x1122334455667788, 0x99aabbccddeeff00};
    unsigned char enables[8]{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    unsigned answered = 0;

    model()
    {
        cpu.socket.bind(middle.in);
        middle.out.bind(ram.socket);
    }

    tlm_generic_payload &payload(tlm::tlm_command command = tlm::TLM_WRITE_COMMAND)
    {
        made.emplace_back();
        tlm_generic_payload &trans = made.back();
        trans.set_command(command);
        trans.set_address(0x10);
        trans.set_data_ptr(reinterpret_cast<unsigned char *>(data));
        trans.set_data_length(8);
        trans.set_streaming_width(8);
        return trans;
    }
    tlm_generic_payload &managed()
    {
        tlm_generic_payload &trans = payload();
        trans.set_mm(&payloads);
        trans.acquire();
        return trans;
    }
    void send(tlm_generic_payload &trans, sc_time delay = sc_core::SC_ZERO_TIME)
    {
        cpu.socket->b_transport(trans, delay);
        answered += trans.is_response_ok();
    }
    tlm_sync_enum forward(tlm_generic_payload &trans, tlm::tlm_phase_enum phase,
                          sc_time delay = sc_core::SC_ZERO_TIME)
    {
        tlm_phase passed = phase;
        return cpu.socket->nb_transport_fw(trans, passed, delay);
    }
    tlm_sync_enum backward(tlm_generic_payload &trans, tlm::tlm_phase_enum phase,
                           sc_time delay = sc_core::SC_ZERO_TIME)
    {
        tlm_phase passed = phase;
        if (phase == tlm::BEGIN_RESP)
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return ram.socket->nb_transport_bw(trans, passed, delay);
    }
    /* The rest of a transaction after its request was sent. */
    void finish(tlm_generic_payload &trans)
    {
        sc_core::wait(5, SC_NS);
        backward(trans, tlm::END_REQ);
        sc_core::wait(5, SC_NS);
        backward(trans, tlm::BEGIN_RESP);
        sc_core::wait(5, SC_NS);
        forward(trans, tlm::END_RESP);
        ++answered;
    }
    void four_phases(tlm_generic_payload &trans)
    {
        forward(trans, tlm::BEGIN_REQ);
        finish(trans);
    }
    void get_memory(tlm::tlm_command command)
    {
        tlm::tlm_dmi dmi;
        answered += cpu.socket->get_direct_mem_ptr(payload(command), dmi);
    }
};

} // namespace violations

#endif
