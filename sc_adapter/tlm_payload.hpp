/* Reads payloads. Every call runs this code, so it is inline in each of the few callers. */
#ifndef FTR_TLM_PAYLOAD_HPP
#define FTR_TLM_PAYLOAD_HPP

#include <algorithm>
#include <cstring>

#include "tlm_attributes.hpp"
#include "tlm_calls.hpp"

namespace ftr
{

/* Calls put(number, word) for each word of a request. */
template <class Put>
FTR_SC_INLINE void read_request(const detail::tlm_calls &calls,
                                const tlm::tlm_generic_payload &trans, int command, int option,
                                Put put)
{
    put(detail::word_command, std::uint64_t{calls.commands.of(command)});
    put(detail::word_address, std::uint64_t{trans.get_address()});
    put(detail::word_data_length, std::uint64_t{trans.get_data_length()});
    put(detail::word_streaming_width, std::uint64_t{trans.get_streaming_width()});
    put(detail::word_byte_enable_length, std::uint64_t{trans.get_byte_enable_length()});
    put(detail::word_gp_option, std::uint64_t{calls.options.of(option)});
}

FTR_SC_INLINE void tlm_link::take_request(const tlm::tlm_generic_payload &trans,
                                          std::uint64_t *words) const
{
    read_request(*calls_, trans, trans.get_command(), trans.get_gp_option(),
                 [words](unsigned at, std::uint64_t word) { words[at] = word; });
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

/* Returns the first 8 bytes of an array as a word, or all its bytes if it has fewer. @p length: at
 * least 1 */
FTR_SC_INLINE std::uint64_t first_bytes(const unsigned char *bytes, std::uint64_t length)
{
    std::uint64_t word = 0;
    if (FTR_SC_EXPECTED(length >= sizeof word))
        std::memcpy(&word, bytes, sizeof word);
    else
        copy_few(&word, bytes, length);
    return word;
}

/* Data is valid in the request of a write and in the response of a successful read; the caller must
 * check this. */
FTR_SC_INLINE bool tlm_link::take_data(const tlm::tlm_generic_payload &trans,
                                       std::uint64_t &word) const
{
    const unsigned char *data = trans.get_data_ptr();
    const std::uint64_t length =
        std::min<std::uint64_t>(trans.get_data_length(), settings_.payload);
    if (!data || !length)
        return false;
    word = first_bytes(data, length);
    return true;
}

FTR_SC_INLINE bool tlm_link::captures_more(const tlm::tlm_generic_payload &trans) const
{
    return trans.get_byte_enable_ptr() || captures_long(trans);
}

/* Same as captures_more(), for a payload without byte enables. */
FTR_SC_INLINE bool tlm_link::captures_long(const tlm::tlm_generic_payload &trans) const
{
    if (FTR_SC_EXPECTED(!detail::may_capture_more))
        return false;
    return detail::has_extension_recorders ||
           (settings_.payload > 8 && trans.get_data_length() > 8);
}

} // namespace ftr

#endif
