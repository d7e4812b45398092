// Approximately timed models whose modules keep an account of each access (account.hpp): targets
// of every style with 4 outstanding transactions, a bus that passes phases on, a queue whose
// process passes payloads on, a bridge that copies payloads, a blocking initiator with a
// non-blocking target, payloads that are sent again before their response has ended. Arguments:
// the seed, the number of transactions of each initiator, and the number of the access that kills
// the program.
#include "account_phases.hpp"

#include <csignal>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
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

using account::once_in;
using account::payload;
using account::some;
using account::some_ns;
using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

unsigned transactions = 0;
unsigned killed_at = 0;

/* Keeps up to 4 transactions outstanding. The first digit of an address is the way through the
 * bus. */
struct dma : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<dma> s;
    account::item_pool pool;
    account::requester requests;
    std::deque<payload *> forgotten; /* their responses were never ended */
    const unsigned ways;
    unsigned outstanding = 0;
    sc_core::sc_event done;

    SC_HAS_PROCESS(dma);
    dma(const sc_core::sc_module_name &name, unsigned count, bool forgets = false)
        : sc_module(name), s("s"),
          requests(
              this->name() + std::string(".s"),
              [this]() -> tlm::tlm_fw_transport_if<> & { return *s.operator->(); },
              [this](payload &trans) { finish(trans); }),
          ways(count)
    {
        if (forgets)
            requests.forget_one_in(4);
        requests.when_forgotten = [this](payload &trans) {
            forgotten.push_back(&trans);
            --outstanding;
            done.notify();
        };
        s.register_nb_transport_bw(this, &dma::receive);
        SC_THREAD(run);
    }
    tlm_sync_enum receive(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return requests.receive(trans, phase, delay);
    }
    void finish(payload &trans)
    {
        trans.release();
        --outstanding;
        done.notify();
    }
    void run()
    {
        for (unsigned i = 0; i < transactions; ++i) {
            while (outstanding == 4)
                wait(done);
            while (requests.is_requesting())
                wait(requests.ended());
            send();
            wait(some_ns(6));
        }
    }
    void send()
    {
        const bool is_again = forgotten.size() > 2;
        payload *const trans = is_again ? forgotten.front() : &pool.take();
        pool.of(*trans).prepare(some(ways));
        if (is_again)
            forgotten.pop_front();
        else if (once_in(10))
            requests.send_stray(*trans);
        ++outstanding;
        requests.send(*trans, some_ns(6));
    }
};

/* Answers in each of the ways of the base protocol. */
struct target : sc_core::sc_module {
    tlm_utils::simple_target_socket<target> in;
    account::responder responses;
    tlm_utils::peq_with_cb_and_phase<target> queue;
    bool may_wait = true;

    explicit target(const sc_core::sc_module_name &name)
        : sc_module(name), in("in"),
          responses([this]() -> tlm::tlm_bw_transport_if<> & { return *in.operator->(); }),
          queue(this, &target::go_on)
    {
        in.register_nb_transport_fw(this, &target::receive);
        in.register_b_transport(this, &target::b_transport);
    }
    void b_transport(payload &trans, sc_time &delay)
    {
        if (may_wait && once_in(2))
            wait(some_ns(5));
        delay += some_ns(10);
        account::respond(trans);
    }
    tlm_sync_enum receive(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        if (phase == tlm::END_RESP) {
            responses.forget(trans);
            return once_in(2) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
        }
        if (phase != tlm::BEGIN_REQ)
            return tlm::TLM_ACCEPTED;
        if (account::passed == killed_at)
            std::raise(SIGKILL);
        switch (some(7)) {
        case 0: // early completion
            account::respond(trans);
            delay += some_ns(20);
            return tlm::TLM_COMPLETED;
        case 1: // the request ends by the return
            responses.begin(trans);
            delay = once_in(6) ? sc_core::SC_ZERO_TIME : delay + some_ns(5);
            queue.notify(trans, tlm::BEGIN_RESP, delay + some_ns(20));
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        case 2: // the response begins by the return
            responses.begin(trans);
            account::respond(trans);
            delay += some_ns(15);
            phase = tlm::BEGIN_RESP;
            return tlm::TLM_UPDATED;
        case 3: // END_REQ is skipped
            responses.begin(trans);
            queue.notify(trans, tlm::BEGIN_RESP, delay + some_ns(20));
            return tlm::TLM_ACCEPTED;
        case 4: // both within the call
            responses.begin(trans);
            responses.send(trans, tlm::END_REQ, delay);
            if (once_in(2)) {
                account::respond(trans);
                responses.respond(trans, delay + some_ns(9));
            } else {
                queue.notify(trans, tlm::BEGIN_RESP, delay + some_ns(20));
            }
            return tlm::TLM_ACCEPTED;
        default: // four phases
            responses.begin(trans);
            queue.notify(trans, tlm::END_REQ, delay + some_ns(9));
            return tlm::TLM_ACCEPTED;
        }
    }
    void go_on(payload &trans, const tlm_phase &phase)
    {
        while (once_in(5))
            responses.send(trans, GRANT, some_ns(3));
        if (phase == tlm::END_REQ) {
            responses.send(trans, tlm::END_REQ, some_ns(4));
            queue.notify(trans, tlm::BEGIN_RESP, some_ns(40)); // also out of order
            return;
        }
        account::respond(trans);
        responses.respond(trans, some_ns(5));
    }
};

/* Passes phases on, with the same payload. */
struct bus : sc_core::sc_module {
    struct passage {
        unsigned in;
        unsigned out;
        int initiator;
        int way;
    };
    tlm_utils::multi_passthrough_target_socket<bus> in;
    tlm_utils::multi_passthrough_initiator_socket<bus> out;
    std::map<const payload *, passage> passages;

    explicit bus(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_nb_transport_fw(this, &bus::forward);
        out.register_nb_transport_bw(this, &bus::back);
    }
    void forget(payload &trans)
    {
        passages.erase(&trans);
        trans.release();
    }
    tlm_sync_enum forward(int initiator, payload &trans, tlm_phase &phase, sc_time &delay)
    {
        if (phase == tlm::BEGIN_REQ)
            return begin(initiator, trans, phase, delay);
        const auto found = passages.find(&trans);
        if (found == passages.end())
            return tlm::TLM_ACCEPTED; // an extended phase before the request
        const passage of = found->second;
        delay += some_ns(2);
        account::phase(of.out, phase, trans, delay);
        if (phase == tlm::END_RESP)
            account::end(of.out, delay);
        const tlm_sync_enum sync = out[of.way]->nb_transport_fw(trans, phase, delay);
        if (phase == tlm::END_RESP)
            forget(trans);
        return sync;
    }
    tlm_sync_enum begin(int initiator, payload &trans, tlm_phase &phase, sc_time &delay)
    {
        const unsigned of = account::passed;
        const auto way = static_cast<int>(trans.get_address() >> 40U);
        trans.set_address(trans.get_address() & 0xffffffffffU);
        trans.acquire();
        delay += some_ns(2);
        const std::string link = name() + (".out[" + std::to_string(way) + "]");
        const unsigned number = account::begin(link, trans, delay, of);
        account::phase(number, phase, trans, delay);
        passages[&trans] = {of, number, initiator, way};
        const tlm_sync_enum sync = out[way]->nb_transport_fw(trans, phase, delay);
        if (sync == tlm::TLM_COMPLETED) {
            account::answer(number, trans);
            account::end(number, delay);
            forget(trans);
        } else if (sync == tlm::TLM_UPDATED) {
            account::phase(number, phase, trans, delay);
            if (phase == tlm::BEGIN_RESP)
                account::answer(number, trans);
        }
        if (sync != tlm::TLM_ACCEPTED)
            delay += some_ns(2);
        return sync;
    }
    tlm_sync_enum back(int, payload &trans, tlm_phase &phase, sc_time &delay)
    {
        const passage of = passages.at(&trans);
        const bool is_response = phase == tlm::BEGIN_RESP;
        delay += some_ns(2);
        account::phase(of.in, phase, trans, delay);
        if (is_response)
            account::answer(of.in, trans);
        const tlm_sync_enum sync = in[of.initiator]->nb_transport_bw(trans, phase, delay);
        if (!is_response || sync == tlm::TLM_ACCEPTED)
            return sync;
        delay += some_ns(2);
        account::phase(of.out, tlm::END_RESP, trans, delay);
        account::end(of.out, delay);
        forget(trans);
        return sync;
    }
};

/* A process of its own passes the payloads on, by phases or by b_transport. */
struct queue : sc_core::sc_module {
    tlm_utils::simple_target_socket<queue> in;
    tlm_utils::simple_initiator_socket<queue> out;
    account::responder responses;
    account::requester requests;
    std::deque<payload *> waiting;
    sc_core::sc_event arrived;
    sc_core::sc_event done;
    bool is_done = false;

    SC_HAS_PROCESS(queue);
    explicit queue(const sc_core::sc_module_name &name)
        : sc_module(name), in("in"), out("out"),
          responses([this]() -> tlm::tlm_bw_transport_if<> & { return *in.operator->(); }),
          requests(
              "queue.out", [this]() -> tlm::tlm_fw_transport_if<> & { return *out.operator->(); },
              [this](payload &) {
                  is_done = true;
                  done.notify();
              })
    {
        in.register_nb_transport_fw(this, &queue::receive);
        out.register_nb_transport_bw(this, &queue::back);
        SC_THREAD(run);
    }
    tlm_sync_enum back(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return requests.receive(trans, phase, delay);
    }
    tlm_sync_enum receive(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        if (phase == tlm::END_RESP) {
            responses.forget(trans);
            return tlm::TLM_COMPLETED;
        }
        if (phase != tlm::BEGIN_REQ)
            return tlm::TLM_ACCEPTED;
        responses.begin(trans);
        waiting.push_back(&trans);
        arrived.notify(delay);
        if (once_in(2))
            return tlm::TLM_ACCEPTED;
        delay += some_ns(3);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void run()
    {
        for (;;) {
            while (waiting.empty())
                wait(arrived);
            payload &trans = *waiting.front();
            waiting.pop_front();
            wait(some_ns(6));
            const unsigned of = responses.number(trans);
            if (once_in(2)) {
                sc_time delay = some_ns(4);
                account::transport("queue.out", *out.operator->(), trans, delay, of);
                wait(delay);
            } else {
                is_done = false;
                requests.send(trans, some_ns(4), of);
                while (!is_done)
                    wait(done);
            }
            responses.respond(trans, some_ns(4));
        }
    }
};

/* Passes copies on: within the call, by phases or by b_transport, or by its own process. */
struct bridge : sc_core::sc_module {
    tlm_utils::simple_target_socket<bridge> in;
    tlm_utils::simple_initiator_socket<bridge> phased;
    tlm_utils::simple_initiator_socket<bridge> blocking;
    account::responder responses;
    account::requester requests;
    account::item_pool pool;
    std::map<const payload *, payload *> originals; /* by their copies */
    std::deque<payload *> waiting;
    sc_core::sc_event arrived;
    tlm_utils::peq_with_cb_and_phase<bridge> queue;

    SC_HAS_PROCESS(bridge);
    explicit bridge(const sc_core::sc_module_name &name)
        : sc_module(name), in("in"), phased("phased"), blocking("blocking"),
          responses([this]() -> tlm::tlm_bw_transport_if<> & { return *in.operator->(); }),
          requests(
              this->name() + std::string(".phased"),
              [this]() -> tlm::tlm_fw_transport_if<> & { return *phased.operator->(); },
              [this](payload &copy) { answer(copy); }),
          queue(this, &bridge::respond)
    {
        in.register_nb_transport_fw(this, &bridge::receive);
        phased.register_nb_transport_bw(this, &bridge::back);
        SC_THREAD(run);
    }
    tlm_sync_enum back(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return requests.receive(trans, phase, delay);
    }
    payload &copy_of(payload &trans)
    {
        payload &copy = pool.take();
        pool.of(copy).prepare(0);
        copy.set_command(trans.get_command());
        originals[&copy] = &trans;
        return copy;
    }
    void answer(payload &copy)
    {
        payload &trans = *originals.at(&copy);
        trans.set_response_status(copy.get_response_status());
        originals.erase(&copy);
        copy.release();
        queue.notify(trans, tlm::BEGIN_RESP, some_ns(5));
    }
    void respond(payload &trans, const tlm_phase &) { responses.respond(trans, some_ns(5)); }
    tlm_sync_enum receive(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        if (phase == tlm::END_RESP) {
            responses.forget(trans);
            return tlm::TLM_COMPLETED;
        }
        if (phase != tlm::BEGIN_REQ)
            return tlm::TLM_ACCEPTED;
        const unsigned of = responses.begin(trans);
        switch (some(3)) {
        case 0:
            requests.send(copy_of(trans), delay, of, false);
            break;
        case 1: {
            payload &copy = copy_of(trans);
            sc_time fresh;
            account::transport(name() + std::string(".blocking"), *blocking.operator->(), copy,
                               fresh, of, false);
            answer(copy);
            break;
        }
        default:
            waiting.push_back(&trans);
            arrived.notify(delay);
        }
        return tlm::TLM_ACCEPTED;
    }
    void run()
    {
        for (;;) {
            while (waiting.empty())
                wait(arrived);
            payload &trans = *waiting.front();
            waiting.pop_front();
            const sc_time delay = some_ns(3);     // before copy_of(), which draws numbers too
            requests.send(copy_of(trans), delay); // its access cannot be known
            wait(some_ns(3));
        }
    }
};

/* Sends a further copy within b_transport, by phases, without waiting. */
struct nested : sc_core::sc_module {
    tlm_utils::simple_target_socket<nested> in;
    tlm_utils::simple_initiator_socket<nested> out;
    account::requester requests;
    account::item_pool pool;

    explicit nested(const sc_core::sc_module_name &name)
        : sc_module(name), in("in"), out("out"),
          requests(
              "nested.out", [this]() -> tlm::tlm_fw_transport_if<> & { return *out.operator->(); },
              [](payload &copy) { copy.release(); })
    {
        in.register_b_transport(this, &nested::b_transport);
        out.register_nb_transport_bw(this, &nested::back);
    }
    tlm_sync_enum back(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return requests.receive(trans, phase, delay);
    }
    void b_transport(payload &trans, sc_time &delay)
    {
        payload &copy = pool.take();
        pool.of(copy).prepare(0);
        requests.send(copy, delay, account::passed, false);
        account::respond(trans);
        delay += some_ns(9);
    }
};

/* A blocking call becomes phases of the same payload. */
struct converter : sc_core::sc_module {
    tlm_utils::simple_target_socket<converter> in;
    tlm_utils::simple_initiator_socket<converter> out;
    account::requester requests;
    sc_core::sc_event done;
    bool is_done = false;

    explicit converter(const sc_core::sc_module_name &name)
        : sc_module(name), in("in"), out("out"),
          requests(
              "converter.out",
              [this]() -> tlm::tlm_fw_transport_if<> & { return *out.operator->(); },
              [this](payload &) {
                  is_done = true;
                  done.notify();
              })
    {
        in.register_b_transport(this, &converter::b_transport);
        out.register_nb_transport_bw(this, &converter::back);
    }
    tlm_sync_enum back(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        return requests.receive(trans, phase, delay);
    }
    void b_transport(payload &trans, sc_time &delay)
    {
        const unsigned of = account::passed;
        is_done = false;
        requests.send(trans, delay, of);
        while (!is_done)
            wait(done);
        delay = some_ns(4);
    }
};

struct cpu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<cpu> s;
    account::item_pool pool;

    SC_HAS_PROCESS(cpu);
    explicit cpu(const sc_core::sc_module_name &name) : sc_module(name), s("s") { SC_THREAD(run); }
    void run()
    {
        for (unsigned i = 0; i < transactions; ++i) {
            payload &trans = pool.take();
            pool.of(trans).prepare(0);
            sc_time delay = some_ns(5);
            account::transport("cpu.s", *s.operator->(), trans, delay);
            wait(delay);
            trans.release();
        }
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    if (argc < 3)
        return EXIT_FAILURE;
    account::chance.seed(static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)));
    transactions = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    if (argc > 3) {
        killed_at = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
        std::cout << std::unitbuf;
    }
    dma first("first", 2);
    dma second("second", 2);
    dma queued("queued", 1);
    dma bridged("bridged", 1);
    dma forgets("forgets", 1, true);
    cpu blocks("cpu");
    bus middle("bus");
    queue queues("queue");
    bus relays("relay");
    bridge copies("bridge");
    nested copies_again("nested");
    bridge copies_last("last_bridge");
    converter converts("converter");
    std::vector<std::unique_ptr<target>> targets;
    const auto add_target = [&targets]() -> tlm_utils::simple_target_socket<target> & {
        targets.push_back(
            std::make_unique<target>(("target_" + std::to_string(targets.size())).c_str()));
        return targets.back()->in;
    };
    first.s.bind(middle.in);
    second.s.bind(middle.in);
    for (unsigned i = 0; i < 2; ++i)
        middle.out.bind(add_target());
    queued.s.bind(queues.in);
    queues.out.bind(add_target());
    bridged.s.bind(copies.in);
    copies.phased.bind(add_target());
    copies.blocking.bind(copies_again.in);
    copies_again.out.bind(copies_last.in);
    copies_last.phased.bind(add_target());
    copies_last.blocking.bind(add_target());
    targets.back()->may_wait = false; // in nb_transport
    forgets.s.bind(relays.in);
    relays.out.bind(add_target());
    blocks.s.bind(converts.in);
    converts.out.bind(add_target());
    sc_core::sc_start();
    return EXIT_SUCCESS;
}
