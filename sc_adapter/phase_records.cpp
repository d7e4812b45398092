/* Begins non-blocking accesses, and records the phases to which the fast path of access_phases.hpp
 * does not apply. */
#include <ftr/tlm_link.hpp>

#include <algorithm>

#include <ftr/detail/word_calls.h>

#include "access_request.hpp"

namespace ftr
{

using namespace detail;

/* ---- phases ---------------------------------------------------------------------------------- */

/* Records the phase of an open access as an event, if phases are events. */
FTR_SC_COLD void tlm_link::put_event(const phased_access &access, ftr_text phase,
                                     std::uint64_t time) const
{
    const std::uint64_t at = std::max(time, access.begin);
    const std::uint64_t name = phase;
    if (access.open.id && events_[access.command])
        static_cast<void>(ftr_tx_event_words(session_->recorder, access.open,
                                             events_[access.command], at, at, &name, 1, nullptr));
}

/* Removes the phase from the items of an open access. */
FTR_SC_COLD void tlm_link::drop_phase(phased_access &access) const
{
    if (access.has_phase)
        static_cast<void>(ftr_observed_open(session_->recorder, access.open, true, 0));
    access.has_phase = false;
}

/* Appends a phase to the items of an open access that have none, if they are in a slot. */
FTR_SC_COLD void tlm_link::put_phase(phased_access &access, ftr_text phase) const
{
    ftr_observed_edit edit = {nullptr, nullptr};
    if (prepared_[access.command].generator)
        edit = ftr_observed_open(session_->recorder, access.open, false, FTR_ITEM_SIZE);
    if (!edit.slot)
        return;
    ftr_observed_put(&edit, prepared_[access.command].phase_head, phase);
    ftr_observed_keep(&edit);
    access.has_phase = true;
}

/* Puts a time of an access: the time from @p begin to @p end. If @p end is earlier, the time is 0,
 * and a second attribute has the difference. */
FTR_SC_COLD void tlm_link::put_phase_time(const phased_access &access, unsigned attribute,
                                          std::uint64_t begin, std::uint64_t end) const
{
    static_cast<void>(ftr_tx_put_number(session_->recorder, access.open,
                                        attribute + identity_words(),
                                        end > begin ? end - begin : 0));
    if (end < begin)
        put_time(access.open,
                 attribute == at_request_time ? "request_lowered_by" : "response_lowered_by",
                 begin - end);
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* Begins the transaction of an access on the fast path. Returns false, without effect, if the fast
 * path does not apply. */
template <bool Checked>
FTR_SC_INLINE bool
tlm_link::begin_in_slot(phased_access &access, const tlm::tlm_generic_payload &trans,
                        std::uint64_t delay, std::uint64_t identity, const open_access *parent)
{
    const ftr_observed_generator *const of = &prepared_[access.command];
    ftr_recorder *const rec = open_recorder();
    if (!FTR_SC_EXPECTED(of->generator && (!parent || parent->usual) && !is_unusual(trans)))
        return false;
    ftr_slot *const slot = ftr_observed_slot(rec, parent != nullptr);
    if (!FTR_SC_EXPECTED(slot))
        return false;
    const request_items request =
        put_request_row<Checked>(slot, trans, delay, delay != 0 && settings_.delay, &identity);
    std::uint8_t *to = request.end;
    if (access.command == tlm::TLM_WRITE_COMMAND) {
        std::uint64_t data = 0;
        if (const unsigned size = small_data(*this, trans, data))
            to = ftr_observed_put_data(of, data, size, to);
    }
    ftr_item_write(to, of->phase_head, access.phase);
    to += FTR_ITEM_SIZE;
    ftr_observed_begin(rec, of, slot, access.begin, request.words,
                       static_cast<std::size_t>(to - slot->items), parent ? &parent->open : nullptr,
                       &access.open);
    access.usual = of;
    return true;
}

/* Begins an access at BEGIN_REQ. @p open: an access with this payload on this link that has not
 * ended, because the payload is sent again before its response has ended; NULL: none */
phased_access *tlm_link::begin_phased(const tlm::tlm_generic_payload &trans, phased_access *open,
                                      std::uint64_t begin, std::uint64_t delay,
                                      std::uint64_t identity)
{
    if (__builtin_expect(open != nullptr, 0))
        give_up_chain(*open);
    phased_access &access = calls_->enter_phased();
    access.payload = &trans;
    access.link = this;
    access.begin = begin;
    access.is_phased = true;
    access.usual = nullptr;
    access.command =
        std::min<unsigned>(static_cast<unsigned>(trans.get_command()), tlm::TLM_IGNORE_COMMAND);
    access.in = phased_access::state::request;
    access.phase = calls_->names.phases.of(tlm::BEGIN_REQ);
    access.phase_time = begin;
    access.has_phase = true;
    const open_access *parent =
        open_payloads::on_other_link(calls_->payloads.add(access), &trans, this);
    const void *const process = running_process();
    if (!parent)
        parent = calls_->forwarded_within(calls_->innermost(process), process);
    const bool is_in_slot = check_ ? begin_in_slot<true>(access, trans, delay, identity, parent)
                                   : begin_in_slot<false>(access, trans, delay, identity, parent);
    if (!FTR_SC_EXPECTED(is_in_slot)) {
        access.open = begin_access(trans, begin, delay, identity, parent);
        access.has_phase = false;
        put_phase(access, access.phase);
    }
    if (__builtin_expect(settings_.phase_events, 0))
        put_event(access, access.phase, begin);
    return &access;
}

/* ---- cases to which the fast path does not apply --------------------------------------------- */

FTR_SC_COLD void tlm_link::end_request_unusually(phased_access &access, std::uint64_t time) const
{
    drop_phase(access);
    put_phase_time(access, at_request_time, access.begin, time);
    put_phase(access, calls_->names.phases.of(tlm::END_REQ));
}

FTR_SC_COLD void tlm_link::begin_response_unusually(phased_access &access,
                                                    const tlm::tlm_generic_payload &trans,
                                                    std::uint64_t time, bool ends_request)
{
    drop_phase(access);
    if (ends_request)
        put_phase_time(access, at_request_time, access.begin, time);
    if (access.open.id)
        put_response(access.open, trans, trans.is_read() && trans.is_response_ok());
    put_phase(access, calls_->names.phases.of(tlm::BEGIN_RESP));
}

FTR_SC_COLD void tlm_link::end_unusually(phased_access &access, std::uint64_t time) const
{
    drop_phase(access);
    if (!access.open.id)
        return;
    if (access.in == phased_access::state::response) {
        put_phase_time(access, at_response_time, access.response_begin, time);
        if (settings_.phase_events)
            put_event(access, calls_->names.phases.of(tlm::END_RESP), time);
    }
    if (time < access.begin)
        put_time(access.open, "lowered_by", access.begin - time);
    static_cast<void>(ftr_tx_end(session_->recorder, access.open, std::max(time, access.begin)));
}

/* Ends an access whose response does not end, at its last phase. The payload may no longer
 * exist. */
void tlm_link::give_up(phased_access &access)
{
    if (access.open.id) {
        if (!access.has_phase)
            static_cast<void>(ftr_tx_put_word(session_->recorder, access.open,
                                              at_phase + identity_words(), access.phase));
        end_unfinished(access.open, access.phase_time);
    }
    calls_->leave_phased(access);
}

/* Ends an access whose payload is sent again before its response has ended. The hops after it will
 * not see the end of a response either, and end as well, unless the payload has come back to this
 * link within the call that passes it on. */
FTR_SC_COLD void tlm_link::give_up_chain(phased_access &access)
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

/* Processes a phase without an open access, or a phase that does not belong to the base protocol.
 * Returns the transaction to which a violation of this phase belongs; id 0: none. */
FTR_SC_COLD ftr_tx tlm_link::take_other_phase(const tlm::tlm_generic_payload &trans,
                                              unsigned number, const tlm::tlm_phase &phase,
                                              std::uint64_t time, const phased_access *access)
{
    if (number > tlm::END_RESP)
        return record_other_phase(trans, phase.get_name(), time, access);
    return access ? access->open : ftr_tx{};
}

/* Records a phase that does not belong to the base protocol: as an event of the open access on this
 * link, if phases are events; otherwise in the stream N.phases. Returns the access, or the
 * transaction of the phase. */
FTR_SC_COLD ftr_tx tlm_link::record_other_phase(const tlm::tlm_generic_payload &trans,
                                                const char *name, std::uint64_t time,
                                                const phased_access *access)
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
