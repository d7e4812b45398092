/* Defines the streams and generators of the form tlm_form::calls, reads payloads and puts their
 * attributes, and records the calls of DMI and debug transport. */
#include "call_recorder.hpp"

#include <algorithm>

#include <ftr/detail/word_calls.h>

#include "extension_recorders.hpp"
#include "tlm_payload.hpp"

namespace ftr
{
namespace detail
{

/* ---- definitions ----------------------------------------------------------------------------- */

bool call_recorder::define_stream(const char *suffix, const char *kind, ftr_stream &stream) const
{
    return link_.define_stream(suffix, ("[TLM][" + link_.protocol_ + "]" + kind).c_str(), stream);
}

bool call_recorder::define_commands(const char *suffix, const char *kind,
                                    const ftr_attribute *attributes, std::size_t count,
                                    generators &defined) const
{
    ftr_stream stream = 0;
    if (!define_stream(suffix, kind, stream))
        return false;
    const char *const names[] = {"read", "write", "ignore"};
    for (std::size_t i = 0; i < 3; ++i)
        defined.of[i] = link_.define_generator(stream, names[i], attributes, count);
    return true;
}

bool call_recorder::define_blocking()
{
    const bool call = define_commands("_bl", "[b]", blocking_attributes - identity_words(),
                                      bl_words + identity_words(), bl_);
    const bool timed =
        define_commands("_bl_timed", "[b][timed]", payload_attributes - identity_words(),
                        payload_words + identity_words(), bl_timed_);
    return call || timed;
}

bool call_recorder::define_nonblocking()
{
    ftr_stream stream = 0;
    const bool call = define_stream("_nb", "[nb]", stream);
    if (call) {
        const ftr_attribute *const attributes = nonblocking_attributes - identity_words();
        const std::size_t count = identity_words() + nb_words + payload_words;
        nb_[0] = link_.define_generator(stream, "fw", attributes, count);
        nb_[1] = link_.define_generator(stream, "bw", attributes, count);
    }
    const bool timed = define_stream("_nb_timed", "[nb][timed]", stream);
    if (timed) {
        const ftr_attribute *const attributes = payload_attributes - identity_words();
        const std::size_t count = identity_words() + payload_words;
        request_ = link_.define_generator(stream, "request", attributes, count);
        response_ = link_.define_generator(stream, "response", attributes, count);
    }
    return call || timed;
}

bool call_recorder::define_dmi()
{
    ftr_stream stream = 0;
    const bool recorded = define_stream("_dmi", "[dmi]", stream);
    if (recorded) {
        get_ = link_.define_generator(stream, "get", get_attributes, get_words);
        invalidate_ = link_.define_generator(stream, "invalidate", invalidate_attributes, 2);
    }
    return recorded;
}

bool call_recorder::define_debug()
{
    return define_commands("_dbg", "[dbg]", debug_attributes, 1 + payload_words, dbg_);
}

/* ---- payloads -------------------------------------------------------------------------------- */

void call_recorder::take_request(const payload_type &trans, std::uint64_t *words) const
{
    words[word_command] = calls_.names.commands.of(trans.get_command());
    words[word_address] = trans.get_address();
    words[word_data_length] = trans.get_data_length();
    words[word_streaming_width] = trans.get_streaming_width();
    words[word_byte_enable_length] = trans.get_byte_enable_length();
    words[word_gp_option] = calls_.names.options.of(trans.get_gp_option());
}

void call_recorder::take_response(const payload_type &trans, std::uint64_t *words) const
{
    words[word_dmi_allowed] = trans.is_dmi_allowed();
    words[word_response_status] = calls_.names.responses.of(trans.get_response_status());
}

/* Data is valid in the request of a write and in the response of a successful read; the caller must
 * check this. */
bool call_recorder::take_data(const payload_type &trans, std::uint64_t &word) const
{
    const unsigned size = link_.data_size(trans);
    if (size)
        word = first_bytes(trans.get_data_ptr(), size);
    return size > 0;
}

bool call_recorder::captures_more(const payload_type &trans) const
{
    return trans.get_byte_enable_ptr() || has_extension_recorders ||
           (link_.settings_.payload > sizeof(std::uint64_t) &&
            trans.get_data_length() > sizeof(std::uint64_t));
}

/* Puts the attributes of a payload that do not fit into 64-bit words. */
void call_recorder::put_more(const payload_type &trans, ftr_tx tx, bool is_response) const
{
    put_registered_extensions(recorder(), tx, trans, is_response, "trans.");
    const std::uint64_t mask_length =
        std::min<std::uint64_t>(trans.get_byte_enable_length(), link_.settings_.payload);
    if (!is_response && trans.get_byte_enable_ptr() && mask_length > 0)
        link_.put_hexadecimal(tx, FTR_CLASS_BEGIN, "trans.byte_enable", trans.get_byte_enable_ptr(),
                              mask_length);
    const bool has_bytes =
        is_response ? trans.is_read() && trans.is_response_ok() : trans.is_write();
    const unsigned length = link_.data_size(trans);
    if (has_bytes && length > sizeof(std::uint64_t))
        link_.put_hexadecimal(tx, FTR_CLASS_RECORD, "trans.bytes", trans.get_data_ptr(), length);
}

void call_recorder::put_words(ftr_tx tx, const ftr_attribute *attributes,
                              const std::uint64_t *words, std::size_t first, std::size_t last) const
{
    unsigned place = static_cast<unsigned>(first) + identity_words();
    for (std::size_t i = first; i < last; ++i, ++place) {
        switch (attributes[i].type) {
        case FTR_TYPE_BOOLEAN:
            static_cast<void>(ftr_tx_put_bool(recorder(), tx, place, words[i] != 0));
            break;
        case FTR_TYPE_INTEGER:
            static_cast<void>(
                ftr_tx_put_int(recorder(), tx, place, static_cast<std::int64_t>(words[i])));
            break;
        case FTR_TYPE_STRING:
            static_cast<void>(
                ftr_tx_put_defined(recorder(), tx, place, static_cast<ftr_text>(words[i])));
            break;
        default:
            static_cast<void>(ftr_tx_put_number(recorder(), tx, place, words[i]));
        }
    }
}

/* Puts the identity of the payload, if the protocol is checked. */
void call_recorder::put_identity(ftr_tx tx, std::uint64_t identity) const
{
    if (identity_words())
        static_cast<void>(ftr_tx_put_number(recorder(), tx, 0, identity));
}

/* Puts a PARENT_CHILD relation if both transactions are recorded. */
void call_recorder::relate(ftr_tx outer, ftr_tx inner) const
{
    if (outer.id && inner.id)
        static_cast<void>(ftr_relation_put(recorder(), calls_.parent_child, outer, inner));
}

/* ---- DMI and debug transport ----------------------------------------------------------------- */

ftr_tx call_recorder::record_dmi(const payload_type &trans, std::uint64_t address,
                                 const tlm::tlm_dmi &dmi, bool granted) const
{
    std::uint64_t words[get_words];
    words[word_get_command] = calls_.names.commands.of(trans.get_command());
    words[word_get_address] = address;
    words[word_granted] = granted;
    words[word_start_address] = dmi.get_start_address();
    words[word_end_address] = dmi.get_end_address();
    words[word_access] = calls_.names.dmi_accesses.of(dmi.get_granted_access());
    words[word_read_latency] = dmi.get_read_latency().value();
    words[word_write_latency] = dmi.get_write_latency().value();
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(ftr_tx_record_words(recorder(), get_, time, time, words, get_words, &tx));
    return tx;
}

void call_recorder::record_invalidation(std::uint64_t start, std::uint64_t end) const
{
    const std::uint64_t words[] = {start, end};
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(ftr_tx_record_words(recorder(), invalidate_, time, time, words, 2, &tx));
}

ftr_tx call_recorder::record_debug(const payload_type &trans, unsigned transported) const
{
    std::uint64_t words[1 + payload_words];
    words[word_transported] = transported;
    take_request(trans, words + 1);
    take_response(trans, words + 1);
    const bool has_data = transported && take_data(trans, words[1 + word_data]);
    const unsigned command = static_cast<unsigned>(trans.get_command());
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(ftr_tx_record_words(recorder(), dbg_.of[command < 3 ? command : 2], time,
                                          time, words, 1 + payload_words - !has_data, &tx));
    return tx;
}

} // namespace detail
} // namespace ftr
