// A target that answers each blocking call after 1 ns.
#ifndef FTR_TEST_MEMORY_TARGET_HPP
#define FTR_TEST_MEMORY_TARGET_HPP

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

struct memory_target : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory_target> socket;
    explicit memory_target(const sc_core::sc_module_name &name, const char *socket_name = "socket")
        : sc_module(name), socket(socket_name)
    {
        socket.register_b_transport(this, &memory_target::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
    {
        delay += sc_core::sc_time(1, sc_core::SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

#endif
