// Random transactions in phases over two links, with one random mistake. Arguments: a seed, and
// "correct" or "mutated". Each call and each return is printed with its attributes, so that
// mutated_test.py can judge them without the checker.
#include <cstdlib>
#include <deque>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

enum change : unsigned {
    no_change,
    command,
    length,
    width,
    address,
    incomplete,
    failed,
    succeeded
};

/* A call and its answer. */
struct step {
    unsigned transaction;
    bool is_forward;
    unsigned phase;
    unsigned effective; /* ns after the call before */
    tlm_sync_enum sync;
    unsigned answer;                    /* a phase */
    unsigned wait;                      /* ns that the response adds to the delay */
    change by_caller = no_change;       /* before the call */
    change by_callee = no_change;       /* before the return */
    change by_interconnect = no_change; /* on the way */
};

struct manager : tlm::tlm_mm_interface {
    void free(tlm_generic_payload *) override {}
};

void apply(change what, tlm_generic_payload &trans)
{
    switch (what) {
    case command:
        trans.set_command(trans.is_read() ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        break;
    case length:
        trans.set_data_length(trans.get_data_length() - 1);
        break;
    case width:
        trans.set_streaming_width(trans.get_streaming_width() - 1);
        break;
    case address:
        trans.set_address(trans.get_address() + 1);
        break;
    case incomplete:
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        break;
    case failed:
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        break;
    case succeeded:
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        break;
    case no_change:
        break;
    }
}

step current; /* that is made */
std::deque<tlm_generic_payload> payloads;
std::uint64_t data[64];

void print(const char *what, const char *link, const tlm_generic_payload &trans, unsigned phase,
           const sc_time &delay, int sync)
{
    unsigned number = 0;
    while (&payloads[number] != &trans)
        ++number;
    std::cout << what << ' ' << link << ' ' << number << ' ' << phase << ' '
              << sc_core::sc_time_stamp().value() << ' ' << delay.value() << ' ' << sync << ' '
              << trans.get_command() << ' ' << trans.get_data_length() << ' '
              << trans.get_streaming_width() << ' ' << trans.get_address() << ' '
              << trans.get_response_status() << '\n';
}

/* Makes a call on a link, and prints it. */
template <class Call>
tlm_sync_enum observed(const char *path, const char *link, tlm_generic_payload &trans,
                       tlm_phase &phase, sc_time &delay, Call call)
{
    print((std::string("call ") + path).c_str(), link, trans, phase, delay, 0);
    const tlm_sync_enum sync = call();
    print((std::string("return ") + path).c_str(), link, trans, phase, delay, sync);
    return sync;
}

tlm_sync_enum answer(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
{
    apply(current.by_callee, trans);
    if (current.sync != tlm::TLM_ACCEPTED || current.answer != current.phase)
        phase = tlm_phase(current.answer);
    delay += sc_time(current.wait, SC_NS);
    return current.sync;
}

struct interconnect : sc_core::sc_module {
    tlm_utils::simple_target_socket<interconnect> in;
    tlm_utils::simple_initiator_socket<interconnect> out;
    explicit interconnect(const sc_core::sc_module_name &name)
        : sc_module(name), in("in"), out("out")
    {
        in.register_nb_transport_fw(this, &interconnect::forward);
        out.register_nb_transport_bw(this, &interconnect::backward);
    }
    tlm_sync_enum forward(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        apply(current.by_interconnect, trans);
        return observed("fw", "bus.out", trans, phase, delay,
                        [&] { return out->nb_transport_fw(trans, phase, delay); });
    }
    tlm_sync_enum backward(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        apply(current.by_interconnect, trans);
        return observed("bw", "cpu.socket", trans, phase, delay,
                        [&] { return in->nb_transport_bw(trans, phase, delay); });
    }
};

struct target : sc_core::sc_module {
    tlm_utils::simple_target_socket<target> socket;
    explicit target(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_nb_transport_fw(this, &target::forward);
    }
    tlm_sync_enum forward(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        if (phase == tlm::BEGIN_REQ)
            trans.acquire();
        return answer(trans, phase, delay);
    }
};

struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    target *ram = nullptr;
    std::vector<step> steps;

    SC_HAS_PROCESS(initiator);
    explicit initiator(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_nb_transport_bw(this, &initiator::backward);
        SC_THREAD(run);
    }
    tlm_sync_enum backward(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return answer(trans, phase, delay);
    }
    void run()
    {
        for (const step &next : steps) {
            sc_core::wait(5, SC_NS);
            current = next;
            tlm_generic_payload &trans = payloads[next.transaction];
            tlm_phase phase(next.phase);
            sc_time delay(next.effective, SC_NS);
            apply(next.by_caller, trans);
            if (next.is_forward)
                observed("fw", "cpu.socket", trans, phase, delay,
                         [&] { return socket->nb_transport_fw(trans, phase, delay); });
            else
                observed("bw", "bus.out", trans, phase, delay,
                         [&] { return ram->socket->nb_transport_bw(trans, phase, delay); });
        }
    }
};

class plan
{
  public:
    explicit plan(unsigned seed) : random_(seed) {}

    std::vector<step> steps;

    void make(unsigned transactions)
    {
        for (unsigned i = 0; i < transactions;) {
            std::vector<step> ends;
            const unsigned together = i + 1 < transactions ? 1 + any(2) : 1;
            for (unsigned j = 0; j < together; ++j)
                request(i + j, ends);
            if (ends.size() == 2 && any(2)) // out of order
                std::swap(ends[0], ends[1]);
            for (const step &end : ends)
                respond(end.transaction);
            i += together;
        }
    }

    void mutate()
    {
        const std::size_t at = any(static_cast<unsigned>(steps.size()));
        step &chosen = steps[at];
        switch (any(8)) {
        case 0:
            steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 1: {
            const step again = chosen;
            steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), again);
            break;
        }
        case 2:
            std::swap(chosen, steps[at + 1 < steps.size() ? at + 1 : 0]);
            break;
        case 3:
            chosen.phase = 1 + any(4);
            break;
        case 4:
            chosen.sync = static_cast<tlm_sync_enum>(any(3));
            chosen.answer = 1 + any(4);
            break;
        case 5:
            chosen.by_caller = static_cast<change>(1 + any(7));
            break;
        case 6:
            (any(2) ? chosen.by_callee : chosen.by_interconnect) = static_cast<change>(1 + any(7));
            break;
        default:
            (any(2) ? chosen.wait : chosen.effective) = any(12);
        }
    }

  private:
    unsigned any(unsigned below) { return static_cast<unsigned>(random_() % below); }

    void add(unsigned transaction, bool is_forward, unsigned phase, tlm_sync_enum sync,
             unsigned answer, change by_caller = no_change, change by_callee = no_change)
    {
        steps.push_back({transaction, is_forward, phase, any(3), sync, answer,
                         sync == tlm::TLM_ACCEPTED ? 0 : any(3), by_caller, by_callee});
    }
    void request(unsigned of, std::vector<step> &ends)
    {
        switch (any(5)) {
        case 0:
            add(of, true, tlm::BEGIN_REQ, tlm::TLM_COMPLETED, tlm::BEGIN_REQ, no_change,
                response());
            return;
        case 1:
            add(of, true, tlm::BEGIN_REQ, tlm::TLM_UPDATED, tlm::BEGIN_RESP, no_change, response());
            add(of, true, tlm::END_RESP, any(2) ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED,
                tlm::END_RESP);
            return;
        case 2:
            add(of, true, tlm::BEGIN_REQ, tlm::TLM_UPDATED, tlm::END_REQ);
            break;
        default:
            add(of, true, tlm::BEGIN_REQ, tlm::TLM_ACCEPTED, tlm::BEGIN_REQ);
            add(of, false, tlm::END_REQ, tlm::TLM_ACCEPTED, tlm::END_REQ);
        }
        ends.push_back(steps.back());
    }
    void respond(unsigned of)
    {
        const change status = response();
        switch (any(3)) {
        case 0:
            add(of, false, tlm::BEGIN_RESP, tlm::TLM_COMPLETED, tlm::BEGIN_RESP, status);
            break;
        case 1:
            add(of, false, tlm::BEGIN_RESP, tlm::TLM_UPDATED, tlm::END_RESP, status);
            break;
        default:
            add(of, false, tlm::BEGIN_RESP, tlm::TLM_ACCEPTED, tlm::BEGIN_RESP, status);
            add(of, true, tlm::END_RESP, any(2) ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED,
                tlm::END_RESP);
        }
    }
    change response() { return any(4) ? succeeded : failed; }

    std::mt19937 random_;
};

} // namespace

int sc_main(int argc, char *argv[])
{
    if (argc != 3)
        return EXIT_FAILURE;
    constexpr unsigned transactions = 6;
    manager owner;
    for (unsigned i = 0; i < transactions; ++i) {
        tlm_generic_payload &trans = payloads.emplace_back(&owner);
        trans.acquire();
        trans.set_read();
        trans.set_address(0x1000 * (i + 1));
        trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data[i]));
        trans.set_data_length(8);
        trans.set_streaming_width(8);
    }
    initiator cpu("cpu");
    interconnect bus("bus");
    target ram("ram");
    cpu.ram = &ram;
    cpu.socket.bind(bus.in);
    bus.out.bind(ram.socket);
    plan random(static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)));
    random.make(transactions);
    if (std::string(argv[2]) == "mutated")
        random.mutate();
    cpu.steps = random.steps;
    sc_core::sc_start();
    return EXIT_SUCCESS;
}
