/* The usual steps of non-blocking accesses; inline, for checked and other links. A function that
 * returns false, or NULL, has had no effect: the caller takes the general step (phase_records.cpp).
 * ftr_observed_is_on() must be true. */
#ifndef FTR_ACCESS_PHASES_HPP
#define FTR_ACCESS_PHASES_HPP

#include "access_request.hpp"
#include "reported_link.hpp"

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

/* The time of a phase that is passed with this delay, in ticks. Only during a call, because only
 * then is a simulation context known to exist. */
FTR_SC_INLINE std::uint64_t effective_time(const sc_core::sc_time &delay)
{
    return sc_core::sc_curr_simcontext->time_stamp().value() + delay.value();
}

} // namespace detail

/* Begins an access at BEGIN_REQ. Returns the access, or NULL. */
template <bool Checked>
FTR_SC_INLINE detail::phased_access *
tlm_link::begin_usual_phases(const tlm::tlm_generic_payload &trans, std::uint64_t begin,
                             std::uint64_t delay)
{
    const auto command = static_cast<unsigned>(trans.get_command());
    detail::phased_access *const access = calls_->unused_phased();
    if (!FTR_SC_EXPECTED(command < commands && access && !is_unusual(trans)))
        return nullptr;
    const detail::open_access *parent = nullptr;
    for (const detail::open_access *at = calls_->payloads.list_of(&trans); at; at = at->below) {
        if (at->payload != &trans)
            continue;
        if (!FTR_SC_EXPECTED(at->is_phased && at->link != this))
            return nullptr;
        if (!parent)
            parent = at;
    }
    if (!parent) {
        const void *const process = detail::running_process();
        parent = calls_->forwarded_within(calls_->innermost(process), process);
    }
    const ftr_observed_place at = ftr_observed_find_place(recorder_, parent != nullptr);
    if (!FTR_SC_EXPECTED(at.slot && (!parent || parent->slot)))
        return nullptr;
    const ftr_observed_generator *const of = detail::opaque(&prepared_[command]);
    std::uint8_t *to =
        detail::put_request_row<Checked>(*of, at.items, trans, delay, delay != 0 && settings_.delay,
                                         Checked ? check_->beginning->identity : 0);
    if (command == tlm::TLM_WRITE_COMMAND &&
        !FTR_SC_EXPECTED(to = detail::put_data(*of, trans, settings_.payload, to, nullptr)))
        return nullptr;
    access->payload = &trans;
    access->link = this;
    access->begin = begin;
    access->usual = of;
    access->slot = at.slot;
    access->is_phased = true;
    access->phase = tlm::BEGIN_REQ;
    access->phase_time = begin;
    ftr_observed_set_phase(at.slot, of->phases[0]);
    ftr_observed_begin(recorder_, of, at, begin, static_cast<std::size_t>(to - at.items),
                       parent ? &parent->open : nullptr, &access->open);
    if constexpr (Checked)
        check_->beginning->recorded_id = access->open.id;
    calls_->enter_phased(*access);
    latest_phased_ = access;
    return access;
}

/* Ends the request of an access at END_REQ. */
FTR_SC_INLINE bool tlm_link::end_usual_request(detail::phased_access &access, std::uint64_t time)
{
    if (!FTR_SC_EXPECTED(access.phase == tlm::BEGIN_REQ && access.slot && time >= access.begin))
        return false;
    const ftr_observed_generator &of = *access.usual;
    ftr_observed_keep(access.slot, ftr_observed_put(of.time_heads[0], time - access.begin,
                                                    ftr_observed_items_end(access.slot)));
    ftr_observed_set_phase(access.slot, of.phases[1]);
    access.phase = tlm::END_REQ;
    access.phase_time = time;
    return true;
}

/* Begins the response of an access at BEGIN_RESP. */
FTR_SC_INLINE bool tlm_link::begin_usual_response(detail::phased_access &access,
                                                  const tlm::tlm_generic_payload &trans,
                                                  std::uint64_t time)
{
    if (!FTR_SC_EXPECTED(access.phase != tlm::BEGIN_RESP && access.slot && time >= access.begin))
        return false;
    const ftr_observed_generator &of = *access.usual;
    std::uint8_t *to = ftr_observed_items_end(access.slot);
    if (access.phase == tlm::BEGIN_REQ)
        to = ftr_observed_put(of.time_heads[0], time - access.begin, to);
    if (!FTR_SC_EXPECTED(to = put_answer(of, trans, to)))
        return false;
    ftr_observed_keep(access.slot, to);
    ftr_observed_set_phase(access.slot, of.phases[2]);
    access.phase = tlm::BEGIN_RESP;
    access.phase_time = time;
    return true;
}

/* Makes the record of an access valid. */
FTR_SC_INLINE void tlm_link::leave_usual(detail::phased_access &access,
                                         const ftr_observed_record &record)
{
    ftr_observed_set_phase(access.slot, 0);
    ftr_observed_commit(recorder_, access.slot, record);
    latest_phased_ = &detail::no_access;
    calls_->leave_phased(access);
}

/* Ends an access at END_RESP, or at TLM_COMPLETED after BEGIN_RESP. */
template <bool Checked>
FTR_SC_INLINE bool tlm_link::end_usual_response(detail::phased_access &access, std::uint64_t time)
{
    if (!FTR_SC_EXPECTED(access.phase == tlm::BEGIN_RESP && access.slot &&
                         time >= access.phase_time))
        return false;
    ftr_observed_record record = ftr_observed_end(
        recorder_, access.slot, time, detail::most_phased_items<Checked>, true, FTR_ITEM_SIZE);
    if (!FTR_SC_EXPECTED(record.block))
        return false;
    record.to = ftr_observed_put(access.usual->time_heads[1], time - access.phase_time, record.to);
    leave_usual(access, record);
    return true;
}

/* TLM_COMPLETED as the answer to BEGIN_REQ: the payload contains the response. */
template <bool Checked>
FTR_SC_INLINE bool tlm_link::complete_usual(detail::phased_access &access,
                                            const tlm::tlm_generic_payload &trans,
                                            std::uint64_t time)
{
    if (!FTR_SC_EXPECTED(access.slot && time >= access.begin))
        return false;
    ftr_observed_record record =
        ftr_observed_end(recorder_, access.slot, time, detail::most_phased_items<Checked>, true,
                         3 * FTR_ITEM_SIZE); // the data, two attributes of the response
    if (!FTR_SC_EXPECTED(record.block && (record.to = put_answer(*access.usual, trans, record.to))))
        return false;
    leave_usual(access, record);
    return true;
}

/* The step of a phase other than BEGIN_REQ. @p number: the number of the phase */
template <bool Checked>
FTR_SC_INLINE bool tlm_link::take_usual_phase(detail::phased_access &access,
                                              const tlm::tlm_generic_payload &trans,
                                              unsigned number, std::uint64_t time)
{
    return number == tlm::BEGIN_RESP ? begin_usual_response(access, trans, time)
           : number == tlm::END_REQ
               ? end_usual_request(access, time)
               : number == tlm::END_RESP && end_usual_response<Checked>(access, time);
}

} // namespace ftr

#endif
