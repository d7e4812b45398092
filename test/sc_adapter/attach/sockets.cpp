// A socket of every kind, bound in every way, ten transactions each: tagged, passthrough, plain
// with one module for two sockets, through the hierarchy, bound in before_end_of_elaboration,
// arrays of sockets, multi-sockets through the hierarchy with phases in both directions, DMI and
// debug transport. One socket is not bound. The second payload of each has byte enables.
#include <array>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

unsigned calls = 0;

void prepare(tlm_generic_payload &trans, std::uint64_t &data, std::uint64_t address)
{
    trans.set_write();
    trans.set_address(address);
    trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
    trans.set_data_length(8);
    trans.set_streaming_width(8);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    static unsigned char mask[] = {0xff, 0x00, 0xff, 0xff};
    if (address == 8) {
        trans.set_byte_enable_ptr(mask);
        trans.set_byte_enable_length(sizeof mask);
    }
}

template <class Socket> void send(Socket &socket)
{
    for (unsigned i = 0; i < 10; ++i) {
        tlm_generic_payload trans;
        std::uint64_t data = i;
        prepare(trans, data, 8 * i);
        sc_time delay(1, SC_NS);
        socket->b_transport(trans, delay);
        sc_core::wait(delay);
    }
}

/* Responds to the calls of every socket. */
struct answering : sc_core::sc_module {
    using sc_module::sc_module;
    void b_transport(tlm_generic_payload &trans, sc_time &delay)
    {
        ++calls;
        delay += sc_time(2, SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void tagged_b_transport(int, tlm_generic_payload &trans, sc_time &delay)
    {
        b_transport(trans, delay);
    }
};

struct simple_target : answering {
    tlm_utils::simple_target_socket<simple_target> socket;
    explicit simple_target(const sc_core::sc_module_name &name) : answering(name), socket("socket")
    {
        socket.register_b_transport(this, &simple_target::b_transport);
    }
};

struct passthrough_target : answering {
    tlm_utils::passthrough_target_socket<passthrough_target> socket;
    explicit passthrough_target(const sc_core::sc_module_name &name)
        : answering(name), socket("socket")
    {
        socket.register_b_transport(this, &passthrough_target::b_transport);
    }
};

struct tagged_target : answering {
    tlm_utils::simple_target_socket_tagged<tagged_target> simple;
    tlm_utils::passthrough_target_socket_tagged<tagged_target> passthrough;
    explicit tagged_target(const sc_core::sc_module_name &name)
        : answering(name), simple("simple"), passthrough("passthrough")
    {
        simple.register_b_transport(this, &tagged_target::tagged_b_transport, 1);
        passthrough.register_b_transport(this, &tagged_target::tagged_b_transport, 2);
    }
};

struct tagged_initiator : sc_core::sc_module {
    std::array<tlm_utils::simple_initiator_socket_tagged<tagged_initiator>, 2> sockets;
    SC_HAS_PROCESS(tagged_initiator);
    explicit tagged_initiator(const sc_core::sc_module_name &name)
        : sc_module(name),
          sockets{{tlm_utils::simple_initiator_socket_tagged<tagged_initiator>("sockets_0"),
                   tlm_utils::simple_initiator_socket_tagged<tagged_initiator>("sockets_1")}}
    {
        SC_THREAD(run);
    }
    void run()
    {
        send(sockets[0]);
        send(sockets[1]);
    }
};

/* Implements the interfaces itself for two sockets, which only their targets distinguish. */
struct plain_initiator : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<> left;
    tlm::tlm_initiator_socket<> right;
    tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
        unused;
    SC_HAS_PROCESS(plain_initiator);
    explicit plain_initiator(const sc_core::sc_module_name &name)
        : sc_module(name), left("left"), right("right"), unused("unused")
    {
        left.bind(*this);
        right.bind(*this);
        unused.bind(*this);
        SC_THREAD(run);
    }
    void run()
    {
        phases(left);
        phases(right);
    }
    void phases(tlm::tlm_initiator_socket<> &socket)
    {
        for (unsigned i = 0; i < 10; ++i) {
            tlm_generic_payload trans;
            std::uint64_t data = i;
            prepare(trans, data, 8 * i);
            tlm_phase phase = tlm::BEGIN_REQ;
            sc_time delay(1, SC_NS);
            socket->nb_transport_fw(trans, phase, delay);
            wait(10, SC_NS);
        }
    }
    tlm_sync_enum nb_transport_bw(tlm_generic_payload &, tlm_phase &phase, sc_time &) override
    {
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

struct plain_target : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    tlm::tlm_target_socket<> socket;
    explicit plain_target(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.bind(*this);
    }
    void b_transport(tlm_generic_payload &, sc_time &) override {}
    tlm_sync_enum nb_transport_fw(tlm_generic_payload &trans, tlm_phase &, sc_time &delay) override
    {
        ++calls;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        tlm_phase phase = tlm::BEGIN_RESP;
        socket->nb_transport_bw(trans, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    bool get_direct_mem_ptr(tlm_generic_payload &, tlm::tlm_dmi &) override { return false; }
    unsigned transport_dbg(tlm_generic_payload &) override { return 0; }
};

/* The calling socket is two levels down; the outer sockets only forward the binding. */
struct core : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<core> socket;
    SC_HAS_PROCESS(core);
    explicit core(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        SC_THREAD(run);
    }
    void run() { send(socket); }
};

struct cluster : sc_core::sc_module {
    core inner;
    tlm::tlm_initiator_socket<> socket;
    explicit cluster(const sc_core::sc_module_name &name)
        : sc_module(name), inner("core"), socket("socket")
    {
        inner.socket.bind(socket);
    }
};

struct wrapped_target : sc_core::sc_module {
    tlm::tlm_target_socket<> socket;
    simple_target inner;
    explicit wrapped_target(const sc_core::sc_module_name &name)
        : sc_module(name), socket("socket"), inner("inner")
    {
        socket.bind(inner.socket);
    }
};

/* Bound in before_end_of_elaboration. */
struct late : sc_core::sc_module {
    core sends;
    simple_target receives;
    explicit late(const sc_core::sc_module_name &name)
        : sc_module(name), sends("sends"), receives("receives")
    {
    }
    void before_end_of_elaboration() override { sends.socket.bind(receives.socket); }
};

/* Multi-sockets within multi-sockets, phases in both directions, two targets each. */
struct multi_core : sc_core::sc_module {
    tlm_utils::multi_passthrough_initiator_socket<multi_core> out;
    SC_HAS_PROCESS(multi_core);
    explicit multi_core(const sc_core::sc_module_name &name) : sc_module(name), out("out")
    {
        out.register_nb_transport_bw(this, &multi_core::nb_transport_bw);
        SC_THREAD(run);
    }
    void run()
    {
        for (unsigned i = 0; i < 10; ++i) {
            tlm_generic_payload trans;
            std::uint64_t data = i;
            prepare(trans, data, 8 * i);
            tlm_phase phase = tlm::BEGIN_REQ;
            sc_time delay(1, SC_NS);
            out[static_cast<int>(i % out.size())]->nb_transport_fw(trans, phase, delay);
            wait(10, SC_NS);
        }
    }
    tlm_sync_enum nb_transport_bw(int, tlm_generic_payload &, tlm_phase &phase, sc_time &)
    {
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }
};

struct multi_cluster : sc_core::sc_module {
    multi_core inner;
    tlm_utils::multi_passthrough_initiator_socket<multi_cluster> out;
    explicit multi_cluster(const sc_core::sc_module_name &name)
        : sc_module(name), inner("core"), out("out")
    {
        inner.out.bind(out);
    }
};

struct multi_target : answering {
    tlm_utils::multi_passthrough_target_socket<multi_target> in;
    explicit multi_target(const sc_core::sc_module_name &name) : answering(name), in("in")
    {
        in.register_nb_transport_fw(this, &multi_target::respond);
        in.register_b_transport(this, &multi_target::tagged_b_transport);
    }
    tlm_sync_enum respond(int id, tlm_generic_payload &trans, tlm_phase &, sc_time &delay)
    {
        ++calls;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        tlm_phase phase = tlm::BEGIN_RESP;
        in[id]->nb_transport_bw(trans, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
};

/* Reads through a DMI pointer if it has one, otherwise by transport. */
struct dmi_initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<dmi_initiator> socket;
    bool has_pointer = false;
    SC_HAS_PROCESS(dmi_initiator);
    explicit dmi_initiator(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_invalidate_direct_mem_ptr(this, &dmi_initiator::invalidate);
        SC_THREAD(run);
    }
    void invalidate(sc_dt::uint64, sc_dt::uint64) { has_pointer = false; }
    void run()
    {
        for (unsigned i = 0; i < 10; ++i) {
            tlm_generic_payload trans;
            std::uint64_t data = i;
            prepare(trans, data, 0x100);
            if (!has_pointer) {
                sc_time delay(1, SC_NS);
                socket->b_transport(trans, delay);
                wait(delay);
                tlm::tlm_dmi dmi;
                if (trans.is_dmi_allowed())
                    has_pointer = socket->get_direct_mem_ptr(trans, dmi);
                else if (i == 0)
                    socket->get_direct_mem_ptr(trans, dmi);
            }
            if (i == 0)
                socket->transport_dbg(trans);
            wait(5, SC_NS);
        }
    }
};

struct dmi_target : answering {
    tlm_utils::simple_target_socket<dmi_target> socket;
    std::array<unsigned char, 0x100> bytes{};
    SC_HAS_PROCESS(dmi_target);
    explicit dmi_target(const sc_core::sc_module_name &name) : answering(name), socket("socket")
    {
        socket.register_b_transport(this, &dmi_target::hinting);
        socket.register_get_direct_mem_ptr(this, &dmi_target::get);
        socket.register_transport_dbg(this, &dmi_target::debug);
        SC_THREAD(run);
    }
    void hinting(tlm_generic_payload &trans, sc_time &)
    {
        trans.set_dmi_allowed(true);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool get(tlm_generic_payload &, tlm::tlm_dmi &dmi)
    {
        dmi.set_dmi_ptr(bytes.data());
        dmi.set_start_address(0x100);
        dmi.set_end_address(0x1ff);
        dmi.allow_read_write();
        return true;
    }
    unsigned debug(tlm_generic_payload &trans) { return trans.get_data_length(); }
    void run()
    {
        wait(22, SC_NS);
        socket->invalidate_direct_mem_ptr(0x100, 0x1ff);
    }
};

struct top : sc_core::sc_module {
    tagged_initiator tagged_sends{"tagged_sends"};
    tagged_target tagged_receives{"tagged_receives"};
    plain_initiator plain{"plain"};
    plain_target plain_left{"plain_left"};
    plain_target plain_right{"plain_right"};
    cluster nested{"nested"};
    wrapped_target nested_target{"nested_target"};
    late bound_late{"bound_late"};
    core to_passthrough{"to_passthrough"};
    passthrough_target passthrough{"passthrough"};
    multi_cluster multi{"multi"};
    multi_target multi_left{"multi_left"};
    multi_target multi_right{"multi_right"};
    core to_multi{"to_multi"};
    dmi_initiator dmi{"dmi"};
    dmi_target memory{"memory"};
    sc_core::sc_vector<core> cores{"cores", 3};
    sc_core::sc_vector<simple_target> targets{"targets", 3};

    explicit top(const sc_core::sc_module_name &name) : sc_module(name)
    {
        tagged_sends.sockets[0].bind(tagged_receives.simple);
        tagged_sends.sockets[1].bind(tagged_receives.passthrough);
        plain.left.bind(plain_left.socket);
        plain.right.bind(plain_right.socket);
        nested.socket.bind(nested_target.socket);
        to_passthrough.socket.bind(passthrough.socket);
        multi.out.bind(multi_left.in);
        multi.out.bind(multi_right.in);
        to_multi.socket.bind(multi_right.in);
        dmi.socket.bind(memory.socket);
        for (unsigned i = 0; i < 3; ++i)
            cores[i].socket.bind(targets[i].socket);
    }
};

} // namespace

int sc_main(int, char *[])
{
    top all("top");
    sc_core::sc_start();
    std::cout << calls << " " << sc_core::sc_time_stamp() << std::endl;
    return 0;
}
