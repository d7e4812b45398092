/* Puts the request and the data of an access into a slot; inline, for the fast paths of blocking
 * and non-blocking accesses. */
#ifndef FTR_ACCESS_REQUEST_HPP
#define FTR_ACCESS_REQUEST_HPP

#include "access_attributes.hpp"
#include "entered_call.hpp"
#include "extension_access.hpp"
#include "extension_recorders.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

/* Returns true if an access has, or may have, attributes that the fast path does not put. */
FTR_SC_INLINE bool tlm_link::is_unusual(const tlm::tlm_generic_payload &trans)
{
    static_assert(tlm::TLM_MIN_PAYLOAD == 0, "compared as bits");
    return !FTR_SC_EXPECTED((reinterpret_cast<std::uintptr_t>(trans.get_byte_enable_ptr()) |
                             static_cast<std::uintptr_t>(trans.get_gp_option())) == 0) ||
           !FTR_SC_EXPECTED(trans.get_streaming_width() >= trans.get_data_length()) ||
           __builtin_expect(detail::has_extension_recorders, 0);
}

namespace detail
{

/* Hides the origin of a pointer, so that the compiler does not compute the pointer again for each
 * use. */
template <class Type> FTR_SC_INLINE Type *opaque(Type *pointer)
{
    asm("" : "+r"(pointer));
    return pointer;
}

/* Returns whether a payload has exactly 8 bytes of data. */
FTR_SC_INLINE bool has_word(const tlm::tlm_generic_payload &trans)
{
    return FTR_SC_EXPECTED(trans.get_data_length() == sizeof(std::uint64_t));
}

/* Maximum size in bytes of the items that accesses have before their last step, if at most 8 bytes
 * of data are recorded: the row of the
 * request, the data, and for phased_access also the request time and the response with its two
 * attributes. */
template <bool Checked>
inline constexpr std::size_t most_call_items = (Checked ? 3 : 2) * FTR_ITEM_SIZE + FTR_ITEM_SIZE;
template <bool Checked>
inline constexpr std::size_t most_phased_items = most_call_items<Checked> + 3 * FTR_ITEM_SIZE;

/* Writes the row of a request to @p items. Returns its end. @p has_delay 0: the row ends before the
 * delay. @p identity: used only on checked links */
template <bool Checked>
FTR_SC_INLINE std::uint8_t *put_request_row(const ftr_observed_generator &of, std::uint8_t *items,
                                            const tlm::tlm_generic_payload &trans,
                                            std::uint64_t delay, bool has_delay,
                                            std::uint64_t identity)
{
    constexpr std::size_t word = sizeof(std::uint64_t);
    constexpr unsigned first = Checked ? 2 : 1;
    const std::uint64_t address = trans.get_address();
    const std::uint64_t length = trans.get_data_length();
    std::uint64_t head = of.request_head;
    std::uint8_t *end = items + 2 * FTR_ITEM_SIZE;
    if constexpr (Checked)
        std::memcpy(items + word, &identity, word);
    std::memcpy(items + word * (first + at_address), &address, word);
    std::memcpy(items + word * (first + at_length), &length, word);
    if (has_delay) {
        std::memcpy(items + word * (first + at_delay), &delay, word);
        head += FTR_OBSERVED_COUNT(1);
        end = items + ftr_words_size(first + at_delay);
    }
    std::memcpy(items, &head, word);
    return end;
}

/* Writes more than 8 bytes of data. See put_data() */
inline FTR_SC_COLD std::uint8_t *put_long_data(const ftr_observed_generator &of,
                                               const unsigned char *bytes, std::uint64_t size,
                                               std::uint8_t *to, const std::uint8_t *end)
{
    return ftr_observed_bytes_size(size) <= static_cast<std::uint64_t>(end - to)
               ? ftr_observed_put_bytes(&of, bytes, size, to)
               : nullptr;
}

/* Writes the data of a payload to @p to, if there are any. Returns the end of the data. NULL: more
 * than 8 bytes are recorded, and do not fit before @p end. @p limit: maximum number of bytes to
 * record. @p end NULL: never more than 8 bytes */
FTR_SC_INLINE std::uint8_t *put_data(const ftr_observed_generator &of,
                                     const tlm::tlm_generic_payload &trans, std::uint64_t limit,
                                     std::uint8_t *to, const std::uint8_t *end)
{
    const unsigned char *const bytes = trans.get_data_ptr();
    const std::uint64_t size = std::min<std::uint64_t>(trans.get_data_length(), limit);
    constexpr std::uint64_t usual = sizeof(std::uint64_t);
    if (FTR_SC_EXPECTED(size == usual && bytes)) {
        std::uint64_t word;
        std::memcpy(&word, bytes, sizeof word);
        return ftr_observed_put_data(&of, word, sizeof word, to);
    }
    if (!bytes || size == 0)
        return to;
    if (size > usual)
        return end ? put_long_data(of, bytes, size, to, end) : nullptr;
    std::uint64_t data = 0;
    copy_few(&data, bytes, size);
    return ftr_observed_put_data(&of, data, static_cast<unsigned>(size), to);
}

} // namespace detail

/* Writes the data of a read, at most 8 bytes, and the response. Returns their end; NULL: there are
 * more data. */
FTR_SC_INLINE std::uint8_t *tlm_link::put_answer(const ftr_observed_generator &of,
                                                 const tlm::tlm_generic_payload &trans,
                                                 std::uint8_t *to) const
{
    if (trans.is_read() && trans.is_response_ok() &&
        !(to = detail::put_data(of, trans, settings_.payload, to, nullptr)))
        return nullptr;
    return ftr_observed_put_response(&of,
                                     calls_->short_names.responses.of(trans.get_response_status()),
                                     trans.is_dmi_allowed(), to);
}

} // namespace ftr

#endif
