// A four-phase initiator, a bus that forwards phases, and a target of each style: four phases, two
// phases with early completion, without END_REQ, with an extended phase, with out-of-order
// responses. Also the conversions of convenience sockets: a blocking initiator with a non-blocking
// target and the reverse.
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

TLM_DECLARE_EXTENDED_PHASE(GRANT);

/* Reuses payloads. */
struct pool : tlm::tlm_mm_interface {
    std::vector<tlm_generic_payload *> idle;
    tlm_generic_payload *take()
    {
        if (idle.empty())
            idle.push_back(new tlm_generic_payload(this));
        tlm_generic_payload *taken = idle.back();
        idle.pop_back();
        taken->acquire();
        return taken;
    }
    void free(tlm_generic_payload *trans) override
    {
        trans->reset();
        idle.push_back(trans);
    }
};

struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    pool payloads;
    unsigned count;
    unsigned done = 0;
    tlm_generic_payload *requesting = nullptr;
    sc_core::sc_event may_request;
    sc_core::sc_event answered;
    tlm_utils::peq_with_cb_and_phase<initiator> queue;
    std::map<const tlm_generic_payload *, std::uint64_t *> buffers;

    SC_HAS_PROCESS(initiator);
    initiator(const sc_core::sc_module_name &name, unsigned transactions)
        : sc_module(name), socket("socket"), count(transactions), queue(this, &initiator::phase)
    {
        socket.register_nb_transport_bw(this, &initiator::nb_transport_bw);
        SC_THREAD(run);
    }

    void run()
    {
        for (unsigned i = 0; i < count; ++i) {
            tlm_generic_payload *trans = payloads.take();
            trans->set_command(i % 2 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
            trans->set_address(i * 8);
            trans->set_data_ptr(
                reinterpret_cast<unsigned char *>(buffers[trans] = new std::uint64_t(i)));
            trans->set_data_length(8);
            trans->set_streaming_width(8);
            trans->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            if (requesting)
                wait(may_request);
            requesting = trans;
            tlm_phase ph = tlm::BEGIN_REQ;
            sc_time delay(2, SC_NS);
            const tlm_sync_enum sync = socket->nb_transport_fw(*trans, ph, delay);
            if (sync == tlm::TLM_UPDATED) {
                queue.notify(*trans, ph, delay);
            } else if (sync == tlm::TLM_COMPLETED) {
                requesting = nullptr;
                finish(*trans, sc_core::sc_time_stamp() + delay);
            }
            wait(3, SC_NS);
        }
        while (done < count)
            wait(answered);
        std::cout << name() << " " << done << " " << sc_core::sc_time_stamp() << std::endl;
    }

    tlm_sync_enum nb_transport_bw(tlm_generic_payload &trans, tlm_phase &ph, sc_time &delay)
    {
        queue.notify(trans, ph, delay);
        return tlm::TLM_ACCEPTED;
    }

    void phase(tlm_generic_payload &trans, const tlm_phase &ph)
    {
        if (ph == tlm::END_REQ || (ph == tlm::BEGIN_RESP && requesting == &trans)) {
            requesting = nullptr;
            may_request.notify();
        }
        if (ph != tlm::BEGIN_RESP)
            return;
        tlm_phase end = tlm::END_RESP;
        sc_time delay(1, SC_NS);
        socket->nb_transport_fw(trans, end, delay);
        finish(trans, sc_core::sc_time_stamp());
    }

    void finish(tlm_generic_payload &trans, const sc_time &when)
    {
        std::cout << name() << " " << trans.get_address() << " "
                  << *reinterpret_cast<std::uint64_t *>(trans.get_data_ptr()) << " "
                  << trans.get_response_string() << " " << when << std::endl;
        delete buffers[&trans];
        trans.set_data_ptr(nullptr);
        trans.release();
        ++done;
        answered.notify();
    }
};

/* Forwards phases unchanged. */
struct bus : sc_core::sc_module {
    tlm_utils::simple_target_socket<bus> in;
    tlm_utils::simple_initiator_socket<bus> out;

    explicit bus(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_nb_transport_fw(this, &bus::fw);
        out.register_nb_transport_bw(this, &bus::bw);
    }
    tlm_sync_enum fw(tlm_generic_payload &trans, tlm_phase &ph, sc_time &delay)
    {
        return out->nb_transport_fw(trans, ph, delay);
    }
    tlm_sync_enum bw(tlm_generic_payload &trans, tlm_phase &ph, sc_time &delay)
    {
        return in->nb_transport_bw(trans, ph, delay);
    }
};

enum class style { four_phases, completes_early, skips_end_request, updates, grants, out_of_order };

struct target : sc_core::sc_module {
    tlm_utils::simple_target_socket<target> socket;
    style behaves;
    unsigned requests = 0;
    tlm_utils::peq_with_cb_and_phase<target> queue;

    target(const sc_core::sc_module_name &name, style as)
        : sc_module(name), socket("socket"), behaves(as), queue(this, &target::phase)
    {
        socket.register_nb_transport_fw(this, &target::nb_transport_fw);
    }

    static void answer(tlm_generic_payload &trans)
    {
        if (trans.is_read())
            *reinterpret_cast<std::uint64_t *>(trans.get_data_ptr()) = trans.get_address() + 1;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    tlm_sync_enum nb_transport_fw(tlm_generic_payload &trans, tlm_phase &ph, sc_time &delay)
    {
        if (ph == tlm::END_RESP)
            return tlm::TLM_COMPLETED;
        ++requests;
        if (behaves == style::completes_early) {
            answer(trans);
            delay += sc_time(7, SC_NS);
            return tlm::TLM_COMPLETED;
        }
        if (behaves == style::updates) {
            queue.notify(trans, tlm::END_REQ, delay + sc_time(4, SC_NS));
            ph = tlm::END_REQ;
            delay += sc_time(1, SC_NS);
            return tlm::TLM_UPDATED;
        }
        queue.notify(trans, ph, delay);
        return tlm::TLM_ACCEPTED;
    }

    void phase(tlm_generic_payload &trans, const tlm_phase &ph)
    {
        sc_time delay(0, SC_NS);
        if (ph == tlm::BEGIN_REQ) {
            if (behaves == style::grants) {
                tlm_phase grant = GRANT;
                socket->nb_transport_bw(trans, grant, delay);
            }
            if (behaves != style::skips_end_request) {
                tlm_phase end = tlm::END_REQ;
                socket->nb_transport_bw(trans, end, delay);
            }
            const bool is_slow = behaves == style::out_of_order && requests % 2;
            queue.notify(trans, tlm::END_REQ, sc_time(is_slow ? 30 : 10, SC_NS));
            return;
        }
        answer(trans);
        tlm_phase begin = tlm::BEGIN_RESP;
        socket->nb_transport_bw(trans, begin, delay);
    }
};

struct blocking_target : sc_core::sc_module {
    tlm_utils::simple_target_socket<blocking_target> socket;

    explicit blocking_target(const sc_core::sc_module_name &name)
        : sc_module(name), socket("socket")
    {
        socket.register_b_transport(this, &blocking_target::b_transport);
    }
    void b_transport(tlm_generic_payload &trans, sc_time &delay)
    {
        target::answer(trans);
        delay += sc_time(6, SC_NS);
    }
};

struct blocking_initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<blocking_initiator> socket;

    SC_HAS_PROCESS(blocking_initiator);
    explicit blocking_initiator(const sc_core::sc_module_name &name)
        : sc_module(name), socket("socket")
    {
        SC_THREAD(run);
    }
    void run()
    {
        for (unsigned i = 0; i < 10; ++i) {
            tlm_generic_payload trans;
            std::uint64_t data = i;
            trans.set_write();
            trans.set_address(i);
            trans.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
            trans.set_data_length(8);
            trans.set_streaming_width(8);
            sc_time delay(1, SC_NS);
            socket->b_transport(trans, delay);
            wait(delay);
        }
        std::cout << name() << " " << sc_core::sc_time_stamp() << std::endl;
    }
};

} // namespace

int sc_main(int, char *[])
{
    const std::map<std::string, style> styles = {
        {"four", style::four_phases},       {"early", style::completes_early},
        {"skip", style::skips_end_request}, {"update", style::updates},
        {"grant", style::grants},           {"order", style::out_of_order}};
    std::vector<std::unique_ptr<sc_core::sc_module>> modules;
    for (const auto &of : styles) {
        auto *sends = new initiator(("i_" + of.first).c_str(), 20);
        auto *passes = new bus(("b_" + of.first).c_str());
        auto *receives = new target(("t_" + of.first).c_str(), of.second);
        sends->socket.bind(passes->in);
        passes->out.bind(receives->socket);
        modules.emplace_back(sends);
        modules.emplace_back(passes);
        modules.emplace_back(receives);
    }
    initiator sends("i_converted", 10);
    blocking_target blocks("t_blocking");
    sends.socket.bind(blocks.socket);
    blocking_initiator waits("i_blocking");
    target phased("t_converted", style::four_phases);
    waits.socket.bind(phased.socket);
    sc_core::sc_start();
    return 0;
}
