/* A TLM link's streams and generators, the attributes of payloads, and the calls without phases:
 * blocking transport, DMI and debug transport. */
#include <ftr/detail/size_text.h>
#include <ftr/detail/word_calls.h>
#include <ftr/tlm_link.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "messages.hpp"
#include "blocking_check.hpp"
#include "reported_link.hpp"
#include "tlm_attributes.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

/* Marks a lambda that every call executes. */
#define FTR_SC_ALWAYS __attribute__((always_inline))

/* ---- settings -----------------------------------------------------------------------------------
 */

namespace
{

void refuse(const char *variable, const char *value, const char *expected)
{
    say(FTR_SEVERITY_ERROR,
        std::string(variable) + "=" + value + " is invalid: expected " + expected);
}

const char *value_of(const char *variable)
{
    const char *value = secure_getenv(variable);
    return value && *value ? value : nullptr;
}

tlm_settings read_environment()
{
    tlm_settings settings;
    if (const char *value = value_of("FTR_PAYLOAD")) {
        if (std::strcmp(value, "all") == 0)
            settings.payload = UINT64_MAX;
        else if (!ftr_size_parse(value, &settings.payload))
            refuse("FTR_PAYLOAD", value, "a number of bytes, or all");
    }
    if (const char *value = value_of("FTR_DMI")) {
        settings.denies_dmi = std::strcmp(value, "deny") == 0;
        if (!settings.denies_dmi && std::strcmp(value, "allow") != 0)
            refuse("FTR_DMI", value, "allow or deny");
    }
    if (const char *value = value_of("FTR_DEBUG_TRANSPORT")) {
        settings.debug_transport = std::strcmp(value, "1") == 0;
        if (!settings.debug_transport && std::strcmp(value, "0") != 0)
            refuse("FTR_DEBUG_TRANSPORT", value, "0 or 1");
    }
    if (const char *value = value_of("FTR_PROTOCOL")) {
        if (std::strcmp(value, "check") == 0)
            settings.protocol = tlm_protocol_check::check;
        else if (std::strcmp(value, "report") == 0)
            settings.protocol = tlm_protocol_check::report;
        else if (std::strcmp(value, "error") == 0)
            settings.protocol = tlm_protocol_check::error;
        else if (std::strcmp(value, "off") != 0)
            refuse("FTR_PROTOCOL", value, "check, report, error or off");
    }
    return settings;
}

} // namespace

const tlm_settings &tlm_environment()
{
    static const tlm_settings settings = read_environment();
    return settings;
}

/* ---- definitions --------------------------------------------------------------------------------
 */

tlm_link::tlm_link(recorder &rec, std::string name, std::string protocol,
                   const tlm_settings &settings)
    : session_(rec.session_), calls_(&tlm_calls::of(*rec.session_)), name_(std::move(name)),
      protocol_(std::move(protocol)), settings_(settings)
{
    calls_->abandon = [](tlm_call &call) { call.link->abandon_blocking(call); };
    if (settings_.protocol != tlm_protocol_check::off && protocol_ == "base-protocol")
        check_ = reported_link::make(*this, *session_);
}

tlm_link::~tlm_link()
{
    calls_->give_up(this);
}

bool tlm_link::define_stream(const char *suffix, const char *kind, ftr_stream &stream)
{
    const std::string name = name_ + suffix;
    const std::string whole_kind = "[TLM][" + protocol_ + "]" + kind;
    const ftr_status status =
        ftr_stream_define(session_->recorder, name.c_str(), whole_kind.c_str(), &stream);
    if (status != FTR_OK)
        report_failure("stream", name.c_str(), status);
    return status == FTR_OK && ftr_stream_is_recorded(session_->recorder, stream);
}

ftr_generator tlm_link::define_generator(ftr_stream stream, const char *name,
                                         const ftr_attribute *attributes, std::size_t count)
{
    ftr_generator generator = 0;
    const ftr_status status =
        ftr_generator_define(session_->recorder, stream, name, attributes, count, &generator);
    if (status != FTR_OK)
        report_failure("generator", name, status);
    return status == FTR_OK ? generator : 0;
}

/* Returns whether calls are recorded and checked. */
tlm_link::family tlm_link::family_of(bool is_recorded) const
{
    if (!is_recorded)
        return family::not_recorded;
    return check_ ? family::checked : family::recorded;
}

bool tlm_link::define_commands(const char *suffix, const char *kind,
                               const ftr_attribute *attributes, std::size_t count,
                               generators &defined)
{
    ftr_stream stream = 0;
    if (!define_stream(suffix, kind, stream))
        return false;
    const char *const names[] = {"read", "write", "ignore"};
    for (std::size_t i = 0; i < 3; ++i)
        defined.of[i] = define_generator(stream, names[i], attributes, count);
    return true;
}

bool tlm_link::define_blocking()
{
    if (blocking_ != family::unknown)
        return false;
    const bool call = define_commands("_bl", "[b]", blocking_attributes - identity_words(),
                                      bl_words + identity_words(), bl_);
    const bool timed =
        define_commands("_bl_timed", "[b][timed]", payload_attributes - identity_words(),
                        payload_words + identity_words(), bl_timed_);
    blocking_ = family_of(call || timed);
    return call || timed;
}

bool tlm_link::define_nonblocking()
{
    if (nonblocking_ != family::unknown)
        return false;
    ftr_stream stream = 0;
    const bool call = define_stream("_nb", "[nb]", stream);
    if (call) {
        const ftr_attribute *const attributes = nonblocking_attributes - identity_words();
        const std::size_t count = identity_words() + nb_words + payload_words;
        nb_[0] = define_generator(stream, "fw", attributes, count);
        nb_[1] = define_generator(stream, "bw", attributes, count);
    }
    const bool timed = define_stream("_nb_timed", "[nb][timed]", stream);
    if (timed) {
        const ftr_attribute *const attributes = payload_attributes - identity_words();
        const std::size_t count = identity_words() + payload_words;
        request_ = define_generator(stream, "request", attributes, count);
        response_ = define_generator(stream, "response", attributes, count);
    }
    nonblocking_ = family_of(call || timed);
    return call || timed;
}

bool tlm_link::define_dmi()
{
    if (dmi_ != family::unknown)
        return false;
    ftr_stream stream = 0;
    const bool recorded = define_stream("_dmi", "[dmi]", stream);
    if (recorded) {
        get_ = define_generator(stream, "get", get_attributes, get_words);
        invalidate_ = define_generator(stream, "invalidate", invalidate_attributes, 2);
    }
    dmi_ = recorded ? family::recorded : family::not_recorded;
    return recorded;
}

bool tlm_link::define_debug()
{
    if (debug_ != family::unknown)
        return false;
    const bool recorded =
        define_commands("_dbg", "[dbg]", debug_attributes, 1 + payload_words, dbg_);
    debug_ = recorded ? family::recorded : family::not_recorded;
    return recorded;
}

/* ---- payloads -----------------------------------------------------------------------------------
 */

/* Puts the attributes of a payload that do not fit into 64-bit words. */
void tlm_link::put_more(const tlm::tlm_generic_payload &trans, ftr_tx tx, bool is_response) const
{
    put_extensions(session_->recorder, tx, trans, is_response);
    const bool has_bytes =
        is_response ? trans.is_read() && trans.is_response_ok() : trans.is_write();
    const unsigned char *data = trans.get_data_ptr();
    const std::uint64_t length =
        std::min<std::uint64_t>(trans.get_data_length(), settings_.payload);
    if (!has_bytes || !data || length <= 8)
        return;
    static const char digits[] = "0123456789abcdef";
    std::string text(2 * length, '\0');
    for (std::uint64_t i = 0; i < length; ++i) {
        text[2 * i] = digits[data[i] >> 4];
        text[2 * i + 1] = digits[data[i] & 0xf];
    }
    ftr_value value{};
    value.type = FTR_TYPE_STRING;
    value.text_length = text.size();
    value.as.text = text.data();
    static_cast<void>(
        ftr_tx_put_named(session_->recorder, tx, FTR_CLASS_RECORD, "trans.bytes", &value));
}

void tlm_link::put_words(ftr_tx tx, const ftr_attribute *attributes, const std::uint64_t *words,
                         std::size_t first, std::size_t last) const
{
    ftr_recorder *const rec = session_->recorder;
    unsigned place = static_cast<unsigned>(first) + identity_words();
    for (std::size_t i = first; i < last; ++i, ++place) {
        switch (attributes[i].type) {
        case FTR_TYPE_BOOLEAN:
            static_cast<void>(ftr_tx_put_bool(rec, tx, place, words[i] != 0));
            break;
        case FTR_TYPE_INTEGER:
            static_cast<void>(ftr_tx_put_int(rec, tx, place, static_cast<std::int64_t>(words[i])));
            break;
        case FTR_TYPE_STRING:
            static_cast<void>(ftr_tx_put_defined(rec, tx, place, static_cast<ftr_text>(words[i])));
            break;
        default:
            static_cast<void>(ftr_tx_put_number(rec, tx, place, words[i]));
        }
    }
}

void tlm_link::end_unfinished(ftr_tx tx, std::uint64_t time) const
{
    ftr_value value{};
    value.type = FTR_TYPE_BOOLEAN;
    value.as.boolean = true;
    static_cast<void>(
        ftr_tx_put_named(session_->recorder, tx, FTR_CLASS_END, "unfinished", &value));
    static_cast<void>(ftr_tx_end(session_->recorder, tx, time));
}

/* ---- blocking transport -------------------------------------------------------------------------
 * A call in N_bl is recorded from its begin, so that a crash within it leaves it unfinished. The
 * transaction in N_bl_timed is recorded after the return. For speed, the parts of pass_blocking()
 * are inline, and the numbers of words are constants. */

/* Puts a PARENT_CHILD relation if both transactions are recorded. */
FTR_SC_INLINE void tlm_link::relate(ftr_tx outer, ftr_tx inner) const
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

/* Begins a call in N_bl, within another one (NULL: none). */
template <bool Checked>
FTR_SC_INLINE void tlm_link::begin_call(tlm_call &call, std::uint64_t begin, std::uint64_t delay,
                                        const tlm_call *outer) const
{
    constexpr unsigned more = Checked ? 1 : 0;
    ftr_recorder *const rec = open_recorder();
    const ftr_generator generator = bl_.of[call.command];
    const ftr_tx *const from = outer && outer->open.id ? &outer->open : nullptr;
    const std::uint64_t *const request = call.words();
    std::uint64_t words[1 + word_bl_data + 1];
    if constexpr (Checked)
        words[0] = call.stored[0];
    words[1 + word_start_delay] = delay;
    words[2 + word_command] = request[word_command];
    words[2 + word_address] = request[word_address];
    words[2 + word_data_length] = request[word_data_length];
    words[2 + word_streaming_width] = request[word_streaming_width];
    words[2 + word_byte_enable_length] = request[word_byte_enable_length];
    words[2 + word_gp_option] = request[word_gp_option];
    words[1 + word_bl_data] = request[word_data];
    if (call.has_data)
        static_cast<void>(ftr_tx_begin_within(rec, generator, begin, words + 1 - more,
                                              word_bl_data + 1 + more, calls_->parent_child, from,
                                              &call.open));
    else
        static_cast<void>(ftr_tx_begin_within(rec, generator, begin, words + 1 - more,
                                              word_bl_data + more, calls_->parent_child, from,
                                              &call.open));
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
    const unsigned command = std::min(static_cast<unsigned>(trans.get_command()), 2U);
    const bool is_slow = captures_more(trans) || !bl_.of[command];
    call->link = this;
    call->open.id = 0;
    call->timed_begin = begin + delay;
    call->command = command;
    call->is_slow = is_slow;
    if constexpr (Checked)
        call->stored[0] = identity;
    take_request(trans, call->words());
    call->has_data = trans.is_write() && take_data(trans, call->words());
    if (FTR_SC_EXPECTED(bl_.of[command]))
        begin_call<Checked>(*call, begin, delay, outer);
    if (__builtin_expect(is_slow, 0))
        begin_slow(*call, trans, outer);
    return call;
}

template <bool Checked>
FTR_SC_INLINE void tlm_link::end_blocking(const sc_core::sc_simcontext &context, tlm_call &call,
                                          const tlm::tlm_generic_payload &trans,
                                          std::uint64_t delay)
{
    constexpr unsigned more = Checked ? 1 : 0;
    ftr_recorder *const rec = open_recorder();
    const std::uint64_t end = context.time_stamp().value();
    const ftr_generator timed = bl_timed_.of[call.command];
    take_response(trans, call.words());
    const bool has_read = call.command == tlm::TLM_READ_COMMAND && trans.is_response_ok() &&
                          take_data(trans, call.words());
    if (__builtin_expect(call.is_slow, 0) && !end_slow(call, trans, end + delay, has_read))
        return;
    const std::uint64_t words[] = {call.words()[word_data], call.words()[word_dmi_allowed],
                                   call.words()[word_response_status], delay};
    if (has_read)
        static_cast<void>(ftr_tx_end_words(rec, call.open, end, word_bl_data + more, words, 4));
    else
        static_cast<void>(
            ftr_tx_end_words(rec, call.open, end, word_bl_dmi_allowed + more, words + 1, 3));
    if (!timed)
        return;
    const std::uint64_t timed_end = end + delay;
    if (__builtin_expect(timed_end < call.timed_begin, 0)) {
        record_lowered(call, timed_end, has_read);
        return;
    }
    ftr_tx twin;
    twin.id = 0;
    const std::uint64_t *const stored = call.stored + 1 - more;
    if (call.has_data || has_read)
        static_cast<void>(ftr_tx_record_words(rec, timed, call.timed_begin, timed_end, stored,
                                              payload_words + more, &twin));
    else
        static_cast<void>(ftr_tx_record_words(rec, timed, call.timed_begin, timed_end, stored,
                                              payload_words - 1 + more, &twin));
    relate(call.open, twin);
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
    payload_life *const life = find_life(check_->state, trans);
    const bool is_recorded =
        session_->state.load(std::memory_order_relaxed) == gate::on && blocking_ == family::checked;
    if (FTR_SC_EXPECTED(life) && (FTR_SC_EXPECTED(is_recorded) || records_blocking()))
        record_checked(*life, target, trans, delay);
    else if (life)
        check_alone(*life, target, trans, delay);
    else
        target.b_transport(trans, delay); // the table is full: counted
}

namespace
{

/* Leaves the link, however the call ends. */
struct passing {
    blocking_check &check;
    ~passing() { check.leave(); }
};

} // namespace

FTR_SC_INLINE void tlm_link::record_checked(payload_life &life, tlm::tlm_fw_transport_if<> &target,
                                            tlm::tlm_generic_payload &trans,
                                            sc_core::sc_time &delay)
{
    blocking_check check(*check_, life);
    const passing guard{check};
    pass_on<true>(trans, delay, check.identity(),
                  [&](const tlm_call &call, sc_core::sc_simcontext &context) FTR_SC_ALWAYS {
                      check.begin(context, trans, delay.value(), call.open);
                      target.b_transport(trans, delay);
                      const std::uint64_t effective_end =
                          context.time_stamp().value() + delay.value();
                      check.end(trans, call.words()[word_address], effective_end < call.timed_begin,
                                call.open);
                  });
}

void tlm_link::check_alone(payload_life &life, tlm::tlm_fw_transport_if<> &target,
                           tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
{
    sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
    blocking_check check(*check_, life);
    const passing guard{check};
    const std::uint64_t effective = context.time_stamp().value() + delay.value();
    const std::uint64_t address = trans.get_address();
    const ftr_tx none{};
    check_->blocking = check.identity();
    check.begin(context, trans, delay.value(), none);
    target.b_transport(trans, delay);
    const std::uint64_t effective_end = context.time_stamp().value() + delay.value();
    check.end(trans, address, effective_end < effective, none);
}

/* ---- DMI and debug transport --------------------------------------------------------------------
 */

ftr_tx tlm_link::record_dmi(const tlm::tlm_generic_payload &trans, std::uint64_t address,
                            const tlm::tlm_dmi &dmi, bool granted)
{
    std::uint64_t words[get_words];
    words[word_get_command] = calls_->commands.of(trans.get_command());
    words[word_get_address] = address;
    words[word_granted] = granted;
    words[word_start_address] = dmi.get_start_address();
    words[word_end_address] = dmi.get_end_address();
    words[word_access] = calls_->accesses.of(dmi.get_granted_access());
    words[word_read_latency] = dmi.get_read_latency().value();
    words[word_write_latency] = dmi.get_write_latency().value();
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(
        ftr_tx_record_words(session_->recorder, get_, time, time, words, get_words, &tx));
    return tx;
}

void tlm_link::record_invalidation(std::uint64_t start, std::uint64_t end)
{
    const std::uint64_t words[] = {start, end};
    const std::uint64_t time = now();
    static_cast<void>(
        ftr_tx_record_words(session_->recorder, invalidate_, time, time, words, 2, nullptr));
}

ftr_tx tlm_link::record_debug(const tlm::tlm_generic_payload &trans, unsigned transported)
{
    std::uint64_t words[1 + payload_words];
    words[word_transported] = transported;
    take_request(trans, words + 1);
    take_response(trans, words + 1);
    const bool has_data = transported && take_data(trans, words + 1);
    const unsigned command = static_cast<unsigned>(trans.get_command());
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(ftr_tx_record_words(session_->recorder, dbg_.of[command < 3 ? command : 2],
                                          time, time, words, 1 + payload_words - !has_data, &tx));
    return tx;
}

} // namespace ftr
