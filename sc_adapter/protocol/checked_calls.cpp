/* The calls on a checked link. Each call is checked, forwarded and checked again; relations connect
 * its transaction with the violations that were found in it. Blocking calls are in
 * tlm_blocking.cpp, because their recording is inline. */
#include <ftr/tlm_link.hpp>
#include <ftr/tlm_observer.hpp>

#include "access_phases.hpp"
#include "call_recorder.hpp"
#include "memory_check.hpp"
#include "phase_check.hpp"
#include "violation_report.hpp"

namespace ftr
{

using namespace detail;

void tlm_link::expect_answers()
{
    if (check_)
        check_->expect_answers();
}

void tlm_link::expect_unseen_calls()
{
    if (check_)
        check_->expect_unseen_calls();
}

void tlm_link::set_target(const std::string &name)
{
    if (check_)
        check_->target = name;
}

namespace
{

/* Returns the view of a phase. The steps of the base protocol have the numbers of its phases.
 * @p number: the number of @p phase, a constant if possible */
FTR_SC_INLINE tlm_phase_view view_of(unsigned number, const tlm::tlm_phase &phase)
{
    static_assert(static_cast<unsigned>(tlm_step::begin_request) == tlm::BEGIN_REQ &&
                      static_cast<unsigned>(tlm_step::end_response) == tlm::END_RESP,
                  "converted by a cast");
    if (FTR_SC_EXPECTED(number - tlm::BEGIN_REQ <= tlm::END_RESP - tlm::BEGIN_REQ))
        return {static_cast<tlm_step>(number), ""}; // the name of the step
    return tlm_protocol<tlm::tlm_base_protocol_types>::phase(phase);
}

/* Acts on the violations of a call that was recorded as @p tx. */
FTR_SC_COLD void act_after(const reported_link &link, found_violations *found, const ftr_tx &tx)
{
    link.relate(*found, tx);
    link.state.release(found);
    link.state.sink.act();
}

} // namespace

/* Checks, records and forwards a call of nb_transport. @p passed: number of @p phase before the
 * call, a constant if possible */
template <class Call>
FTR_SC_INLINE tlm::tlm_sync_enum
tlm_link::pass_phase(tlm_path path, const tlm::tlm_generic_payload &trans, unsigned passed,
                     const tlm::tlm_phase &phase, const sc_core::sc_time &delay, Call call)
{
    const sc_core::sc_simcontext *const context = sc_core::sc_curr_simcontext;
    phase_check check(*check_, path == tlm_path::forward, trans, passed,
                      context->time_stamp().value(), delay.value());
    const auto is_recorded = [&] {
        if (FTR_SC_EXPECTED(session_->state.load(std::memory_order_relaxed) == valve::on) &&
            FTR_SC_EXPECTED(nonblocking_ == family::checked))
            return true;
        return records_nonblocking();
    };
    if (!FTR_SC_EXPECTED(is_recorded())) {
        const tlm::tlm_sync_enum sync = call(nullptr);
        check.end(sync, phase, delay.value());
        if (check.found())
            act_after(*check_, check.found(), ftr_tx{});
        return sync;
    }
    if (__builtin_expect(call_form_ != nullptr, 0))
        return pass_recorded_call(path, trans, passed, phase, delay, check, call);
    /* The checker has already found the hop of the call. The hop remembers the recorded access, so
     * that the recording need not search for it. */
    phase_hop *const hop = check.hop();
    const passed_phase access = take_phase(
        trans, passed, phase, context->time_stamp().value() + delay.value(), delay.value(),
        check.identity(), static_cast<phased_access *>(hop ? hop->recorded : nullptr));
    if (FTR_SC_EXPECTED(hop))
        hop->recorded = access.access;
    const tlm::tlm_sync_enum sync = call(access.access);
    take_return(access, trans, sync, passed, phase, delay.value());
    check.end(sync, phase, delay.value());
    if (__builtin_expect(check.found() != nullptr, 0))
        act_after(*check_, check.found(), access.tx);
    return sync;
}

/* Like pass_phase(), for the form tlm_form::calls. */
template <class Call>
tlm::tlm_sync_enum
tlm_link::pass_recorded_call(tlm_path path, const tlm::tlm_generic_payload &trans, unsigned passed,
                             const tlm::tlm_phase &phase, const sc_core::sc_time &delay,
                             phase_check &check, Call call)
{
    phase_hop *const hop = check.hop();
    tlm_nonblocking_call recorded(*this, path, trans, view_of(passed, phase), delay.value(),
                                  check.identity(), hop ? hop->recorded : nullptr);
    if (hop)
        hop->recorded = recorded.known();
    const tlm::tlm_sync_enum sync = call(nullptr);
    recorded.end(trans, sync, view_of(phase, phase), delay.value());
    check.end(sync, phase, delay.value());
    if (check.found())
        act_after(*check_, check.found(), recorded.transaction());
    return sync;
}

/* These two functions are not inline, so that the variables of one do not occupy the registers of
 * the other. */
template <>
__attribute__((noinline)) tlm::tlm_sync_enum
tlm_link::pass_forward<true>(tlm::tlm_fw_transport_if<> &target, tlm::tlm_generic_payload &trans,
                             tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    return pass_phase(
        tlm_path::forward, trans, tlm::BEGIN_REQ, phase, delay, [&](phased_access *access) {
            const forwarding noted(*calls_, access, running_process());
            const tlm::tlm_sync_enum sync = target.nb_transport_fw(trans, phase, delay);
            /* After TLM_ACCEPTED, the DMI hint is not cleared here: the response comes with a
             * backward call, which clears the hint. */
            if (sync != tlm::TLM_ACCEPTED && __builtin_expect(settings_.denies_dmi, 0))
                trans.set_dmi_allowed(false);
            return sync;
        });
}

template <>
__attribute__((noinline)) tlm::tlm_sync_enum
tlm_link::pass_forward<false>(tlm::tlm_fw_transport_if<> &target, tlm::tlm_generic_payload &trans,
                              tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    return pass_phase(tlm_path::forward, trans, phase, phase, delay,
                      [&](phased_access *) { return target.nb_transport_fw(trans, phase, delay); });
}

tlm::tlm_sync_enum tlm_link::pass_checked(tlm::tlm_fw_transport_if<> &target,
                                          tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                          sc_core::sc_time &delay)
{
    return FTR_SC_EXPECTED(phase == tlm::BEGIN_REQ)
               ? pass_forward<true>(target, trans, phase, delay)
               : pass_forward<false>(target, trans, phase, delay);
}

tlm::tlm_sync_enum tlm_link::pass_checked(tlm::tlm_bw_transport_if<> &initiator,
                                          tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                          sc_core::sc_time &delay)
{
    return pass_phase(tlm_path::backward, trans, phase, phase, delay, [&](phased_access *) {
        return initiator.nb_transport_bw(trans, phase, delay);
    });
}

bool tlm_link::pass_checked(const tlm::tlm_generic_payload &trans, const tlm::tlm_dmi &dmi,
                            const ftr_tx &tx, tlm_callable<bool()> forward)
{
    memory_check check(*check_, trans, &dmi);
    check_->state.sink.act();
    const bool granted = forward();
    check.end_dmi(dmi, granted);
    check_->relate(check.found(), tx);
    check_->state.sink.act();
    return granted;
}

unsigned tlm_link::pass_checked(const tlm::tlm_generic_payload &trans, const ftr_tx &tx,
                                tlm_callable<unsigned()> forward)
{
    memory_check check(*check_, trans, nullptr);
    check_->state.sink.act();
    const unsigned transported = forward();
    check.end_debug(transported);
    check_->relate(check.found(), tx);
    check_->state.sink.act();
    return transported;
}

void tlm_link::check_invalidation(std::uint64_t start, std::uint64_t end)
{
    detail::check_invalidation(*check_, start, end);
    check_->state.sink.act();
}

} // namespace ftr
