/* Blocking transport on a TLM link, checked or not. The transaction in N_bl begins before the call,
 * so that it is recorded as unfinished if the process crashes during the call. The transaction in
 * N_bl_timed is recorded after the return. For speed, the code for frequent cases (named `usual`)
 * is inline, with constant numbers of words; functions named `unusual` handle all other cases. */
#include <ftr/tlm_link.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "blocking_check.hpp"
#include "reported_link.hpp"
#include "tlm_attributes.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

/* Marks a lambda that must be inlined, because every call executes it. */
#define FTR_SC_ALWAYS __attribute__((always_inline))

/* Puts a PARENT_CHILD relation if both transactions are recorded. */
void tlm_link::relate(ftr_tx outer, ftr_tx inner) const
{
    if (outer.id && inner.id)
        static_cast<void>(ftr_relation_put(session_->recorder, calls_->parent_child, outer, inner));
}

/* Returns the recorder of an active session. The compiler may assume that it is not NULL, which
 * saves a check. */
FTR_SC_INLINE ftr_recorder *tlm_link::open_recorder() const
{
    ftr_recorder *const rec = session_->recorder;
    if (!rec)
        __builtin_unreachable();
    return rec;
}

/* Hides the origin of a pointer, so that the compiler does not compute the pointer again for each
 * use. */
template <class Type> FTR_SC_INLINE Type *opaque(Type *pointer)
{
    asm("" : "+r"(pointer));
    return pointer;
}

/* The Place of a call on a link that is not checked. On checked links it is first_link or
 * further_link. */
struct tlm_link::unchecked_link {
    static constexpr bool is_checked = false;
    static constexpr bool is_first = false;
    static constexpr bool is_usual = false;
};

/* Gets up to 8 bytes of the data of a write, if there is any. On the first link, also stores the
 * checksum of the data, because it must not change. */
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
            call.has_data = true;
            call.has_word = true;
            return;
        }
        call.has_word = false;
    }
    if constexpr (Place::is_first)
        capture_contents(*life, trans);
    call.has_data = take_data(trans, data);
}

/* Begins the transaction of a call in N_bl on the fast path. Returns false, without effect, if the
 * fast path does not apply. @p outer: the enclosing call, or NULL. @p life: NULL if the link is not
 * checked */
template <class Place>
FTR_SC_INLINE bool tlm_link::begin_usual(tlm_call &call, const tlm::tlm_generic_payload &trans,
                                         const sc_core::sc_simcontext &context, std::uint64_t delay,
                                         const tlm_call *outer, payload_life *life) const
{
    constexpr unsigned more = Place::is_checked ? 1 : 0;
    const unsigned command = call.command; // a copy, so that it is read only once
    const ftr_observed_generator *const of = opaque(&prepared_[command]);
    if (!FTR_SC_EXPECTED(command <= 2 && of->generator && (!outer || outer->usual) &&
                         !(Place::is_first ? captures_long(trans) : captures_more(trans))))
        return false; // on the first link, calls with byte enables are inspected
    ftr_recorder *const rec = open_recorder();
    ftr_slot *const slot = ftr_observed_slot(rec, outer != nullptr);
    if (!FTR_SC_EXPECTED(slot))
        return false;
    std::uint8_t *const words = ftr_observed_words(slot);
    if constexpr (Place::is_checked) {
        std::memcpy(words, &life->identity, sizeof life->identity);
    }
    std::memcpy(words + sizeof delay * (more + word_start_delay), &delay, sizeof delay);
    /* On a checked link, the checker has already found that the payload has this option. */
    const int option = Place::is_checked ? tlm::TLM_MIN_PAYLOAD : trans.get_gp_option();
    const auto put = [words](unsigned at, std::uint64_t word) FTR_SC_ALWAYS {
        std::memcpy(words + sizeof word * (more + word_bl_request + at), &word, sizeof word);
    };
    if constexpr (Place::is_first) {
        static_assert(word_byte_enable_length == word_address + 3, "a row of four words");
        const tlm_calls &calls = *calls_;
        put(word_command, calls.commands.of(static_cast<int>(command)));
        put(word_gp_option, calls.options.of(option));
        life->snapshot.put_words(trans, words + sizeof(std::uint64_t) *
                                                    (more + word_bl_request + word_address));
    } else {
        read_request(*calls_, trans, static_cast<int>(command), option, put);
    }
    std::size_t fill = ftr_words_size(more + word_bl_data);
    std::uint64_t data;
    if (command == tlm::TLM_WRITE_COMMAND) {
        capture_written<Place>(call, life, trans, data);
    } else {
        call.has_data = false;
        if constexpr (Place::is_usual)
            call.has_word = false;
    }
    if (call.has_data) {
        ftr_observed_put_data(of, data, slot->items + fill);
        fill += FTR_ITEM_SIZE;
    }
    call.usual = of;
    call.slot = slot;
    ftr_observed_begin(rec, of, slot, context.time_stamp().value(), fill,
                       outer ? &outer->open : nullptr, &call.open);
    return true;
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

/* Enters a call of the running process. @p outer [out]: the enclosing call of this process, or
 * NULL */
FTR_SC_INLINE tlm_call &tlm_link::enter_blocking(sc_core::sc_simcontext &context,
                                                 const tlm::tlm_generic_payload &trans,
                                                 std::uint64_t delay, const tlm_call *&outer)
{
    tlm_call *const call = calls_->enter(context.get_curr_proc_info()->process_handle, outer);
    call->link = this;
    call->timed_begin = context.time_stamp().value() + delay;
    call->command = static_cast<unsigned>(trans.get_command());
    return *call;
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

/* Returns which words of a transaction in N_bl are also attributes of its twin, as values of
 * FTR_COPIED_RANGE(). */
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

/* Gets up to 8 bytes of the data of a read; returns false if there is none. @p sum [out]: for
 * usual payloads, the checksum of the data */
template <class Place>
FTR_SC_INLINE bool tlm_link::capture_read(const tlm::tlm_generic_payload &trans,
                                          std::uint64_t &data, std::uint64_t &sum) const
{
    if constexpr (Place::is_usual) {
        const unsigned char *const bytes = trans.get_data_ptr();
        const unsigned length = trans.get_data_length();
        if (FTR_SC_EXPECTED(length == sizeof data) && (Place::is_first || FTR_SC_EXPECTED(bytes))) {
            sum = data = word_at(bytes);
            return true;
        }
        if (bytes)
            sum = contents_of(bytes, length);
    }
    return take_data(trans, data);
}

/* Ends the transaction that begin_usual() began, and records its twin in N_bl_timed. Returns false
 * if the fast path does not apply, or if the contents of a usual payload are not as required; the
 * transaction is then still open. @p from, @p life: on checked links */
template <class Place, class Return>
FTR_SC_INLINE bool tlm_link::end_usual(const tlm_call &call, const tlm::tlm_generic_payload &trans,
                                       std::uint64_t end, std::uint64_t delay, payload_life *life,
                                       Return from) const
{
    const ftr_observed_generator *const of = call.usual;
    const std::uint64_t timed_end = end + delay;
    if (!FTR_SC_EXPECTED((Place::is_checked || of) && timed_end >= call.timed_begin))
        return false;
    ftr_recorder *const rec = open_recorder();
    std::uint8_t *to = ftr_observed_end(rec, call.slot, call.open.id, end,
                                        word_bl_data + (Place::is_checked ? 1 : 0));
    if (!FTR_SC_EXPECTED(to))
        return false;
    bool has_data = call.has_data;
    std::uint64_t data;
    std::uint64_t contents = 0;
    if (call.command == tlm::TLM_READ_COMMAND) {
        if (trans.is_response_ok() && capture_read<Place>(trans, data, contents)) {
            to = ftr_observed_put_data(of, data, to);
            has_data = true;
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
            } else if (has_data && is_written_data_changed(*life)) {
                return false;
            }
        }
    }
    to = ftr_observed_put_response(rec, of, trans.is_dmi_allowed(),
                                   calls_->responses.of(trans.get_response_status()), delay, to);
    if (of->twin_generator)
        to = ftr_observed_put_twin(rec, of, &call.open, call.timed_begin, timed_end,
                                   twin_ranges<Place::is_checked>(has_data), to);
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

template <class Forward>
FTR_SC_INLINE void tlm_link::pass_on(const tlm::tlm_generic_payload &trans,
                                     const sc_core::sc_time &delay, Forward forward)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext; // not NULL: a call is active
    const tlm_call *outer = nullptr;
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
    } of{*this, enter_blocking(context, trans, delay.value(), outer), false};
    if (!FTR_SC_EXPECTED(
            begin_usual<unchecked_link>(of.call, trans, context, delay.value(), outer, nullptr)))
        begin_unusual<false>(of.call, trans, context.time_stamp().value(), delay.value(), outer);
    forward();
    of.has_returned = true;
    const std::uint64_t end = context.time_stamp().value();
    if (!FTR_SC_EXPECTED(
            end_usual<unchecked_link>(of.call, trans, end, delay.value(), nullptr, nullptr)))
        end_unusual<false>(of.call, trans, end, delay.value());
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

/* ---- checked blocking transport -----------------------------------------------------------------
 */

void tlm_link::pass_checked(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                            tlm::tlm_fw_transport_if<> &target)
{
    payload_life &life = protocol_state::probable_life(trans);
    if (!FTR_SC_EXPECTED(session_->state.load(std::memory_order_relaxed) == gate::on) ||
        !FTR_SC_EXPECTED(checked_path_ == checked_path::usual_payload) ||
        !FTR_SC_EXPECTED(life.is_of(trans)))
        search_and_pass(trans, delay, target);
    else if (FTR_SC_EXPECTED(!life.is_in_use()))
        record_checked<first_link<checked_payload::usual>>(trans, delay, target, life);
    else
        record_checked<further_link<checked_payload::usual>>(trans, delay, target, life);
}

/* Passes on a call that needs no inspection. */
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

void tlm_link::search_and_pass(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                               tlm::tlm_fw_transport_if<> &target)
{
    payload_life *const life = find_life(check_->state, trans);
    if (!life)
        target.b_transport(trans, delay); // the table is full; already counted
    else if (!records_blocking())
        check_alone(trans, delay, target, *life);
    else if (FTR_SC_EXPECTED(checked_path_ != checked_path::inspected &&
                             session_->state.load(std::memory_order_relaxed) == gate::on))
        pass_any(trans, delay, target, *life);
    else
        record_inspected(trans, delay, target, *life);
}

template <checked_return From> using returns = std::integral_constant<checked_return, From>;

/* Uses catch instead of a guard object, so that the compiler keeps the variables in registers. */
template <class Place>
__attribute__((noinline)) void
tlm_link::record_checked(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                         tlm::tlm_fw_transport_if<> &target, payload_life &life)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext; // not NULL: a call is active
    /* Used only once, so that it need not occupy a register. */
    tlm::tlm_fw_transport_if<> *const volatile forward = &target;
    Place::enter(life);
    if (!FTR_SC_EXPECTED(Place::begins_well(life, trans)) ||
        !FTR_SC_EXPECTED(Place::is_called_well(context, delay.value()))) {
        enter_unusual(trans, delay, *forward, life);
        return;
    }
    const tlm_call *outer = nullptr;
    tlm_call &call = enter_blocking(context, trans, delay.value(), outer);
    if (!FTR_SC_EXPECTED(begin_usual<Place>(call, trans, context, delay.value(), outer, &life))) {
        pass_unusual(trans, delay, *forward, life, call, outer);
        return;
    }
    try {
        forward->b_transport(trans, delay);
        /* A constant @p from saves registers and tests. */
        const auto end = [&](auto from) FTR_SC_ALWAYS {
            if (!Place::ends_well(life, trans, from) ||
                (!Place::is_usual && !Place::keeps_contents(life, trans, from)) ||
                !FTR_SC_EXPECTED(end_usual<Place>(call, trans, context.time_stamp().value(),
                                                  delay.value(), &life, from)))
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

/* Enters a call (enter_blocking()) and passes it on. */
__attribute__((noinline)) void tlm_link::enter_unusual(tlm::tlm_generic_payload &trans,
                                                       sc_core::sc_time &delay,
                                                       tlm::tlm_fw_transport_if<> &target,
                                                       payload_life &life)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
    const tlm_call *outer = nullptr;
    tlm_call &call = enter_blocking(context, trans, delay.value(), outer);
    pass_unusual(trans, delay, target, life, call, outer);
}

/* For the inspected calls, which are in another file. */
template void tlm_link::begin_unusual<true>(tlm_call &, const tlm::tlm_generic_payload &,
                                            std::uint64_t, std::uint64_t, const tlm_call *);
template void tlm_link::end_unusual<true>(tlm_call &, const tlm::tlm_generic_payload &,
                                          std::uint64_t, std::uint64_t);

} // namespace ftr
