/* Calls of b_transport that take the slow path of the checker: all rules are inspected at the call
 * and at its return, with a recording or without. The fast path is in tlm_blocking.cpp. */
#include <ftr/tlm_link.hpp>

#include "blocking_check.hpp"
#include "entered_call.hpp"
#include "payload_holders.hpp"
#include "reported_link.hpp"

namespace ftr
{

using namespace detail;

/* Counts an inspected call. After the last inspected call, the next calls take the fast path. */
void tlm_link::count_inspection()
{
    if (call_form_)
        return; // has no fast path
    if (check_->to_inspect > 0 && --check_->to_inspect == 0)
        calls_->choose_paths(*this);
}

/* Passes on a call and inspects every rule. */
void tlm_link::record_inspected(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                                blocking_if &target, payload_life &life)
{
    count_inspection();
    if (life.is_in_use()) {
        further_link<checked_payload::any>::enter(life);
        further_link<checked_payload::any>::begins_well(life, trans);
    } else {
        first_link<checked_payload::any>::enter(life);
        first_link<checked_payload::any>::begins_well(life, trans);
    }
    enter_unusual(trans, delay, target, life);
}

/* Enters a call (enter_blocking()) and passes it on. */
void tlm_link::enter_unusual(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                             blocking_if &target, payload_life &life)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
    const open_access *parent = nullptr;
    tlm_call &call = enter_blocking(context, trans, delay.value(), parent);
    pass_unusual(trans, delay, target, life, call, parent);
}

namespace
{

/* Enters a call, after Place::enter(), if another b_transport call has the same payload and has not
 * returned. Returns the life of the call. @p shared: see payload_holders::enter() */
FTR_SC_COLD payload_life &enter_held(const link_check &link, const tlm::tlm_generic_payload &trans,
                                     payload_life &held, tlm_call &call, const tlm_call *outer,
                                     std::string &shared)
{
    payload_life &life = payload_holders::enter(link, call, held, outer, shared);
    if (&life == &held)
        return held;
    blocking_check::leave(held);
    first_link<checked_payload::any>::enter(life);
    static_cast<void>(first_link<checked_payload::any>::begins_well(life, trans));
    return life;
}

} // namespace

/* Passes on a call after enter_blocking(). */
void tlm_link::pass_unusual(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                            blocking_if &target, payload_life &passed_life, tlm_call &call,
                            const open_access *parent)
{
    std::string shared;
    payload_life &life =
        passed_life.links.blocked > 1
            ? enter_held(*check_, trans, passed_life, call, active_calls::enclosing(call), shared)
            : passed_life;
    call.life = &life;
    call.identity = life.identity;
    begin_unusual(call, trans, delay.value(), parent);
    if (life.is_on_first_link())
        capture_contents(life, trans);
    try {
        if (!shared.empty())
            payload_holders::report_entry(*check_, life, trans, call.open, std::move(shared));
        blocking_check::report_begin(*check_, life, trans, delay.value(), call.open);
        const carried_items passed(trans);
        target.b_transport(trans, delay);
        end_inspected(trans, delay, life, call, &passed);
    } catch (...) {
        leave_checked(life, call);
        throw;
    }
    call.doubt = 0;
    calls_->leave(call);
    blocking_check::leave(life);
}

/* Reports the rules that a call has broken, and ends the transaction of the call. May throw before
 * the end of the transaction. */
void tlm_link::end_inspected(const tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay,
                             payload_life &life, tlm_call &call, const carried_items *passed)
{
    payload_holders::check_return(*check_, life, trans, call);
    const bool is_lowered = now() + delay.value() < call.begin;
    blocking_check::report_end(*check_, life, trans, call.address, is_lowered, call.open, passed);
    end_unusual(call, trans, delay.value());
}

/* Ends and leaves a call that was not inspected when it began. */
FTR_SC_COLD void tlm_link::leave_inspected(tlm_call &call, const sc_core::sc_time &delay)
{
    payload_life &life = *call.life;
    try {
        end_inspected(*static_cast<const payload_type *>(call.payload), delay, life, call, nullptr);
    } catch (...) {
        leave_checked(life, call);
        throw;
    }
    calls_->leave(call);
    blocking_check::leave(life);
}

FTR_SC_COLD void tlm_link::leave_checked(payload_life &life, tlm_call &call)
{
    abandon_blocking(call);
    life.snapshot.forget_address(call.address);
    call.doubt = 0;
    calls_->leave(call);
    blocking_check::leave(life);
}

namespace
{

/* Leaves the link, even if the call throws. */
struct passing {
    payload_life &life;
    tlm_call &call;
    const std::uint64_t address;
    bool has_returned;

    ~passing()
    {
        if (!has_returned)
            life.snapshot.forget_address(address);
        call.doubt = 0;
        static_cast<void>(call.end_watch());
        payload_holders::unrecorded().leave(call);
        blocking_check::leave(life);
    }
};

} // namespace

void tlm_link::check_alone(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                           blocking_if &target, payload_life &found)
{
    tlm_call &call = payload_holders::unrecorded().enter(running_process());
    const tlm_call *const outer = active_calls::enclosing(call);
    call.link = this;
    call.identity = 0;
    std::string shared;
    payload_life &life = found.links.blocked > 0
                             ? payload_holders::enter(*check_, call, found, outer, shared)
                             : found;
    if (life.is_in_use())
        check_alone<further_link<checked_payload::any>>(trans, delay, target, life, call, shared);
    else
        check_alone<first_link<checked_payload::any>>(trans, delay, target, life, call, shared);
}

template <class Place>
void tlm_link::check_alone(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                           blocking_if &target, payload_life &life, tlm_call &call,
                           std::string &shared)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
    Place::enter(life);
    const std::uint64_t address = trans.get_address();
    passing guard{life, call, address, false};
    const std::uint64_t effective = context.time_stamp().value() + delay.value();
    const ftr_tx none{};
    call.identity = life.identity;
    const bool begins_well = Place::begins_well(life, trans);
    if constexpr (Place::is_first)
        capture_contents(life, trans);
    if (__builtin_expect(!shared.empty(), 0))
        payload_holders::report_entry(*check_, life, trans, none, std::move(shared));
    const bool is_inspected = check_->to_inspect > 0;
    check_->to_inspect -= is_inspected;
    if (!begins_well || is_inspected || !Place::is_called_well(context, delay.value()))
        blocking_check::report_begin(*check_, life, trans, delay.value(), none);
    if (is_inspected) {
        const carried_items passed(trans);
        target.b_transport(trans, delay);
        guard.has_returned = true;
        payload_holders::check_return(*check_, life, trans, call);
        const bool is_lowered = context.time_stamp().value() + delay.value() < effective;
        blocking_check::report_end(*check_, life, trans, address, is_lowered, none, &passed);
        return;
    }
    target.b_transport(trans, delay);
    guard.has_returned = true;
    payload_holders::check_return(*check_, life, trans, call);
    const bool is_lowered = context.time_stamp().value() + delay.value() < effective;
    const checked_return from = Place::compare(life, trans);
    if (from != checked_return::unusual && !is_lowered && Place::ends_well(life, trans, from) &&
        Place::keeps_contents(life, trans, from))
        Place::finish(life, trans, from);
    else
        blocking_check::report_end(*check_, life, trans, address, is_lowered, none, nullptr);
}

} // namespace ftr
