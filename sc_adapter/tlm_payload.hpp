/* Reading of payloads at every call; inline in each of the few callers. */
#ifndef FTR_TLM_PAYLOAD_HPP
#define FTR_TLM_PAYLOAD_HPP

#include <algorithm>
#include <cstring>

#include "tlm_attributes.hpp"
#include "tlm_calls.hpp"

namespace ftr
{

FTR_SC_INLINE void tlm_link::take_request(const tlm::tlm_generic_payload &trans,
                                          std::uint64_t *words) const
{
    words[detail::word_command] = calls_->commands.of(trans.get_command());
    words[detail::word_address] = trans.get_address();
    words[detail::word_data_length] = trans.get_data_length();
    words[detail::word_streaming_width] = trans.get_streaming_width();
    words[detail::word_byte_enable_length] = trans.get_byte_enable_length();
    words[detail::word_gp_option] = calls_->options.of(trans.get_gp_option());
}

FTR_SC_INLINE void tlm_link::take_response(const tlm::tlm_generic_payload &trans,
                                           std::uint64_t *words) const
{
    words[detail::word_dmi_allowed] = trans.is_dmi_allowed();
    words[detail::word_response_status] = calls_->responses.of(trans.get_response_status());
}

/* Copies less than 8 bytes, without a function call. */
FTR_SC_INLINE void copy_few(void *to, const unsigned char *from, std::uint64_t length)
{
    auto *at = static_cast<unsigned char *>(to);
    if (length & 4) {
        std::memcpy(at, from, 4);
        at += 4;
        from += 4;
    }
    if (length & 2) {
        std::memcpy(at, from, 2);
        at += 2;
        from += 2;
    }
    if (length & 1)
        *at = *from;
}

/* Data is valid in the request of a write and in the response of a successful read; the caller must
 * check this. */
FTR_SC_INLINE bool tlm_link::take_data(const tlm::tlm_generic_payload &trans,
                                       std::uint64_t *words) const
{
    const unsigned char *data = trans.get_data_ptr();
    const std::uint64_t length =
        std::min<std::uint64_t>(trans.get_data_length(), settings_.payload);
    if (!data || !length)
        return false;
    if (FTR_SC_EXPECTED(length >= sizeof *words)) {
        std::memcpy(&words[detail::word_data], data, sizeof *words);
        return true;
    }
    words[detail::word_data] = 0;
    copy_few(&words[detail::word_data], data, length);
    return true;
}

FTR_SC_INLINE bool tlm_link::captures_more(const tlm::tlm_generic_payload &trans) const
{
    return detail::has_extension_recorders ||
           (settings_.payload > 8 && trans.get_data_length() > 8);
}

} // namespace ftr

#endif
