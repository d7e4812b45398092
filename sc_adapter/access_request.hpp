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
    if (!FTR_SC_EXPECTED((reinterpret_cast<std::uintptr_t>(trans.get_byte_enable_ptr()) |
                          static_cast<std::uintptr_t>(trans.get_gp_option())) == 0) ||
        !FTR_SC_EXPECTED(trans.get_streaming_width() >= trans.get_data_length()))
        return true;
    if (__builtin_expect(to_search_ != 0, 0)) {
        --to_search_;
        if (has_new_extension(trans))
            return true;
    }
    return has_long_data(trans);
}

/* Returns whether the data, or the values of registered extensions, do not fit into words. */
FTR_SC_INLINE bool tlm_link::has_long_data(const tlm::tlm_generic_payload &trans) const
{
    if (FTR_SC_EXPECTED(!detail::may_capture_more))
        return false;
    return detail::has_extension_recorders || (settings_.payload > sizeof(std::uint64_t) &&
                                               trans.get_data_length() > sizeof(std::uint64_t));
}

namespace detail
{

/* Gets the first 8 bytes of the data of a payload, or fewer. Returns their number; 0: there are
 * none, or none are recorded. */
FTR_SC_INLINE unsigned small_data(const tlm_link &link, const tlm::tlm_generic_payload &trans,
                                  std::uint64_t &data)
{
    const unsigned char *const bytes = trans.get_data_ptr();
    const std::uint64_t limit = link.settings().payload;
    if (FTR_SC_EXPECTED(trans.get_data_length() >= sizeof data && limit >= sizeof data && bytes)) {
        std::memcpy(&data, bytes, sizeof data);
        return sizeof data;
    }
    const std::uint64_t size = bytes ? std::min<std::uint64_t>(trans.get_data_length(), limit) : 0;
    if (size)
        data = first_bytes(bytes, size);
    return static_cast<unsigned>(std::min<std::uint64_t>(size, sizeof data));
}

/* The items of a request in a slot, before its access begins. */
struct request_items {
    std::uint64_t words; /* number of words in the row of the request */
    std::uint8_t *end;   /* of the row */
};

/* Writes the row of a request. @p identity: NULL if the link is not checked */
template <bool Checked>
FTR_SC_INLINE request_items put_request_row(const ftr_slot *slot,
                                            const tlm::tlm_generic_payload &trans,
                                            std::uint64_t delay, bool has_delay,
                                            const std::uint64_t *identity)
{
    constexpr unsigned more = Checked ? 1 : 0;
    std::uint8_t *const words = ftr_observed_words(slot);
    const std::uint64_t address = trans.get_address();
    const std::uint64_t length = trans.get_data_length();
    if constexpr (Checked)
        std::memcpy(words, identity, sizeof *identity);
    std::memcpy(words + sizeof address * (more + at_address), &address, sizeof address);
    std::memcpy(words + sizeof length * (more + at_length), &length, sizeof length);
    std::memcpy(words + sizeof delay * (more + at_delay), &delay, sizeof delay);
    const std::uint64_t count = more + at_delay + static_cast<std::uint64_t>(has_delay);
    constexpr std::size_t without_delay = FTR_ITEM_SIZE * 2;
    /* Rows of two and of three words have the same size. */
    const std::size_t size = Checked ? without_delay + FTR_ITEM_SIZE * has_delay : without_delay;
    return {count, slot->items + size};
}

} // namespace detail

} // namespace ftr

#endif
