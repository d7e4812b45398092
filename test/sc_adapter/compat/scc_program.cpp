/* A model with SCC's recorder. The argument selects the test. */
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>

#include <systemc>
#include <tlm>

#include <tlm/scc/lwtr/tlm2_lwtr.h>

using sc_core::SC_NS;
using sc_core::sc_time;

namespace
{

/* An extension with a field. */
struct burst : tlm::tlm_extension<burst> {
    explicit burst(unsigned length) : beats(length) {}
    tlm::tlm_extension_base *clone() const override { return new burst(beats); }
    void copy_from(const tlm::tlm_extension_base &from) override
    {
        beats = static_cast<const burst &>(from).beats;
    }
    unsigned beats;
};

struct burst_recorder : tlm::scc::lwtr::lwtr4tlm2_extension_registry_if<> {
    void recordBeginTx(::lwtr::tx_handle &handle, tlm::tlm_generic_payload &trans) override
    {
        if (const auto *extension = trans.get_extension<burst>())
            handle.record_attribute("trans.beats", extension->beats);
    }
    void recordEndTx(::lwtr::tx_handle &handle, tlm::tlm_generic_payload &trans) override
    {
        if (trans.get_extension<burst>())
            handle.record_attribute("trans.done", true);
    }
};

/* Counts the payloads that are in use. */
struct pool : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload *trans) override
    {
        trans->reset();
        delete trans;
        --in_use;
    }
    tlm::tlm_generic_payload *allocate()
    {
        ++in_use;
        auto *const made = new tlm::tlm_generic_payload(this);
        made->acquire();
        return made;
    }
    int in_use = 0;
};

void prepare(tlm::tlm_generic_payload &trans, tlm::tlm_command command, std::uint64_t address)
{
    static unsigned char data[4] = {1, 2, 3, 4};
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(data);
    trans.set_data_length(4);
    trans.set_streaming_width(4);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/* Ends calls by the lowest bits of their address: 1 by an exception; phases: see nb_transport_fw().
 */
struct memory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    tlm::tlm_target_socket<> socket{"socket"};
    tlm::tlm_generic_payload *waiting = nullptr;
    sc_core::sc_event accepted;

    SC_HAS_PROCESS(memory);
    explicit memory(const sc_core::sc_module_name &name) : sc_core::sc_module(name)
    {
        socket.bind(*this);
        SC_THREAD(answer);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_time &delay) override
    {
        if (trans.get_address() & 1)
            throw std::runtime_error("no memory here");
        wait(3, SC_NS);
        delay += sc_time(1, SC_NS);
        trans.set_dmi_allowed(true);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    /* 0: four phases; 2: TLM_COMPLETED; 4: TLM_UPDATED with END_REQ; 8: TLM_UPDATED with
     * BEGIN_RESP. */
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_time &delay) override
    {
        if (phase == tlm::END_RESP)
            return tlm::TLM_ACCEPTED;
        if (trans.get_address() & 2) {
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
            delay += sc_time(6, SC_NS);
            return tlm::TLM_COMPLETED;
        }
        if (trans.get_address() & 8) {
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
            phase = tlm::BEGIN_RESP;
            delay += sc_time(5, SC_NS);
            return tlm::TLM_UPDATED;
        }
        waiting = &trans;
        accepted.notify(4, SC_NS);
        if (!(trans.get_address() & 4))
            return tlm::TLM_ACCEPTED;
        phase = tlm::END_REQ;
        delay += sc_time(1, SC_NS);
        return tlm::TLM_UPDATED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &dmi) override
    {
        dmi.set_start_address(0x100);
        dmi.set_end_address(0x1ff);
        dmi.allow_read();
        return true;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload &) override { return 4; }

    void answer()
    {
        for (;;) {
            wait(accepted);
            sc_time delay = sc_core::SC_ZERO_TIME;
            tlm::tlm_phase phase = tlm::END_REQ;
            if (!(waiting->get_address() & 4))
                socket->nb_transport_bw(*waiting, phase, delay);
            wait(5, SC_NS);
            waiting->set_response_status(tlm::TLM_OK_RESPONSE);
            phase = tlm::BEGIN_RESP;
            delay = sc_time(1, SC_NS);
            socket->nb_transport_bw(*waiting, phase, delay);
        }
    }
};

/* Answers BEGIN_RESP in the call if the bit 0x10 of the address is set, otherwise by a call of its
 * own. */
struct initiator : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<> socket{"socket"};
    const std::string way;
    pool payloads;
    sc_core::sc_event answered;
    bool ends_in_call = false;

    SC_HAS_PROCESS(initiator);
    initiator(const sc_core::sc_module_name &name, std::string how)
        : sc_core::sc_module(name), way(std::move(how))
    {
        socket.bind(*this);
        SC_THREAD(run);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_time &delay) override
    {
        if (phase != tlm::BEGIN_RESP)
            return tlm::TLM_ACCEPTED;
        answered.notify(2, SC_NS);
        ends_in_call = (trans.get_address() & 0x10) != 0;
        if (!ends_in_call)
            return tlm::TLM_ACCEPTED;
        phase = tlm::END_RESP;
        delay += sc_time(1, SC_NS);
        return tlm::TLM_UPDATED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    void run()
    {
        if (way == "blocking" || way == "off" || way == "none") {
            record_blocking();
        } else if (way == "dmi") {
            record_dmi();
        } else {
            for (const unsigned address : {0x100, 0x104, 0x108, 0x110})
                record_phases(address);
            if (way == "all_phases")
                record_phases(0x102);
            std::cout << "payloads=" << payloads.in_use << '\n';
        }
    }
    void record_blocking()
    {
        tlm::tlm_generic_payload trans;
        sc_time delay(2, SC_NS);
        prepare(trans, tlm::TLM_READ_COMMAND, 0x200);
        socket->b_transport(trans, delay);
        delay = sc_core::SC_ZERO_TIME;
        prepare(trans, tlm::TLM_WRITE_COMMAND, 0x204);
        trans.set_extension(new burst(8));
        socket->b_transport(trans, delay);
        trans.release_extension<burst>();
        prepare(trans, tlm::TLM_READ_COMMAND, 0x201);
        try {
            socket->b_transport(trans, delay);
        } catch (const std::runtime_error &) {
            std::cout << "caught\n";
        }
        socket->transport_dbg(trans);
    }
    void record_dmi()
    {
        tlm::tlm_generic_payload trans;
        tlm::tlm_dmi dmi;
        prepare(trans, tlm::TLM_READ_COMMAND, 0x100);
        socket->get_direct_mem_ptr(trans, dmi);
        wait(1, SC_NS);
    }
    void record_phases(std::uint64_t address)
    {
        tlm::tlm_generic_payload *const trans = payloads.allocate();
        prepare(*trans, tlm::TLM_WRITE_COMMAND, address);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay(1, SC_NS);
        ends_in_call = false;
        const tlm::tlm_sync_enum sync = socket->nb_transport_fw(*trans, phase, delay);
        if (sync == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)
            wait(7, SC_NS);
        else if (sync != tlm::TLM_COMPLETED)
            wait(answered);
        if (sync != tlm::TLM_COMPLETED && !ends_in_call) {
            phase = tlm::END_RESP;
            delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_fw(*trans, phase, delay);
        }
        trans->release();
        wait(20, SC_NS);
    }
};

} // namespace

int sc_main(int, char **argv)
{
    const std::string way = argv[1];
#ifdef CCI_DOUBLE_CONFIGURATION
    cci::double_presets()["near.enableDmiTracing"] = way == "dmi";
#endif
    lwtr::tx_ftr_init(true);
    lwtr::tx_db database("my_db");
    burst id(0);
    tlm::scc::lwtr::lwtr4tlm2_extension_registry<>::inst().register_ext_rec(burst::ID,
                                                                            new burst_recorder);
    initiator cpu("cpu", way);
    tlm::scc::lwtr::tlm2_lwtr_recorder<> near("near", way != "off");
    tlm::scc::lwtr::tlm2_lwtr_recorder<> far("far", true, way == "none" ? nullptr : &database);
    memory ram("ram");
    cpu.socket.bind(near.ts);
    near.is.bind(far.ts);
    far.is.bind(ram.socket);
    if (way == "off")
        far.enableBlTracing = false;
    if (way == "dmi")
        far.enableDmiTracing.set_value(true);
    sc_core::sc_start(1, sc_core::SC_US);
    if (way == "dmi")
        ram.socket->invalidate_direct_mem_ptr(0x100, 0x1ff);
    return 0;
}
