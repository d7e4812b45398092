/** @file
 *  A module with the names of SCC. It records the calls between two sockets to a database of
 *  LWTR4SC's interface. It is for models that use SCC's recorder and are built without SCC
 *  (docs/compat-lwtr.md). */
#ifndef FTR_COMPAT_SCC_TLM2_LWTR_H
#define FTR_COMPAT_SCC_TLM2_LWTR_H

#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>

#include <systemc>
#include <tlm>

#include <ftr/compat/scc/tlm/scc/lwtr/link_pred_ext.h>
#include <ftr/compat/scc/tlm/scc/lwtr/lwtr4tlm2_extension_registry.h>
#include <ftr/compat/scc/tlm/scc/lwtr/tracing_switch.h>

namespace tlm
{
namespace scc
{
namespace lwtr
{

using tx_db = ::lwtr::tx_db;
using tx_fiber = ::lwtr::tx_fiber;
using tx_handle = ::lwtr::tx_handle;
template <typename BEGIN = ::lwtr::no_data, typename END = ::lwtr::no_data>
using tx_generator = ::lwtr::tx_generator<BEGIN, END>;

enum tx_rel { PARENT_CHILD = 0, PREDECESSOR_SUCCESSOR };

namespace detail
{

inline std::string phase_name(const tlm::tlm_phase &phase)
{
    return phase.get_name();
}
template <class Phase> std::string phase_name(const Phase &phase)
{
    std::ostringstream text;
    text << phase;
    return text.str();
}

/** A stream of the recorder, with its generators. */
template <class Generator> struct recorded_stream {
    tx_fiber fiber;
    std::unique_ptr<Generator> of[3]; /**< index: command, or direction (0: forward or request) */

    template <class... Names>
    recorded_stream(const std::string &name, const std::string &kind, tx_db *database,
                    std::initializer_list<const char *> generators, const Names &...attributes)
        : fiber(name, "[TLM][base-protocol]" + kind, database)
    {
        std::size_t count = 0;
        for (const char *generator : generators)
            of[count++].reset(new Generator(generator, fiber, attributes...));
    }
};

} // namespace detail

/** Records the calls that it forwards. A derived class binds its ports. */
template <typename TYPES = tlm::tlm_base_protocol_types>
class tlm2_lwtr : public virtual tlm::tlm_fw_transport_if<TYPES>,
                  public virtual tlm::tlm_bw_transport_if<TYPES>
{
  public:
    using payload_type = typename TYPES::tlm_payload_type;
    using phase_type = typename TYPES::tlm_phase_type;

    tracing_switch enableBlTracing;
    tracing_switch enableNbTracing;
    tracing_switch enableTimedTracing{"enableTimedTracing", true};
    tracing_switch enableDmiTracing{"enableDmiTracing", false};

    explicit tlm2_lwtr(bool recording_enabled = true, tx_db *database = tx_db::get_default_db())
        : tlm2_lwtr(sc_core::sc_gen_unique_name("tlm_recorder"), recording_enabled, database)
    {
    }
    /** @param full_name name of the streams, without their suffixes
     *  @param database  NULL: calls are only forwarded */
    explicit tlm2_lwtr(const char *full_name, bool recording_enabled = true,
                       tx_db *database = tx_db::get_default_db())
        : enableBlTracing("enableBlTracing", recording_enabled),
          enableNbTracing("enableNbTracing", recording_enabled), name_(full_name),
          database_(database)
    {
        if (!database_)
            return;
        predecessor_ = database_->create_relation("PREDECESSOR_SUCCESSOR");
        parent_ = database_->create_relation("PARENT_CHILD");
        static_cast<void>(records_blocking());
        static_cast<void>(records_nonblocking());
        static_cast<void>(records_dmi());
    }
    tlm2_lwtr(const tlm2_lwtr &) = delete;
    tlm2_lwtr &operator=(const tlm2_lwtr &) = delete;

    bool isRecordingBlockingTxEnabled() const { return database_ && enableBlTracing.get_value(); }
    bool isRecordingNonBlockingTxEnabled() const
    {
        return database_ && enableNbTracing.get_value();
    }

    void b_transport(payload_type &trans, sc_core::sc_time &delay) override
    {
        if (!records_blocking()) {
            fw_port->b_transport(trans, delay);
            return;
        }
        const auto command = static_cast<unsigned>(trans.get_command());
        const unsigned generator = command < 3 ? command : 2;
        blocking_call call(*this, trans, delay);
        call.tx = blocking_->of[generator]->begin_tx(delay);
        if (blocking_timed_)
            call.timed = blocking_timed_->of[generator]->begin_tx_delayed(
                sc_core::sc_time_stamp() + delay, parent_, call.tx);
        record_extensions(&extension_recorder::recordBeginTx, trans, call.tx, call.timed);
        call.before = detail::follow_or_mark(trans, call.tx, predecessor_, this);
        fw_port->b_transport(trans, delay);
    }

    tlm::tlm_sync_enum nb_transport_fw(payload_type &trans, phase_type &phase,
                                       sc_core::sc_time &delay) override
    {
        if (!records_nonblocking())
            return fw_port->nb_transport_fw(trans, phase, delay);
        tx_handle call = nonblocking_->of[0]->begin_tx(detail::phase_name(phase));
        detail::follow_or_mark(trans, call, predecessor_, this);
        begin_phase(call, trans, phase, delay);
        const tlm::tlm_sync_enum sync = fw_port->nb_transport_fw(trans, phase, delay);
        end_phase(call, trans, phase, delay, sync);
        return sync;
    }

    tlm::tlm_sync_enum nb_transport_bw(payload_type &trans, phase_type &phase,
                                       sc_core::sc_time &delay) override
    {
        if (!records_nonblocking())
            return bw_port->nb_transport_bw(trans, phase, delay);
        tx_handle call = nonblocking_->of[1]->begin_tx(detail::phase_name(phase));
        detail::follow(trans, call, predecessor_);
        begin_phase(call, trans, phase, delay);
        const tlm::tlm_sync_enum sync = bw_port->nb_transport_bw(trans, phase, delay);
        end_phase(call, trans, phase, delay, sync);
        return sync;
    }

    bool get_direct_mem_ptr(payload_type &trans, tlm::tlm_dmi &dmi) override
    {
        if (!records_dmi())
            return fw_port->get_direct_mem_ptr(trans, dmi);
        tx_handle call = get_->begin_tx();
        const bool granted = fw_port->get_direct_mem_ptr(trans, dmi);
        call.record_attribute("trans", trans);
        call.record_attribute("dmi_data", dmi);
        call.end_tx();
        return granted;
    }

    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override
    {
        if (!records_dmi()) {
            bw_port->invalidate_direct_mem_ptr(start, end);
            return;
        }
        tx_handle call = invalidate_->begin_tx(start);
        bw_port->invalidate_direct_mem_ptr(start, end);
        call.end_tx(end);
    }

    unsigned transport_dbg(payload_type &trans) override { return fw_port->transport_dbg(trans); }

  protected:
    sc_core::sc_port<tlm::tlm_fw_transport_if<TYPES>> fw_port{"fw_port"};
    sc_core::sc_port<tlm::tlm_bw_transport_if<TYPES>> bw_port{"bw_port"};

  private:
    using extension_recorder = lwtr4tlm2_extension_registry_if<TYPES>;
    using extension_call = void (extension_recorder::*)(tx_handle &, payload_type &);
    using plain_stream = detail::recorded_stream<tx_generator<>>;
    using delay_stream = detail::recorded_stream<tx_generator<sc_core::sc_time, sc_core::sc_time>>;
    using phase_stream = detail::recorded_stream<tx_generator<std::string, std::string>>;

    /* A b_transport call. The end of the call is recorded even if an exception ends it. */
    struct blocking_call {
        blocking_call(tlm2_lwtr &recorder, payload_type &payload, const sc_core::sc_time &annotated)
            : of(recorder), trans(payload), delay(annotated)
        {
        }
        blocking_call(const blocking_call &) = delete;
        blocking_call &operator=(const blocking_call &) = delete;
        ~blocking_call()
        {
            if (link_pred_ext *const mark = detail::unmark(trans, &of))
                mark->txHandle = before;
            tx.record_attribute("trans", trans);
            of.record_extensions(&extension_recorder::recordEndTx, trans, tx, timed);
            tx.end_tx(delay);
            timed.record_attribute("trans", trans);
            timed.end_tx_delayed(sc_core::sc_time_stamp() + delay);
        }

        tlm2_lwtr &of;
        payload_type &trans;
        const sc_core::sc_time &delay;
        tx_handle tx;
        tx_handle timed;
        tx_handle before; /* latest transaction of this payload in another recorder */
    };

    /* The open request or response of a payload, and, during the response, the request before
     * it. */
    struct hop {
        tx_handle open;
        tx_handle request;
    };

    /* Return whether calls are recorded now. The first call that returns true defines the
     * streams. */
    bool records_blocking()
    {
        if (!isRecordingBlockingTxEnabled())
            return false;
        if (blocking_)
            return true;
        const auto commands = {"read", "write", "ignore"};
        blocking_.reset(new delay_stream(name_ + "_bl", "[b]", database_, commands, "start_delay",
                                         "end_delay"));
        if (enableTimedTracing.get_value())
            blocking_timed_.reset(
                new plain_stream(name_ + "_bl_timed", "[b][timed]", database_, commands));
        return true;
    }
    bool records_nonblocking()
    {
        if (!isRecordingNonBlockingTxEnabled())
            return false;
        if (nonblocking_)
            return true;
        nonblocking_.reset(new phase_stream(name_ + "_nb", "[nb]", database_, {"fw", "bw"},
                                            "tlm_phase", "tlm_phase[return_path]"));
        if (enableTimedTracing.get_value())
            nonblocking_timed_.reset(new plain_stream(name_ + "_nb_timed", "[nb][timed]", database_,
                                                      {"request", "response"}));
        return true;
    }
    bool records_dmi()
    {
        if (!database_ || !enableDmiTracing.get_value())
            return false;
        if (dmi_)
            return true;
        dmi_.reset(new tx_fiber(name_ + "_dmi", "[TLM][base-protocol][dmi]", database_));
        get_.reset(new tx_generator<>("get", *dmi_));
        invalidate_.reset(new tx_generator<sc_dt::uint64, sc_dt::uint64>("invalidate", *dmi_,
                                                                         "start_addr", "end_addr"));
        return true;
    }

    template <class... Handles>
    static void record_extensions(extension_call call, payload_type &trans, Handles &...handles)
    {
        for (extension_recorder *each : lwtr4tlm2_extension_registry<TYPES>::inst().get()) {
            if (!each)
                continue;
            const bool recorded[] = {handles.is_active() &&
                                     ((each->*call)(handles, trans), true)...};
            static_cast<void>(recorded);
        }
    }

    void begin_phase(tx_handle &call, payload_type &trans, const phase_type &phase,
                     const sc_core::sc_time &delay)
    {
        call.record_attribute("delay", delay);
        record_extensions(&extension_recorder::recordBeginTx, trans, call);
        step(trans, phase, sc_core::sc_time_stamp() + delay, call);
    }

    void end_phase(tx_handle &call, payload_type &trans, const phase_type &phase,
                   const sc_core::sc_time &delay, tlm::tlm_sync_enum sync)
    {
        call.record_attribute("tlm_sync", sync);
        call.record_attribute("delay[return_path]", delay);
        call.record_attribute("trans", trans);
        record_extensions(&extension_recorder::recordEndTx, trans, call);
        const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
        if (sync == tlm::TLM_UPDATED)
            step(trans, phase, time, call);
        else if (sync == tlm::TLM_COMPLETED)
            complete(trans, time);
        if (sync == tlm::TLM_COMPLETED || phase == tlm::END_RESP)
            detail::unmark(trans, this);
        call.end_tx(detail::phase_name(phase));
    }

    /* Records a phase of a transaction in the stream of requests and responses. */
    void step(const payload_type &trans, const phase_type &phase, const sc_core::sc_time &time,
              const tx_handle &call)
    {
        if (!nonblocking_timed_)
            return;
        hop &at = hops_[&trans];
        if (phase == tlm::BEGIN_REQ) {
            at.open = nonblocking_timed_->of[0]->begin_tx_delayed(time, parent_, call);
        } else if (phase == tlm::END_REQ) {
            end_request(at, trans, time);
        } else if (phase == tlm::BEGIN_RESP) {
            end_request(at, trans, time);
            at.open = nonblocking_timed_->of[1]->begin_tx_delayed(time, parent_, call);
            at.open.add_relation(predecessor_, at.request);
        } else if (phase == tlm::END_RESP) {
            complete(trans, time);
        }
    }
    static void end_request(hop &at, const payload_type &trans, const sc_core::sc_time &time)
    {
        if (!at.open.is_active())
            return;
        at.open.record_attribute("trans", trans);
        at.open.end_tx_delayed(time);
        at.request = at.open;
    }
    void complete(const payload_type &trans, const sc_core::sc_time &time)
    {
        const auto found = hops_.find(&trans);
        if (found == hops_.end())
            return;
        end_request(found->second, trans, time);
        hops_.erase(found);
    }

    const std::string name_;
    tx_db *const database_;
    ::lwtr::tx_relation_handle predecessor_ = 0;
    ::lwtr::tx_relation_handle parent_ = 0;
    std::unique_ptr<delay_stream> blocking_;
    std::unique_ptr<plain_stream> blocking_timed_;
    std::unique_ptr<phase_stream> nonblocking_;
    std::unique_ptr<plain_stream> nonblocking_timed_;
    std::unique_ptr<tx_fiber> dmi_;
    std::unique_ptr<tx_generator<>> get_;
    std::unique_ptr<tx_generator<sc_dt::uint64, sc_dt::uint64>> invalidate_;
    std::unordered_map<const void *, hop> hops_;
};

/** The recorder between an initiator (bound to `ts`) and a target (bound to `is`). */
template <unsigned BUSWIDTH = 32, typename TYPES = tlm::tlm_base_protocol_types, int N = 1,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class tlm2_lwtr_recorder : public sc_core::sc_module, public tlm2_lwtr<TYPES>
{
  public:
    tlm::tlm_target_socket<BUSWIDTH, TYPES, N, POL> ts{"ts"};
    tlm::tlm_initiator_socket<BUSWIDTH, TYPES, N, POL> is{"is"};

    explicit tlm2_lwtr_recorder(const sc_core::sc_module_name &name, bool recording_enabled = true,
                                tx_db *database = tx_db::get_default_db())
        : sc_core::sc_module(name), tlm2_lwtr<TYPES>(this->name(), recording_enabled, database)
    {
        is.bind(*this);
        ts.bind(*this);
        this->bw_port(ts.get_base_port());
        this->fw_port(is.get_base_port());
    }
};

} // namespace lwtr
} // namespace scc
} // namespace tlm

#endif
