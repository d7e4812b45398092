/* The calls of a checked link: each is checked, forwarded, checked again and related to the
 * violations found in it. Blocking calls are in tlm_link.cpp, because their recording is inline. */
#include <ftr/tlm_link.hpp>
#include <ftr/tlm_observer.hpp>

#include "memory_check.hpp"
#include "phase_check.hpp"
#include "tlm_calls.hpp"
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

template <class Call>
FTR_SC_INLINE tlm::tlm_sync_enum
tlm_link::pass_phase(tlm_path path, const tlm::tlm_generic_payload &trans,
                     const tlm::tlm_phase &phase, const sc_core::sc_time &delay, Call call)
{
    using protocol = tlm_protocol<tlm::tlm_base_protocol_types>;
    const sc_core::sc_simcontext *const context = sc_core::sc_curr_simcontext;
    ftr_tx tx{};
    tlm::tlm_sync_enum sync;
    phase_check check(*check_, path == tlm_path::forward, trans, phase,
                      context->time_stamp().value(), delay.value());
    if (__builtin_expect(check.found().count != 0, 0))
        check_->state.sink.act();
    if (FTR_SC_EXPECTED(records_nonblocking())) {
        tlm_nonblocking_call recorded(*this, path, trans, protocol::phase(phase), delay.value(),
                                      check.identity());
        sync = call();
        recorded.end(trans, sync, protocol::phase(phase), delay.value());
        tx = recorded.transaction();
    } else {
        sync = call();
    }
    check.end(sync, phase, context->time_stamp().value(), delay.value());
    if (__builtin_expect(check.found().count != 0, 0)) {
        check_->relate(check.found(), tx);
        check_->state.sink.act();
    }
    return sync;
}

tlm::tlm_sync_enum tlm_link::pass_checked(tlm::tlm_fw_transport_if<> &target,
                                          tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                          sc_core::sc_time &delay)
{
    return pass_phase(tlm_path::forward, trans, phase, delay, [&] {
        /* The hint is cleared only if the response is certain to be read afterwards. */
        const bool clears = settings_.denies_dmi && phase == tlm::BEGIN_REQ;
        const tlm::tlm_sync_enum sync = target.nb_transport_fw(trans, phase, delay);
        if (clears && sync != tlm::TLM_ACCEPTED)
            trans.set_dmi_allowed(false);
        return sync;
    });
}

tlm::tlm_sync_enum tlm_link::pass_checked(tlm::tlm_bw_transport_if<> &initiator,
                                          tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                          sc_core::sc_time &delay)
{
    return pass_phase(tlm_path::backward, trans, phase, delay,
                      [&] { return initiator.nb_transport_bw(trans, phase, delay); });
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
