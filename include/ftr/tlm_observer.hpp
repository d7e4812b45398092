/** @file
 *  Observers of TLM-2.0 transport interfaces. Included by <ftr/tlm.hpp>.
 *
 *  Observers forward each call unchanged: they do not change, extend or keep the payload, they do
 * not wait, and they create no process. There are two exceptions. With FTR_DMI=deny, observers
 * refuse DMI and clear the DMI hint. With FTR_PROTOCOL=error, a call that violates the base
 * protocol may end with an exception. */
#ifndef FTR_TLM_OBSERVER_HPP
#define FTR_TLM_OBSERVER_HPP

#include <type_traits>

#include <ftr/tlm_link.hpp>

namespace ftr
{

/** Describes a protocol for recording. The general template supports every protocol that has a
 *  payload derived from tlm::tlm_generic_payload, and tlm::tlm_phase as its type of phases. The
 *  template can be specialised for other protocols. */
template <class Types> struct tlm_protocol {
    /** The name of the protocol in the kind of the streams. */
    static constexpr const char *name =
        std::is_same_v<Types, tlm::tlm_base_protocol_types> ? "base-protocol" : "custom-protocol";

    /** If true, phase() maps phases to the steps of an access. If false, links of this protocol
     * record calls (tlm_form::calls). A specialisation without this member counts as true. */
    static constexpr bool has_steps = true;

    /** Returns a generic payload: @p trans itself, or a payload with the same content and lifetime,
     * for example in an extension of @p trans. The address of the returned payload identifies the
     * transaction to which a phase belongs. */
    static const tlm::tlm_generic_payload &payload(const typename Types::tlm_payload_type &trans)
    {
        return trans;
    }

    /** Clears the DMI hint of a payload. */
    static void clear_dmi_hint(typename Types::tlm_payload_type &trans)
    {
        trans.set_dmi_allowed(false);
    }

    static tlm_phase_view phase(const typename Types::tlm_phase_type &phase)
    {
        switch (static_cast<unsigned>(phase)) {
        case tlm::BEGIN_REQ:
            return {tlm_step::begin_request, "BEGIN_REQ"};
        case tlm::END_REQ:
            return {tlm_step::end_request, "END_REQ"};
        case tlm::BEGIN_RESP:
            return {tlm_step::begin_response, "BEGIN_RESP"};
        case tlm::END_RESP:
            return {tlm_step::end_response, "END_RESP"};
        default:
            return {tlm_step::other, phase.get_name()};
        }
    }
};

namespace detail
{

template <class Types, class = void> struct protocol_steps : std::true_type {
};
template <class Types>
struct protocol_steps<Types, std::void_t<decltype(tlm_protocol<Types>::has_steps)>>
    : std::bool_constant<tlm_protocol<Types>::has_steps> {
};

/** Returns the settings of a link with the protocol @p Types. */
template <class Types> tlm_settings settings_for(tlm_settings settings)
{
    if (!protocol_steps<Types>::value)
        settings.form = tlm_form::calls;
    return settings;
}

} // namespace detail

/** Wraps a target's interface and records the calls to it. */
template <class Types = tlm::tlm_base_protocol_types>
class tlm_fw_observer : public tlm::tlm_fw_transport_if<Types>
{
  public:
    using payload_type = typename Types::tlm_payload_type;
    using phase_type = typename Types::tlm_phase_type;
    using target_type = tlm::tlm_fw_transport_if<Types>;
    using protocol = tlm_protocol<Types>;

    tlm_fw_observer(tlm_link &link, target_type &target)
        : link_(link), blocking_target_(target), forward_target_(target), target_(target)
    {
    }

    target_type &target() const { return target_; }

    void b_transport(payload_type &trans, sc_core::sc_time &delay) override
    {
        if constexpr (is_base_protocol)
            link_.pass_blocking(trans, delay, blocking_target_);
        else
            record(trans, delay);
    }

    tlm::tlm_sync_enum nb_transport_fw(payload_type &trans, phase_type &phase,
                                       sc_core::sc_time &delay) override
    {
        if constexpr (is_base_protocol)
            return link_.pass_forward(trans, phase, delay, forward_target_);
        else
            return record(trans, phase, delay);
    }

    bool get_direct_mem_ptr(payload_type &trans, tlm::tlm_dmi &dmi) override
    {
        ftr_tx tx{};
        const auto call = [&] { return get_and_record(trans, dmi, tx); };
        if constexpr (is_base_protocol) {
            if (link_.checks_protocol())
                return link_.pass_checked(trans, dmi, tx, detail::tlm_callable<bool()>(call));
        }
        return call();
    }

    unsigned transport_dbg(payload_type &trans) override
    {
        ftr_tx tx{};
        const auto call = [&] {
            const std::uint64_t address = protocol::payload(trans).get_address();
            const unsigned transported = target_.transport_dbg(trans);
            if (link_.records_debug())
                tx = link_.record_debug(protocol::payload(trans), address, transported);
            return transported;
        };
        if constexpr (is_base_protocol) {
            if (link_.checks_protocol())
                return link_.pass_checked(trans, tx, detail::tlm_callable<unsigned()>(call));
        }
        return call();
    }

    void register_port(sc_core::sc_port_base &port, const char *type) override
    {
        target_.register_port(port, type);
    }
    const sc_core::sc_event &default_event() const override { return target_.default_event(); }

  private:
    static constexpr bool is_base_protocol = std::is_same_v<Types, tlm::tlm_base_protocol_types>;

    struct blocking_call : detail::tlm_forwarding {
        target_type &target;
        payload_type &trans;
        sc_core::sc_time &delay;

        static void forward(const detail::tlm_forwarding &of)
        {
            const auto &call = static_cast<const blocking_call &>(of);
            call.target.b_transport(call.trans, call.delay);
        }
    };

    void record(payload_type &trans, sc_core::sc_time &delay)
    {
        if (link_.records_blocking()) {
            const blocking_call call{{&blocking_call::forward}, target_, trans, delay};
            link_.pass_blocking(protocol::payload(trans), delay, call);
        } else {
            target_.b_transport(trans, delay);
        }
        if (link_.settings().denies_dmi)
            protocol::clear_dmi_hint(trans);
    }

    bool get_and_record(payload_type &trans, tlm::tlm_dmi &dmi, ftr_tx &tx)
    {
        const std::uint64_t address = protocol::payload(trans).get_address();
        bool granted = false;
        if (link_.settings().denies_dmi) {
            dmi.init();
            protocol::clear_dmi_hint(trans);
        } else {
            granted = target_.get_direct_mem_ptr(trans, dmi);
        }
        if (link_.records_dmi())
            tx = link_.record_dmi(protocol::payload(trans), address, dmi, granted);
        return granted;
    }

    tlm::tlm_sync_enum record(payload_type &trans, phase_type &phase, sc_core::sc_time &delay)
    {
        if (!link_.records_nonblocking())
            return forward(trans, phase, delay);
        tlm_nonblocking_call call(link_, detail::tlm_path::forward, protocol::payload(trans),
                                  protocol::phase(phase), delay.value());
        const tlm::tlm_sync_enum sync = forward(trans, phase, delay);
        call.end(protocol::payload(trans), sync, protocol::phase(phase), delay.value());
        return sync;
    }

    tlm::tlm_sync_enum forward(payload_type &trans, phase_type &phase, sc_core::sc_time &delay)
    {
        /* After TLM_ACCEPTED, the DMI hint is not cleared here: the response comes with a backward
         * call, which clears the hint. */
        const bool clears =
            link_.settings().denies_dmi && protocol::phase(phase).step == tlm_step::begin_request;
        const tlm::tlm_sync_enum sync = target_.nb_transport_fw(trans, phase, delay);
        if (clears && sync != tlm::TLM_ACCEPTED)
            protocol::clear_dmi_hint(trans);
        return sync;
    }

    tlm_link &link_;
    /** Parts of the target. A conversion for each call would need further instructions. */
    tlm::tlm_blocking_transport_if<payload_type> &blocking_target_;
    tlm::tlm_fw_nonblocking_transport_if<payload_type, phase_type> &forward_target_;
    target_type &target_;
};

/** Wraps an initiator's interface and records the backward calls to it. */
template <class Types = tlm::tlm_base_protocol_types>
class tlm_bw_observer : public tlm::tlm_bw_transport_if<Types>
{
  public:
    using payload_type = typename Types::tlm_payload_type;
    using phase_type = typename Types::tlm_phase_type;
    using initiator_type = tlm::tlm_bw_transport_if<Types>;
    using protocol = tlm_protocol<Types>;

    tlm_bw_observer(tlm_link &link, initiator_type &initiator)
        : link_(link), backward_target_(initiator), initiator_(initiator)
    {
        link.expect_answers();
    }

    initiator_type &initiator() const { return initiator_; }

    tlm::tlm_sync_enum nb_transport_bw(payload_type &trans, phase_type &phase,
                                       sc_core::sc_time &delay) override
    {
        if constexpr (std::is_same_v<Types, tlm::tlm_base_protocol_types>)
            return link_.pass_backward(trans, phase, delay, backward_target_);
        else
            return record(trans, phase, delay);
    }

    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override
    {
        if (link_.records_dmi())
            link_.record_invalidation(start, end);
        if (link_.checks_protocol())
            link_.check_invalidation(start, end);
        initiator_.invalidate_direct_mem_ptr(start, end);
    }

    void register_port(sc_core::sc_port_base &port, const char *type) override
    {
        initiator_.register_port(port, type);
    }
    const sc_core::sc_event &default_event() const override { return initiator_.default_event(); }

  private:
    tlm::tlm_sync_enum record(payload_type &trans, phase_type &phase, sc_core::sc_time &delay)
    {
        const tlm_phase_view before = protocol::phase(phase);
        if (link_.settings().denies_dmi && before.step == tlm_step::begin_response)
            protocol::clear_dmi_hint(trans);
        if (!link_.records_nonblocking())
            return initiator_.nb_transport_bw(trans, phase, delay);
        tlm_nonblocking_call call(link_, detail::tlm_path::backward, protocol::payload(trans),
                                  before, delay.value());
        const tlm::tlm_sync_enum sync = initiator_.nb_transport_bw(trans, phase, delay);
        call.end(protocol::payload(trans), sync, protocol::phase(phase), delay.value());
        return sync;
    }

    tlm_link &link_;
    tlm::tlm_bw_nonblocking_transport_if<payload_type, phase_type> &backward_target_;
    initiator_type &initiator_;
};

} // namespace ftr

#endif
