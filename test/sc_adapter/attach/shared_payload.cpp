// Payloads that are in several b_transport calls at once: passed on by the processes of
// interconnects, which is correct, and sent by two initiators, which is not. Arguments: the
// scenario, and optionally the number of calls before it, which end the inspection of the first
// calls. shared_payload_test.py attaches to it.
#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;

sc_time ns(double of)
{
    return sc_time(of, SC_NS);
}

/* Processes of the model send payloads through its sockets. */
struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> first{"first"};
    tlm_utils::simple_initiator_socket<initiator> second{"second"};

    explicit initiator(const sc_core::sc_module_name &name) : sc_module(name) {}
};

/* A request that a process of an interconnect passes on. */
struct order {
    tlm_generic_payload *trans;
    sc_core::sc_event done;
    bool is_done = false;
};

/* Passes on each payload from `in` to one of two outputs: directly, or in a process of its own. */
struct interconnect : sc_core::sc_module {
    tlm_utils::multi_passthrough_target_socket<interconnect> in{"in"};
    tlm_utils::simple_initiator_socket<interconnect> out{"out"};
    tlm_utils::simple_initiator_socket<interconnect> other{"other"};
    bool has_worker = false;
    bool broadcasts = false; /* sends the payload to both outputs at once */
    std::function<void(tlm_generic_payload &)> on_pass = [](tlm_generic_payload &) {};
    std::deque<order *> orders;
    sc_core::sc_event ordered;

    explicit interconnect(const sc_core::sc_module_name &name) : sc_module(name)
    {
        in.register_b_transport(this, &interconnect::b_transport);
        for (const char *worker : {"worker", "helper"})
            sc_core::sc_spawn([this] { work(); }, worker);
    }
    void work()
    {
        for (;;) {
            while (orders.empty())
                wait(ordered);
            order &of = *orders.front();
            orders.pop_front();
            sc_time delay;
            pass(*of.trans, delay);
            of.is_done = true;
            of.done.notify();
        }
    }
    void pass(tlm_generic_payload &trans, sc_time &delay)
    {
        on_pass(trans);
        (trans.get_address() < 0x1000 ? out : other)->b_transport(trans, delay);
    }
    void b_transport(int, tlm_generic_payload &trans, sc_time &delay)
    {
        if (broadcasts) {
            sc_core::sc_event done;
            sc_core::sc_spawn([&] {
                sc_time copy;
                wait(1, SC_NS);
                other->b_transport(trans, copy);
                done.notify(1, SC_NS);
            });
            out->b_transport(trans, delay);
            wait(done);
        } else if (has_worker) {
            order mine{&trans, {}};
            orders.push_back(&mine);
            ordered.notify();
            while (!mine.is_done)
                wait(mine.done);
        } else {
            pass(trans, delay);
        }
    }
};

struct memory : sc_core::sc_module {
    tlm_utils::multi_passthrough_target_socket<memory> in{"in"};
    sc_time duration = ns(10);

    explicit memory(const sc_core::sc_module_name &name) : sc_module(name)
    {
        in.register_b_transport(this, &memory::b_transport);
        in.register_get_direct_mem_ptr(this, &memory::get_direct_mem_ptr);
        in.register_transport_dbg(this, &memory::transport_dbg);
    }
    void b_transport(int, tlm_generic_payload &trans, sc_time &)
    {
        if (duration != sc_core::SC_ZERO_TIME)
            wait(duration);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool get_direct_mem_ptr(int, tlm_generic_payload &, tlm::tlm_dmi &) { return false; }
    unsigned transport_dbg(int, tlm_generic_payload &trans) { return trans.get_data_length(); }
};

/* The two halves of a bridge, which do not share a module: a payload gets from the one to the other
 * by a pointer. */
struct half_in : sc_core::sc_module {
    tlm_utils::simple_target_socket<half_in> in{"in"};
    std::function<void(tlm_generic_payload &)> pass;

    explicit half_in(const sc_core::sc_module_name &name) : sc_module(name)
    {
        in.register_b_transport(this, &half_in::b_transport);
    }
    void b_transport(tlm_generic_payload &trans, sc_time &) { pass(trans); }
};

struct half_out : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<half_out> out{"out"};
    tlm_generic_payload *given = nullptr;
    sc_core::sc_event begin;
    sc_core::sc_event end;

    SC_HAS_PROCESS(half_out);
    explicit half_out(const sc_core::sc_module_name &name) : sc_module(name) { SC_THREAD(work); }
    void work()
    {
        for (;;) {
            wait(begin);
            sc_time delay;
            out->b_transport(*given, delay);
            end.notify();
        }
    }
    void pass(tlm_generic_payload &trans)
    {
        given = &trans;
        begin.notify();
        wait(end);
    }
};

struct model {
    initiator cpu{"cpu"};
    initiator dma{"dma"};
    interconnect bus{"bus"};
    interconnect bridge{"bridge"};
    half_in bridge_in{"bridge_in"};
    half_out bridge_out{"bridge_out"};
    memory ram{"ram"};
    memory rom{"rom"};
    std::deque<tlm_generic_payload> payloads;
    std::uint64_t data = 7;
    unsigned answered = 0;

    model()
    {
        cpu.first.bind(bus.in);
        cpu.second.bind(rom.in);
        dma.first.bind(bus.in);
        dma.second.bind(bridge_in.in);
        bus.out.bind(ram.in);
        bus.other.bind(bridge.in);
        bridge.out.bind(rom.in);
        bridge.other.bind(bus.in); // back to the bus
        bridge_out.out.bind(rom.in);
        bridge.on_pass = [](tlm_generic_payload &trans) { trans.set_address(0x10); };
        bridge_in.pass = [this](tlm_generic_payload &trans) { bridge_out.pass(trans); };
    }
    tlm_generic_payload &payload(std::uint64_t address = 0x10)
    {
        payloads.emplace_back();
        tlm_generic_payload &trans = payloads.back();
        trans.set_write();
        trans.set_address(address);
        trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
        trans.set_data_length(sizeof data);
        trans.set_streaming_width(sizeof data);
        return trans;
    }
    void send(tlm_utils::simple_initiator_socket<initiator> &by, tlm_generic_payload &trans)
    {
        sc_time delay;
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        by->b_transport(trans, delay);
        answered += trans.is_response_ok();
    }
    /* Sends without preparing the payload. */
    void send_again(tlm_utils::simple_initiator_socket<initiator> &by, tlm_generic_payload &trans)
    {
        sc_time delay;
        by->b_transport(trans, delay);
    }
};

/* Runs @p body in a process of @p name, after @p begin. */
void process(const char *name, sc_time begin, std::function<void()> body)
{
    sc_core::sc_spawn(
        [begin, body] {
            if (begin != sc_core::SC_ZERO_TIME)
                sc_core::wait(begin);
            body();
        },
        name);
}

using scenario = std::function<void(model &, sc_time begin)>;

/* Two processes send one payload; @p later: the time between their calls. */
scenario twice(std::function<void(model &, tlm_generic_payload &)> first,
               std::function<void(model &, tlm_generic_payload &)> second, double later = 5)
{
    return [=](model &m, sc_time begin) {
        tlm_generic_payload &trans = m.payload();
        process("one", begin, [&m, &trans, first] { first(m, trans); });
        process("two", begin + ns(later), [&m, &trans, second] { second(m, trans); });
    };
}

void by_cpu(model &m, tlm_generic_payload &trans)
{
    m.send_again(m.cpu.first, trans);
}

void by_dma(model &m, tlm_generic_payload &trans)
{
    m.send_again(m.dma.first, trans);
}

const std::map<std::string, scenario> &scenarios()
{
    static const std::map<std::string, scenario> all{
        /* Not correct. */
        {"one-socket", twice(by_cpu, by_cpu)},
        {"two-sockets",
         twice(by_cpu, [](model &m, tlm_generic_payload &t) { m.send_again(m.cpu.second, t); })},
        {"one-bus", twice(by_cpu, by_dma)},
        {"one-bus-with-processes",
         [](model &m, sc_time begin) {
             m.bus.has_worker = true;
             twice(by_cpu, by_dma)(m, begin);
         }},
        {"set-up-again", twice(by_cpu,
                               [](model &m, tlm_generic_payload &t) {
                                   t.set_read();
                                   t.set_address(0x20);
                                   m.send(m.cpu.first, t);
                               })},
        {"three-times",
         [](model &m, sc_time begin) {
             tlm_generic_payload &trans = m.payload();
             for (double later : {0., 4., 7.})
                 process(sc_core::sc_gen_unique_name("one"), begin + ns(later),
                         [&] { m.send_again(m.cpu.first, trans); });
         }},
        {"broadcast",
         [](model &m, sc_time begin) {
             m.bus.broadcasts = true;
             process("one", begin, [&m] { m.send(m.cpu.first, m.payload()); });
         }},
        {"apart", // two initiators and two targets that have nothing in common
         [](model &m, sc_time begin) {
             tlm_generic_payload &trans = m.payload();
             m.rom.duration = ns(20);
             process("one", begin, [&] { by_dma(m, trans); });
             process("two", begin + ns(5), [&] { m.send_again(m.cpu.second, trans); });
         }},
        /* Correct. */
        {"passed-on",
         [](model &m, sc_time begin) {
             process("one", begin, [&m] {
                 for (std::uint64_t address : {0x10, 0x1010})
                     m.send(m.cpu.first, m.payload(address));
             });
         }},
        {"passed-on-by-processes",
         [](model &m, sc_time begin) {
             m.bus.has_worker = m.bridge.has_worker = true;
             process("one", begin, [&m] {
                 tlm_generic_payload &trans = m.payload();
                 for (std::uint64_t address : {0x10, 0x1010, 0x10}) {
                     trans.set_address(address);
                     m.send(m.cpu.first, trans);
                 }
             });
             process("two", begin + ns(3), [&m] { // with a payload of its own
                 for (std::uint64_t address : {0x10, 0x1010, 0x10})
                     m.send(m.dma.first, m.payload(address));
             });
         }},
        {"through-the-bus-twice",
         [](model &m, sc_time begin) {
             m.bus.has_worker = m.bridge.has_worker = true;
             process("one", begin, [&m] {
                 int passes = 0;
                 m.bridge.on_pass = [](tlm_generic_payload &) {};
                 m.bus.on_pass = [&passes](tlm_generic_payload &of) {
                     of.set_address(passes++ == 0 ? 0x1010 : 0x10);
                 };
                 m.send(m.cpu.first, m.payload());
             });
         }},
        {"through-two-halves",
         [](model &m, sc_time begin) {
             process("one", begin, [&m] {
                 for (int i = 0; i < 3; ++i)
                     m.send(m.dma.second, m.payload());
             });
         }},
        {"reused",
         twice(
             by_cpu, [](model &m, tlm_generic_payload &t) { m.send(m.dma.first, t); }, 11)},
        {"reused-at-once",
         twice(
             [](model &m, tlm_generic_payload &t) {
                 for (int i = 0; i < 3; ++i)
                     m.send(m.cpu.first, t);
             },
             [](model &m, tlm_generic_payload &t) { m.send(m.dma.first, t); }, 31)},
        {"memory-requests",
         [](model &m, sc_time begin) {
             tlm_generic_payload &trans = m.payload();
             process("one", begin, [&] { by_cpu(m, trans); });
             process("two", begin + ns(5), [&] { // with the same payload
                 tlm::tlm_dmi dmi;
                 m.cpu.second->get_direct_mem_ptr(trans, dmi);
                 m.cpu.second->transport_dbg(trans);
             });
         }},
        {"two-payloads",
         [](model &m, sc_time begin) {
             for (auto *by : {&m.cpu.first, &m.cpu.second, &m.dma.first})
                 process(sc_core::sc_gen_unique_name("one"), begin,
                         [&m, by] { m.send(*by, m.payload()); });
         }},
    };
    return all;
}

} // namespace

int sc_main(int argc, char *argv[])
{
    const auto found = scenarios().find(argc > 1 ? argv[1] : "");
    if (found == scenarios().end())
        return EXIT_FAILURE;
    const int before = argc > 2 ? std::atoi(argv[2]) : 0;
    model m;
    const sc_time duration = m.ram.duration;
    process("before", sc_core::SC_ZERO_TIME, [&m, before] {
        m.ram.duration = m.rom.duration = sc_core::SC_ZERO_TIME;
        tlm_generic_payload &trans = m.payload();
        for (int i = 0; i < before; ++i) {
            trans.set_address(i % 2 ? 0x1010 : 0x10);
            for (auto *by : {&m.cpu.first, &m.cpu.second, &m.dma.first})
                m.send(*by, trans);
        }
        m.ram.duration = m.rom.duration = ns(10);
    });
    sc_core::sc_start(1, SC_NS);
    m.ram.duration = m.rom.duration = duration;
    m.answered = 0;
    found->second(m, ns(1));
    sc_core::sc_start();
    std::cout << m.answered << " at " << sc_core::sc_time_stamp() << std::endl;
    return EXIT_SUCCESS;
}
