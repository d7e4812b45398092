/* The recording of b_transport calls to which the fast path does not apply: other attributes,
 * streams that are not recorded, effective times that decrease, exceptions. */
#include <ftr/tlm_link.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "entered_call.hpp"
#include "tlm_attributes.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

/* Puts a PARENT_CHILD relation if both transactions are recorded. */
void tlm_link::relate(ftr_tx outer, ftr_tx inner) const
{
    if (outer.id && inner.id)
        static_cast<void>(ftr_relation_put(session_->recorder, calls_->parent_child, outer, inner));
}

/* Begins the transaction of a call in N_bl. @p outer: the enclosing call, or NULL */
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

/* Copies the identity and the words of the request from the slot to the call, if the fast path
 * stored them only in the slot. Returns false if the recorder has been closed. */
bool tlm_link::restore_request(tlm_call &call) const
{
    if (!call.usual)
        return true;
    const ftr_slot *const slot = ftr_slot_of(open_recorder(), call.open);
    if (!ftr_slot_holds(slot, call.open))
        return false;
    const std::uint8_t *const items = slot->items;
    const unsigned more = identity_words();
    if (more)
        std::memcpy(call.stored, items + sizeof(std::uint64_t), sizeof(std::uint64_t));
    std::memcpy(call.words(), items + sizeof(std::uint64_t) * (1 + more + word_bl_request),
                sizeof(std::uint64_t) * request_words);
    std::memcpy(call.words() + word_data,
                items + ftr_words_size(more + word_bl_data) + sizeof(std::uint64_t),
                sizeof(std::uint64_t));
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
    static_cast<void>(restore_request(call));
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

/* Records the twin of a call with an effective end before its effective begin. Transactions cannot
 * end before they begin, so the twin has no duration, and an attribute contains the difference. */
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

/* Completes the begin of a call that has attributes that do not fit into 64-bit words, or that is
 * recorded only in N_bl_timed. */
__attribute__((noinline)) void
tlm_link::begin_slow(tlm_call &call, const tlm::tlm_generic_payload &trans, const tlm_call *outer)
{
    if (!bl_.of[call.command] && bl_timed_.of[call.command]) {
        call.open = begin_timed(call);
        if (outer)
            relate(outer->open, call.open);
    }
    if (call.open.id && captures_more(trans))
        put_more(trans, call.open, false);
}

/* Ends a call for which begin_slow() was called. Returns false if the call is recorded only in
 * N_bl_timed; its transaction is then complete. */
__attribute__((noinline)) bool tlm_link::end_slow(tlm_call &call,
                                                  const tlm::tlm_generic_payload &trans,
                                                  std::uint64_t end, bool has_read)
{
    if (call.open.id && captures_more(trans))
        put_more(trans, call.open, true);
    if (bl_.of[call.command])
        return true;
    if (call.open.id && end < call.timed_begin)
        put_lowered(call.open, call.timed_begin - end);
    if (!call.open.id)
        return false;
    const std::uint64_t last = std::max(end, call.timed_begin);
    const std::uint64_t *const words = call.words() + word_dmi_allowed;
    const unsigned first = word_dmi_allowed + identity_words();
    /* With a constant number of words, the loops of the inline call become moves. */
    if (has_read)
        static_cast<void>(ftr_tx_end_words(open_recorder(), call.open, last, first, words, 3));
    else
        static_cast<void>(ftr_tx_end_words(open_recorder(), call.open, last, first, words, 2));
    return false;
}

/* Begins a transaction in N_bl_timed with the attributes that are known during the call. */
ftr_tx tlm_link::begin_timed(const tlm_call &call) const
{
    ftr_recorder *const rec = open_recorder();
    ftr_tx tx{};
    const auto begin = [&](auto more) FTR_SC_ALWAYS {
        return ftr_tx_begin_words(rec, bl_timed_.of[call.command], call.timed_begin,
                                  call.words() - more(), request_words + more(), &tx);
    };
    const unsigned more = identity_words();
    const ftr_status status = more ? begin(std::integral_constant<unsigned, 1>())
                                   : begin(std::integral_constant<unsigned, 0>());
    if (status == FTR_OK && call.has_data)
        static_cast<void>(ftr_tx_put_word(rec, tx, word_data + more, call.words()[word_data]));
    return tx;
}

/* Ends the transactions of a call that was interrupted by an exception or by the end of its
 * process. The payload may no longer exist. */
void tlm_link::abandon_blocking(tlm_call &call)
{
    static_cast<void>(call.end_watch());
    const std::uint64_t end = now();
    const std::uint64_t timed_end = std::max(end, call.timed_begin);
    const bool has_call = bl_.of[call.command] != 0;
    static_cast<void>(restore_request(call));
    if (call.open.id)
        end_unfinished(call.open, has_call ? end : timed_end);
    if (!has_call || !bl_timed_.of[call.command])
        return;
    const ftr_tx twin = begin_timed(call);
    if (twin.id)
        end_unfinished(twin, timed_end);
    relate(call.open, twin);
}

/* For callers in other files. */
template void tlm_link::begin_unusual<true>(tlm_call &, const tlm::tlm_generic_payload &,
                                            std::uint64_t, std::uint64_t, const tlm_call *);
template void tlm_link::end_unusual<true>(tlm_call &, const tlm::tlm_generic_payload &,
                                          std::uint64_t, std::uint64_t);

template void tlm_link::begin_unusual<false>(tlm_call &, const tlm::tlm_generic_payload &,
                                             std::uint64_t, std::uint64_t, const tlm_call *);
template void tlm_link::end_unusual<false>(tlm_call &, const tlm::tlm_generic_payload &,
                                           std::uint64_t, std::uint64_t);

} // namespace ftr
