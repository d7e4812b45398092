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
#include "payload_holders.hpp"
#include "reported_link.hpp"

namespace ftr
{

using namespace detail;

/* Hides the origin of a pointer, so that the compiler does not compute the pointer again for each
 * use. */
template <class Type> FTR_SC_INLINE Type *opaque(Type *pointer)
{
    asm("" : "+r"(pointer));
    return pointer;
}

/* The Place of a call on a link that is not checked. On checked links, the Place is first_link or
 * further_link. */
struct tlm_link::unchecked_link {
    static constexpr bool is_checked = false;
    static constexpr bool is_first = false;
    static constexpr bool is_usual = false;
};

/* Gets up to 8 bytes of the data of a write, if there is any. On the first link, also stores the
 * checksum of the data, because the data must not change. */
template <class Place>
FTR_SC_INLINE void tlm_link::capture_written(tlm_call &call, payload_life *life,
                                             const tlm::tlm_generic_payload &trans,
                                             std::uint64_t &data) const
{
    if constexpr (Place::is_usual) {
        const unsigned char *const bytes = trans.get_data_ptr();
        if (FTR_SC_EXPECTED(trans.get_data_length() == sizeof data) &&
            (Place::is_first || FTR_SC_EXPECTED(bytes))) {
            data = word_at(bytes);
            if constexpr (Place::is_first)
                life->contents = data;
            call.data_size = sizeof data;
            call.has_word = true;
            return;
        }
        call.has_word = false;
    }
    if constexpr (Place::is_first)
        capture_contents(*life, trans);
    call.data_size = small_data(*this, trans, data);
}

/* Begins the transaction of an access on the fast path. Returns false, without effect, if the fast
 * path does not apply. @p parent: the access of the hop before, or NULL. @p life: NULL if the link
 * is not checked */
template <class Place>
FTR_SC_INLINE bool tlm_link::begin_usual(tlm_call &call, const tlm::tlm_generic_payload &trans,
                                         std::uint64_t delay, const open_access *parent,
                                         payload_life *life)
{
    const unsigned command = call.command; // a copy, so that it is read only once
    const ftr_observed_generator *const of = opaque(&prepared_[command]);
    /* On a further link, an outermost call was made by another process. */
    const bool may_be_outermost = Place::is_first || !Place::is_checked;
    if (!FTR_SC_EXPECTED(command < commands && of->generator &&
                         (may_be_outermost || active_calls::enclosing(call)) &&
                         (!parent || parent->usual) && !is_unusual(trans)))
        return false;
    ftr_recorder *const rec = open_recorder();
    ftr_slot *const slot = ftr_observed_slot(rec, parent != nullptr);
    if (!FTR_SC_EXPECTED(slot))
        return false;
    const bool has_delay = delay != 0 && settings_.delay;
    const request_items request = put_request_row<Place::is_checked>(
        slot, trans, delay, has_delay, Place::is_checked ? &life->identity : nullptr);
    std::uint8_t *to = request.end;
    call.data_size = 0;
    if constexpr (Place::is_usual)
        call.has_word = false;
    if (command == tlm::TLM_WRITE_COMMAND) {
        std::uint64_t data = 0;
        capture_written<Place>(call, life, trans, data);
        if (call.data_size)
            to = ftr_observed_put_data(of, data, call.data_size, to);
    }
    if constexpr (Place::is_checked) {
        call.identity = life->identity;
        call.address = trans.get_address();
    }
    call.usual = of;
    call.slot = slot;
    ftr_observed_begin(rec, of, slot, call.begin, request.words,
                       static_cast<std::size_t>(to - slot->items), parent ? &parent->open : nullptr,
                       &call.open);
    return true;
}

/* Gets up to 8 bytes of the data of a read. Returns their number. @p sum [out]: for usual payloads,
 * the checksum of the data */
template <class Place>
FTR_SC_INLINE unsigned tlm_link::capture_read(const tlm::tlm_generic_payload &trans,
                                              std::uint64_t &data, std::uint64_t &sum) const
{
    if constexpr (Place::is_usual) {
        const unsigned char *const bytes = trans.get_data_ptr();
        const unsigned length = trans.get_data_length();
        if (FTR_SC_EXPECTED(length == sizeof data) && (Place::is_first || FTR_SC_EXPECTED(bytes))) {
            sum = data = word_at(bytes);
            return sizeof data;
        }
        if (bytes)
            sum = contents_of(bytes, length);
    }
    return small_data(*this, trans, data);
}

/* Ends the transaction that begin_usual() began at the effective time @p end. Returns false if the
 * fast path does not apply, or if the contents of a usual payload are not as required; the
 * transaction is then still open. @p from, @p life: on checked links */
template <class Place, class Return>
FTR_SC_INLINE bool tlm_link::end_usual(const tlm_call &call, const tlm::tlm_generic_payload &trans,
                                       std::uint64_t end, payload_life *life, Return from) const
{
    if (!FTR_SC_EXPECTED((Place::is_checked || call.usual) && end >= call.begin))
        return false;
    const ftr_observed_generator *const of = call.usual;
    ftr_recorder *const rec = open_recorder();
    std::uint8_t *to = ftr_observed_end(rec, call.slot, call.open.id, end);
    if (!FTR_SC_EXPECTED(to))
        return false;
    std::uint64_t data = 0;
    std::uint64_t contents = 0;
    if (call.command == tlm::TLM_READ_COMMAND) {
        const unsigned size =
            trans.is_response_ok() ? capture_read<Place>(trans, data, contents) : 0;
        if (size) {
            to = ftr_observed_put_data(of, data, size, to);
            if constexpr (Place::is_usual && !Place::is_first) {
                if (from == checked_return::answered)
                    life->contents = contents;
            } else if constexpr (Place::is_usual) {
                if (from == checked_return::passed_back &&
                    !FTR_SC_EXPECTED(contents == life->contents))
                    return false;
            }
        }
    } else if constexpr (Place::is_usual) {
        if (Place::is_first || from == checked_return::answered) {
            if (FTR_SC_EXPECTED(call.has_word)) {
                if (!FTR_SC_EXPECTED(word_at(trans.get_data_ptr()) == life->contents))
                    return false;
            } else if (call.data_size && is_written_data_changed(*life)) {
                return false;
            }
        }
    }
    to =
        ftr_observed_put_response(of, calls_->short_names.responses.of(trans.get_response_status()),
                                  trans.is_dmi_allowed(), to);
    ftr_observed_commit(rec, call.slot, to);
    return true;
}

template <class Forward>
FTR_SC_INLINE void tlm_link::pass_on(const tlm::tlm_generic_payload &trans,
                                     const sc_core::sc_time &delay, Forward forward)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext; // not NULL: a call is active
    const open_access *parent = nullptr;
    struct going_on {
        tlm_link &link;
        tlm_call &call;
        bool has_returned;
        ~going_on()
        {
            if (__builtin_expect(!has_returned, 0))
                link.abandon_blocking(call);
            link.calls_->leave(&call);
        }
    } of{*this, enter_blocking(context, trans, delay.value(), parent), false};
    if (!FTR_SC_EXPECTED(
            begin_usual<unchecked_link>(of.call, trans, delay.value(), parent, nullptr)))
        begin_unusual(of.call, trans, delay.value(), parent);
    forward();
    of.has_returned = true;
    const std::uint64_t end = context.time_stamp().value() + delay.value();
    if (!FTR_SC_EXPECTED(end_usual<unchecked_link>(of.call, trans, end, nullptr, nullptr)))
        end_unusual(of.call, trans, delay.value());
}

void tlm_link::pass_blocking(tlm::tlm_fw_transport_if<> &target, tlm::tlm_generic_payload &trans,
                             sc_core::sc_time &delay)
{
    pass_on(trans, delay, [&] { target.b_transport(trans, delay); });
}

void tlm_link::pass_blocking(const tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay,
                             const tlm_forwarding &forwarding)
{
    pass_on(trans, delay, [&] { forwarding.forward(forwarding); });
}

/* ---- checked blocking transport -------------------------------------------------------------- */

void tlm_link::pass_checked(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                            tlm::tlm_fw_transport_if<> &target)
{
    payload_life &life = protocol_state::probable_life(trans);
    if (!FTR_SC_EXPECTED(session_->state.load(std::memory_order_relaxed) == valve::on) ||
        !FTR_SC_EXPECTED(checked_path_ == checked_path::usual_payload) ||
        !FTR_SC_EXPECTED(life.is_of(trans)))
        search_and_pass(trans, delay, target);
    else if (FTR_SC_EXPECTED(!life.is_in_use()))
        record_checked<first_link<checked_payload::usual>>(trans, delay, target, life);
    else
        record_checked<further_link<checked_payload::usual>>(trans, delay, target, life);
}

/* Records and checks a call on the fast path. The slow path, which inspects all rules, is in
 * inspected_calls.cpp. */
void tlm_link::pass_any(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                        tlm::tlm_fw_transport_if<> &target, payload_life &life)
{
    const bool is_usual = checked_path_ == checked_path::usual_payload;
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

void tlm_link::search_and_pass(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                               tlm::tlm_fw_transport_if<> &target)
{
    const bool is_probable = FTR_SC_EXPECTED(check_->state.lives.slots()) &&
                             FTR_SC_EXPECTED(protocol_state::probable_life(trans).is_of(trans));
    payload_life *const life =
        is_probable ? &protocol_state::probable_life(trans) : search_chosen_life(*check_, trans);
    if (!life)
        target.b_transport(trans, delay); // the table is full; already counted
    else if (!records_blocking())
        check_alone(trans, delay, target, *life);
    else if (FTR_SC_EXPECTED(checked_path_ != checked_path::inspected &&
                             session_->state.load(std::memory_order_relaxed) == valve::on))
        pass_any(trans, delay, target, *life);
    else
        record_inspected(trans, delay, target, *life);
}

template <checked_return From> using returns = std::integral_constant<checked_return, From>;

/* Checks, records and forwards a call. Uses catch instead of a guard object, so that the compiler
 * keeps the variables in registers. */
template <class Place>
__attribute__((noinline)) void
tlm_link::record_checked(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                         tlm::tlm_fw_transport_if<> &target, payload_life &life)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext; // not NULL: a call is active
    /* Volatile: stays in memory until its only use, and does not occupy a register. */
    tlm::tlm_fw_transport_if<> *const volatile forward = &target;
    Place::enter(life);
    if (!FTR_SC_EXPECTED(Place::begins_well(life, trans)) ||
        !FTR_SC_EXPECTED(Place::is_called_well(context, delay.value()))) {
        enter_unusual(trans, delay, *forward, life);
        return;
    }
    const open_access *parent = nullptr;
    tlm_call &call = enter_blocking(context, trans, delay.value(), parent);
    if (!FTR_SC_EXPECTED(begin_usual<Place>(call, trans, delay.value(), parent, &life))) {
        pass_unusual(trans, delay, *forward, life, call, parent);
        return;
    }
    try {
        forward->b_transport(trans, delay);
        /* A constant @p from saves registers and tests. */
        const auto end = [&](auto from) FTR_SC_ALWAYS {
            if (!Place::ends_well(life, trans, from) ||
                (!Place::is_usual && !Place::keeps_contents(life, trans, from)) ||
                !FTR_SC_EXPECTED(end_usual<Place>(
                    call, trans, context.time_stamp().value() + delay.value(), &life, from)))
                return false;
            Place::finish(life, trans, from);
            return true;
        };
        const checked_return from = Place::compare(life, trans);
        const bool has_ended = FTR_SC_EXPECTED(from == checked_return::answered)
                                   ? end(returns<checked_return::answered>())
                                   : from == checked_return::passed_back &&
                                         end(returns<checked_return::passed_back>());
        if (!FTR_SC_EXPECTED(has_ended))
            end_inspected(trans, delay, life, call, nullptr);
    } catch (...) {
        leave_by_exception(life, call);
        throw;
    }
    calls_->leave(&call);
    Place::leave(life);
}

} // namespace ftr
