/* Non-blocking accesses on a TLM link, assembled from the phases of calls and of their returns. A
 * payload is read only while the protocol keeps it valid: before a call is forwarded, and, if the
 * caller still waits for the response, after the call has returned. The steps of all calls are in
 * access_phases.hpp. */
#include <ftr/tlm_link.hpp>

#include <algorithm>

#include <ftr/detail/word_calls.h>
#include <ftr/tlm_observer.hpp>

#include "access_phases.hpp"
#include "call_recorder.hpp"

namespace ftr
{

using namespace detail;

/* ---- phases ---------------------------------------------------------------------------------- */

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
        edit = open_items(access, 0);
    if (edit.slot)
        keep_items(edit, access, phase);
}

/* Puts a time of an access: the time from @p begin to @p end. If @p end is earlier, the time is 0,
 * and a second attribute has the difference. */
FTR_SC_COLD void tlm_link::put_phase_time(const phased_access &access, unsigned attribute,
                                          std::uint64_t begin, std::uint64_t end) const
{
    static_cast<void>(ftr_tx_put_number(session_->recorder, access.open,
                                        attribute + identity_words(), elapsed(begin, end)));
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

/* BEGIN_REQ: begins an access. @p open: the access with this payload that has not ended, or NULL:
 * the payload is sent again before its response has ended */
phased_access *tlm_link::begin_phased(const tlm::tlm_generic_payload &trans, phased_access *open,
                                      std::uint64_t begin, std::uint64_t delay,
                                      std::uint64_t identity)
{
    if (__builtin_expect(open != nullptr, 0))
        give_up(*open);
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
    if (!parent && !(parent = calls_->forwarded_by(process)))
        parent = calls_->innermost(process);
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

/* Takes a phase without an open access, or a phase that does not belong to the base protocol. Such
 * a phase is an event of the open access on this link, if phases are events; otherwise it is
 * recorded in the stream N.phases. */
FTR_SC_COLD void tlm_link::take_other_phase(const tlm::tlm_generic_payload &trans, unsigned number,
                                            const tlm::tlm_phase &phase, std::uint64_t time,
                                            const phased_access *access)
{
    if (number > tlm::END_RESP)
        record_other_phase(trans, phase.get_name(), time, access);
}

FTR_SC_COLD void tlm_link::record_other_phase(const tlm::tlm_generic_payload &trans,
                                              const char *name, std::uint64_t time,
                                              const phased_access *access)
{
    if (access && settings_.phase_events) {
        put_event(*access, calls_->text(name), time);
        return;
    }
    ftr_recorder *const rec = session_->recorder;
    if (!phases_)
        has_phases_ = define_stream(".phases", "TLM phases", phases_);
    if (!has_phases_)
        return;
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
}

/* Takes the return of a call with TLM_UPDATED or TLM_COMPLETED. */
void tlm_link::take_answer(const passed_phase &passed, const tlm::tlm_generic_payload &trans,
                           tlm::tlm_sync_enum sync, unsigned number, const tlm::tlm_phase &phase,
                           std::uint64_t delay)
{
    phased_access &access = *passed.access;
    /* If a nested call has ended the access, its memory may belong to another one now. */
    if (access.serial != passed.serial || !access.payload)
        return;
    const std::uint64_t time = now() + delay;
    if (sync == tlm::TLM_UPDATED) {
        if (phase != number)
            static_cast<void>(take_phase(trans, phase, phase, time, delay, 0, &access));
        return;
    }
    if (number == tlm::BEGIN_REQ && access.in != phased_access::state::response)
        complete(access, trans, time);
    else
        end_phased(access, time);
}

/* Ends an access by early completion: the payload contains the response. */
FTR_SC_INLINE void tlm_link::complete(phased_access &access, const tlm::tlm_generic_payload &trans,
                                      std::uint64_t time)
{
    ftr_observed_edit edit = open_items(access, 2 * FTR_ITEM_SIZE);
    if (FTR_SC_EXPECTED(edit.slot && time >= access.begin && !has_long_data(trans))) {
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

/* ---- calls ----------------------------------------------------------------------------------- */

template <class Forward>
FTR_SC_INLINE tlm::tlm_sync_enum
tlm_link::pass_phase_on(const tlm::tlm_generic_payload &trans, unsigned number,
                        const tlm::tlm_phase &phase, const sc_core::sc_time &delay, Forward forward)
{
    const sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
    const std::uint64_t passed_delay = delay.value();
    const passed_phase passed =
        take_phase(trans, number, phase, context.time_stamp().value() + passed_delay, passed_delay,
                   0, latest_phased_);
    latest_phased_ = passed.access;
    const tlm::tlm_sync_enum sync = forward(passed.access);
    take_return(passed, trans, sync, number, phase, delay.value());
    return sync;
}

tlm::tlm_sync_enum tlm_link::pass_nonblocking(tlm::tlm_fw_transport_if<> &target,
                                              tlm::tlm_generic_payload &trans,
                                              tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    const unsigned number = phase;
    if (number == tlm::BEGIN_REQ)
        return pass_phase_on(trans, tlm::BEGIN_REQ, phase, delay, [&](phased_access *access) {
            const forwarding noted(*calls_, access, running_process());
            return target.nb_transport_fw(trans, phase, delay);
        });
    return pass_phase_on(trans, number, phase, delay, [&](phased_access *) {
        return target.nb_transport_fw(trans, phase, delay);
    });
}

tlm::tlm_sync_enum tlm_link::pass_nonblocking(tlm::tlm_bw_transport_if<> &initiator,
                                              tlm::tlm_generic_payload &trans,
                                              tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    return pass_phase_on(trans, phase, phase, delay, [&](phased_access *) {
        return initiator.nb_transport_bw(trans, phase, delay);
    });
}

namespace
{

/* Returns the number of a phase of any protocol: that of the base protocol for its steps, otherwise
 * a greater one. */
unsigned number_of(const tlm_phase_view &phase)
{
    return phase.step == tlm_step::other ? unsigned{tlm::END_RESP} + 1
                                         : static_cast<unsigned>(phase.step);
}

} // namespace

tlm_nonblocking_call::tlm_nonblocking_call(tlm_link &link, tlm_path path,
                                           const tlm::tlm_generic_payload &trans,
                                           const tlm_phase_view &phase, std::uint64_t delay,
                                           std::uint64_t identity, void *known)
    : link_(link), path_(path), step_(phase.step), payload_(&trans), known_(known), begin_(now())
{
    if (link.call_form_) {
        link.call_form_->begin(*this, trans, phase, delay, identity);
        return;
    }
    if (step_ == tlm_step::other) {
        auto *const access = link.find_phased(&trans, static_cast<phased_access *>(known));
        link.record_other_phase(trans, phase.name, begin_ + delay, access);
        known_ = access;
        serial_ = access ? access->serial : 0;
        tx_ = access ? access->open : ftr_tx{};
        return;
    }
    const passed_phase passed =
        link.take_phase(trans, number_of(phase), tlm::tlm_phase(), begin_ + delay, delay, identity,
                        static_cast<phased_access *>(known));
    known_ = passed.access;
    serial_ = passed.serial;
    tx_ = passed.tx;
    if (step_ == tlm_step::begin_request)
        enclosing_ = link.calls_->forward(passed.access, running_process());
}

void tlm_nonblocking_call::end(const tlm::tlm_generic_payload &trans, tlm::tlm_sync_enum sync,
                               const tlm_phase_view &phase, std::uint64_t delay)
{
    has_ended_ = true;
    if (link_.call_form_) {
        link_.call_form_->end(*this, trans, sync, phase, delay);
        return;
    }
    if (step_ == tlm_step::begin_request)
        static_cast<void>(link_.calls_->forward(enclosing_, running_process()));
    auto *const access = static_cast<phased_access *>(known_);
    if (sync == tlm::TLM_UPDATED && phase.step == tlm_step::other) {
        if (step_ != tlm_step::other)
            link_.record_other_phase(trans, phase.name, now() + delay, access);
        return;
    }
    const tlm::tlm_phase returned(static_cast<tlm::tlm_phase_enum>(number_of(phase)));
    link_.take_return({access, serial_, tx_}, trans, sync, static_cast<unsigned>(step_), returned,
                      delay);
}

tlm_nonblocking_call::~tlm_nonblocking_call()
{
    if (has_ended_)
        return;
    if (link_.call_form_)
        link_.call_form_->abandon(*this);
    else if (step_ == tlm_step::begin_request)
        static_cast<void>(link_.calls_->forward(enclosing_, running_process()));
}

} // namespace ftr
