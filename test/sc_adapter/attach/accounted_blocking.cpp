// Loosely timed models whose modules keep an account of each access (account.hpp): initiators that
// run ahead of time, a bus of multi-sockets, a module that leads payloads back to the bus, a bridge
// that copies payloads, a queue whose process passes payloads on; exceptions, processes that are
// killed or reset, delays that a target lowers, DMI and debug transport. Arguments: the seed, the
// number of accesses of each initiator, and the number of the access that kills the program.
#include "account.hpp"

#include <csignal>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

namespace
{

using account::once_in;
using account::payload;
using account::some;
using account::some_ns;
using sc_core::SC_NS;
using sc_core::sc_time;

unsigned accesses = 0;
unsigned killed_at = 0;

struct failure : std::runtime_error {
    failure() : std::runtime_error("of the memory") {}
};

/* The ways through the bus: one hexadecimal digit for each pass, the first one last. */
constexpr unsigned ways[] = {0x0, 0x1, 0x02, 0x122, 0x0222, 0x3, 0x32, 0x4, 0x42};

void report_dmi(const std::string &link, const payload &trans, std::uint64_t address, bool granted,
                const tlm::tlm_dmi &dmi)
{
    std::cout << "get 0 link=" << link << ".dmi time=" << account::ticks()
              << " command=" << account::command(trans) << " address=" << address
              << " granted=" << granted << " start=" << dmi.get_start_address()
              << " end=" << dmi.get_end_address() << " access=" << dmi.get_granted_access()
              << " read=" << dmi.get_read_latency().value()
              << " write=" << dmi.get_write_latency().value() << '\n';
}

void report_invalidation(const std::string &link, sc_dt::uint64 start, sc_dt::uint64 end)
{
    std::cout << "invalidate 0 link=" << link << ".dmi time=" << account::ticks()
              << " start=" << start << " end=" << end << '\n';
}

void report_debug(const std::string &link, const payload &trans, std::uint64_t address,
                  unsigned transported)
{
    std::cout << "debug 0 link=" << link << ".debug time=" << account::ticks()
              << " command=" << account::command(trans) << " address=" << address
              << " length=" << trans.get_data_length() << " transported=" << transported
              << " status=" << trans.get_response_string()
              << " data=" << account::hexadecimal(trans.get_data_ptr(), transported) << '\n';
}

struct cpu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<cpu> s;
    tlm_utils::tlm_quantumkeeper time;
    std::vector<std::unique_ptr<account::item>> items; /* of a killed process: still in use */
    sc_core::sc_process_handle process;
    unsigned done = 0;

    SC_HAS_PROCESS(cpu);
    explicit cpu(const sc_core::sc_module_name &name) : sc_module(name), s("s")
    {
        SC_THREAD(run);
        process = sc_core::sc_get_current_process_handle();
    }
    void run()
    {
        time.reset();
        items.push_back(std::make_unique<account::item>());
        items.push_back(std::make_unique<account::item>());
        while (done++ < accesses) {
            send(*items[items.size() - 1 - some(2)]);
            time.inc(some_ns(5));
            if (time.need_sync())
                time.sync();
        }
    }
    void send(account::item &of)
    {
        of.prepare(ways[some(sizeof ways / sizeof *ways)]);
        sc_time local = time.get_local_time();
        try {
            account::transport(name() + std::string(".s"), *s.operator->(), of.trans, local);
            time.set(local);
        } catch (const failure &) {
            time.reset();
        }
        if (once_in(20))
            use_pointers(of);
    }
    void use_pointers(account::item &of)
    {
        const std::string link = name() + std::string(".s");
        of.prepare(some(2));
        tlm::tlm_dmi dmi;
        const std::uint64_t address = of.trans.get_address();
        const bool granted = s->get_direct_mem_ptr(of.trans, dmi);
        report_dmi(link, of.trans, address, granted, dmi);
        of.prepare(some(2));
        const std::uint64_t debugged = of.trans.get_address();
        report_debug(link, of.trans, debugged, s->transport_dbg(of.trans));
    }
};

struct bus : sc_core::sc_module {
    tlm_utils::multi_passthrough_target_socket<bus> in;
    tlm_utils::multi_passthrough_initiator_socket<bus> out;
    std::vector<std::string> initiators; /* links, in the order of `in` */

    explicit bus(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &bus::b_transport);
        in.register_get_direct_mem_ptr(this, &bus::get);
        in.register_transport_dbg(this, &bus::debug);
        out.register_invalidate_direct_mem_ptr(this, &bus::invalidate);
    }
    /* Removes the way of this pass from an address. */
    static unsigned decode(payload &trans)
    {
        const std::uint64_t address = trans.get_address();
        trans.set_address((address >> 44U) << 40U | (address & 0xffffffffffU));
        return address >> 40U & 0xfU;
    }
    static std::string link(unsigned way) { return "bus.out[" + std::to_string(way) + "]"; }
    void b_transport(int, payload &trans, sc_time &delay)
    {
        const unsigned of = account::passed;
        const unsigned way = decode(trans);
        delay += some_ns(3);
        account::transport(link(way), *out[static_cast<int>(way)], trans, delay, of);
    }
    bool get(int, payload &trans, tlm::tlm_dmi &dmi)
    {
        const unsigned way = decode(trans);
        const std::uint64_t address = trans.get_address();
        const bool granted = out[static_cast<int>(way)]->get_direct_mem_ptr(trans, dmi);
        report_dmi(link(way), trans, address, granted, dmi);
        return granted;
    }
    unsigned debug(int, payload &trans)
    {
        const unsigned way = decode(trans);
        const std::uint64_t address = trans.get_address();
        const unsigned transported = out[static_cast<int>(way)]->transport_dbg(trans);
        report_debug(link(way), trans, address, transported);
        return transported;
    }
    void invalidate(int, sc_dt::uint64 start, sc_dt::uint64 end)
    {
        for (unsigned i = 0; i < initiators.size(); ++i) {
            report_invalidation(initiators[i], start, end);
            in[static_cast<int>(i)]->invalidate_direct_mem_ptr(start, end);
        }
    }
};

/* Answers in one of the ways in which targets do. */
struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> in;
    std::string link;

    explicit memory(const sc_core::sc_module_name &name, std::string of)
        : sc_module(name), in("in"), link(std::move(of))
    {
        in.register_b_transport(this, &memory::b_transport);
        in.register_get_direct_mem_ptr(this, &memory::get);
        in.register_transport_dbg(this, &memory::debug);
    }
    void b_transport(payload &trans, sc_time &delay)
    {
        if (account::passed == killed_at)
            std::raise(SIGKILL);
        if (once_in(3)) {
            wait(delay);
            delay = sc_core::SC_ZERO_TIME;
        }
        if (once_in(20)) {
            wait(some_ns(4));
            throw failure();
        }
        if (once_in(12)) // goes back in time
            delay = sc_core::SC_ZERO_TIME;
        else
            delay += some_ns(20);
        account::respond(trans);
        if (once_in(10))
            invalidate();
    }
    bool get(payload &trans, tlm::tlm_dmi &dmi)
    {
        dmi.set_start_address(trans.get_address() & ~0xfffULL);
        dmi.set_end_address(trans.get_address() | 0xfffU);
        dmi.set_read_latency(some_ns(9));
        dmi.set_write_latency(some_ns(9));
        dmi.set_granted_access(static_cast<tlm::tlm_dmi::dmi_access_e>(some(4)));
        return once_in(2);
    }
    unsigned debug(payload &trans)
    {
        account::respond(trans);
        return some(trans.get_data_length() + 1);
    }
    void invalidate()
    {
        const std::uint64_t start = some(16) * 0x1000;
        if (link.find('[') == std::string::npos)
            return;
        report_invalidation(link, start, start + 0xfff);
        in->invalidate_direct_mem_ptr(start, start + 0xfff);
    }
};

/* Leads payloads back to the bus. */
struct turn : sc_core::sc_module {
    tlm_utils::simple_target_socket<turn> in;
    tlm_utils::simple_initiator_socket<turn> out;

    explicit turn(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &turn::b_transport);
    }
    void b_transport(payload &trans, sc_time &delay)
    {
        const unsigned of = account::passed;
        delay += some_ns(2);
        account::transport("turn.out", *out.operator->(), trans, delay, of);
    }
};

/* Passes a copy on. */
struct copier : sc_core::sc_module {
    tlm_utils::simple_target_socket<copier> in;
    tlm_utils::simple_initiator_socket<copier> out;

    explicit copier(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &copier::b_transport);
    }
    void b_transport(payload &trans, sc_time &delay)
    {
        const unsigned of = account::passed;
        account::item copy;
        copy.prepare(0);
        sc_time fresh = once_in(2) ? sc_core::SC_ZERO_TIME : delay;
        account::transport("copier.out", *out.operator->(), copy.trans, fresh, of, false);
        trans.set_response_status(copy.trans.get_response_status());
        delay += fresh;
    }
};

/* A process of its own passes the payloads on. */
struct queue : sc_core::sc_module {
    struct request { /* the caller may have been killed */
        payload &trans;
        unsigned of;
        sc_time delay;
        bool is_refused;
        sc_core::sc_event answered;
    };
    tlm_utils::simple_target_socket<queue> in;
    tlm_utils::simple_initiator_socket<queue> out;
    std::deque<std::shared_ptr<request>> waiting;
    sc_core::sc_event arrived;

    SC_HAS_PROCESS(queue);
    explicit queue(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &queue::b_transport);
        SC_THREAD(run);
    }
    void b_transport(payload &trans, sc_time &delay)
    {
        const auto own =
            std::shared_ptr<request>(new request{trans, account::passed, delay, false, {}});
        waiting.push_back(own);
        arrived.notify();
        wait(own->answered);
        delay = own->delay;
        if (own->is_refused)
            throw failure();
    }
    void run()
    {
        for (;;) {
            while (waiting.empty())
                wait(arrived);
            const std::shared_ptr<request> next = waiting.front();
            waiting.pop_front();
            wait(some_ns(6));
            try {
                account::transport("queue.out", *out.operator->(), next->trans, next->delay,
                                   next->of);
            } catch (const failure &) {
                next->is_refused = true;
            }
            next->answered.notify();
        }
    }
};

/* Kills a process, or begins it again. */
struct killer : sc_core::sc_module {
    sc_core::sc_process_handle victim;

    SC_HAS_PROCESS(killer);
    explicit killer(const sc_core::sc_module_name &name) : sc_module(name) { SC_THREAD(run); }
    void run()
    {
        for (unsigned i = 0; i < 5; ++i) {
            wait(100 + some(500), SC_NS);
            if (i < 4)
                victim.reset();
            else
                victim.kill();
        }
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    if (argc < 3)
        return EXIT_FAILURE;
    account::chance.seed(static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)));
    accesses = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    if (argc > 3) {
        killed_at = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
        std::cout << std::unitbuf;
    }
    tlm::tlm_global_quantum::instance().set(sc_time(50, SC_NS));
    cpu first("first");
    cpu second("second");
    cpu victim("victim");
    bus middle("bus");
    turn turns("turn");
    copier copies("copier");
    queue queues("queue");
    memory fast("fast", "bus.out[0]");
    memory slow("slow", "bus.out[1]");
    memory behind_copies("behind_copies", "copier.out");
    memory behind_queue("behind_queue", "queue.out");
    killer kills("killer");
    kills.victim = victim.process;
    for (cpu *const initiator : {&first, &second, &victim}) {
        initiator->s.bind(middle.in);
        middle.initiators.push_back(initiator->name() + std::string(".s"));
    }
    turns.out.bind(middle.in);
    middle.initiators.emplace_back("turn.out");
    middle.out.bind(fast.in);
    middle.out.bind(slow.in);
    middle.out.bind(turns.in);
    middle.out.bind(copies.in);
    middle.out.bind(queues.in);
    copies.out.bind(behind_copies.in);
    queues.out.bind(behind_queue.in);
    sc_core::sc_start();
    return EXIT_SUCCESS;
}
