/* The recording of accesses to which the fast path does not apply: further attributes, effective
 * times that decrease, exceptions, other threads. */
#include <ftr/tlm_link.hpp>

#include <algorithm>

#include <ftr/detail/word_calls.h>

#include "access_attributes.hpp"
#include "call_recorder.hpp"
#include "extension_recorders.hpp"
#include "link_paths.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

/* Begins the transaction of an access with the attributes of its request. */
ftr_tx tlm_link::begin_access(const tlm::tlm_generic_payload &trans, const access_request &request,
                              const open_access *parent)
{
    ftr_tx tx{};
    const unsigned command =
        std::min<unsigned>(static_cast<unsigned>(trans.get_command()), tlm::TLM_IGNORE_COMMAND);
    const unsigned more = identity_words();
    const std::uint64_t words[] = {request.identity, request.address, trans.get_data_length(),
                                   request.delay};
    const bool has_delay = request.delay != 0 && settings_.delay;
    const ftr_tx *const outer = parent && parent->open.id ? &parent->open : nullptr;
    static_cast<void>(ftr_tx_begin_within(session_->recorder, accesses_[command], request.begin,
                                          words + 1 - more, more + at_delay + has_delay,
                                          calls_->parent_child, outer, &tx));
    if (tx.id)
        put_request(tx, trans);
    return tx;
}

/* Puts the data of a write, and the attributes that are recorded only if they have unusual
 * values. */
void tlm_link::put_request(ftr_tx tx, const tlm::tlm_generic_payload &trans)
{
    ftr_recorder *const rec = session_->recorder;
    if (const unsigned size = trans.is_write() ? data_size(trans) : 0)
        static_cast<void>(
            ftr_tx_put_bytes(rec, tx, at_data + identity_words(), trans.get_data_ptr(), size));
    if (trans.get_streaming_width() < trans.get_data_length()) {
        ftr_value value{};
        value.type = FTR_TYPE_UNSIGNED;
        value.as.number = trans.get_streaming_width();
        static_cast<void>(ftr_tx_put_named(rec, tx, FTR_CLASS_BEGIN, "streaming_width", &value));
    }
    const std::uint64_t mask =
        std::min<std::uint64_t>(trans.get_byte_enable_length(), settings_.payload);
    if (trans.get_byte_enable_ptr() && mask > 0)
        put_hexadecimal(tx, FTR_CLASS_BEGIN, "byte_enable", trans.get_byte_enable_ptr(), mask);
    if (trans.get_gp_option() != tlm::TLM_MIN_PAYLOAD) {
        ftr_value value{};
        value.type = FTR_TYPE_STRING;
        value.defined = calls_->short_names.options.of(trans.get_gp_option());
        static_cast<void>(ftr_tx_put_named(rec, tx, FTR_CLASS_BEGIN, "gp_option", &value));
    }
    put_extensions(tx, trans, false);
}

/* Puts the response, and the data of a read. */
void tlm_link::put_response(ftr_tx tx, const tlm::tlm_generic_payload &trans, bool has_read_data)
{
    ftr_recorder *const rec = session_->recorder;
    const unsigned more = identity_words();
    if (const unsigned size = has_read_data ? data_size(trans) : 0)
        static_cast<void>(ftr_tx_put_bytes(rec, tx, at_data + more, trans.get_data_ptr(), size));
    static_cast<void>(
        ftr_tx_put_word(rec, tx, at_response + more,
                        calls_->short_names.responses.of(trans.get_response_status())));
    if (trans.is_dmi_allowed())
        static_cast<void>(ftr_tx_put_bool(rec, tx, at_dmi_allowed + more, true));
    if (has_extension_recorders)
        put_registered_extensions(rec, tx, trans, true, "");
}

/* ---- blocking accesses ----------------------------------------------------------------------- */

void tlm_link::begin_unusual(tlm_call &call, const tlm::tlm_generic_payload &trans,
                             std::uint64_t delay, const open_access *parent)
{
    call.slot = nullptr;
    call.command =
        std::min<unsigned>(static_cast<unsigned>(trans.get_command()), tlm::TLM_IGNORE_COMMAND);
    call.address = trans.get_address();
    if (call_form_)
        call_form_->begin(call, trans, delay);
    else
        call.open =
            begin_access(trans, {trans.get_address(), call.begin, delay, call.identity}, parent);
}

void tlm_link::end_unusual(tlm_call &call, const tlm::tlm_generic_payload &trans,
                           std::uint64_t delay)
{
    if (call_form_) {
        call_form_->end(call, trans, delay);
        return;
    }
    if (!call.open.id)
        return;
    const bool is_read = call.slot ? call.usual == &prepared_[tlm::TLM_READ_COMMAND]
                                   : call.command == tlm::TLM_READ_COMMAND;
    link_paths::end_access(*this, call.open, trans, is_read, call.begin, now() + delay);
}

/* Ends the transaction of an access with the attributes of its response. */
void link_paths::end_access(tlm_link &link, ftr_tx tx, const payload_type &trans, bool is_read,
                            std::uint64_t begin, std::uint64_t end)
{
    link.put_response(tx, trans, is_read && trans.is_response_ok());
    if (end < begin)
        link.put_time(tx, "lowered_by", begin - end);
    static_cast<void>(ftr_tx_end(link.session_->recorder, tx, std::max(end, begin)));
}

/* Records an access at its end, without relations. See early() */
void link_paths::record_late(tlm_link &link, const payload_type &trans,
                             const access_request &request, std::uint64_t end)
{
    if (!link.records_blocking())
        return;
    const ftr_tx tx = link.begin_access(trans, request, nullptr);
    if (tx.id)
        end_access(link, tx, trans, trans.is_read(), request.begin, end);
}

/* Ends the transaction of a call that was interrupted by an exception or by the end of its process.
 * The payload may no longer exist. */
void tlm_link::abandon_blocking(tlm_call &call)
{
    static_cast<void>(call.end_watch());
    if (call_form_)
        call_form_->abandon(call);
    else if (call.open.id)
        end_unfinished(call.open, std::max(now(), call.begin));
}

} // namespace ftr
