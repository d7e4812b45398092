/* The calls of a checked link: each is checked, forwarded, checked again and related to the
 * violations found in it. Blocking calls are in tlm_link.cpp, because their recording is inline. */
#include <dlfcn.h>

#include <ftr/detail/process.h>
#include <ftr/tlm_link.hpp>

#include "memory_check.hpp"
#include "phase_check.hpp"
#include "violation_report.hpp"

namespace ftr
{

using namespace detail;

namespace detail
{

namespace
{

/* Without a call into SystemC's library for the phases of the base protocol. */
const char *name_of(const tlm::tlm_phase &phase)
{
    static const char *const names[] = {"UNINITIALIZED_PHASE", "BEGIN_REQ", "END_REQ", "BEGIN_RESP",
                                        "END_RESP"};
    const auto number = static_cast<unsigned>(phase);
    return number < 5 ? names[number] : phase.get_name();
}

/* Linked in or preloaded, the attach plug-in observes all sockets. */
bool is_checked_by_plugin()
{
    auto *const process = static_cast<ftr_process *>(dlsym(RTLD_DEFAULT, FTR_PROCESS_SYMBOL));
    return !is_attach_plugin && process && __atomic_load_n(&process->attached, __ATOMIC_ACQUIRE);
}

} // namespace

reported_link *reported_link::make(const tlm_link &link, session &recorded)
{
    if (is_checked_by_plugin())
        return nullptr;
    violation_report &report = violation_report::of(link.settings().protocol);
    auto *const made = new reported_link(report.state(), link.name(), recorded);
    report.add(*made);
    return made;
}

void reported_link::relate(const checked_call &call, ftr_tx broken_by) const
{
    if (!broken_by.id)
        return;
    auto &report = static_cast<violation_report &>(state.sink);
    const ftr_relation violation = report.stream_of(recorded_).violation;
    for (unsigned i = 0; i < call.waiting; ++i)
        static_cast<void>(
            ftr_relation_put(recorded_.recorder, violation, broken_by, call.recorded[i]));
}

} // namespace detail

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

tlm::tlm_sync_enum tlm_link::pass_checked(tlm_path path, const tlm::tlm_generic_payload &trans,
                                          const tlm::tlm_phase &phase,
                                          const sc_core::sc_time &delay, const ftr_tx &tx,
                                          tlm_callable<tlm::tlm_sync_enum(std::uint64_t)> forward)
{
    phase_check check(*check_, path == tlm_path::forward, trans, phase, name_of(phase), now(),
                      delay.value());
    if (__builtin_expect(check.call().found != 0, 0))
        check_->state.sink.act();
    const tlm::tlm_sync_enum sync = forward(check.identity());
    check.end(sync, phase, name_of(phase), now(), delay.value());
    if (__builtin_expect(check.call().found != 0, 0)) {
        check_->relate(check.call(), tx);
        check_->state.sink.act();
    }
    return sync;
}

bool tlm_link::pass_checked(const tlm::tlm_generic_payload &trans, const tlm::tlm_dmi &dmi,
                            const ftr_tx &tx, tlm_callable<bool()> forward)
{
    memory_check check(*check_, trans, &dmi);
    check_->state.sink.act();
    const bool granted = forward();
    check.end_dmi(dmi, granted);
    check_->relate(check.call(), tx);
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
    check_->relate(check.call(), tx);
    check_->state.sink.act();
    return transported;
}

void tlm_link::check_invalidation(std::uint64_t start, std::uint64_t end)
{
    detail::check_invalidation(*check_, start, end);
    check_->state.sink.act();
}

} // namespace ftr
