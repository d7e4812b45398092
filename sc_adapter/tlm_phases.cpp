/* Non-blocking accesses on a TLM link, assembled from the phases of calls and of their returns. A
 * payload is read only while the protocol keeps it valid: before a call is forwarded, and, if the
 * caller still waits for the response, after the call has returned. The last phase of an open
 * access is always an item of its transaction, so that it is not lost if the process is killed. */
#include <ftr/tlm_link.hpp>

#include <algorithm>

#include <ftr/detail/word_calls.h>

#include "access_request.hpp"
#include "call_recorder.hpp"

namespace ftr
{

using namespace detail;

namespace
{

ftr_text text_of(const tlm_calls &calls, tlm_step step)
{
    return calls.names.phases.of(static_cast<int>(step));
}

/* Returns the time from @p begin to @p end, or 0 if @p end is earlier. */
constexpr std::uint64_t elapsed(std::uint64_t begin, std::uint64_t end)
{
    return end > begin ? end - begin : 0;
}

} // namespace

/* ---- open accesses --------------------------------------------------------------------------- */

/* Returns the open access of a payload on this link, or NULL. @p known: the access of the payload
 * at an earlier time; NULL: unknown */
FTR_SC_INLINE phased_access *tlm_link::find_phased(const void *payload, phased_access *known) const
{
    if (known && FTR_SC_EXPECTED(known->payload == payload))
        return known;
    for (open_access *at = calls_->payloads.list_of(payload); at; at = at->below) {
        if (at->payload == payload && at->link == this && at->is_phased)
            return static_cast<phased_access *>(at);
    }
    return nullptr;
}

FTR_SC_INLINE void tlm_link::leave_phased(phased_access &access)
{
    calls_->leave_phased(access);
}

/* Records the phase of an open access as an event, if phases are events. */
FTR_SC_COLD void tlm_link::put_event(const phased_access &access, ftr_text phase,
                                     std::uint64_t time) const
{
    ftr_tx event{};
    const std::uint64_t at = std::max(time, access.begin);
    const std::uint64_t name = phase;
    if (!access.open.id || !events_[access.command] ||
        ftr_tx_record_words(session_->recorder, events_[access.command], at, at, &name, 1,
                            &event) != FTR_OK)
        return;
    static_cast<void>(ftr_relation_put(session_->recorder, calls_->parent_of, access.open, event));
}

/* Notes the phase of an open access. */
FTR_SC_INLINE void tlm_link::enter_phase(phased_access &access, ftr_text phase,
                                         std::uint64_t time) const
{
    access.phase = phase;
    access.phase_time = std::max(time, access.begin);
    if (__builtin_expect(settings_.phase_events, 0))
        put_event(access, phase, time);
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* Begins the transaction of an access on the fast path. Returns false, without effect, if the fast
 * path does not apply. */
template <bool Checked>
FTR_SC_INLINE bool tlm_link::begin_in_slot(phased_access &access,
                                           const tlm::tlm_generic_payload &trans,
                                           std::uint64_t delay, std::uint64_t identity,
                                           const open_access *parent) const
{
    const ftr_observed_generator *const of = &prepared_[access.command];
    ftr_recorder *const rec = open_recorder();
    if (!FTR_SC_EXPECTED(of->generator && (!parent || parent->is_usual) && !is_unusual(trans)))
        return false;
    ftr_slot *const slot = ftr_observed_slot(rec, parent != nullptr);
    if (!FTR_SC_EXPECTED(slot))
        return false;
    const request_items request =
        put_request_row<Checked>(slot, trans, delay, delay != 0 && settings_.delay, &identity);
    std::uint8_t *to = request.end;
    if (const unsigned size = access.command == tlm::TLM_WRITE_COMMAND ? data_size(trans) : 0) {
        const unsigned some = std::min<unsigned>(size, sizeof(std::uint64_t));
        to = ftr_observed_put_data(of, first_bytes(trans.get_data_ptr(), some), some, to);
    }
    ftr_item_write(to, of->phase_head, text_of(*calls_, tlm_step::begin_request));
    to += FTR_ITEM_SIZE;
    ftr_observed_begin(rec, of, slot, access.begin, request.words,
                       static_cast<std::size_t>(to - slot->items), parent ? &parent->open : nullptr,
                       &access.open);
    return true;
}

/* Begins an access: BEGIN_REQ. */
phased_access &tlm_link::begin_phased(const tlm::tlm_generic_payload &trans, std::uint64_t begin,
                                      std::uint64_t delay, std::uint64_t identity)
{
    phased_access &access = calls_->enter_phased();
    access.payload = &trans;
    access.link = this;
    access.begin = begin;
    access.is_phased = true;
    access.is_usual = true;
    access.command =
        std::min<unsigned>(static_cast<unsigned>(trans.get_command()), tlm::TLM_IGNORE_COMMAND);
    access.in = phased_access::state::request;
    access.has_phase = true;
    const open_access *parent =
        open_payloads::on_other_link(calls_->payloads.add(access), &trans, this);
    const void *const process = running_process();
    if (!parent && !(parent = calls_->forwarded_by(process)))
        parent = calls_->innermost(process);
    const bool is_in_slot = check_ ? begin_in_slot<true>(access, trans, delay, identity, parent)
                                   : begin_in_slot<false>(access, trans, delay, identity, parent);
    if (!FTR_SC_EXPECTED(is_in_slot)) {
        access.open = begin_access(trans, begin, delay, identity, parent);
        access.is_usual = access.has_phase = false;
        put_phase(access, tlm_step::begin_request);
    }
    enter_phase(access, text_of(*calls_, tlm_step::begin_request), begin);
    return access;
}

/* ---- further phases -------------------------------------------------------------------------- */

/* Removes the phase from the items of an open access. */
FTR_SC_COLD void tlm_link::drop_phase(phased_access &access) const
{
    if (access.has_phase)
        static_cast<void>(ftr_observed_open(session_->recorder, access.open, true, 0));
    access.has_phase = false;
}

/* Appends items of at most @p most bytes to the transaction of an open access by
 * put(edit, generator), and the phase @p step behind all other items; tlm_step::other: no phase.
 * Returns false, without new items, if the fast path does not apply; the transaction then has no
 * phase. */
template <class Put>
FTR_SC_INLINE bool tlm_link::change(phased_access &access, std::size_t most, tlm_step step, Put put)
{
    ftr_recorder *const rec = open_recorder();
    const ftr_observed_generator &of = prepared_[access.command];
    const std::size_t phase = step == tlm_step::other ? 0 : FTR_ITEM_SIZE;
    ftr_observed_edit edit = {nullptr, nullptr};
    if (FTR_SC_EXPECTED(of.generator))
        edit = ftr_observed_open(rec, access.open, access.has_phase, most + phase);
    if (!FTR_SC_EXPECTED(edit.slot)) {
        drop_phase(access);
        return false;
    }
    put(edit, of);
    if (phase)
        ftr_observed_put(&edit, of.phase_head, text_of(*calls_, step));
    ftr_observed_keep(&edit);
    access.has_phase = phase != 0;
    return true;
}

/* Appends only a phase. */
FTR_SC_COLD void tlm_link::put_phase(phased_access &access, tlm_step step)
{
    static_cast<void>(
        change(access, 0, step, [](ftr_observed_edit &, const ftr_observed_generator &) {}));
}

/* Puts a time of an access: the time from @p begin to @p end. */
FTR_SC_COLD void tlm_link::put_phase_time(phased_access &access, unsigned attribute,
                                          std::uint64_t begin, std::uint64_t end) const
{
    static_cast<void>(ftr_tx_put_number(session_->recorder, access.open,
                                        attribute + identity_words(), elapsed(begin, end)));
}

/* Notes that the time has gone back. */
FTR_SC_COLD void tlm_link::put_lowered(phased_access &access, unsigned attribute,
                                       std::uint64_t ticks) const
{
    drop_phase(access);
    put_time(access.open,
             attribute == at_request_time ? "request_lowered_by" : "response_lowered_by", ticks);
}

/* Ends the request of an access: END_REQ. */
FTR_SC_INLINE void tlm_link::end_request(phased_access &access, std::uint64_t time)
{
    if (access.in != phased_access::state::request)
        return;
    access.in = phased_access::state::request_ended;
    if (__builtin_expect(time < access.begin, 0))
        put_lowered(access, at_request_time, access.begin - time);
    const auto put = [&](ftr_observed_edit &edit, const ftr_observed_generator &of) FTR_SC_ALWAYS {
        ftr_observed_put(&edit, of.time_heads[0], elapsed(access.begin, time));
    };
    if (!FTR_SC_EXPECTED(change(access, FTR_ITEM_SIZE, tlm_step::end_request, put))) {
        put_phase_time(access, at_request_time, access.begin, time);
        put_phase(access, tlm_step::end_request);
    }
    enter_phase(access, text_of(*calls_, tlm_step::end_request), time);
}

/* Begins the response of an access: BEGIN_RESP, or TLM_COMPLETED as the answer to the request.
 * @p is_completed: there will be no other phase */
FTR_SC_INLINE void tlm_link::begin_response(phased_access &access,
                                            const tlm::tlm_generic_payload &trans,
                                            std::uint64_t time, bool is_completed)
{
    const bool ends_request = access.in == phased_access::state::request && !is_completed;
    access.in = phased_access::state::response;
    access.response_begin = time;
    if (__builtin_expect(ends_request && time < access.begin, 0))
        put_lowered(access, at_request_time, access.begin - time);
    const bool has_read = trans.is_read() && trans.is_response_ok();
    const auto put = [&](ftr_observed_edit &edit, const ftr_observed_generator &of) FTR_SC_ALWAYS {
        if (ends_request)
            ftr_observed_put(&edit, of.time_heads[0], elapsed(access.begin, time));
        if (const unsigned size = has_read ? data_size(trans) : 0) {
            const unsigned some = std::min<unsigned>(size, sizeof(std::uint64_t));
            edit.to =
                ftr_observed_put_data(&of, first_bytes(trans.get_data_ptr(), some), some, edit.to);
        }
        edit.to = ftr_observed_put_response(
            &of, calls_->short_names.responses.of(trans.get_response_status()),
            trans.is_dmi_allowed(), edit.to);
    };
    constexpr std::size_t most = FTR_ITEM_SIZE + FTR_ITEM_SIZE + 2 * FTR_ITEM_SIZE;
    const tlm_step last = is_completed ? tlm_step::other : tlm_step::begin_response;
    if (!FTR_SC_EXPECTED(!has_long_data(trans)) ||
        !FTR_SC_EXPECTED(change(access, most, last, put))) {
        drop_phase(access);
        if (ends_request)
            put_phase_time(access, at_request_time, access.begin, time);
        if (access.open.id)
            put_response(access.open, trans, has_read);
        if (!is_completed)
            put_phase(access, last);
    }
    if (!is_completed)
        enter_phase(access, text_of(*calls_, tlm_step::begin_response), time);
}

/* Ends an access: END_RESP, or TLM_COMPLETED. */
FTR_SC_INLINE void tlm_link::end_phased(phased_access &access, std::uint64_t time)
{
    if (access.in == phased_access::state::response) {
        const std::uint64_t from = access.response_begin;
        if (__builtin_expect(time < from, 0))
            put_lowered(access, at_response_time, from - time);
        const auto put =
            [&](ftr_observed_edit &edit, const ftr_observed_generator &of)
                FTR_SC_ALWAYS { ftr_observed_put(&edit, of.time_heads[1], elapsed(from, time)); };
        if (!FTR_SC_EXPECTED(change(access, FTR_ITEM_SIZE, tlm_step::other, put)))
            put_phase_time(access, at_response_time, from, time);
        if (__builtin_expect(settings_.phase_events, 0))
            put_event(access, text_of(*calls_, tlm_step::end_response), time);
    }
    finish(access, time);
    leave_phased(access);
}

/* Ends the transaction of an access without its last phase. */
FTR_SC_INLINE void tlm_link::finish(phased_access &access, std::uint64_t time)
{
    if (__builtin_expect(access.has_phase, 0))
        drop_phase(access);
    if (__builtin_expect(time < access.begin, 0) && access.open.id)
        put_time(access.open, "lowered_by", access.begin - time);
    if (access.open.id)
        static_cast<void>(
            ftr_tx_end(session_->recorder, access.open, std::max(time, access.begin)));
}

/* Called for TLM_COMPLETED as the answer to a request: the payload contains the response. */
void tlm_link::complete(phased_access &access, const tlm::tlm_generic_payload &trans,
                        std::uint64_t time)
{
    if (access.in == phased_access::state::response) {
        end_phased(access, time);
        return;
    }
    begin_response(access, trans, time, true);
    finish(access, time);
    leave_phased(access);
}

/* Ends an access whose response does not end, at its last phase. The payload may no longer exist.
 */
void tlm_link::give_up(phased_access &access)
{
    if (access.open.id) {
        if (!access.has_phase)
            static_cast<void>(ftr_tx_put_word(session_->recorder, access.open,
                                              at_phase + identity_words(), access.phase));
        end_unfinished(access.open, access.phase_time);
    }
    leave_phased(access);
}

/* ---- phases of other protocols --------------------------------------------------------------- */

/* Records a phase that does not belong to the base protocol: as an event of the open access on this
 * link, if phases are events, otherwise in the stream N.phases. */
FTR_SC_COLD void tlm_link::record_other_phase(const tlm::tlm_generic_payload &trans,
                                              const tlm_phase_view &phase, std::uint64_t time,
                                              const phased_access *access)
{
    if (access && settings_.phase_events) {
        put_event(*access, calls_->text(phase.name), time);
        return;
    }
    ftr_recorder *const rec = session_->recorder;
    if (!phases_)
        has_phases_ = define_stream(".phases", "TLM phases", phases_);
    if (!has_phases_)
        return;
    ftr_generator &generator = other_phases_[phase.name];
    if (!generator)
        generator = define_generator(phases_, phase.name, other_phase_attributes, 1);
    const std::uint64_t address = trans.get_address();
    ftr_tx tx{};
    const open_access *parent = access;
    if (!parent)
        parent = open_payloads::on_other_link(calls_->payloads.list_of(&trans), &trans, this);
    if (ftr_tx_record_words(rec, generator, time, time, &address, 1, &tx) == FTR_OK && parent &&
        parent->open.id)
        static_cast<void>(ftr_relation_put(rec, calls_->parent_child, parent->open, tx));
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Takes a phase of a call or of its return, at the time @p time. Returns the open access of the
 * payload, or the access that this phase has ended (its `open` is still valid); NULL: none.
 * @p delay: the delay of the call */
FTR_SC_INLINE phased_access *tlm_link::step(const tlm::tlm_generic_payload &trans,
                                            const tlm_phase_view &phase, std::uint64_t time,
                                            std::uint64_t delay, std::uint64_t identity,
                                            phased_access *known)
{
    phased_access *access = find_phased(&trans, known);
    switch (phase.step) {
    case tlm_step::begin_request:
        if (access)
            give_up(*access); // the payload is sent again before its response has ended
        return &begin_phased(trans, time, delay, identity);
    case tlm_step::end_request:
        if (access)
            end_request(*access, time);
        break;
    case tlm_step::begin_response:
        if (access && access->in != phased_access::state::response)
            begin_response(*access, trans, time, false);
        break;
    case tlm_step::end_response:
        if (access)
            end_phased(*access, time);
        break;
    case tlm_step::other:
        record_other_phase(trans, phase, time, access);
        break;
    }
    return access;
}

tlm_nonblocking_call::tlm_nonblocking_call(tlm_link &link, tlm_path path,
                                           const tlm::tlm_generic_payload &trans,
                                           const tlm_phase_view &phase, std::uint64_t delay,
                                           std::uint64_t identity, void *known)
    : link_(link), path_(path), step_(phase.step), payload_(&trans), known_(known), begin_(now())
{
    if (__builtin_expect(link.call_form_ != nullptr, 0)) {
        link.call_form_->begin(*this, trans, phase, delay, identity);
        return;
    }
    phased_access *const access = link.step(trans, phase, begin_ + delay, delay, identity,
                                            static_cast<phased_access *>(known));
    known_ = access;
    if (step_ == tlm_step::begin_request)
        enclosing_ = link.calls_->forward(access, running_process());
    if (!access)
        return;
    serial_ = access->serial;
    tx_ = access->open;
}

void tlm_nonblocking_call::end(const tlm::tlm_generic_payload &trans, tlm::tlm_sync_enum sync,
                               const tlm_phase_view &phase, std::uint64_t delay)
{
    has_ended_ = true;
    if (__builtin_expect(link_.call_form_ != nullptr, 0)) {
        link_.call_form_->end(*this, trans, sync, phase, delay);
        return;
    }
    auto *const access = static_cast<phased_access *>(known_);
    if (step_ == tlm_step::begin_request)
        link_.calls_->forward(enclosing_, running_process());
    /* If a nested call has ended the access, its memory may belong to another one now. */
    if (sync == tlm::TLM_ACCEPTED || !access || access->serial != serial_ || !access->payload)
        return;
    const std::uint64_t time = now() + delay;
    if (sync == tlm::TLM_COMPLETED && step_ == tlm_step::begin_request)
        link_.complete(*access, trans, time);
    else if (sync == tlm::TLM_COMPLETED)
        link_.end_phased(*access, time);
    else if (phase.step != step_)
        static_cast<void>(link_.step(trans, phase, time, delay, 0, access));
}

tlm_nonblocking_call::~tlm_nonblocking_call()
{
    if (has_ended_)
        return;
    if (link_.call_form_)
        link_.call_form_->abandon(*this);
    else if (step_ == tlm_step::begin_request)
        link_.calls_->forward(enclosing_, running_process());
}

} // namespace ftr
