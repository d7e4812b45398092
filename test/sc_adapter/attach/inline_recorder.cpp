// A model that records itself: a module between two sockets, recording sockets, extensions, a
// custom protocol, and a stream of its own.
#include "memory_target.hpp"

#include <cstdint>
#include <iostream>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <ftr/systemc.hpp>
#include <ftr/tlm.hpp>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;

struct burst : tlm::tlm_extension<burst> {
    unsigned length = 0;
    tlm::tlm_extension_base *clone() const override { return new burst(*this); }
    void copy_from(const tlm::tlm_extension_base &from) override
    {
        *this = static_cast<const burst &>(from);
    }
};

struct packet : tlm::tlm_generic_payload {
};

struct packet_protocol {
    typedef packet tlm_payload_type;
    typedef tlm::tlm_phase tlm_phase_type;
};

template <class Payload, class Socket> void send(Socket &socket)
{
    for (unsigned i = 0; i < 10; ++i) {
        Payload trans;
        burst extension;
        std::uint64_t data = i;
        extension.length = i;
        trans.set_read();
        trans.set_address(i);
        trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
        trans.set_data_length(8);
        trans.set_streaming_width(8);
        trans.set_extension(&extension);
        sc_time delay(1, SC_NS);
        socket->b_transport(trans, delay);
        sc_core::wait(delay);
        trans.clear_extension(&extension);
    }
}

struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    ftr::stream stream{"by hand", "example"};
    ftr::generator<ftr::at_begin<unsigned>> step{stream, "step", "number"};
    SC_HAS_PROCESS(initiator);
    explicit initiator(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        SC_THREAD(run);
    }
    void run()
    {
        auto tx = step.begin(1U);
        send<tlm::tlm_generic_payload>(socket);
        tx.end();
    }
};

struct packet_initiator : sc_core::sc_module, tlm::tlm_bw_transport_if<packet_protocol> {
    ftr::tlm_recording_initiator_socket<32, packet_protocol> socket;
    SC_HAS_PROCESS(packet_initiator);
    explicit packet_initiator(const sc_core::sc_module_name &name)
        : sc_module(name), socket("socket")
    {
        socket.bind(*this);
        SC_THREAD(run);
    }
    void run() { send<packet>(socket); }
    tlm::tlm_sync_enum nb_transport_bw(packet &, tlm::tlm_phase &, sc_time &) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

struct packet_target : sc_core::sc_module, tlm::tlm_fw_transport_if<packet_protocol> {
    ftr::tlm_recording_target_socket<32, packet_protocol> socket;
    explicit packet_target(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.bind(*this);
    }
    void b_transport(packet &trans, sc_time &delay) override
    {
        delay += sc_time(1, SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(packet &, tlm::tlm_phase &, sc_time &) override
    {
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(packet &, tlm::tlm_dmi &) override { return false; }
    unsigned transport_dbg(packet &) override { return 0; }
};

} // namespace

int sc_main(int, char *[])
{
    ftr::record_tlm_extension<burst>("burst", [](const burst &of, ftr::tlm_extension_sink &sink) {
        sink.put("length", of.length);
    });
    initiator sends("sends");
    ftr::tlm_recorder<> probe("probe");
    memory_target receives("receives");
    sends.socket.bind(probe.target_socket);
    probe.initiator_socket.bind(receives.socket);
    packet_initiator sends_packets("sends_packets");
    packet_target receives_packets("receives_packets");
    sends_packets.socket.bind(receives_packets.socket);
    sc_core::sc_start();
    std::cout << sc_core::sc_time_stamp() << std::endl;
    return 0;
}
