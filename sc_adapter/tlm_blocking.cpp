/* Blocking accesses on a TLM link, checked or not. The transaction begins before the call, so that
 * it is recorded as unfinished if the process crashes during the call. For speed, the code for
 * frequent cases (named `usual`) is inline; functions named `unusual` handle all other cases
 * (tlm_unusual.cpp, inspected_calls.cpp). */
#include <ftr/tlm_link.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "access_request.hpp"
#include "blocking_check.hpp"
#include "link_paths.hpp"
#include "payload_holders.hpp"
#include "reported_link.hpp"

namespace ftr
{

using namespace detail;

/* The Place of a call on a link that is not checked. On checked links, the Place is first_link or
 * further_link. */
struct tlm_link::unchecked_link {
    static constexpr bool is_checked = false;
    static constexpr bool is_first = false;
    static constexpr bool is_further = false;
    static constexpr bool is_usual = false;
};

/* Writes the data of a write to @p to. On the first link, also stores the checksum of the data,
 * because the data must not change. Returns the end of the data; NULL: the fast path does not
 * apply. */
template <class Place>
FTR_SC_INLINE std::uint8_t *
tlm_link::put_written(const ftr_observed_generator &of, const tlm::tlm_generic_payload &trans,
                      payload_life *life, const ftr_slot *slot, std::uint8_t *to) const
{
    if constexpr (Place::is_usual) {
        const unsigned char *const bytes = trans.get_data_ptr();
        if (has_word(trans) && (Place::is_first || FTR_SC_EXPECTED(bytes))) {
            const std::uint64_t data = word_at(bytes);
            if constexpr (Place::is_first)
                life->contents = data;
            return ftr_observed_put_data(&of, data, sizeof data, to);
        }
    }
    if constexpr (Place::is_first)
        capture_contents(*life, trans);
    return put_data(of, trans, settings_.payload, to, ftr_observed_room_end(slot));
}

/* Begins the transaction of an access on the fast path. Returns false, without effect, if the fast
 * path does not apply. @p parent: the access of the hop before, or NULL. @p life: NULL if the link
 * is not checked */
template <class Place>
FTR_SC_INLINE bool tlm_link::begin_usual(tlm_call &call, const tlm::tlm_generic_payload &trans,
                                         std::uint64_t delay, const open_access *parent,
                                         payload_life *life)
{
    const auto command = static_cast<unsigned>(trans.get_command());
    const ftr_observed_generator *const of = opaque(&prepared_[command]);
    if (Place::is_further && !parent)
        __builtin_unreachable(); // the call is nested
    if (!FTR_SC_EXPECTED(!parent || parent->slot))
        return false;
    /* The first checked link has tested the attributes. On a further link, they are unchanged, and
     * the access of the hop before has begun on the fast path. */
    if (!FTR_SC_EXPECTED(Place::is_further || command < commands) ||
        (Place::is_checked ? __builtin_expect(has_extension_recorders, 0) : is_unusual(trans)))
        return false;
    ftr_recorder *const rec = recorder_;
    const std::uint64_t begin = call.begin;
    const ftr_observed_place at = ftr_observed_find_place(rec, parent != nullptr);
    if (!FTR_SC_EXPECTED(at.slot))
        return false;
    call.usual = of;
    call.slot = at.slot;
    if constexpr (Place::is_checked) {
        call.life = life;
        call.identity = life->identity;
        call.address = trans.get_address();
    }
    std::uint8_t *to = put_request_row<Place::is_checked>(*of, at.items, trans, delay,
                                                          delay != 0 && settings_.delay,
                                                          Place::is_checked ? life->identity : 0);
    if (command == tlm::TLM_WRITE_COMMAND &&
        !FTR_SC_EXPECTED(to = put_written<Place>(*of, trans, life, at.slot, to)))
        return false;
    ftr_observed_begin(rec, of, at, begin, static_cast<std::size_t>(to - at.items),
                       parent ? &parent->open : nullptr, &call.open);
    return true;
}

/* Writes the data of a read to the end of @p record. Compares them with the answer of the target,
 * or stores their checksum. Returns the end of the data; NULL: the fast path does not apply, or the
 * data have changed. */
template <class Place, class Return>
FTR_SC_INLINE std::uint8_t *
tlm_link::put_read(const ftr_observed_generator &of, const tlm::tlm_generic_payload &trans,
                   payload_life *life, Return from, const ftr_observed_record &record) const
{
    std::uint8_t *to = record.to;
    const std::uint8_t *const end = record.limit - 2 * FTR_ITEM_SIZE; // for the response
    if constexpr (!Place::is_usual) {
        return put_data(of, trans, settings_.payload, to, end);
    } else {
        const unsigned char *const bytes = trans.get_data_ptr();
        std::uint64_t sum = 0;
        if (has_word(trans) && (Place::is_first || FTR_SC_EXPECTED(bytes))) {
            sum = word_at(bytes);
            to = ftr_observed_put_data(&of, sum, sizeof sum, to);
        } else {
            sum = bytes ? contents_of(bytes, trans.get_data_length()) : 0;
            to = put_data(of, trans, settings_.payload, to, end);
        }
        if (!Place::is_first && from == checked_return::answered)
            life->contents = sum;
        if (Place::is_first && from == checked_return::passed_back &&
            !FTR_SC_EXPECTED(sum == life->contents))
            return nullptr;
        return to;
    }
}

/* Returns whether the data of a write are unchanged when a usual payload is returned. */
template <class Place, class Return>
FTR_SC_INLINE bool keeps_written(const payload_life *life, const tlm::tlm_generic_payload &trans,
                                 Return from)
{
    if constexpr (Place::is_usual) {
        const unsigned char *const bytes = trans.get_data_ptr();
        if (!Place::is_first && from != checked_return::answered)
            return true;
        if (has_word(trans) && (Place::is_first || FTR_SC_EXPECTED(bytes)))
            return FTR_SC_EXPECTED(word_at(bytes) == life->contents);
        return !is_written_data_changed(*life);
    }
    return true;
}

/* Ends the transaction that begin_usual() began at the effective time @p end. Returns false if the
 * fast path does not apply, or if the contents of a usual payload are not as required; the
 * transaction is then still open. @p from, @p life: on checked links */
template <class Place, class Return>
FTR_SC_INLINE bool tlm_link::end_usual(const tlm_call &call, const tlm::tlm_generic_payload &trans,
                                       std::uint64_t end, payload_life *life, Return from) const
{
    constexpr std::size_t most = most_call_items<Place::is_checked>;
    constexpr std::size_t more = 3 * FTR_ITEM_SIZE; // the data, two attributes of the response
    ftr_recorder *const rec = recorder_;
    ftr_slot *const slot = call.slot;
    if (!FTR_SC_EXPECTED(end >= call.begin) || !ftr_observed_may_end(rec, slot, end))
        return false;
    const ftr_observed_generator &of = *call.usual;
    ftr_observed_record record = ftr_observed_end(rec, slot, end, most, false, more);
    if (!FTR_SC_EXPECTED(record.block))
        return false;
    if (&of == &prepared_[tlm::TLM_READ_COMMAND]) {
        if (trans.is_response_ok() &&
            !FTR_SC_EXPECTED(record.to = put_read<Place>(of, trans, life, from, record)))
            return false;
    } else if (&of == &prepared_[tlm::TLM_WRITE_COMMAND] &&
               !keeps_written<Place>(life, trans, from)) {
        return false;
    }
    record.to = ftr_observed_put_response(
        &of, calls_->short_names.responses.of(trans.get_response_status()), trans.is_dmi_allowed(),
        record.to);
    ftr_observed_commit(rec, slot, record);
    return true;
}

void tlm_link::set_blocking_path(blocking_path path)
{
    recording_path_ = path;
    blocking_path_ = settings_.denies_dmi ? &link_paths::denying : path;
}

/* Passes on an entered call whose transaction begin_usual() has not begun. */
template <class Forward>
FTR_SC_INLINE void tlm_link::pass_unusually(tlm_call &call, const tlm::tlm_generic_payload &trans,
                                            const sc_core::sc_time &delay,
                                            const open_access *parent, Forward forward)
{
    begin_unusual(call, trans, delay.value(), parent);
    try {
        forward();
    } catch (...) {
        leave_by_exception(call);
        throw;
    }
    leave_unusual(call, trans, delay.value());
}

/* Ends and leaves a call to whose end the fast path does not apply. */
FTR_SC_COLD void tlm_link::leave_unusual(tlm_call &call, const tlm::tlm_generic_payload &trans,
                                         std::uint64_t delay)
{
    if (!call.slot || !ftr_observed_discard(recorder_, call.open, now() + delay))
        end_unusual(call, trans, delay);
    calls_->leave(call);
}

FTR_SC_COLD void tlm_link::leave_by_exception(tlm_call &call)
{
    abandon_blocking(call);
    calls_->leave(call);
}

FTR_SC_COLD void tlm_link::pass_entered(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                                        blocking_if &target, tlm_call &call,
                                        const open_access *parent)
{
    pass_unusually(call, trans, delay, parent, [&] { target.b_transport(trans, delay); });
}

void link_paths::usual(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                       blocking_if &target)
{
    const open_access *parent = nullptr;
    tlm_call *const call =
        ftr_observed_may_begin(link.recorder_)
            /* not NULL: a call is active */
            ? link.enter_usual<false>(*sc_core::sc_curr_simcontext, trans, delay.value(), parent)
            : nullptr;
    if (!FTR_SC_EXPECTED(call)) {
        any(link, trans, delay, target);
        return;
    }
    if (!FTR_SC_EXPECTED(link.begin_usual<tlm_link::unchecked_link>(*call, trans, delay.value(),
                                                                    parent, nullptr))) {
        link.pass_entered(trans, delay, target, *call, parent);
        return;
    }
    try {
        target.b_transport(trans, delay);
    } catch (...) {
        call->link->leave_by_exception(*call);
        throw;
    }
    /* Read from the call again, so that they need no registers while the call is forwarded. */
    tlm_link &of = *call->link;
    const auto &returned = *static_cast<const payload_type *>(call->payload);
    const std::uint64_t end = sc_core::sc_curr_simcontext->time_stamp().value() + delay.value();
    if (!FTR_SC_EXPECTED(
            of.end_usual<tlm_link::unchecked_link>(*call, returned, end, nullptr, nullptr))) {
        of.leave_unusual(*call, returned, delay.value());
        return;
    }
    of.calls_->leave(*call);
}

void link_paths::any(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                     blocking_if &target)
{
    if (!link.records_blocking()) {
        target.b_transport(trans, delay);
        return;
    }
    if (__builtin_expect(now() > ftr_window_stop(link.recorder_), 0)) {
        link.set_blocking_path(&late);
        late(link, trans, delay, target);
        return;
    }
    const open_access *parent = nullptr;
    tlm_call &call =
        link.enter_blocking(*sc_core::sc_curr_simcontext, trans, delay.value(), parent);
    link.pass_entered(trans, delay, target, call, parent);
}

void link_paths::searched(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                          blocking_if &target)
{
    if (link.finds_new_extension(trans))
        any(link, trans, delay, target);
    else
        usual(link, trans, delay, target);
}

/* Neither the call nor its hops are entered, so an access that lasts until the window has no
 * relations. */
void link_paths::early(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                       blocking_if &target)
{
    struct {
        tlm_link *link;
        payload_type *trans;
        sc_core::sc_time *delay;
        const sc_core::sc_simcontext *context;
        std::uint64_t address, begin, passed;
    } call{&link, &trans,       &delay, sc_core::sc_curr_simcontext, trans.get_address(),
           0,     delay.value()};
    call.begin = call.context->time_stamp().value() + call.passed;
    if (!FTR_SC_EXPECTED(call.begin < link.calls_->early_until)) {
        enter_window(link, trans, delay, target);
        return;
    }
    asm("" : "+m"(call)); // stays in memory, and does not occupy registers
    target.b_transport(trans, delay);
    const std::uint64_t end = call.context->time_stamp().value() + call.delay->value();
    ftr_recorder *const rec = call.link->recorder_;
    if (FTR_SC_EXPECTED(end < ftr_window_start(rec)))
        ftr_observed_count_skipped(rec);
    else
        record_late(*call.link, *call.trans, {call.address, call.begin, call.passed, 0}, end);
}

FTR_SC_COLD void link_paths::enter_window(tlm_link &link, payload_type &trans,
                                          sc_core::sc_time &delay, blocking_if &target)
{
    link.calls_->choose_paths(link);
    any(link, trans, delay, target);
}

void link_paths::late(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                      blocking_if &target)
{
    ftr_observed_count_skipped(link.recorder_);
    target.b_transport(trans, delay);
}

/* The path of links that deny DMI. */
void link_paths::denying(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                         blocking_if &target)
{
    link.recording_path_(link, trans, delay, target);
    trans.set_dmi_allowed(false);
}

void tlm_link::pass_blocking(const tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay,
                             const tlm_forwarding &forwarding)
{
    const open_access *parent = nullptr;
    tlm_call &call = enter_blocking(*sc_core::sc_curr_simcontext, trans, delay.value(), parent);
    pass_unusually(call, trans, delay, parent, [&] { forwarding.forward(forwarding); });
}

/* ---- checked blocking transport -------------------------------------------------------------- */

/* After the inspected calls and the search. */
template <checked_payload Payload>
FTR_SC_INLINE void link_paths::checked_soon(tlm_link &link, payload_type &trans,
                                            sc_core::sc_time &delay, blocking_if &target)
{
    payload_life &life = protocol_state::probable_life(trans);
    if (!ftr_observed_may_begin(link.recorder_) || !FTR_SC_EXPECTED(life.is_of(trans)))
        checked(link, trans, delay, target);
    else if (FTR_SC_EXPECTED(!life.is_in_use()))
        link.record_checked<first_link<Payload>>(trans, delay, target, life);
    else
        link.record_checked<further_link<Payload>>(trans, delay, target, life);
}
void link_paths::checked_usual(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                               blocking_if &target)
{
    checked_soon<checked_payload::usual>(link, trans, delay, target);
}
void link_paths::checked_few(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                             blocking_if &target)
{
    checked_soon<checked_payload::any>(link, trans, delay, target);
}

/* Records and checks a call on the fast path. The slow path, which inspects all rules, is in
 * inspected_calls.cpp. */
void tlm_link::record_uninspected(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                                  blocking_if &target, payload_life &life)
{
    const bool is_usual = settings_.payload >= sizeof(std::uint64_t);
    if (life.is_in_use() && is_usual)
        record_checked<further_link<checked_payload::usual>>(trans, delay, target, life);
    else if (life.is_in_use())
        record_checked<further_link<checked_payload::any>>(trans, delay, target, life);
    else if (is_usual && life.is_of(trans))
        record_checked<first_link<checked_payload::usual>>(trans, delay, target, life);
    else
        record_checked<first_link<checked_payload::any>>(trans, delay, target, life);
}

namespace
{

/* Returns the life that a call with this payload belongs to. NULL: the table is full. */
FTR_SC_COLD payload_life *search_chosen_life(link_check &check,
                                             const tlm::tlm_generic_payload &trans)
{
    payload_life *const life = search_life(check.state, trans);
    return life && life->is_handed_over() ? &payload_holders::choose_life(check, *life) : life;
}

} // namespace

/* The path of all calls on a checked link. */
void link_paths::checked(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                         blocking_if &target)
{
    link_check &check = *link.check_;
    const bool is_probable = FTR_SC_EXPECTED(check.state.lives.slots()) &&
                             FTR_SC_EXPECTED(protocol_state::probable_life(trans).is_of(trans));
    payload_life *const life =
        is_probable ? &protocol_state::probable_life(trans) : search_chosen_life(check, trans);
    if (!life)
        target.b_transport(trans, delay); // the table is full; already counted
    else if (!link.records_blocking())
        link.check_alone(trans, delay, target, *life);
    else if (check.to_inspect == 0 && link.is_prepared_ && ftr_observed_may_begin(link.recorder_) &&
             !link.finds_new_extension(trans))
        link.record_uninspected(trans, delay, target, *life);
    else
        link.record_inspected(trans, delay, target, *life);
}

template <checked_return From> using returns = std::integral_constant<checked_return, From>;

template <class Place>
__attribute__((noinline)) void tlm_link::record_checked(tlm::tlm_generic_payload &trans,
                                                        sc_core::sc_time &delay,
                                                        blocking_if &target, payload_life &life)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext; // not NULL: a call is active
    Place::enter(life);
    const open_access *parent = nullptr;
    /* On a further link, the call is nested, so the kind of the process was tested before. */
    tlm_call *const call =
        FTR_SC_EXPECTED(Place::begins_well(life, trans)) &&
                (Place::is_further ? Place::is_delayed_well(delay.value())
                                   : Place::is_called_well(context, delay.value()))
            ? enter_usual<Place::is_further>(context, trans, delay.value(), parent)
            : nullptr;
    if (!FTR_SC_EXPECTED(call)) {
        enter_unusual(trans, delay, target, life);
        return;
    }
    if (!FTR_SC_EXPECTED(begin_usual<Place>(*call, trans, delay.value(), parent, &life))) {
        pass_unusual(trans, delay, target, life, *call, parent);
        return;
    }
    try {
        target.b_transport(trans, delay);
    } catch (...) {
        call->link->leave_checked(*call->life, *call);
        throw;
    }
    /* Read from the call again, so that they need no registers while the call is forwarded. */
    tlm_link &of = *call->link;
    if (!FTR_SC_EXPECTED(of.end_checked<Place>(*call, delay.value()))) {
        of.leave_inspected(*call, delay);
        return;
    }
    payload_life &left = *call->life;
    of.calls_->leave(*call);
    Place::leave(left);
}

/* Ends a call of record_checked() on the fast path. Returns false if it does not apply, or if a
 * rule may be broken. */
template <class Place>
FTR_SC_INLINE bool tlm_link::end_checked(const tlm_call &call, std::uint64_t delay) const
{
    const auto &trans = *static_cast<const payload_type *>(call.payload);
    payload_life &life = *call.life;
    const std::uint64_t end = sc_core::sc_curr_simcontext->time_stamp().value() + delay;
    /* A constant @p from saves registers and tests. */
    const auto end_from = [&](auto from) FTR_SC_ALWAYS {
        if (!Place::ends_well(life, trans, from) ||
            (!Place::is_usual && !Place::keeps_contents(life, trans, from)) ||
            !FTR_SC_EXPECTED(end_usual<Place>(call, trans, end, &life, from)))
            return false;
        Place::finish(life, trans, from);
        return true;
    };
    const checked_return from = Place::compare(life, trans);
    return FTR_SC_EXPECTED(from == checked_return::answered)
               ? end_from(returns<checked_return::answered>())
               : from == checked_return::passed_back &&
                     end_from(returns<checked_return::passed_back>());
}

} // namespace ftr
