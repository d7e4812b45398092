/* A TLM link's streams and generators, what is taken of a payload, and the calls that have no
 * phases: blocking transport, DMI and debug transport. */
#include <ftr/tlm_link.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "messages.hpp"
#include "tlm_attributes.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

/* ---- settings -----------------------------------------------------------------------------------
 */

namespace
{

void refuse(const char *variable, const char *value, const char *expected)
{
    say(FTR_SEVERITY_ERROR,
        std::string(variable) + "=" + value + " cannot be understood: expected " + expected);
}

const char *value_of(const char *variable)
{
    const char *value = std::getenv(variable);
    return value && *value ? value : nullptr;
}

tlm_settings read_environment()
{
    tlm_settings settings;
    if (const char *value = value_of("FTR_PAYLOAD")) {
        char *end = nullptr;
        errno = 0;
        const unsigned long long bytes = std::strtoull(value, &end, 10);
        if (std::strcmp(value, "all") == 0)
            settings.payload = UINT64_MAX;
        else if (errno == 0 && *end == '\0' && *value >= '0' && *value <= '9')
            settings.payload = bytes;
        else
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
        complain("stream", name.c_str(), status);
    return status == FTR_OK && ftr_stream_is_recorded(session_->recorder, stream);
}

ftr_generator tlm_link::define_generator(ftr_stream stream, const char *name,
                                         const ftr_attribute *attributes, std::size_t count)
{
    ftr_generator generator = 0;
    const ftr_status status =
        ftr_generator_define(session_->recorder, stream, name, attributes, count, &generator);
    if (status != FTR_OK)
        complain("generator", name, status);
    return status == FTR_OK ? generator : 0;
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
    const bool call =
        define_commands("_bl", "[b]", blocking_attributes, word_payload + payload_words, bl_);
    const bool timed =
        define_commands("_bl_timed", "[b][timed]", payload_attributes, payload_words, bl_timed_);
    blocking_ = call || timed ? family::recorded : family::left_out;
    return call || timed;
}

bool tlm_link::define_nonblocking()
{
    if (nonblocking_ != family::unknown)
        return false;
    ftr_stream stream = 0;
    const bool call = define_stream("_nb", "[nb]", stream);
    if (call) {
        nb_[0] = define_generator(stream, "fw", nonblocking_attributes, nb_words + payload_words);
        nb_[1] = define_generator(stream, "bw", nonblocking_attributes, nb_words + payload_words);
    }
    const bool timed = define_stream("_nb_timed", "[nb][timed]", stream);
    if (timed) {
        request_ = define_generator(stream, "request", payload_attributes, payload_words);
        response_ = define_generator(stream, "response", payload_attributes, payload_words);
    }
    nonblocking_ = call || timed ? family::recorded : family::left_out;
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
    dmi_ = recorded ? family::recorded : family::left_out;
    return recorded;
}

bool tlm_link::define_debug()
{
    if (debug_ != family::unknown)
        return false;
    const bool recorded =
        define_commands("_dbg", "[dbg]", debug_attributes, 1 + payload_words, dbg_);
    debug_ = recorded ? family::recorded : family::left_out;
    return recorded;
}

/* ---- payloads -----------------------------------------------------------------------------------
 */

/* What a payload holds beyond its words. */
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
    for (unsigned i = static_cast<unsigned>(first); i < last; ++i) {
        switch (attributes[i].type) {
        case FTR_TYPE_BOOLEAN:
            static_cast<void>(ftr_tx_put_bool(rec, tx, i, words[i] != 0));
            break;
        case FTR_TYPE_INTEGER:
            static_cast<void>(ftr_tx_put_int(rec, tx, i, static_cast<std::int64_t>(words[i])));
            break;
        case FTR_TYPE_STRING:
            static_cast<void>(ftr_tx_put_defined(rec, tx, i, static_cast<ftr_text>(words[i])));
            break;
        default:
            static_cast<void>(ftr_tx_put_number(rec, tx, i, words[i]));
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
 */

tlm_call *tlm_link::begin_blocking(const tlm::tlm_generic_payload &trans, std::uint64_t delay)
{
    tlm_call *call = calls_->enter(running_process());
    const unsigned command = static_cast<unsigned>(trans.get_command());
    call->link = this;
    call->command = command < 3 ? command : 2;
    call->begin = now();
    call->timed_begin = call->begin + delay;
    call->words[word_start_delay] = delay;
    take_request(trans, call->words + word_payload);
    call->has_data = trans.is_write() && take_data(trans, call->words + word_payload);
    const ftr_generator generator = bl_.of[call->command];
    if (__builtin_expect(captures_more(trans), 0) && generator &&
        ftr_tx_begin(session_->recorder, generator, call->begin, &call->open) == FTR_OK)
        put_more(trans, call->open, false);
    return call;
}

/* Records words of which the last, data, may be missing. The counts are constants, for speed. */
template <std::size_t Count>
FTR_SC_INLINE static ftr_tx record_words(ftr_recorder *rec, ftr_generator generator,
                                         std::uint64_t begin, std::uint64_t end,
                                         const std::uint64_t *words, bool has_data)
{
    ftr_tx tx;
    tx.id = 0;
    if (has_data)
        static_cast<void>(ftr_tx_record_words(rec, generator, begin, end, words, Count, &tx));
    else
        static_cast<void>(ftr_tx_record_words(rec, generator, begin, end, words, Count - 1, &tx));
    return tx;
}

/* Relates a call that has ended: to its timed twin, to what ended within it, and, once that ends,
 * to the call that it lies in. */
FTR_SC_INLINE void tlm_link::leave(tlm_call *call, ftr_tx tx, ftr_tx timed)
{
    if (tx.id && timed.id)
        static_cast<void>(ftr_relation_put(session_->recorder, calls_->parent_child, tx, timed));
    const ftr_tx hop = tx.id ? tx : timed;
    if (call->children)
        calls_->put_children(*call, hop);
    calls_->leave(call);
    tlm_call *outer = calls_->innermost(call->process);
    if (outer && hop.id)
        calls_->add_child(*outer, hop);
    calls_->release(call);
}

void tlm_link::end_blocking(tlm_call *call, const tlm::tlm_generic_payload &trans,
                            std::uint64_t delay)
{
    std::uint64_t *const payload = call->words + word_payload;
    take_response(trans, payload);
    call->words[word_end_delay] = delay;
    if (call->command == tlm::TLM_READ_COMMAND && trans.is_response_ok())
        call->has_data = take_data(trans, payload);
    if (__builtin_expect(call->open.id != 0, 0))
        put_more(trans, call->open, true);

    ftr_recorder *const rec = session_->recorder;
    const std::uint64_t end = now();
    const std::size_t count = payload_words - !call->has_data;
    const ftr_generator generator = bl_.of[call->command];
    const ftr_generator timed_generator = bl_timed_.of[call->command];
    ftr_tx tx{};
    ftr_tx timed{};
    if (__builtin_expect(call->open.id != 0, 0)) {
        tx = call->open;
        put_words(tx, blocking_attributes, call->words, 0, word_payload + count);
        static_cast<void>(ftr_tx_end(rec, tx, end));
    } else if (generator) {
        tx = record_words<word_payload + payload_words>(rec, generator, call->begin, end,
                                                        call->words, call->has_data);
    }
    if (timed_generator) {
        const std::uint64_t timed_end = std::max(end + delay, call->timed_begin);
        timed = record_words<payload_words>(rec, timed_generator, call->timed_begin, timed_end,
                                            payload, call->has_data);
    }
    leave(call, tx, timed);
}

void tlm_link::abandon_blocking(tlm_call *call)
{
    ftr_recorder *const rec = session_->recorder;
    const std::uint64_t end = now();
    const std::size_t count = payload_words - !call->has_data;
    const ftr_generator generator = bl_.of[call->command];
    const ftr_generator timed_generator = bl_timed_.of[call->command];
    call->words[word_payload + word_dmi_allowed] = 0;
    call->words[word_payload + word_response_status] =
        calls_->responses.of(tlm::TLM_INCOMPLETE_RESPONSE);
    ftr_tx tx = call->open;
    ftr_tx timed{};
    if (tx.id || (generator && ftr_tx_begin(rec, generator, call->begin, &tx) == FTR_OK)) {
        put_words(tx, blocking_attributes, call->words, word_start_delay, word_start_delay + 1);
        put_words(tx, blocking_attributes, call->words, word_payload, word_payload + count);
        end_unfinished(tx, end);
    }
    if (timed_generator &&
        ftr_tx_begin(rec, timed_generator, call->timed_begin, &timed) == FTR_OK) {
        put_words(timed, payload_attributes, call->words + word_payload, 0, count);
        end_unfinished(timed, std::max(end, call->timed_begin));
    }
    leave(call, tx, timed);
}

/* ---- DMI and debug transport --------------------------------------------------------------------
 */

void tlm_link::record_dmi(const tlm::tlm_generic_payload &trans, const tlm::tlm_dmi &dmi,
                          bool granted)
{
    std::uint64_t words[get_words];
    words[word_get_command] = calls_->commands.of(trans.get_command());
    words[word_get_address] = trans.get_address();
    words[word_granted] = granted;
    words[word_start_address] = dmi.get_start_address();
    words[word_end_address] = dmi.get_end_address();
    words[word_access] = calls_->accesses.of(dmi.get_granted_access());
    words[word_read_latency] = dmi.get_read_latency().value();
    words[word_write_latency] = dmi.get_write_latency().value();
    const std::uint64_t time = now();
    static_cast<void>(
        ftr_tx_record_words(session_->recorder, get_, time, time, words, get_words, nullptr));
}

void tlm_link::record_invalidation(std::uint64_t start, std::uint64_t end)
{
    const std::uint64_t words[] = {start, end};
    const std::uint64_t time = now();
    static_cast<void>(
        ftr_tx_record_words(session_->recorder, invalidate_, time, time, words, 2, nullptr));
}

void tlm_link::record_debug(const tlm::tlm_generic_payload &trans, unsigned transported)
{
    std::uint64_t words[1 + payload_words];
    words[word_transported] = transported;
    take_request(trans, words + 1);
    take_response(trans, words + 1);
    const bool has_data = transported && take_data(trans, words + 1);
    const unsigned command = static_cast<unsigned>(trans.get_command());
    const std::uint64_t time = now();
    static_cast<void>(ftr_tx_record_words(session_->recorder, dbg_.of[command < 3 ? command : 2],
                                          time, time, words, 1 + payload_words - !has_data,
                                          nullptr));
}

} // namespace ftr
