// Sockets whose types are not those of the base protocol, ten transactions each. The arguments
// select the sockets: `derived` and `multi` have the payload and the phases of the base protocol,
// `payload` has another payload, `interface` is no transport interface, `ports` are no sockets.
#include <cstring>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

using sc_core::SC_NS;
using sc_core::sc_time;

/* As in Accellera's example lt_extension_mandatory. */
struct mandatory_types {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = tlm::tlm_phase;
};
struct derived_types : tlm::tlm_base_protocol_types {
};

struct own_payload {
    int value = 0;
    void acquire() {}
    void release() {}
};
struct own_types {
    using tlm_payload_type = own_payload;
    using tlm_phase_type = tlm::tlm_phase;
};

/* Interfaces of sockets that are not transport interfaces. */
struct own_fw_if : virtual sc_core::sc_interface {
    using protocol_types = own_types;
    virtual void put(int value) = 0;
};
struct own_bw_if : virtual sc_core::sc_interface {
    using protocol_types = own_types;
};

namespace
{

unsigned calls = 0;

template <class Socket> void send(Socket &socket)
{
    for (unsigned i = 0; i < 10; ++i) {
        tlm::tlm_generic_payload trans;
        std::uint64_t data = i;
        trans.set_write();
        trans.set_address(8 * i);
        trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
        trans.set_data_length(8);
        trans.set_streaming_width(8);
        sc_time delay(1, SC_NS);
        socket->b_transport(trans, delay);
        sc_core::wait(delay);
    }
}

/* Sends ten requests by nb_transport and b_transport; the target calls back. */
template <class Types>
struct transport_pair : sc_core::sc_module,
                        tlm::tlm_fw_transport_if<Types>,
                        tlm::tlm_bw_transport_if<Types> {
    tlm::tlm_initiator_socket<32, Types> sends{"sends"};
    tlm::tlm_target_socket<32, Types> receives{"receives"};
    SC_HAS_PROCESS(transport_pair);
    explicit transport_pair(const sc_core::sc_module_name &name) : sc_module(name)
    {
        sends.bind(static_cast<tlm::tlm_bw_transport_if<Types> &>(*this));
        receives.bind(static_cast<tlm::tlm_fw_transport_if<Types> &>(*this));
        sends.bind(receives);
        SC_THREAD(run);
    }
    void run()
    {
        send(sends);
        for (unsigned i = 0; i < 10; ++i) {
            typename Types::tlm_payload_type trans;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_time delay(1, SC_NS);
            sends->nb_transport_fw(trans, phase, delay);
            wait(10, SC_NS);
        }
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_time &delay) override
    {
        ++calls;
        delay += sc_time(2, SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &,
                                       sc_time &delay) override
    {
        ++calls;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        receives->nb_transport_bw(trans, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &phase,
                                       sc_time &) override
    {
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload &) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

struct multi_pair : sc_core::sc_module {
    tlm_utils::multi_passthrough_initiator_socket<multi_pair, 32, mandatory_types> sends{"sends"};
    tlm_utils::multi_passthrough_target_socket<multi_pair, 32, mandatory_types> receives{
        "receives"};
    tlm_utils::simple_target_socket<multi_pair, 32, mandatory_types> simple{"simple"};
    SC_HAS_PROCESS(multi_pair);
    explicit multi_pair(const sc_core::sc_module_name &name) : sc_module(name)
    {
        receives.register_b_transport(this, &multi_pair::receive_by);
        simple.register_b_transport(this, &multi_pair::receive);
        sends.bind(receives);
        sends.bind(simple);
        SC_THREAD(run);
    }
    void run()
    {
        for (int i = 0; i < 2; ++i) {
            auto *const target = sends[i];
            send(target);
        }
    }
    void receive(tlm::tlm_generic_payload &trans, sc_time &)
    {
        ++calls;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void receive_by(int, tlm::tlm_generic_payload &trans, sc_time &delay) { receive(trans, delay); }
};

struct payload_pair : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<payload_pair, 32, own_types> sends{"sends"};
    tlm_utils::passthrough_target_socket<payload_pair, 32, own_types> receives{"receives"};
    SC_HAS_PROCESS(payload_pair);
    explicit payload_pair(const sc_core::sc_module_name &name) : sc_module(name)
    {
        receives.register_b_transport(this, &payload_pair::receive);
        sends.bind(receives);
        SC_THREAD(run);
    }
    void run()
    {
        own_payload trans;
        sc_time delay(1, SC_NS);
        sends->b_transport(trans, delay);
    }
    void receive(own_payload &, sc_time &) { ++calls; }
};

struct interface_pair : sc_core::sc_module, own_fw_if, own_bw_if {
    tlm::tlm_base_initiator_socket<32, own_fw_if, own_bw_if> sends{"sends"};
    tlm::tlm_base_target_socket<32, own_fw_if, own_bw_if> receives{"receives"};
    SC_HAS_PROCESS(interface_pair);
    explicit interface_pair(const sc_core::sc_module_name &name) : sc_module(name)
    {
        sends.bind(static_cast<own_bw_if &>(*this));
        receives.bind(static_cast<own_fw_if &>(*this));
        sends.bind(receives);
        SC_THREAD(run);
    }
    void run() { sends->put(1); }
    void put(int) override { ++calls; }
};

struct plain_ports : sc_core::sc_module {
    sc_core::sc_in<bool> input{"input"};
    sc_core::sc_port<own_fw_if> output{"output"};
    sc_core::sc_signal<bool> wire{"wire"};
    explicit plain_ports(const sc_core::sc_module_name &name, own_fw_if &target) : sc_module(name)
    {
        input.bind(wire);
        output.bind(target);
    }
};

struct nobody : own_fw_if {
    void put(int) override {}
};

} // namespace

int sc_main(int argc, char *argv[])
{
    const std::set<std::string> wanted(argv + 1, argv + argc);
    nobody target;
    const auto make = [&wanted](const char *name, auto object, auto &&...more) {
        using type = typename decltype(object)::element_type;
        if (wanted.count(name) > 0)
            object = std::make_unique<type>(name, more...);
        return object;
    };
    const auto derived = make("derived", std::unique_ptr<transport_pair<derived_types>>());
    const auto mandatory = make("mandatory", std::unique_ptr<transport_pair<mandatory_types>>());
    const auto multi = make("multi", std::unique_ptr<multi_pair>());
    const auto payload = make("payload", std::unique_ptr<payload_pair>());
    const auto payload_2 = make("payload_2", std::unique_ptr<payload_pair>());
    const auto interface = make("interface", std::unique_ptr<interface_pair>());
    std::unique_ptr<plain_ports> ports;
    if (wanted.count("ports") > 0)
        ports = std::make_unique<plain_ports>("ports", target);
    sc_core::sc_start(1, sc_core::SC_US);
    std::cout << calls << " " << sc_core::sc_time_stamp() << std::endl;
    return 0;
}
