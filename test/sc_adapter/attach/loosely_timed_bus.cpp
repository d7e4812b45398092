// Two initiators, a bus of multi-sockets, two memories: loosely timed, with temporal decoupling.
#include <csignal>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace
{

using sc_core::sc_time;

struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;

    SC_HAS_PROCESS(initiator);
    explicit initiator(const sc_core::sc_module_name &name) : sc_module(name), socket("s")
    {
        SC_THREAD(run);
    }

    void run()
    {
        tlm::tlm_generic_payload trans;
        std::uint32_t sum = 0;
        for (unsigned i = 0; i < 100; ++i) {
            std::uint32_t data = i;
            const bool is_write = i % 2 == 0;
            trans.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            trans.set_address((i / 2 % 2) * 0x1000 + (i / 4) * 4);
            trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
            trans.set_data_length(4);
            trans.set_streaming_width(4);
            trans.set_byte_enable_ptr(nullptr);
            trans.set_dmi_allowed(false);
            trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            sc_time delay(i, sc_core::SC_NS);
            socket->b_transport(trans, delay);
            sum += data + static_cast<unsigned>(trans.is_response_ok());
            wait(delay);
        }
        std::cout << name() << " " << sum << " " << sc_core::sc_time_stamp() << std::endl;
    }
};

struct bus : sc_core::sc_module {
    tlm_utils::multi_passthrough_target_socket<bus> in;
    tlm_utils::multi_passthrough_initiator_socket<bus> out;

    explicit bus(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &bus::b_transport);
    }

    void b_transport(int, tlm::tlm_generic_payload &trans, sc_time &delay)
    {
        const sc_dt::uint64 address = trans.get_address();
        trans.set_address(address & 0xfff);
        delay += sc_time(1, sc_core::SC_NS);
        out[static_cast<int>(address >> 12)]->b_transport(trans, delay);
    }
};

bool is_killed = false;

struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> socket;
    std::vector<unsigned char> bytes;

    explicit memory(const sc_core::sc_module_name &name)
        : sc_module(name), socket("s"), bytes(0x1000)
    {
        socket.register_b_transport(this, &memory::b_transport);
    }

    void b_transport(tlm::tlm_generic_payload &trans, sc_time &delay)
    {
        if (is_killed && trans.get_address() == 8)
            raise(SIGKILL);
        unsigned char *const at = &bytes[trans.get_address()];
        if (trans.is_write())
            std::memcpy(at, trans.get_data_ptr(), trans.get_data_length());
        else
            std::memcpy(trans.get_data_ptr(), at, trans.get_data_length());
        wait(delay);
        delay = sc_time(5, sc_core::SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    is_killed = argc > 1 && std::strcmp(argv[1], "kill") == 0;
    initiator a("a");
    initiator b("b");
    bus middle("bus");
    memory m0("m0");
    memory m1("m1");
    a.socket.bind(middle.in);
    b.socket.bind(middle.in);
    middle.out.bind(m0.socket);
    middle.out.bind(m1.socket);
    sc_core::sc_start();
    for (sc_core::sc_object *object : sc_core::sc_get_top_level_objects())
        std::cout << object->name() << std::endl;
    return 0;
}
