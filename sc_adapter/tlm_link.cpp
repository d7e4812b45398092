/* Defines the streams and generators of a TLM link, and puts the attributes of payloads. */
#include <ftr/tlm_link.hpp>

#include <algorithm>

#include "tlm_attributes.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

/* ---- definitions ----------------------------------------------------------------------------- */

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

/* Returns the state of one kind of calls on this link, after their streams were defined. */
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
    is_blocking_simple_ = blocking_ == family::recorded && !settings_.denies_dmi;
    is_blocking_ignored_ =
        blocking_ == family::not_recorded && !settings_.denies_dmi && !checks_protocol();
    prepare_blocking();
    return call || timed;
}

/* Prepares the fast path for each command whose transactions the fast path can record. */
void tlm_link::prepare_blocking()
{
    for (std::size_t i = 0; i < 3 && calls_->parent_child; ++i)
        prepared_[i] = ftr_observed_prepare(session_->recorder, bl_.of[i], bl_timed_.of[i],
                                            calls_->parent_child, identity_words() + word_bl_data);
}

bool tlm_link::ignores_all() const
{
    if (settings_.denies_dmi || checks_protocol())
        return false;
    const char *const suffixes[] = {"_bl", "_bl_timed", "_nb", "_nb_timed", "_dmi", "_dbg"};
    const std::size_t count = settings_.debug_transport ? 6 : 5;
    return std::none_of(suffixes, suffixes + count, [this](const char *suffix) {
        return ftr_stream_name_is_recorded(session_->recorder, (name_ + suffix).c_str());
    });
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

/* ---- payloads -------------------------------------------------------------------------------- */

/* Puts bytes as hexadecimal text. */
void tlm_link::put_bytes(ftr_tx tx, ftr_attribute_class class_, const char *name,
                         const unsigned char *bytes, std::uint64_t length) const
{
    static const char digits[] = "0123456789abcdef";
    std::string text(2 * length, '\0');
    for (std::uint64_t i = 0; i < length; ++i) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 0xf];
    }
    ftr_value value{};
    value.type = FTR_TYPE_STRING;
    value.text_length = text.size();
    value.as.text = text.data();
    static_cast<void>(ftr_tx_put_named(session_->recorder, tx, class_, name, &value));
}

/* Puts the attributes of a payload that do not fit into 64-bit words. */
void tlm_link::put_more(const tlm::tlm_generic_payload &trans, ftr_tx tx, bool is_response) const
{
    put_extensions(session_->recorder, tx, trans, is_response);
    const std::uint64_t mask_length =
        std::min<std::uint64_t>(trans.get_byte_enable_length(), settings_.payload);
    if (!is_response && trans.get_byte_enable_ptr() && mask_length > 0)
        put_bytes(tx, FTR_CLASS_BEGIN, "trans.byte_enable", trans.get_byte_enable_ptr(),
                  mask_length);
    const bool has_bytes =
        is_response ? trans.is_read() && trans.is_response_ok() : trans.is_write();
    const unsigned char *data = trans.get_data_ptr();
    const std::uint64_t length =
        std::min<std::uint64_t>(trans.get_data_length(), settings_.payload);
    if (!has_bytes || !data || length <= 8)
        return;
    put_bytes(tx, FTR_CLASS_RECORD, "trans.bytes", data, length);
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

} // namespace ftr
