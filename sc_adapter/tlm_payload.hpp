/* Reads payloads. Every call runs this code, so it is inline in each of the few callers. */
#ifndef FTR_TLM_PAYLOAD_HPP
#define FTR_TLM_PAYLOAD_HPP

#include <algorithm>
#include <cstring>

#include <ftr/tlm_link.hpp>

namespace ftr
{

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

/* Returns the number of data bytes to record, at most UINT32_MAX. Data is valid in the request of a
 * write and in the response of a successful read; the caller must check this. */
FTR_SC_INLINE unsigned tlm_link::data_size(const tlm::tlm_generic_payload &trans) const
{
    return trans.get_data_ptr() ? static_cast<unsigned>(std::min<std::uint64_t>(
                                      trans.get_data_length(), settings_.payload))
                                : 0;
}

} // namespace ftr

#endif
