/* Blocking transport on a TLM link, checked or not.
 * A call in N_bl is recorded from its begin, so that a crash within it leaves it unfinished. The
 * transaction in N_bl_timed is recorded after the return. For speed, the parts of pass_blocking()
 * that most calls take are inline, and the numbers of words are constants; the others are named
 * `unusual`. */
#include <ftr/tlm_link.hpp>

#include <algorithm>
#include <cstring>

#include "blocking_check.hpp"
#include "reported_link.hpp"
#include "tlm_attributes.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

/* Marks a lambda that every call executes. */
#define FTR_SC_ALWAYS __attribute__((always_inline))

/* Puts a PARENT_CHILD relation if both transactions are recorded. */
void tlm_link::relate(ftr_tx outer, ftr_tx inner) const
{
    if (outer.id && inner.id)
        static_cast<void>(ftr_relation_put(session_->recorder, calls_->parent_child, outer, inner));
}

/* Returns the recorder of an active session; asserting that it exists saves the compiler a
 * check. */
FTR_SC_INLINE ftr_recorder *tlm_link::open_recorder() const
{
    ftr_recorder *const rec = session_->recorder;
    if (!rec)
        __builtin_unreachable();
    return rec;
}

/* Begins a call in N_bl, within another one (NULL: none), by the fast path. Returns false, without
 * effect, if it does not apply. */
template <bool Checked>
FTR_SC_INLINE bool tlm_link::begin_usual(tlm_call &call, const tlm::tlm_generic_payload &trans,
                                         std::uint64_t begin, std::uint64_t delay,
                                         const tlm_call *outer) const
{
    constexpr unsigned more = Checked ? 1 : 0;
    const unsigned command = call.command; // the calls below would make the compiler read it again
    const ftr_observed_generator *const of = &prepared_[command];
    if (!FTR_SC_EXPECTED(command <= 2 && of->generator && (!outer || outer->usual) &&
                         !captures_more(trans)))
        return false;
    ftr_recorder *const rec = open_recorder();
    ftr_slot *const slot = ftr_observed_slot(rec, outer != nullptr);
    if (!FTR_SC_EXPECTED(slot))
        return false;
    std::uint8_t *const words = ftr_observed_words(slot);
    if constexpr (Checked) {
        std::memcpy(words, &call.stored[0], sizeof delay);
        call.words()[word_address] = trans.get_address();
    }
    std::memcpy(words + sizeof delay * (more + word_start_delay), &delay, sizeof delay);
    read_request(*calls_, trans, static_cast<int>(command),
                 [words](unsigned at, std::uint64_t word) FTR_SC_ALWAYS {
                     std::memcpy(words + sizeof word * (more + word_bl_request + at), &word,
                                 sizeof word);
                 });
    std::size_t fill = ftr_words_size(more + word_bl_data);
    std::uint64_t data;
    call.has_data = command == tlm::TLM_WRITE_COMMAND && take_data(trans, data);
    if (call.has_data) {
        ftr_observed_put_data(of, data, slot->items + fill);
        fill += FTR_ITEM_SIZE;
    }
    call.usual = of;
    call.slot = slot;
    ftr_observed_begin(rec, of, slot, begin, fill, outer ? &outer->open : nullptr, &call.open);
    return true;
}

/* Begins a call in N_bl, within another one (NULL: none). */
template <bool Checked>
void tlm_link::begin_call(tlm_call &call, std::uint64_t begin, std::uint64_t delay,
                          const tlm_call *outer) const
{
    constexpr unsigned more = Checked ? 1 : 0;
    const ftr_tx *const from = outer && outer->open.id ? &outer->open : nullptr;
    std::uint64_t words[1 + bl_words];
    if constexpr (Checked)
        words[0] = call.stored[0];
    words[more + word_start_delay] = delay;
    std::copy_n(call.words(), static_cast<std::size_t>(request_words),
                words + more + word_bl_request);
    words[more + word_bl_data] = call.words()[word_data];
    static_cast<void>(ftr_tx_begin_within(open_recorder(), bl_.of[call.command], begin, words,
                                          more + word_bl_data + call.has_data, calls_->parent_child,
                                          from, &call.open));
}

template <bool Checked>
__attribute__((noinline)) void
tlm_link::begin_unusual(tlm_call &call, const tlm::tlm_generic_payload &trans, std::uint64_t begin,
                        std::uint64_t delay, const tlm_call *outer)
{
    call.usual = nullptr;
    call.command = std::min(call.command, 2U); // also for invalid commands
    call.is_slow = captures_more(trans) || !bl_.of[call.command];
    call.open.id = 0;
    take_request(trans, call.words());
    call.has_data = trans.is_write() && take_data(trans, call.words()[word_data]);
    if (bl_.of[call.command])
        begin_call<Checked>(call, begin, delay, outer);
    if (call.is_slow)
        begin_slow(call, trans, outer);
}

template <bool Checked>
FTR_SC_INLINE tlm_call *tlm_link::begin_blocking(sc_core::sc_simcontext &context,
                                                 const tlm::tlm_generic_payload &trans,
                                                 std::uint64_t delay, std::uint64_t identity)
{
    const void *const process = context.get_curr_proc_info()->process_handle;
    const tlm_call *outer = nullptr;
    tlm_call *const call = calls_->enter(process, outer);
    const std::uint64_t begin = context.time_stamp().value();
    call->link = this;
    call->timed_begin = begin + delay;
    call->command = static_cast<unsigned>(trans.get_command());
    if constexpr (Checked)
        call->stored[0] = identity;
    if (!FTR_SC_EXPECTED(begin_usual<Checked>(*call, trans, begin, delay, outer)))
        begin_unusual<Checked>(*call, trans, begin, delay, outer);
    return call;
}

/* Stores the words of a request that is only in the slot of its transaction. */
void tlm_link::restore_request(tlm_call &call) const
{
    const ftr_slot *const slot = ftr_slot_of(open_recorder(), call.open);
    if (!call.usual || !ftr_slot_holds(slot, call.open))
        return;
    const std::uint8_t *const items = slot->items;
    const unsigned first = identity_words() + word_bl_request;
    std::memcpy(call.words(), items + sizeof(std::uint64_t) * (1 + first),
                sizeof(std::uint64_t) * request_words);
    std::memcpy(call.words() + word_data,
                items + ftr_words_size(identity_words() + word_bl_data) + sizeof(std::uint64_t),
                sizeof(std::uint64_t));
}

/* The words of N_bl that its twin has, too. */
template <bool Checked> FTR_SC_INLINE std::uint64_t twin_ranges(bool has_data)
{
    constexpr unsigned more = Checked ? 1 : 0;
    constexpr std::uint64_t request =
        (Checked ? FTR_COPIED_RANGE(0, 0, 1) : 0) |
        FTR_COPIED_RANGE(more, more + word_bl_request, +request_words);
    constexpr std::uint64_t with_data = request |
                                        FTR_COPIED_RANGE(more + 1, more + word_bl_dmi_allowed, 2) |
                                        FTR_COPIED_RANGE(more + 2, more + word_bl_data, 1);
    constexpr std::uint64_t without_data =
        request | FTR_COPIED_RANGE(more + 1, more + word_bl_data, 2);
    return has_data ? with_data : without_data;
}

/* Ends a call of begin_usual(), and records its twin in N_bl_timed. Returns false, without effect,
 * if the fast path does not apply. */
template <bool Checked>
FTR_SC_INLINE bool tlm_link::end_usual(const tlm_call &call, const tlm::tlm_generic_payload &trans,
                                       std::uint64_t end, std::uint64_t delay) const
{
    const ftr_observed_generator *const of = call.usual;
    const std::uint64_t timed_end = end + delay;
    if (!FTR_SC_EXPECTED(of && timed_end >= call.timed_begin))
        return false;
    ftr_recorder *const rec = open_recorder();
    std::uint8_t *to =
        ftr_observed_end(rec, call.slot, call.open.id, end, word_bl_data + (Checked ? 1 : 0));
    if (!FTR_SC_EXPECTED(to))
        return false;
    bool has_data = call.has_data;
    std::uint64_t data;
    if (call.command == tlm::TLM_READ_COMMAND && trans.is_response_ok() && take_data(trans, data)) {
        to = ftr_observed_put_data(of, data, to);
        has_data = true;
    }
    to = ftr_observed_put_response(rec, of, trans.is_dmi_allowed(),
                                   calls_->responses.of(trans.get_response_status()), delay, to);
    if (of->twin_generator)
        to = ftr_observed_put_twin(rec, of, &call.open, call.timed_begin, timed_end,
                                   twin_ranges<Checked>(has_data), to);
    ftr_observed_commit(rec, call.slot, to);
    return true;
}

template <bool Checked>
__attribute__((noinline)) void tlm_link::end_unusual(tlm_call &call,
                                                     const tlm::tlm_generic_payload &trans,
                                                     std::uint64_t end, std::uint64_t delay)
{
    constexpr unsigned more = Checked ? 1 : 0;
    ftr_recorder *const rec = open_recorder();
    const ftr_generator timed = bl_timed_.of[call.command];
    restore_request(call);
    take_response(trans, call.words());
    const bool has_read = call.command == tlm::TLM_READ_COMMAND && trans.is_response_ok() &&
                          take_data(trans, call.words()[word_data]);
    if (!call.usual && call.is_slow && !end_slow(call, trans, end + delay, has_read))
        return;
    const std::uint64_t words[] = {call.words()[word_data], call.words()[word_dmi_allowed],
                                   call.words()[word_response_status], delay};
    const unsigned missing = has_read ? 0 : 1;
    static_cast<void>(ftr_tx_end_words(rec, call.open, end, word_bl_data + missing + more,
                                       words + missing, 4 - missing));
    if (!timed)
        return;
    const std::uint64_t timed_end = end + delay;
    if (timed_end < call.timed_begin) {
        record_lowered(call, timed_end, has_read);
        return;
    }
    ftr_tx twin;
    twin.id = 0;
    const unsigned has_data = call.has_data || has_read ? 1 : 0;
    static_cast<void>(ftr_tx_record_words(rec, timed, call.timed_begin, timed_end,
                                          call.stored + 1 - more,
                                          payload_words - 1 + has_data + more, &twin));
    relate(call.open, twin);
}

template <bool Checked>
FTR_SC_INLINE void tlm_link::end_blocking(const sc_core::sc_simcontext &context, tlm_call &call,
                                          const tlm::tlm_generic_payload &trans,
                                          std::uint64_t delay)
{
    const std::uint64_t end = context.time_stamp().value();
    if (!FTR_SC_EXPECTED(end_usual<Checked>(call, trans, end, delay)))
        end_unusual<Checked>(call, trans, end, delay);
}

/* The timed twin of a call whose effective end is before its effective begin. A transaction cannot
 * end before it begins. It is recorded without duration, and an attribute contains the time by
 * which the call moved back. */
FTR_SC_COLD void tlm_link::record_lowered(const tlm_call &call, std::uint64_t timed_end,
                                          bool has_read) const
{
    const ftr_tx twin = begin_timed(call);
    if (!twin.id)
        return;
    put_words(twin, payload_attributes, call.words(), word_dmi_allowed, word_data + has_read);
    put_lowered(twin, call.timed_begin - timed_end);
    static_cast<void>(ftr_tx_end(session_->recorder, twin, call.timed_begin));
    relate(call.open, twin);
}

void tlm_link::put_lowered(ftr_tx tx, std::uint64_t ticks) const
{
    ftr_value value{};
    value.type = FTR_TYPE_TIME;
    value.as.number = ticks;
    static_cast<void>(
        ftr_tx_put_named(session_->recorder, tx, FTR_CLASS_END, "lowered_by", &value));
}

/* Begins a call with attributes that do not fit into 64-bit words, or one that is recorded only in
 * N_bl_timed. */
FTR_SC_COLD void tlm_link::begin_slow(tlm_call &call, const tlm::tlm_generic_payload &trans,
                                      const tlm_call *outer)
{
    if (!bl_.of[call.command] && bl_timed_.of[call.command]) {
        call.open = begin_timed(call);
        if (outer)
            relate(outer->open, call.open);
    }
    if (call.open.id && captures_more(trans))
        put_more(trans, call.open, false);
}

/* Ends a call of begin_slow(). Returns false if the call is recorded only in N_bl_timed, so that
 * nothing more is to be done. */
FTR_SC_COLD bool tlm_link::end_slow(tlm_call &call, const tlm::tlm_generic_payload &trans,
                                    std::uint64_t end, bool has_read)
{
    if (call.open.id && captures_more(trans))
        put_more(trans, call.open, true);
    if (bl_.of[call.command])
        return true;
    if (call.open.id && end < call.timed_begin)
        put_lowered(call.open, call.timed_begin - end);
    if (call.open.id)
        static_cast<void>(ftr_tx_end_words(
            session_->recorder, call.open, std::max(end, call.timed_begin),
            word_dmi_allowed + identity_words(), call.words() + word_dmi_allowed, 2U + has_read));
    return false;
}

/* Begins a transaction in N_bl_timed, as far as known during the call. */
ftr_tx tlm_link::begin_timed(const tlm_call &call) const
{
    ftr_tx tx{};
    if (ftr_tx_begin_words(session_->recorder, bl_timed_.of[call.command], call.timed_begin,
                           call.words() - identity_words(), request_words + identity_words(),
                           &tx) == FTR_OK &&
        call.has_data)
        put_words(tx, payload_attributes, call.words(), word_data, word_data + 1);
    return tx;
}

/* Ends a call that an exception, or the end of its process, has interrupted; the payload may no
 * longer exist. */
void tlm_link::abandon_blocking(tlm_call &call)
{
    const std::uint64_t end = now();
    const std::uint64_t timed_end = std::max(end, call.timed_begin);
    const bool has_call = bl_.of[call.command] != 0;
    restore_request(call);
    if (call.open.id)
        end_unfinished(call.open, has_call ? end : timed_end);
    if (!has_call || !bl_timed_.of[call.command])
        return;
    const ftr_tx twin = begin_timed(call);
    if (twin.id)
        end_unfinished(twin, timed_end);
    relate(call.open, twin);
}

template <bool Checked, class Forward>
FTR_SC_INLINE void tlm_link::pass_on(const tlm::tlm_generic_payload &trans,
                                     const sc_core::sc_time &delay, std::uint64_t identity,
                                     Forward forward)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext; // not NULL: a call is active
    struct going_on {
        tlm_link &link;
        tlm_call *call;
        bool has_returned;
        ~going_on()
        {
            if (__builtin_expect(!has_returned, 0))
                link.abandon_blocking(*call);
            link.calls_->leave(call);
        }
    } of{*this, begin_blocking<Checked>(context, trans, delay.value(), identity), false};
    forward(*of.call, context);
    of.has_returned = true;
    end_blocking<Checked>(context, *of.call, trans, delay.value());
}

void tlm_link::pass_blocking(tlm::tlm_fw_transport_if<> &target, tlm::tlm_generic_payload &trans,
                             sc_core::sc_time &delay)
{
    pass_on<false>(trans, delay, 0, [&](const tlm_call &, const sc_core::sc_simcontext &) {
        target.b_transport(trans, delay);
    });
}

void tlm_link::pass_blocking(const tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay,
                             const tlm_forwarding &forwarding)
{
    pass_on<false>(trans, delay, 0, [&](const tlm_call &, const sc_core::sc_simcontext &) {
        forwarding.forward(forwarding);
    });
}

/* Here, because the parts of pass_on() are inline in it. */
void tlm_link::pass_checked(tlm::tlm_fw_transport_if<> &target, tlm::tlm_generic_payload &trans,
                            sc_core::sc_time &delay)
{
    payload_life *const life = protocol_state::latest;
    if (FTR_SC_EXPECTED(session_->state.load(std::memory_order_relaxed) == gate::on) &&
        FTR_SC_EXPECTED(blocking_ == family::checked) && FTR_SC_EXPECTED(life->is_of(trans)))
        record_checked(*life, target, trans, delay);
    else
        search_and_pass(target, trans, delay);
}

void tlm_link::search_and_pass(tlm::tlm_fw_transport_if<> &target, tlm::tlm_generic_payload &trans,
                               sc_core::sc_time &delay)
{
    payload_life *const life = find_life(check_->state, trans);
    if (!life)
        target.b_transport(trans, delay); // the table is full: counted
    else if (records_blocking())
        record_checked(*life, target, trans, delay);
    else
        check_alone(*life, target, trans, delay);
}

/* With catch instead of a guard, so that the compiler keeps the variables in registers. */
FTR_SC_INLINE void tlm_link::record_checked(payload_life &life, tlm::tlm_fw_transport_if<> &target,
                                            tlm::tlm_generic_payload &trans,
                                            sc_core::sc_time &delay)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext; // not NULL: a call is active
    blocking_check check(life);
    tlm_call &call = *begin_blocking<true>(context, trans, delay.value(), check.identity());
    try {
        if (__builtin_expect(check.begins_oddly(context, trans, delay.value()), 0))
            blocking_check::report_begin(*check_, life, trans, delay.value(), call.open);
        target.b_transport(trans, delay);
        const bool is_lowered = context.time_stamp().value() + delay.value() < call.timed_begin;
        const std::uint64_t &address = call.words()[word_address];
        if (__builtin_expect(check.ends_oddly(trans, address), 0) ||
            __builtin_expect(is_lowered, 0))
            blocking_check::report_end(*check_, life, trans, address, is_lowered, call.open);
    } catch (...) {
        abandon_blocking(call);
        calls_->leave(&call);
        check.leave();
        throw;
    }
    end_blocking<true>(context, call, trans, delay.value());
    calls_->leave(&call);
    check.leave();
}

namespace
{

/* Leaves the link, however the call ends. */
struct passing {
    blocking_check &check;
    ~passing() { check.leave(); }
};

} // namespace

void tlm_link::check_alone(payload_life &life, tlm::tlm_fw_transport_if<> &target,
                           tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
    blocking_check check(life);
    const passing guard{check};
    const std::uint64_t effective = context.time_stamp().value() + delay.value();
    const std::uint64_t address = trans.get_address();
    const ftr_tx none{};
    check_->blocking = check.identity();
    if (check.begins_oddly(context, trans, delay.value()))
        blocking_check::report_begin(*check_, life, trans, delay.value(), none);
    target.b_transport(trans, delay);
    const bool is_lowered = context.time_stamp().value() + delay.value() < effective;
    if (check.ends_oddly(trans, address) || is_lowered)
        blocking_check::report_end(*check_, life, trans, address, is_lowered, none);
}

} // namespace ftr
