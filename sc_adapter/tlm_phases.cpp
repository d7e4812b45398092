/* The calls of nb_transport on a TLM link. A payload is read only while the protocol keeps it
 * valid: before a call is forwarded, and, if the caller still waits for the response, after the
 * call has returned. */
#include <ftr/tlm_link.hpp>

#include <ftr/tlm_observer.hpp>

#include "access_phases.hpp"
#include "call_recorder.hpp"

namespace ftr
{

using namespace detail;

template <class Forward>
FTR_SC_INLINE tlm::tlm_sync_enum
tlm_link::pass_phase_on(const tlm::tlm_generic_payload &trans, unsigned number,
                        const tlm::tlm_phase &phase, const sc_core::sc_time &delay, Forward forward)
{
    const sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
    const std::uint64_t passed_delay = delay.value();
    const passed_phase passed =
        take_phase(trans, number, phase, context.time_stamp().value() + passed_delay, passed_delay,
                   0, latest_phased_);
    latest_phased_ = passed.access;
    const tlm::tlm_sync_enum sync = forward(passed.access);
    take_return(passed, trans, sync, number, phase, delay.value());
    return sync;
}

tlm::tlm_sync_enum tlm_link::pass_nonblocking(tlm::tlm_fw_transport_if<> &target,
                                              tlm::tlm_generic_payload &trans,
                                              tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    const unsigned number = phase;
    if (number == tlm::BEGIN_REQ)
        return pass_phase_on(trans, tlm::BEGIN_REQ, phase, delay, [&](phased_access *access) {
            const forwarding noted(*calls_, access, running_process());
            return target.nb_transport_fw(trans, phase, delay);
        });
    return pass_phase_on(trans, number, phase, delay, [&](phased_access *) {
        return target.nb_transport_fw(trans, phase, delay);
    });
}

tlm::tlm_sync_enum tlm_link::pass_nonblocking(tlm::tlm_bw_transport_if<> &initiator,
                                              tlm::tlm_generic_payload &trans,
                                              tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    return pass_phase_on(trans, phase, phase, delay, [&](phased_access *) {
        return initiator.nb_transport_bw(trans, phase, delay);
    });
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
        auto *const access = link.find_phased(&trans, static_cast<phased_access *>(known));
        const ftr_tx recorded = link.record_other_phase(trans, phase.name, begin_ + delay, access);
        known_ = access;
        serial_ = access ? access->serial : 0;
        tx_ = access ? access->open : recorded;
        return;
    }
    const passed_phase passed =
        link.take_phase(trans, number_of(phase), tlm::tlm_phase(), begin_ + delay, delay, identity,
                        static_cast<phased_access *>(known));
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
