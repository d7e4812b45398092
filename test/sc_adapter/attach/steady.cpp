// A prototype that counts the allocations of the simulation thread while it makes calls. Argument:
// the number of payloads in flight. Prints the allocations of: one call of malloc (to show that
// they are counted), a first and a second round of transactions in phases, and a first and a second
// round of nested b_transport calls. steady_test.py expects none in the second rounds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace
{

thread_local bool is_counting;
thread_local unsigned long allocations;

} // namespace

/* The allocator of the C library, which is also called by the libraries of this process. */
extern "C" {
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *memory, std::size_t size);

void *malloc(std::size_t size) noexcept
{
    allocations += is_counting;
    return __libc_malloc(size);
}
void *calloc(std::size_t count, std::size_t size) noexcept
{
    allocations += is_counting;
    return __libc_calloc(count, size);
}
void *realloc(void *memory, std::size_t size) noexcept
{
    allocations += is_counting;
    return __libc_realloc(memory, size);
}
}

namespace
{

/* Not known to the compiler, which may otherwise remove the allocation. */
void *one_byte()
{
    void *(*volatile allocate)(std::size_t) = std::malloc;
    return allocate(1);
}

/* Returns the allocations during a call. */
template <class Call> unsigned long allocations_of(Call call)
{
    allocations = 0;
    is_counting = true;
    call();
    is_counting = false;
    return allocations;
}

struct no_manager : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload *) override {}
};

struct target : sc_core::sc_module {
    tlm_utils::simple_target_socket<target> socket;

    explicit target(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_b_transport(this, &target::b_transport);
        socket.register_nb_transport_fw(this, &target::nb_transport_fw);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &)
    {
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &)
    {
        return tlm::TLM_ACCEPTED;
    }
    void answer(tlm::tlm_generic_payload &trans, tlm::tlm_phase phase)
    {
        sc_core::sc_time delay;
        if (phase == tlm::BEGIN_RESP)
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
        socket->nb_transport_bw(trans, phase, delay);
    }
};

struct bus : sc_core::sc_module {
    tlm_utils::simple_target_socket<bus> in;
    tlm_utils::simple_initiator_socket<bus> out;

    explicit bus(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &bus::b_transport);
        in.register_nb_transport_fw(this, &bus::nb_transport_fw);
        out.register_nb_transport_bw(this, &bus::nb_transport_bw);
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
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
    {
        return in->nb_transport_bw(trans, phase, delay);
    }
};

struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    target &receiver;
    no_manager manager;
    std::deque<tlm::tlm_generic_payload> payloads;
    std::uint64_t data = 0;

    SC_HAS_PROCESS(initiator);
    initiator(const sc_core::sc_module_name &name, unsigned long in_flight, target &to)
        : sc_module(name), socket("socket"), receiver(to)
    {
        socket.register_nb_transport_bw(this, &initiator::nb_transport_bw);
        SC_THREAD(run);
        for (unsigned long i = 0; i < in_flight; ++i) {
            tlm::tlm_generic_payload &trans = payloads.emplace_back(&manager);
            trans.acquire();
            trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
            trans.set_data_length(8);
            trans.set_streaming_width(8);
            trans.set_address(8 * i);
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &)
    {
        return tlm::TLM_ACCEPTED;
    }
    void forward(tlm::tlm_generic_payload &trans, tlm::tlm_phase phase)
    {
        sc_core::sc_time delay;
        socket->nb_transport_fw(trans, phase, delay);
    }
    void begin(tlm::tlm_generic_payload &trans, tlm::tlm_command command)
    {
        trans.set_command(command);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    void in_phases()
    {
        for (tlm::tlm_generic_payload &trans : payloads) {
            begin(trans, tlm::TLM_WRITE_COMMAND);
            forward(trans, tlm::BEGIN_REQ);
            receiver.answer(trans, tlm::END_REQ);
        }
        for (tlm::tlm_generic_payload &trans : payloads) {
            receiver.answer(trans, tlm::BEGIN_RESP);
            forward(trans, tlm::END_RESP);
        }
    }
    void blocking()
    {
        for (tlm::tlm_generic_payload &trans : payloads) {
            sc_core::sc_time delay;
            begin(trans, tlm::TLM_READ_COMMAND);
            socket->b_transport(trans, delay);
        }
    }
    void run()
    {
        std::cout << allocations_of([] { std::free(one_byte()); });
        for (int i = 0; i < 2; ++i)
            std::cout << ' ' << allocations_of([this] { in_phases(); });
        for (int i = 0; i < 2; ++i)
            std::cout << ' ' << allocations_of([this] { blocking(); });
        std::cout << std::endl;
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    if (argc != 2)
        return EXIT_FAILURE;
    target receives("receives");
    bus middle("middle");
    initiator calls("calls", std::strtoul(argv[1], nullptr, 10), receives);
    calls.socket.bind(middle.in);
    middle.out.bind(receives.socket);
    sc_core::sc_start();
    return EXIT_SUCCESS;
}
