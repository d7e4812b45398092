/* The steps of non-blocking accesses that every call executes; inline, for checked and other links.
 * The last phase of an open access is always the last item of its transaction, so that it is not
 * lost if the process is killed. */
#ifndef FTR_ACCESS_PHASES_HPP
#define FTR_ACCESS_PHASES_HPP

#include <algorithm>

#include "access_request.hpp"

namespace ftr
{

namespace detail
{

/* The access of an nb_transport call, from the begin of the call to its return. */
struct passed_phase {
    phased_access *access; /* NULL: none */
    std::uint64_t serial;  /* `access->serial` when the call began */
    ftr_tx tx;             /* transaction of `access` when the call began; id 0: none */
};

/* As long as an object of this class exists, the call with BEGIN_REQ of an access counts as being
 * forwarded. */
struct forwarding {
    tlm_calls &calls;
    const void *process;
    phased_access *before;

    forwarding(tlm_calls &of, phased_access *access, const void *running)
        : calls(of), process(running), before(of.forward(access, running))
    {
    }
    forwarding(const forwarding &) = delete;
    forwarding &operator=(const forwarding &) = delete;
    ~forwarding() { static_cast<void>(calls.forward(before, process)); }
};

} // namespace detail

/* Returns the open access of a payload on this link, or NULL. @p known: the access of the payload
 * at an earlier time; NULL: unknown */
FTR_SC_INLINE detail::phased_access *tlm_link::find_phased(const void *payload,
                                                           detail::phased_access *known) const
{
    if (known && FTR_SC_EXPECTED(known->payload == payload) && FTR_SC_EXPECTED(known->link == this))
        return known;
    for (detail::open_access *at = calls_->payloads.list_of(payload); at; at = at->below) {
        if (at->payload == payload && at->link == this && at->is_phased)
            return static_cast<detail::phased_access *>(at);
    }
    return nullptr;
}

/* Notes the phase of an open access. */
FTR_SC_INLINE void tlm_link::enter_phase(detail::phased_access &access, ftr_text phase,
                                         std::uint64_t time) const
{
    access.phase = phase;
    access.phase_time = std::max(time, access.begin);
    if (__builtin_expect(settings_.phase_events, 0))
        put_event(access, phase, time);
}

/* Removes the phase from the items of an access, and makes room for @p more bytes and a new phase.
 * If the fast path does not apply (@p is_usual false, or for another reason), has no effect, and
 * `slot` of the result is NULL. */
FTR_SC_INLINE ftr_observed_edit tlm_link::open_items(const detail::phased_access &access,
                                                     bool is_usual, std::size_t more) const
{
    if (!FTR_SC_EXPECTED(is_usual))
        return {nullptr, nullptr};
    return ftr_observed_open(open_recorder(), access.open, access.has_phase, more + FTR_ITEM_SIZE);
}

/* Appends the phase, and closes the items. */
FTR_SC_INLINE void tlm_link::keep_items(ftr_observed_edit edit, detail::phased_access &access,
                                        ftr_text phase) const
{
    ftr_observed_put(&edit, prepared_[access.command].phase_head, phase);
    ftr_observed_keep(&edit);
    access.has_phase = true;
}

/* Ends the request of an access at END_REQ. */
FTR_SC_INLINE void tlm_link::end_request(detail::phased_access &access, std::uint64_t time)
{
    using state = detail::phased_access::state;
    const ftr_text phase = calls_->names.phases.of(tlm::END_REQ);
    if (!FTR_SC_EXPECTED(access.in == state::request))
        return;
    access.in = state::request_ended;
    ftr_observed_edit edit = open_items(access, time >= access.begin, FTR_ITEM_SIZE);
    if (FTR_SC_EXPECTED(edit.slot)) {
        ftr_observed_put(&edit, prepared_[access.command].time_heads[0], time - access.begin);
        keep_items(edit, access, phase);
    } else {
        end_request_unusually(access, time);
    }
    enter_phase(access, phase, time);
}

/* Puts the data of a read, and the response. */
FTR_SC_INLINE void tlm_link::put_answer(ftr_observed_edit &edit,
                                        const detail::phased_access &access,
                                        const tlm::tlm_generic_payload &trans) const
{
    const ftr_observed_generator &of = prepared_[access.command];
    if (trans.is_read() && trans.is_response_ok()) {
        std::uint64_t data = 0;
        if (const unsigned size = detail::small_data(*this, trans, data))
            edit.to = ftr_observed_put_data(&of, data, size, edit.to);
    }
    edit.to = ftr_observed_put_response(
        &of, calls_->short_names.responses.of(trans.get_response_status()), trans.is_dmi_allowed(),
        edit.to);
}

/* Begins the response of an access at BEGIN_RESP. */
FTR_SC_INLINE void tlm_link::begin_response(detail::phased_access &access,
                                            const tlm::tlm_generic_payload &trans,
                                            std::uint64_t time)
{
    using state = detail::phased_access::state;
    const ftr_text phase = calls_->names.phases.of(tlm::BEGIN_RESP);
    if (!FTR_SC_EXPECTED(access.in != state::response))
        return;
    const bool ends_request = access.in == state::request;
    access.in = state::response;
    access.response_begin = time;
    constexpr std::size_t most = 4 * FTR_ITEM_SIZE; // a time, data, two attributes of the response
    ftr_observed_edit edit =
        open_items(access, FTR_SC_EXPECTED(time >= access.begin) && !has_long_data(trans), most);
    if (FTR_SC_EXPECTED(edit.slot)) {
        if (ends_request)
            ftr_observed_put(&edit, prepared_[access.command].time_heads[0], time - access.begin);
        put_answer(edit, access, trans);
        keep_items(edit, access, phase);
    } else {
        begin_response_unusually(access, trans, time, ends_request);
    }
    enter_phase(access, phase, time);
}

/* Ends an access at END_RESP, or at TLM_COMPLETED after BEGIN_RESP. */
FTR_SC_INLINE void tlm_link::end_phased(detail::phased_access &access, std::uint64_t time)
{
    const std::uint64_t begin = access.response_begin;
    if (!FTR_SC_EXPECTED(access.in == detail::phased_access::state::response && time >= begin &&
                         !settings_.phase_events) ||
        !FTR_SC_EXPECTED(ftr_observed_end_phased(open_recorder(), access.open, access.has_phase,
                                                 time, prepared_[access.command].time_heads[1],
                                                 time - begin)))
        end_unusually(access, time);
    calls_->leave_phased(access);
}

/* Processes a phase of a call, at the effective time @p time. @p number: the number of the phase.
 * @p delay: the delay of the call. @p known: see find_phased() */
FTR_SC_INLINE detail::passed_phase
tlm_link::take_phase(const tlm::tlm_generic_payload &trans, unsigned number,
                     const tlm::tlm_phase &phase, std::uint64_t time, std::uint64_t delay,
                     std::uint64_t identity, detail::phased_access *known)
{
    detail::phased_access *access = find_phased(&trans, known);
    if (number == tlm::BEGIN_REQ)
        access = begin_phased(trans, access, time, delay, identity);
    if (!FTR_SC_EXPECTED(access) || __builtin_expect(number > tlm::END_RESP, 0)) {
        const ftr_tx tx = take_other_phase(trans, number, phase, time, access);
        return {access, access ? access->serial : 0, access ? access->open : tx};
    }
    const detail::passed_phase passed = {access, access->serial, access->open};
    if (number == tlm::END_REQ)
        end_request(*access, time);
    else if (number == tlm::BEGIN_RESP)
        begin_response(*access, trans, time);
    else if (number == tlm::END_RESP)
        end_phased(*access, time);
    return passed;
}

/* Ends an access by early completion: the payload contains the response. */
FTR_SC_INLINE void tlm_link::complete(detail::phased_access &access,
                                      const tlm::tlm_generic_payload &trans, std::uint64_t time)
{
    ftr_observed_edit edit =
        open_items(access, time >= access.begin && !has_long_data(trans), 2 * FTR_ITEM_SIZE);
    if (FTR_SC_EXPECTED(edit.slot)) {
        put_answer(edit, access, trans);
        ftr_observed_keep(&edit);
        static_cast<void>(ftr_tx_end(session_->recorder, access.open, time));
    } else {
        drop_phase(access);
        if (access.open.id)
            put_response(access.open, trans, trans.is_read() && trans.is_response_ok());
        end_unusually(access, time);
    }
    calls_->leave_phased(access);
}

/* Processes the return of a call with TLM_UPDATED or TLM_COMPLETED. */
__attribute__((noinline)) inline void
tlm_link::take_answer(const detail::passed_phase &passed, const tlm::tlm_generic_payload &trans,
                      tlm::tlm_sync_enum sync, unsigned number, const tlm::tlm_phase &phase,
                      std::uint64_t delay)
{
    detail::phased_access &access = *passed.access;
    /* If a nested call has ended the access, its memory may belong to another one now. */
    if (access.serial != passed.serial || !access.payload)
        return;
    const std::uint64_t time = detail::now() + delay;
    if (sync == tlm::TLM_UPDATED) {
        if (phase != number)
            static_cast<void>(take_phase(trans, phase, phase, time, delay, 0, &access));
        return;
    }
    if (number == tlm::BEGIN_REQ && access.in != detail::phased_access::state::response)
        complete(access, trans, time);
    else
        end_phased(access, time);
}

/* Processes the return of a call that was passed with the phase @p number. */
FTR_SC_INLINE void tlm_link::take_return(const detail::passed_phase &passed,
                                         const tlm::tlm_generic_payload &trans,
                                         tlm::tlm_sync_enum sync, unsigned number,
                                         const tlm::tlm_phase &phase, std::uint64_t delay)
{
    if (!FTR_SC_EXPECTED(sync == tlm::TLM_ACCEPTED) && passed.access)
        take_answer(passed, trans, sync, number, phase, delay);
}

} // namespace ftr

#endif
