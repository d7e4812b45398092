// The ways in which a prototype may end, and interruptions of a blocking call. The argument selects
// one.
#include "../../support/fork_at_rest.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;

std::string way;
unsigned last_address = 0; // address at which "killed" kills the process

struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    sc_core::sc_process_handle process;

    SC_HAS_PROCESS(initiator);
    explicit initiator(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        SC_THREAD(run);
        process = sc_core::sc_get_current_process_handle();
    }

    void call(unsigned address)
    {
        tlm::tlm_generic_payload trans;
        unsigned char data[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        trans.set_write();
        trans.set_address(address);
        trans.set_data_ptr(data);
        trans.set_data_length(sizeof data);
        trans.set_streaming_width(sizeof data);
        sc_time delay(2, SC_NS);
        socket->b_transport(trans, delay);
        wait(delay);
    }

    void run()
    {
        for (unsigned i = 0; way == "killed"; ++i)
            call(i);
        for (unsigned i = 0; i < 5; ++i)
            call(i);
        try {
            call(100);
        } catch (const std::runtime_error &thrown) {
            std::cout << "caught " << thrown.what() << std::endl;
        }
        end();
    }

    void end()
    {
        if (way == "stop")
            sc_core::sc_stop();
        else if (way == "exit")
            std::exit(7);
        else if (way == "_exit")
            _exit(8);
        else if (way == "abort")
            std::abort();
        else if (way == "throw")
            throw std::runtime_error("out of sc_main");
        else if (way == "report")
            SC_REPORT_ERROR("model", "out of sc_main");
        else if (way == "fork")
            fork_helpers();
    }

    /* One helper exits normally, one executes another program. */
    static void fork_helpers()
    {
        std::cout.flush();
        if (fork_at_rest() == 0)
            std::exit(3);
        if (fork() == 0)
            execlp("true", "true", static_cast<char *>(nullptr));
        while (wait(nullptr) > 0)
            continue;
    }
    static pid_t wait(int *status) { return ::wait(status); }
    using sc_module::wait;
};

struct target : sc_core::sc_module {
    tlm_utils::simple_target_socket<target> socket;

    explicit target(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_b_transport(this, &target::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_time &delay)
    {
        wait(3, SC_NS);
        if (way == "killed" && trans.get_address() == last_address)
            std::raise(SIGKILL);
        if (trans.get_address() == 100) {
            if (way == "exception")
                throw std::runtime_error("within b_transport");
            if (way == "kill" || way == "in_flight")
                wait(1000, SC_NS);
            if (way.size() > 7 && way.compare(way.size() - 7, 7, "_within") == 0)
                end_within();
        }
        delay += sc_time(1, SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    static void end_within()
    {
        if (way == "exit_within")
            std::exit(9);
        if (way == "_exit_within")
            _exit(8);
        if (way == "abort_within")
            std::abort();
        if (way == "kill_within")
            raise(SIGKILL);
        if (way == "crash_within")
            raise(SIGSEGV);
        if (way == "stop_within")
            sc_core::sc_stop();
        if (way == "fork_within" && fork_at_rest() == 0)
            std::exit(3);
        while (::wait(nullptr) > 0)
            continue;
    }
};

struct killer : sc_core::sc_module {
    sc_core::sc_process_handle victim;

    SC_HAS_PROCESS(killer);
    explicit killer(const sc_core::sc_module_name &name) : sc_module(name) { SC_THREAD(run); }
    void run()
    {
        wait(100, SC_NS);
        if (way == "kill")
            victim.kill();
        if (way == "in_flight")
            sc_core::sc_stop();
    }
};

void warn(const sc_core::sc_report &, const sc_core::sc_actions &)
{
    std::cout << "the model's own handler" << std::endl;
}

} // namespace

int sc_main(int argc, char *argv[])
{
    way = argc > 1 ? argv[1] : "";
    last_address = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 0;
    if (way == "reports") {
        SC_REPORT_WARNING("model", "before elaboration");
        SC_REPORT_INFO("model", "not recorded");
    }
    initiator sends("sends");
    target receives("receives");
    killer kills("kills");
    sends.socket.bind(receives.socket);
    for (sc_core::sc_object *object : sends.get_child_objects()) {
        if (std::strcmp(object->basename(), "run") == 0)
            kills.victim = sc_core::sc_process_handle(object);
    }
    if (way == "never")
        return 4;
    if (way == "throw_early")
        throw std::runtime_error("out of sc_main, before the simulation");
    sc_core::sc_start();
    if (way == "reports") {
        const auto before = sc_core::sc_report_handler::set_handler(warn);
        SC_REPORT_WARNING("model", "to another handler");
        SC_REPORT_WARNING("model", "to another handler, too");
        std::cout << (before == &sc_core::sc_report_handler::default_handler)
                  << (sc_core::sc_report_handler::get_handler() == warn)
                  << (sc_core::sc_report_handler::set_handler(nullptr) == warn) << std::endl;
        SC_REPORT_WARNING("model", "to the default handler");
    }
    std::cout << sc_core::sc_time_stamp() << std::endl;
    if (way == "throw_late")
        throw std::runtime_error("out of sc_main, after the simulation");
    if (way == "terminate")
        std::terminate();
    return 5;
}
