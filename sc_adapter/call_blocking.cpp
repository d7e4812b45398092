/* Blocking transport in the form tlm_form::calls. The transaction in N_bl begins before the call,
 * so that it is recorded as unfinished if the process crashes during the call. The transaction in
 * N_bl_timed is recorded after the return, or begins with the call if N_bl is not recorded. */
#include "call_recorder.hpp"

#include <algorithm>

#include <ftr/detail/word_calls.h>

namespace ftr
{
namespace detail
{

/* Begins the transaction of a call in N_bl. @p outer: the enclosing call, or NULL */
void call_recorder::begin_call(tlm_call &call, std::uint64_t delay, const tlm_call *outer) const
{
    const unsigned more = identity_words();
    const ftr_tx *const from = outer && outer->open.id ? &outer->open : nullptr;
    std::uint64_t words[1 + most_call_words];
    words[0] = call.identity;
    words[more + word_start_delay] = delay;
    std::copy_n(call.words, static_cast<std::size_t>(request_words),
                words + more + word_bl_request);
    words[more + word_bl_data] = call.words[word_data];
    static_cast<void>(ftr_tx_begin_within(recorder(), bl_.of[call.command], now(), words,
                                          more + word_bl_data + call.data_size, calls_.parent_child,
                                          from, &call.open));
}

/* Begins a transaction in N_bl_timed with the attributes that are known during the call. */
ftr_tx call_recorder::begin_timed(const tlm_call &call) const
{
    ftr_tx tx{};
    const unsigned more = identity_words();
    std::uint64_t words[1 + most_call_words];
    words[0] = call.identity;
    std::copy_n(call.words, static_cast<std::size_t>(request_words), words + more);
    const ftr_status status = ftr_tx_begin_words(recorder(), bl_timed_.of[call.command], call.begin,
                                                 words, request_words + more, &tx);
    if (status == FTR_OK && call.data_size)
        static_cast<void>(ftr_tx_put_word(recorder(), tx, word_data + more, call.words[word_data]));
    return tx;
}

void call_recorder::begin(tlm_call &call, const payload_type &trans, std::uint64_t delay)
{
    const tlm_call *const outer = active_calls::enclosing(call);
    call.open.id = 0;
    take_request(trans, call.words);
    call.data_size = trans.is_write() && take_data(trans, call.words[word_data]) ? 1 : 0;
    if (bl_.of[call.command]) {
        begin_call(call, delay, outer);
    } else if (bl_timed_.of[call.command]) {
        call.open = begin_timed(call);
        if (outer)
            relate(outer->open, call.open);
    }
    if (call.open.id && captures_more(trans))
        put_more(trans, call.open, false);
}

void call_recorder::end(tlm_call &call, const payload_type &trans, std::uint64_t delay)
{
    const std::uint64_t end = now() + delay;
    take_response(trans, call.words);
    const bool has_read = call.command == tlm::TLM_READ_COMMAND && trans.is_response_ok() &&
                          take_data(trans, call.words[word_data]);
    if (call.open.id && captures_more(trans))
        put_more(trans, call.open, true);
    if (!bl_.of[call.command]) {
        end_timed(call, end, has_read);
        return;
    }
    const std::uint64_t words[] = {call.words[word_data], call.words[word_dmi_allowed],
                                   call.words[word_response_status], delay};
    const unsigned missing = has_read ? 0 : 1;
    static_cast<void>(ftr_tx_end_words(recorder(), call.open, now(),
                                       word_bl_data + missing + identity_words(), words + missing,
                                       4 - missing));
    if (bl_timed_.of[call.command])
        record_timed(call, end, has_read);
}

/* Ends a call that is recorded only in N_bl_timed. */
void call_recorder::end_timed(tlm_call &call, std::uint64_t end, bool has_read)
{
    if (!call.open.id)
        return;
    if (end < call.begin)
        link_.put_time(call.open, "lowered_by", call.begin - end);
    static_cast<void>(ftr_tx_end_words(recorder(), call.open, std::max(end, call.begin),
                                       word_dmi_allowed + identity_words(),
                                       call.words + word_dmi_allowed, has_read ? 3 : 2));
}

/* Records a call that has ended in N_bl_timed. Transactions cannot end before they begin: if the
 * effective end is before the effective begin, the transaction has no duration, and an attribute
 * contains the difference. */
void call_recorder::record_timed(const tlm_call &call, std::uint64_t end, bool has_read)
{
    const unsigned more = identity_words();
    ftr_tx timed{};
    if (end < call.begin) {
        timed = begin_timed(call);
        if (!timed.id)
            return;
        put_words(timed, payload_attributes, call.words, word_dmi_allowed, word_data + has_read);
        link_.put_time(timed, "lowered_by", call.begin - end);
        static_cast<void>(ftr_tx_end(recorder(), timed, call.begin));
    } else {
        std::uint64_t words[1 + most_call_words];
        words[0] = call.identity;
        std::copy_n(call.words, static_cast<std::size_t>(payload_words), words + more);
        const unsigned has_data = call.data_size || has_read ? 1 : 0;
        static_cast<void>(ftr_tx_record_words(recorder(), bl_timed_.of[call.command], call.begin,
                                              end, words, payload_words - 1 + has_data + more,
                                              &timed));
    }
    relate(call.open, timed);
}

void call_recorder::abandon(tlm_call &call)
{
    const std::uint64_t end = now();
    const std::uint64_t timed_end = std::max(end, call.begin);
    const bool has_call = bl_.of[call.command] != 0;
    if (call.open.id)
        link_.end_unfinished(call.open, has_call ? end : timed_end);
    if (!has_call || !bl_timed_.of[call.command])
        return;
    const ftr_tx timed = begin_timed(call);
    if (timed.id)
        link_.end_unfinished(timed, timed_end);
    relate(call.open, timed);
}

} // namespace detail
} // namespace ftr
