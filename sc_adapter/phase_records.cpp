/* The general steps of non-blocking accesses, for all accesses to which the usual steps
 * (access_phases.hpp) do not apply. After a general step, all later steps of an access are general.
 * The last phase of an open access is always in the slot of its transaction, so that it is not lost
 * if the process is killed. */
#include <ftr/tlm_link.hpp>

#include <algorithm>

#include <ftr/detail/word_calls.h>

#include "access_phases.hpp"
#include "link_paths.hpp"

namespace ftr
{

using namespace detail;

namespace detail
{

phased_access no_access{};

} // namespace detail

/* Returns the open access of a payload on this link, or NULL. */
phased_access *tlm_link::find_phased(const void *payload) const
{
    if (latest_phased_->payload == payload)
        return latest_phased_;
    for (open_access *at = calls_->payloads.list_of(payload); at; at = at->below) {
        if (at->payload == payload && at->link == this && at->is_phased)
            return static_cast<phased_access *>(at);
    }
    return nullptr;
}

/* ---- phases ---------------------------------------------------------------------------------- */

/* Records a phase of an open access as an event. */
void tlm_link::put_event(const phased_access &access, ftr_text phase, std::uint64_t time) const
{
    const std::uint64_t at = std::max(time, access.begin);
    const std::uint64_t name = phase;
    if (access.open.id && events_[access.command])
        static_cast<void>(ftr_tx_event_words(session_->recorder, access.open,
                                             events_[access.command], at, at, &name, 1, nullptr));
}

/* Stores the phase of an open access in the slot of its transaction. @p phase 0: removes it */
void tlm_link::store_phase(const phased_access &access, std::uint64_t phase) const
{
    if (ftr_slot *const slot = ftr_observed_slot_of(recorder_, access.open))
        ftr_observed_set_phase(slot, phase);
}

/* Enters a phase of an open access. */
void tlm_link::enter_phase(phased_access &access, unsigned phase, std::uint64_t time) const
{
    access.phase = phase;
    access.phase_time = time;
    access.slot = nullptr;
    if (prepared_[access.command].generator)
        store_phase(access, prepared_[access.command].phases[phase - tlm::BEGIN_REQ]);
    if (settings_.phase_events)
        put_event(access, calls_->names.phases.of(static_cast<int>(phase)), time);
}

/* Puts a time of an access: the time from @p begin to @p end. If @p end is earlier, the time is 0,
 * and a second attribute has the difference. */
void tlm_link::put_phase_time(const phased_access &access, unsigned attribute, std::uint64_t begin,
                              std::uint64_t end) const
{
    static_cast<void>(ftr_tx_put_number(session_->recorder, access.open,
                                        attribute + identity_words(),
                                        end > begin ? end - begin : 0));
    if (end < begin)
        put_time(access.open,
                 attribute == at_request_time ? "request_lowered_by" : "response_lowered_by",
                 begin - end);
}

/* Begins an access at BEGIN_REQ. @p open: an access with this payload on this link that has not
 * ended, because the payload is sent again before its response has ended; NULL: none */
phased_access &tlm_link::begin_phased(const tlm::tlm_generic_payload &trans, phased_access *open,
                                      std::uint64_t begin, std::uint64_t delay)
{
    if (open)
        give_up_chain(*open);
    phased_access &access = *calls_->unused_phased(true);
    access.payload = &trans;
    access.link = this;
    access.begin = begin;
    access.is_phased = true;
    access.command =
        std::min<unsigned>(static_cast<unsigned>(trans.get_command()), tlm::TLM_IGNORE_COMMAND);
    const open_access *parent =
        open_payloads::on_other_link(calls_->payloads.list_of(&trans), &trans, this);
    calls_->mix(access);
    calls_->enter_phased(access);
    latest_phased_ = &access;
    const void *const process = running_process();
    if (!parent)
        parent = calls_->forwarded_within(calls_->innermost(process), process);
    access.open = begin_access(
        trans, {trans.get_address(), begin, delay, check_ ? check_->beginning->identity : 0},
        parent);
    if (check_)
        check_->beginning->recorded_id = access.open.id;
    enter_phase(access, tlm::BEGIN_REQ, begin);
    return access;
}

/* Ends the request of an access at END_REQ. */
void tlm_link::end_request(phased_access &access, std::uint64_t time) const
{
    if (access.phase != tlm::BEGIN_REQ)
        return;
    put_phase_time(access, at_request_time, access.begin, time);
    enter_phase(access, tlm::END_REQ, time);
}

/* Begins the response of an access at BEGIN_RESP. */
void tlm_link::begin_response(phased_access &access, const tlm::tlm_generic_payload &trans,
                              std::uint64_t time)
{
    if (access.phase == tlm::BEGIN_RESP)
        return;
    if (access.phase == tlm::BEGIN_REQ)
        put_phase_time(access, at_request_time, access.begin, time);
    if (access.open.id)
        put_response(access.open, trans, trans.is_read() && trans.is_response_ok());
    enter_phase(access, tlm::BEGIN_RESP, time);
}

/* Ends an access at END_RESP, or at TLM_COMPLETED after BEGIN_RESP. */
void tlm_link::end_response(phased_access &access, std::uint64_t time)
{
    store_phase(access, 0);
    if (access.phase == tlm::BEGIN_RESP) {
        put_phase_time(access, at_response_time, access.phase_time, time);
        if (settings_.phase_events)
            put_event(access, calls_->names.phases.of(tlm::END_RESP), time);
    }
    end_phased(access, time);
}

/* TLM_COMPLETED as the answer to BEGIN_REQ: the payload contains the response. */
void tlm_link::complete(phased_access &access, const tlm::tlm_generic_payload &trans,
                        std::uint64_t time)
{
    store_phase(access, 0);
    if (access.open.id)
        put_response(access.open, trans, trans.is_read() && trans.is_response_ok());
    end_phased(access, time);
}

/* Ends the transaction of an access whose last phase was removed. */
void tlm_link::end_phased(phased_access &access, std::uint64_t time)
{
    if (access.open.id && time < access.begin)
        put_time(access.open, "lowered_by", access.begin - time);
    if (access.open.id)
        static_cast<void>(
            ftr_tx_end(session_->recorder, access.open, std::max(time, access.begin)));
    leave_phased(access);
}

void tlm_link::leave_phased(phased_access &access)
{
    latest_phased_ = &no_access;
    calls_->unmix(access);
    calls_->leave_phased(access);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Processes a phase of a call, at the effective time @p time. @p number: the number of the phase.
 * @p delay: the delay of the call */
passed_phase tlm_link::take_phase(const tlm::tlm_generic_payload &trans, unsigned number,
                                  const tlm::tlm_phase &phase, std::uint64_t time,
                                  std::uint64_t delay)
{
    phased_access *access = find_phased(&trans);
    if (number == tlm::BEGIN_REQ)
        access = &begin_phased(trans, access, time, delay);
    if (number > tlm::END_RESP) {
        const ftr_tx tx = record_other_phase(trans, phase.get_name(), time, access);
        return {access, access ? access->serial : 0, access ? access->open : tx};
    }
    if (!access)
        return {nullptr, 0, {}};
    latest_phased_ = access;
    const passed_phase passed = {access, access->serial, access->open};
    if (number == tlm::END_REQ)
        end_request(*access, time);
    else if (number == tlm::BEGIN_RESP)
        begin_response(*access, trans, time);
    else if (number == tlm::END_RESP)
        end_response(*access, time);
    return passed;
}

/* Processes the return of a call that was passed with the phase @p number. */
void tlm_link::take_return(const passed_phase &passed, const tlm::tlm_generic_payload &trans,
                           tlm::tlm_sync_enum sync, unsigned number, const tlm::tlm_phase &phase,
                           std::uint64_t delay)
{
    phased_access *const access = passed.access;
    /* If a nested call has ended the access, its memory may belong to another one now. */
    if (sync == tlm::TLM_ACCEPTED || !access || access->serial != passed.serial)
        return;
    const std::uint64_t time = now() + delay;
    const bool is_usual = has_usual_phases_ && ftr_observed_is_on(recorder_);
    if (sync == tlm::TLM_UPDATED) {
        if (phase != number &&
            !(is_usual && (check_ ? take_usual_phase<true>(*access, trans, phase, time)
                                  : take_usual_phase<false>(*access, trans, phase, time))))
            static_cast<void>(take_phase(trans, phase, phase, time, delay));
    } else if (number == tlm::BEGIN_REQ && access->phase != tlm::BEGIN_RESP) {
        if (!(is_usual && (check_ ? complete_usual<true>(*access, trans, time)
                                  : complete_usual<false>(*access, trans, time))))
            complete(*access, trans, time);
    } else if (!(is_usual && (check_ ? end_usual_response<true>(*access, time)
                                     : end_usual_response<false>(*access, time)))) {
        end_response(*access, time);
    }
}

/* ---- accesses that do not end ---------------------------------------------------------------- */

/* Ends an access whose response does not end, at its last phase. The payload may no longer
 * exist. */
void tlm_link::give_up(phased_access &access)
{
    if (access.open.id) {
        store_phase(access, 0);
        static_cast<void>(ftr_tx_put_word(session_->recorder, access.open,
                                          at_phase + identity_words(),
                                          calls_->names.phases.of(static_cast<int>(access.phase))));
        end_unfinished(access.open, std::max(access.phase_time, access.begin));
    }
    leave_phased(access);
}

/* Ends an access whose payload is sent again before its response has ended. The hops after it will
 * not see the end of a response either, and end as well, unless the payload has come back to this
 * link within the call that passes it on. */
void tlm_link::give_up_chain(phased_access &access)
{
    const open_access *const forwarded = calls_->forwarded_by(running_process());
    const bool comes_back = forwarded && forwarded->payload == access.payload;
    open_access *at = calls_->payloads.list_of(access.payload);
    while (!comes_back && at != &access) {
        open_access *const below = at->below;
        if (at->payload == access.payload && at->is_phased)
            at->link->give_up(static_cast<phased_access &>(*at));
        at = below;
    }
    give_up(access);
}

/* Records a phase that does not belong to the base protocol: as an event of the open access on this
 * link, if phases are events; otherwise in the stream N.phases. Returns the access, or the
 * transaction of the phase. */
ftr_tx tlm_link::record_other_phase(const tlm::tlm_generic_payload &trans, const char *name,
                                    std::uint64_t time, const phased_access *access)
{
    if (access && settings_.phase_events) {
        put_event(*access, calls_->text(name), time);
        return access->open;
    }
    ftr_recorder *const rec = session_->recorder;
    if (!phases_)
        has_phases_ = define_stream(".phases", "TLM phases", phases_);
    if (!has_phases_)
        return {};
    ftr_generator &generator = other_phases_[name];
    if (!generator)
        generator = define_generator(phases_, name, other_phase_attributes, 1);
    const std::uint64_t address = trans.get_address();
    ftr_tx tx{};
    const open_access *parent = access;
    if (!parent)
        parent = open_payloads::on_other_link(calls_->payloads.list_of(&trans), &trans, this);
    if (ftr_tx_record_words(rec, generator, time, time, &address, 1, &tx) == FTR_OK && parent &&
        parent->open.id)
        static_cast<void>(ftr_relation_put(rec, calls_->parent_child, parent->open, tx));
    return tx;
}

} // namespace ftr
