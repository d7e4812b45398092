/* The calls of nb_transport on a TLM link. A payload is read only while the protocol keeps it
 * valid: before a call is forwarded, and, if the caller still waits for the response, after the
 * call has returned. */
#include <ftr/tlm_link.hpp>

#include <ftr/tlm_observer.hpp>

#include "access_phases.hpp"
#include "call_recorder.hpp"
#include "link_paths.hpp"

namespace ftr
{

using namespace detail;

/* ---- usual calls ----------------------------------------------------------------------------- */

namespace
{

/* The arguments of a call that are needed only after an unusual return. */
struct passed_arguments {
    tlm_link *link;
    const tlm::tlm_generic_payload *trans;
    const tlm::tlm_phase *phase;
    const sc_core::sc_time *delay;
    phased_access *access;
    std::uint64_t serial;
};

} // namespace

/* Forwards a call whose phase has been taken. */
template <unsigned Number, class Forward>
FTR_SC_INLINE tlm::tlm_sync_enum
link_paths::forward_phase(tlm_link &link, const tlm::tlm_generic_payload &trans,
                          const tlm::tlm_phase &phase, const sc_core::sc_time &delay,
                          phased_access &access, Forward forward)
{
    passed_arguments passed{&link, &trans, &phase, &delay, &access, access.serial};
    asm("" : "+m"(passed)); // stays in memory, and does not occupy registers
    const tlm::tlm_sync_enum sync = forward();
    if (!FTR_SC_EXPECTED(sync == tlm::TLM_ACCEPTED))
        passed.link->take_return({passed.access, passed.serial, {}}, *passed.trans, sync, Number,
                                 *passed.phase, passed.delay->value());
    return sync;
}

link_paths::sync_type link_paths::usual_request(tlm_link &link, payload_type &trans,
                                                phase_type &phase, sc_core::sc_time &delay,
                                                forward_if &target)
{
    phased_access *const access =
        ftr_observed_is_on(link.recorder_)
            ? link.begin_usual_phases<false>(trans, effective_time(delay), delay.value())
            : nullptr;
    if (!FTR_SC_EXPECTED(access))
        return any_forward(link, trans, phase, delay, target);
    return forward_phase<tlm::BEGIN_REQ>(link, trans, phase, delay, *access, [&] {
        const forwarding noted(*link.calls_, access, running_process());
        return target.nb_transport_fw(trans, phase, delay);
    });
}

link_paths::sync_type link_paths::usual_forward(tlm_link &link, payload_type &trans,
                                                phase_type &phase, sc_core::sc_time &delay,
                                                forward_if &target)
{
    const unsigned number = phase;
    phased_access &access = *link.latest_phased_;
    if (number == tlm::BEGIN_REQ)
        return usual_request(link, trans, phase, delay, target);
    if (!FTR_SC_EXPECTED(access.payload == &trans))
        return other_access(link, trans, phase, delay, target, &usual_forward, &any_forward);
    if (!FTR_SC_EXPECTED(number == tlm::END_RESP) || !ftr_observed_is_on(link.recorder_) ||
        !link.end_usual_response<false>(access, effective_time(delay)))
        return any_forward(link, trans, phase, delay, target);
    return target.nb_transport_fw(trans, phase, delay); // the access has ended
}

link_paths::sync_type link_paths::usual_backward(tlm_link &link, payload_type &trans,
                                                 phase_type &phase, sc_core::sc_time &delay,
                                                 backward_if &initiator)
{
    const unsigned number = phase;
    phased_access &access = *link.latest_phased_;
    if (!FTR_SC_EXPECTED(access.payload == &trans))
        return other_access(link, trans, phase, delay, initiator, &usual_backward, &any_backward);
    const auto forward = [&] { return initiator.nb_transport_bw(trans, phase, delay); };
    if (ftr_observed_is_on(link.recorder_)) {
        const std::uint64_t time = effective_time(delay);
        if (number == tlm::BEGIN_RESP && link.begin_usual_response(access, trans, time))
            return forward_phase<tlm::BEGIN_RESP>(link, trans, phase, delay, access, forward);
        if (number == tlm::END_REQ && link.end_usual_request(access, time))
            return forward_phase<tlm::END_REQ>(link, trans, phase, delay, access, forward);
    }
    return any_backward(link, trans, phase, delay, initiator);
}

/* Passes on a call for another access than the latest one of the link. @p usual, @p any: the paths
 * of the call */
template <class Interface>
FTR_SC_COLD tlm::tlm_sync_enum link_paths::other_access(tlm_link &link, payload_type &trans,
                                                        phase_type &phase, sc_core::sc_time &delay,
                                                        Interface &receiver,
                                                        tlm_link::nonblocking_path<Interface> usual,
                                                        tlm_link::nonblocking_path<Interface> any)
{
    phased_access *const access = link.find_phased(&trans);
    if (access)
        link.latest_phased_ = access;
    return (access ? usual : any)(link, trans, phase, delay, receiver);
}

/* The path of the first accesses, which are searched for extensions. */
link_paths::sync_type link_paths::searched_forward(tlm_link &link, payload_type &trans,
                                                   phase_type &phase, sc_core::sc_time &delay,
                                                   forward_if &target)
{
    return phase == tlm::BEGIN_REQ && link.finds_new_extension(trans)
               ? any_forward(link, trans, phase, delay, target)
               : usual_forward(link, trans, phase, delay, target);
}

/* ---- other calls ----------------------------------------------------------------------------- */

template <class Forward>
link_paths::sync_type link_paths::pass_any(tlm_link &link, tlm_path path, const payload_type &trans,
                                           const phase_type &phase, const sc_core::sc_time &delay,
                                           Forward forward)
{
    using base_protocol = tlm_protocol<tlm::tlm_base_protocol_types>;
    if (!link.records_nonblocking())
        return forward();
    if (link.call_form_) {
        tlm_nonblocking_call call(link, path, trans, base_protocol::phase(phase), delay.value());
        const tlm::tlm_sync_enum sync = forward();
        call.end(trans, sync, base_protocol::phase(phase), delay.value());
        return sync;
    }
    const unsigned number = phase;
    const passed_phase passed =
        link.take_phase(trans, number, phase, effective_time(delay), delay.value());
    const auto pass_request = [&] {
        const forwarding noted(*link.calls_, passed.access, running_process());
        return forward();
    };
    const tlm::tlm_sync_enum sync = number == tlm::BEGIN_REQ ? pass_request() : forward();
    link.take_return(passed, trans, sync, number, phase, delay.value());
    return sync;
}

link_paths::sync_type link_paths::any_forward(tlm_link &link, payload_type &trans,
                                              phase_type &phase, sc_core::sc_time &delay,
                                              forward_if &target)
{
    return pass_any(link, tlm_path::forward, trans, phase, delay,
                    [&] { return call_target(link, trans, phase, delay, target); });
}

link_paths::sync_type link_paths::any_backward(tlm_link &link, payload_type &trans,
                                               phase_type &phase, sc_core::sc_time &delay,
                                               backward_if &initiator)
{
    if (link.settings_.denies_dmi && phase == tlm::BEGIN_RESP)
        trans.set_dmi_allowed(false);
    return pass_any(link, tlm_path::backward, trans, phase, delay,
                    [&] { return initiator.nb_transport_bw(trans, phase, delay); });
}

namespace
{

/* Returns the number of a phase of any protocol: that of the base protocol for its steps, otherwise
 * a greater one. */
unsigned number_of(const tlm_phase_view &phase)
{
    return phase.step == tlm_step::other ? unsigned{tlm::END_RESP} + 1
                                         : static_cast<unsigned>(phase.step);
}

} // namespace

tlm_nonblocking_call::tlm_nonblocking_call(tlm_link &link, tlm_path path,
                                           const tlm::tlm_generic_payload &trans,
                                           const tlm_phase_view &phase, std::uint64_t delay,
                                           std::uint64_t identity, void *known)
    : link_(link), path_(path), step_(phase.step), payload_(&trans), known_(known), begin_(now())
{
    if (link.call_form_) {
        link.call_form_->begin(*this, trans, phase, delay, identity);
        return;
    }
    if (step_ == tlm_step::other) {
        phased_access *const access = link.find_phased(&trans);
        const ftr_tx recorded = link.record_other_phase(trans, phase.name, begin_ + delay, access);
        known_ = access;
        serial_ = access ? access->serial : 0;
        tx_ = access ? access->open : recorded;
        return;
    }
    const passed_phase passed =
        link.take_phase(trans, number_of(phase), tlm::tlm_phase(), begin_ + delay, delay);
    known_ = passed.access;
    serial_ = passed.serial;
    tx_ = passed.tx;
    if (step_ == tlm_step::begin_request)
        enclosing_ = link.calls_->forward(passed.access, running_process());
}

void tlm_nonblocking_call::end(const tlm::tlm_generic_payload &trans, tlm::tlm_sync_enum sync,
                               const tlm_phase_view &phase, std::uint64_t delay)
{
    has_ended_ = true;
    if (link_.call_form_) {
        link_.call_form_->end(*this, trans, sync, phase, delay);
        return;
    }
    if (step_ == tlm_step::begin_request)
        static_cast<void>(link_.calls_->forward(enclosing_, running_process()));
    auto *const access = static_cast<phased_access *>(known_);
    if (sync == tlm::TLM_UPDATED && phase.step == tlm_step::other) {
        if (step_ != tlm_step::other)
            link_.record_other_phase(trans, phase.name, now() + delay, access);
        return;
    }
    const tlm::tlm_phase returned(static_cast<tlm::tlm_phase_enum>(number_of(phase)));
    link_.take_return({access, serial_, tx_}, trans, sync, static_cast<unsigned>(step_), returned,
                      delay);
}

tlm_nonblocking_call::~tlm_nonblocking_call()
{
    if (has_ended_)
        return;
    if (link_.call_form_)
        link_.call_form_->abandon(*this);
    else if (step_ == tlm_step::begin_request)
        static_cast<void>(link_.calls_->forward(enclosing_, running_process()));
}

} // namespace ftr
