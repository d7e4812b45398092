/* The calls on a checked link. Each call is checked, forwarded and checked again; relations connect
 * its transaction with the violations that were found in it. Blocking calls are in
 * tlm_blocking.cpp, because their recording is inline. */
#include <ftr/tlm_link.hpp>
#include <ftr/tlm_observer.hpp>

#include "access_phases.hpp"
#include "call_recorder.hpp"
#include "link_paths.hpp"
#include "memory_check.hpp"
#include "usual_phases.hpp"
#include "violation_report.hpp"

namespace ftr
{

using namespace detail;

void tlm_link::expect_answers()
{
    if (!check_)
        return;
    check_->expect_answers();
    calls_->choose_paths(*this);
}

void tlm_link::expect_unseen_calls()
{
    if (!check_)
        return;
    check_->expect_unseen_calls();
    calls_->choose_paths(*this);
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

/* The arguments of a call that is being forwarded, and its recorded access. */
struct passed_call {
    tlm_link *link;
    const tlm::tlm_generic_payload *trans;
    const tlm::tlm_phase *phase;
    const sc_core::sc_time *delay;
    phased_access *access; /* NULL: recorded by a general step, or ended */
    std::uint64_t serial;
};

} // namespace

/* Takes the usual step of the recording. Returns the access; NULL: the step does not apply. */
template <unsigned Phase>
FTR_SC_INLINE phased_access *link_paths::record_usual(tlm_link &link, const payload_type &trans,
                                                      std::uint64_t effective, std::uint64_t delay)
{
    if (!ftr_observed_is_on(link.recorder_))
        return nullptr;
    if constexpr (Phase == tlm::BEGIN_REQ)
        return __builtin_expect(link.to_search_ != 0, 0) && link.finds_new_extension(trans)
                   ? nullptr
                   : link.begin_usual_phases<true>(trans, effective, delay);
    phased_access *const access = link.latest_phased_;
    return FTR_SC_EXPECTED(access->payload == &trans &&
                           link.take_usual_phase<true>(*access, trans, Phase, effective))
               ? access
               : nullptr;
}

/* Checks and records a call with a phase of the base protocol, on the path of this phase. */
template <unsigned Phase, bool IsWord, class Interface>
FTR_SC_INLINE link_paths::sync_type
link_paths::checked_phase(tlm_link &link, payload_type &trans, phase_type &phase,
                          sc_core::sc_time &delay, Interface &receiver)
{
    using step = usual_phase<Phase, IsWord>;
    passed_call passed{&link, &trans, &phase, &delay, nullptr, 0};
    usual_call call;
    call.delay = delay.value();
    call.deltas = delta_count(*sc_core::sc_curr_simcontext); // a call is active
    const std::uint64_t effective = effective_time(delay);
    phase_hop &hop = *link.check_->latest;
    if (!FTR_SC_EXPECTED(hop.payload == &trans))
        return checked_other_hop(link, trans, phase, delay, receiver);
    if (!FTR_SC_EXPECTED(static_cast<std::int64_t>(delay.value()) >= 0) ||
        !step::begin(*link.check_, hop, trans, effective))
        return checked_any(link, trans, phase, delay, receiver);
    if constexpr (Phase == tlm::BEGIN_REQ)
        link.check_->begin_recording(&hop);
    call.hop = &hop;
    call.identity = hop.identity;
    if constexpr (Phase == tlm::BEGIN_RESP)
        call.is_kept = phase_check::is_kept_by_target(hop, trans);
    /* These variables stay in memory, and do not occupy registers. */
    asm(""
        : "+m"(call), "+m"(passed.link), "+m"(passed.trans), "+m"(passed.phase),
          "+m"(passed.delay));
    phased_access *const access =
        record_usual<Phase>(link, trans, effective, passed.delay->value());
    if constexpr (Phase != tlm::END_RESP) {
        passed.access = access;
        passed.serial = access ? access->serial : 0;
        asm("" : "+m"(passed.access), "+m"(passed.serial));
    }
    const tlm::tlm_sync_enum sync =
        forward_checked<Phase>(link, trans, phase, delay, receiver, access);
    const bool has_waited = delta_count(*sc_core::sc_curr_simcontext) != call.deltas;
    if (FTR_SC_EXPECTED(sync == tlm::TLM_ACCEPTED && *passed.phase == Phase &&
                        passed.delay->value() == call.delay && !has_waited &&
                        step::returns_well(*call.hop, call.identity, *passed.trans)))
        return sync;
    passed.link->take_return({passed.access, passed.serial, {}}, *passed.trans, sync, Phase,
                             *passed.phase, passed.delay->value());
    if constexpr (Phase == tlm::BEGIN_REQ) {
        if (FTR_SC_EXPECTED(sync == tlm::TLM_COMPLETED && !has_waited &&
                            step::complete(*passed.link->check_, *call.hop, call.identity,
                                           *passed.trans, effective_time(*passed.delay))))
            return sync;
    }
    end_checked(*passed.link, *passed.trans, call, Phase, sync, *passed.phase,
                passed.delay->value());
    return sync;
}

/* Forwards a call. @p access: NULL: the call is not recorded yet */
template <unsigned Phase, class Interface>
FTR_SC_INLINE link_paths::sync_type
link_paths::forward_checked(tlm_link &link, payload_type &trans, phase_type &phase,
                            sc_core::sc_time &delay, Interface &receiver, phased_access *access)
{
    if constexpr (Phase == tlm::END_REQ || Phase == tlm::BEGIN_RESP) {
        return FTR_SC_EXPECTED(access) ? receiver.nb_transport_bw(trans, phase, delay)
                                       : any_backward(link, trans, phase, delay, receiver);
    } else {
        if (!FTR_SC_EXPECTED(access))
            return any_forward(link, trans, phase, delay, receiver);
        if constexpr (Phase == tlm::END_RESP)
            return receiver.nb_transport_fw(trans, phase, delay);
        const forwarding noted(*link.calls_, access, running_process());
        return receiver.nb_transport_fw(trans, phase, delay);
    }
}

/* Passes on a call with another payload than that of the latest call of the link. */
FTR_SC_COLD link_paths::sync_type link_paths::checked_other_hop(tlm_link &link, payload_type &trans,
                                                                phase_type &phase,
                                                                sc_core::sc_time &delay,
                                                                forward_if &target)
{
    return acquire_hop(*link.check_, trans)
               ? checked_usual_forward(link, trans, phase, delay, target)
               : checked_any(link, trans, phase, delay, target);
}
FTR_SC_COLD link_paths::sync_type link_paths::checked_other_hop(tlm_link &link, payload_type &trans,
                                                                phase_type &phase,
                                                                sc_core::sc_time &delay,
                                                                backward_if &initiator)
{
    return acquire_hop(*link.check_, trans)
               ? checked_usual_backward(link, trans, phase, delay, initiator)
               : checked_any(link, trans, phase, delay, initiator);
}

/* Checks the return of a call that a usual step has checked before it was forwarded. */
FTR_SC_COLD void link_paths::end_checked(const tlm_link &link, const payload_type &trans,
                                         const usual_call &call, unsigned number,
                                         tlm::tlm_sync_enum sync, unsigned phase,
                                         std::uint64_t delay)
{
    phase_check check(*link.check_, trans, call, number);
    check.end(sync, phase, delay);
    if (check.found())
        act_after(*link.check_, check.found(),
                  ftr_observed_tx(link.recorder_, link.prepared_, call.hop->recorded_id));
}

/* Checks and records any call. */
template <class Forward>
link_paths::sync_type link_paths::pass_checked(tlm_link &link, tlm_path path,
                                               const payload_type &trans, const phase_type &phase,
                                               const sc_core::sc_time &delay, Forward forward)
{
    const unsigned number = phase;
    const bool is_request = number == tlm::BEGIN_REQ;
    const std::uint64_t time = now() + delay.value();
    phase_check check(*link.check_, path == tlm_path::forward, trans, number, now(), delay.value());
    if (is_request)
        link.check_->begin_recording(check.hop());
    passed_phase passed{};
    if (link.records_nonblocking())
        passed = link.take_phase(trans, number, phase, time, delay.value());
    const auto pass_request = [&] {
        const forwarding noted(*link.calls_, passed.access, running_process());
        return forward();
    };
    const tlm::tlm_sync_enum sync = is_request ? pass_request() : forward();
    link.take_return(passed, trans, sync, number, phase, delay.value());
    check.end(sync, phase, delay.value());
    if (check.found())
        act_after(*link.check_, check.found(), passed.tx);
    return sync;
}

/* Like checked_any(), for the form tlm_form::calls. The checker has already found the hop of the
 * call. The hop remembers the recorded state of the payload, so that the recording need not search
 * for it. */
template <class Forward>
link_paths::sync_type link_paths::checked_call(tlm_link &link, tlm_path path,
                                               const payload_type &trans, const phase_type &phase,
                                               const sc_core::sc_time &delay, Forward forward)
{
    const unsigned passed = phase;
    phase_check check(*link.check_, path == tlm_path::forward, trans, passed, now(), delay.value());
    if (!link.records_nonblocking()) {
        const tlm::tlm_sync_enum sync = forward();
        check.end(sync, phase, delay.value());
        if (check.found())
            act_after(*link.check_, check.found(), ftr_tx{});
        return sync;
    }
    phase_hop *const hop = check.hop();
    tlm_nonblocking_call recorded(link, path, trans, view_of(passed, phase), delay.value(),
                                  check.identity(), hop ? hop->recorded : nullptr);
    if (hop)
        hop->recorded = recorded.known();
    const tlm::tlm_sync_enum sync = forward();
    recorded.end(trans, sync, view_of(phase, phase), delay.value());
    check.end(sync, phase, delay.value());
    if (check.found())
        act_after(*link.check_, check.found(), recorded.transaction());
    return sync;
}

FTR_SC_COLD link_paths::sync_type link_paths::checked_any(tlm_link &link, payload_type &trans,
                                                          phase_type &phase,
                                                          sc_core::sc_time &delay,
                                                          forward_if &target)
{
    const auto forward = [&] { return call_target(link, trans, phase, delay, target); };
    return link.call_form_ ? checked_call(link, tlm_path::forward, trans, phase, delay, forward)
                           : pass_checked(link, tlm_path::forward, trans, phase, delay, forward);
}

FTR_SC_COLD link_paths::sync_type link_paths::checked_any(tlm_link &link, payload_type &trans,
                                                          phase_type &phase,
                                                          sc_core::sc_time &delay,
                                                          backward_if &initiator)
{
    if (link.settings_.denies_dmi && phase == tlm::BEGIN_RESP)
        trans.set_dmi_allowed(false);
    const auto forward = [&] { return initiator.nb_transport_bw(trans, phase, delay); };
    return link.call_form_ ? checked_call(link, tlm_path::backward, trans, phase, delay, forward)
                           : pass_checked(link, tlm_path::backward, trans, phase, delay, forward);
}

link_paths::sync_type link_paths::checked_forward(tlm_link &link, payload_type &trans,
                                                  phase_type &phase, sc_core::sc_time &delay,
                                                  forward_if &target)
{
    return checked_any(link, trans, phase, delay, target);
}

link_paths::sync_type link_paths::checked_backward(tlm_link &link, payload_type &trans,
                                                   phase_type &phase, sc_core::sc_time &delay,
                                                   backward_if &initiator)
{
    return checked_any(link, trans, phase, delay, initiator);
}

/* These functions are not inline, so that the variables of one do not occupy the registers of
 * another. */
template <bool IsWord>
__attribute__((noinline)) link_paths::sync_type
link_paths::checked_request(tlm_link &link, payload_type &trans, phase_type &phase,
                            sc_core::sc_time &delay, forward_if &target)
{
    return checked_phase<tlm::BEGIN_REQ, IsWord>(link, trans, phase, delay, target);
}

template <bool IsWord>
__attribute__((noinline)) link_paths::sync_type
link_paths::checked_response(tlm_link &link, payload_type &trans, phase_type &phase,
                             sc_core::sc_time &delay, backward_if &initiator)
{
    return checked_phase<tlm::BEGIN_RESP, IsWord>(link, trans, phase, delay, initiator);
}

link_paths::sync_type link_paths::checked_usual_forward(tlm_link &link, payload_type &trans,
                                                        phase_type &phase, sc_core::sc_time &delay,
                                                        forward_if &target)
{
    const unsigned number = phase;
    if (number == tlm::BEGIN_REQ)
        return has_word(trans) ? checked_request<true>(link, trans, phase, delay, target)
                               : checked_request<false>(link, trans, phase, delay, target);
    return FTR_SC_EXPECTED(number == tlm::END_RESP)
               ? checked_phase<tlm::END_RESP, false>(link, trans, phase, delay, target)
               : checked_any(link, trans, phase, delay, target);
}

link_paths::sync_type link_paths::checked_usual_backward(tlm_link &link, payload_type &trans,
                                                         phase_type &phase, sc_core::sc_time &delay,
                                                         backward_if &initiator)
{
    const unsigned number = phase;
    if (number == tlm::BEGIN_RESP)
        return has_word(trans) ? checked_response<true>(link, trans, phase, delay, initiator)
                               : checked_response<false>(link, trans, phase, delay, initiator);
    return FTR_SC_EXPECTED(number == tlm::END_REQ)
               ? checked_phase<tlm::END_REQ, false>(link, trans, phase, delay, initiator)
               : checked_any(link, trans, phase, delay, initiator);
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
