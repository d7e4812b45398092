// A prototype that only makes calls: CALLS reads and writes of 8 bytes, forwarded by HOPS modules.
// With the third argument "managed", the payload has a memory manager; "pool": the calls use 64
// managed payloads in turn. "blocking" BYTES: the calls have BYTES of data. "slow": the target
// waits for 40 us in each call, and sets the address to 0. With another third argument, the calls
// are writes: "phases", each completed by the return of BEGIN_REQ, "four-phases", each in four
// calls, or "in-flight", the same with all requests before the first response. attach_cost_test.py
// counts the additional instructions of observation between the two calls of counted(): after a
// quarter of the calls and after all.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

// A name for attach_cost_test.py, at which the profiler writes its counts.
extern "C" [[gnu::noinline]] void counted()
{
    asm volatile("");
}

namespace
{

enum class transport { blocking, slow, managed, pool, early_completion, four_phases, in_flight };

struct no_manager : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload *) override {}
};

struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    const unsigned long calls;
    const transport form;
    std::vector<unsigned char> bytes; /* of b_transport calls */
    std::function<void(tlm::tlm_generic_payload &, tlm::tlm_phase)> answers; /* of the target */

    SC_HAS_PROCESS(initiator);
    initiator(const sc_core::sc_module_name &name, unsigned long count, transport of,
              std::size_t size)
        : sc_module(name), socket("socket"), calls(count), form(of), bytes(size)
    {
        for (std::size_t i = 0; i < size; ++i)
            bytes[i] = static_cast<unsigned char>(7 * i);
        socket.register_nb_transport_bw(this, &initiator::nb_transport_bw);
        SC_THREAD(run);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &)
    {
        return tlm::TLM_ACCEPTED;
    }
    void run()
    {
        if (form <= transport::pool)
            run_blocking();
        else if (form == transport::in_flight)
            run_in_flight();
        else
            run_in_phases();
    }
    void run_in_phases()
    {
        no_manager manager;
        tlm::tlm_generic_payload trans(&manager);
        std::uint64_t data = 0;
        trans.acquire();
        trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
        trans.set_data_length(8);
        trans.set_streaming_width(8);
        trans.set_write();
        for (unsigned long i = 0; i < calls; ++i) {
            if (i == calls / 4)
                counted();
            sc_core::sc_time delay;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            trans.set_address(8 * i);
            trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            if (socket->nb_transport_fw(trans, phase, delay) == tlm::TLM_COMPLETED)
                continue;
            answers(trans, tlm::END_REQ);
            end(trans);
        }
        counted();
    }
    void end(tlm::tlm_generic_payload &trans)
    {
        sc_core::sc_time delay;
        tlm::tlm_phase phase = tlm::END_RESP;
        answers(trans, tlm::BEGIN_RESP);
        socket->nb_transport_fw(trans, phase, delay);
    }
    void run_in_flight()
    {
        no_manager manager;
        std::uint64_t data = 0;
        std::deque<tlm::tlm_generic_payload> all;
        for (unsigned long i = 0; i < calls; ++i) {
            sc_core::sc_time delay;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            tlm::tlm_generic_payload &trans = all.emplace_back(&manager);
            trans.acquire();
            trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
            trans.set_data_length(8);
            trans.set_streaming_width(8);
            trans.set_write();
            trans.set_address(8 * i);
            socket->nb_transport_fw(trans, phase, delay);
            answers(trans, tlm::END_REQ);
        }
        for (tlm::tlm_generic_payload &trans : all)
            end(trans);
    }
    void run_blocking()
    {
        no_manager manager;
        std::vector<std::unique_ptr<tlm::tlm_generic_payload>> payloads(
            form == transport::pool ? 64 : 1);
        for (auto &made : payloads) {
            made = std::make_unique<tlm::tlm_generic_payload>();
            if (form == transport::managed || form == transport::pool) {
                made->set_mm(&manager);
                made->acquire();
            }
            made->set_data_ptr(bytes.data());
            made->set_data_length(static_cast<unsigned>(bytes.size()));
            made->set_streaming_width(static_cast<unsigned>(bytes.size()));
        }
        for (unsigned long i = 0; i < calls; ++i) {
            if (i == calls / 4)
                counted();
            sc_core::sc_time delay;
            tlm::tlm_generic_payload &trans = *payloads[i % payloads.size()];
            trans.set_command(i % 2 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
            trans.set_address(8 * i);
            trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            std::memcpy(bytes.data(), &i, sizeof i);
            socket->b_transport(trans, delay);
        }
        counted();
    }
};

struct hop : sc_core::sc_module {
    tlm_utils::simple_target_socket<hop> in;
    tlm_utils::simple_initiator_socket<hop> out;
    explicit hop(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &hop::b_transport);
        in.register_nb_transport_fw(this, &hop::nb_transport_fw);
        out.register_nb_transport_bw(this, &hop::nb_transport_bw);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
    {
        return in->nb_transport_bw(trans, phase, delay);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
    {
        out->b_transport(trans, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
    {
        return out->nb_transport_fw(trans, phase, delay);
    }
};

struct target : sc_core::sc_module {
    tlm_utils::simple_target_socket<target> socket;
    unsigned long received = 0;
    const transport form;
    target(const sc_core::sc_module_name &name, transport of)
        : sc_module(name), socket("socket"), form(of)
    {
        socket.register_b_transport(this, &target::b_transport);
        socket.register_nb_transport_fw(this, &target::nb_transport_fw);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &)
    {
        ++received;
        if (form == transport::slow) {
            wait(40, sc_core::SC_US);
            trans.set_address(0);
        }
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &)
    {
        received += phase == tlm::BEGIN_REQ;
        if (form != transport::early_completion)
            return tlm::TLM_ACCEPTED;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    void answer(tlm::tlm_generic_payload &trans, tlm::tlm_phase phase)
    {
        sc_core::sc_time delay;
        if (phase == tlm::BEGIN_RESP)
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
        socket->nb_transport_bw(trans, phase, delay);
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    if (argc < 3 || argc > 5)
        return EXIT_FAILURE;
    const std::size_t size = argc == 5 ? std::strtoul(argv[4], nullptr, 10) : 8;
    const transport form = argc == 3 || std::string(argv[3]) == "blocking" ? transport::blocking
                           : std::string(argv[3]) == "slow"                ? transport::slow
                           : std::string(argv[3]) == "managed"             ? transport::managed
                           : std::string(argv[3]) == "pool"                ? transport::pool
                           : std::string(argv[3]) == "four-phases"         ? transport::four_phases
                           : std::string(argv[3]) == "in-flight"           ? transport::in_flight
                                                                 : transport::early_completion;
    initiator calls("calls", std::strtoul(argv[1], nullptr, 10), form, size);
    std::vector<std::unique_ptr<hop>> hops(std::strtoul(argv[2], nullptr, 10));
    target receives("receives", form);
    calls.answers = [&receives](tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase) {
        receives.answer(trans, phase);
    };
    tlm::tlm_initiator_socket<> *from = &calls.socket;
    for (std::size_t i = 0; i < hops.size(); ++i) {
        hops[i] = std::make_unique<hop>(("hop_" + std::to_string(i)).c_str());
        from->bind(hops[i]->in);
        from = &hops[i]->out;
    }
    from->bind(receives.socket);
    sc_core::sc_start();
    std::cout << receives.received << std::endl;
    return 0;
}
