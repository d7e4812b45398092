/* The attributes that must not change while a payload is passed, in a form that needs few
 * instructions for a comparison. */
#ifndef FTR_PAYLOAD_SNAPSHOT_HPP
#define FTR_PAYLOAD_SNAPSHOT_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "extension_access.hpp"

namespace ftr
{
namespace detail
{

/* The places of the members of a payload. is_compact() is true if they have the order of
 * payload_snapshot; otherwise they are compared one by one. */
struct payload_layout {
    friend constexpr bool is_compact(payload_layout);
    friend constexpr std::size_t place_of_address(payload_layout);
    friend constexpr std::size_t place_of_enables(payload_layout);
};

template <std::size_t Address, std::size_t Command, std::size_t Data, std::size_t Length,
          std::size_t Status, std::size_t Enable, std::size_t EnableLength, std::size_t Width>
struct payload_places {
    friend constexpr bool is_compact(payload_layout)
    {
        return Command == Address + 8 && Data == Command + 8 && Length == Data + 8 &&
               Status == Length + 4 && EnableLength == Enable + 8 && Width == EnableLength + 4;
    }
    friend constexpr std::size_t place_of_address(payload_layout) { return Address; }
    friend constexpr std::size_t place_of_enables(payload_layout) { return Enable; }
};

/* An explicit instantiation may name private members. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
template struct payload_places<
    offsetof(tlm::tlm_generic_payload, m_address), offsetof(tlm::tlm_generic_payload, m_command),
    offsetof(tlm::tlm_generic_payload, m_data), offsetof(tlm::tlm_generic_payload, m_length),
    offsetof(tlm::tlm_generic_payload, m_response_status),
    offsetof(tlm::tlm_generic_payload, m_byte_enable),
    offsetof(tlm::tlm_generic_payload, m_byte_enable_length),
    offsetof(tlm::tlm_generic_payload, m_streaming_width)>;
#pragma GCC diagnostic pop

FTR_SC_INLINE std::uint64_t word_at(const unsigned char *bytes)
{
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/* Four words that are compared at once. */
using word_lanes = unsigned __attribute__((vector_size(16)));
using any_lanes = word_lanes __attribute__((may_alias));

FTR_SC_INLINE bool are_all_set(word_lanes lanes)
{
#ifdef __SSE2__
    return _mm_movemask_ps(reinterpret_cast<__m128>(lanes)) == 0xf;
#else
    return (lanes[0] & lanes[1] & lanes[2] & lanes[3]) != 0;
#endif
}

/* Returns whether all lanes are set except the last one of @p second. */
FTR_SC_INLINE bool are_set_but_last(word_lanes first, word_lanes second)
{
#ifdef __SSE2__
    return _mm_movemask_epi8(_mm_packs_epi32(reinterpret_cast<__m128i>(first),
                                             reinterpret_cast<__m128i>(second))) == 0x3fff;
#else
    second[3] = ~second[3];
    return are_all_set(first & second);
#endif
}

/* The attributes that must not change while a payload is passed. They have the order of the members
 * of tlm_generic_payload, so that several are compared at once. */
struct alignas(16) payload_snapshot {
    std::uint64_t address; /* the address in the latest b_transport call */
    unsigned command;
    unsigned unused; /* a payload has padding here */
    const unsigned char *data;
    unsigned data_length;
    int answer; /* response status of the latest answer, or a value below */
    const unsigned char *byte_enable;
    unsigned byte_enable_length;
    unsigned streaming_width;

    /* Further values of `answer`. not_answered: the link that was passed last has no answer yet;
     * equal to the response status of a payload when a transaction begins. answered_incompletely:
     * the response status of the answer was TLM_INCOMPLETE_RESPONSE. */
    static constexpr int not_answered = tlm::TLM_INCOMPLETE_RESPONSE;
    static constexpr int answered_incompletely = 0x7f;

    FTR_SC_INLINE void capture(const tlm::tlm_generic_payload &trans)
    {
        if constexpr (is_compact(payload_layout{})) {
            own_lanes<0>() = lanes_of<0>(trans);
            own_lanes<1>() = lanes_of<1>(trans);
            own_lanes<2>() = lanes_of<2>(trans);
        } else {
            capture_each(trans);
        }
    }
    void store_answer(int status)
    {
        answer = status == tlm::TLM_INCOMPLETE_RESPONSE ? answered_incompletely : status;
    }

    /* These attributes are 0 at the begin of most transactions. unusual_numbers() returns 0 if the
     * option, the response status and the DMI hint have the values that the standard requires.
     * unusual_bits() returns 0 if, in addition, there is no byte enable array. */
    static FTR_SC_INLINE unsigned unusual_numbers(const tlm::tlm_generic_payload &trans)
    {
        static_assert(tlm::TLM_MIN_PAYLOAD == 0 && tlm::TLM_INCOMPLETE_RESPONSE == 0,
                      "compared as bits");
        return static_cast<unsigned>(trans.get_gp_option()) |
               static_cast<unsigned>(trans.get_response_status()) |
               static_cast<unsigned>(trans.is_dmi_allowed());
    }
    static FTR_SC_INLINE std::uintptr_t unusual_bits(const tlm::tlm_generic_payload &trans)
    {
        return reinterpret_cast<std::uintptr_t>(trans.get_byte_enable_ptr()) |
               unusual_numbers(trans);
    }
    static FTR_SC_INLINE bool has_data(const tlm::tlm_generic_payload &trans)
    {
        return FTR_SC_EXPECTED(trans.get_data_ptr()) && FTR_SC_EXPECTED(trans.get_data_length()) &&
               FTR_SC_EXPECTED(trans.get_streaming_width());
    }

    /* Returns false if no attribute has changed, except perhaps the address and the response
     * status. If true, the caller must compare the attributes one by one. */
    FTR_SC_INLINE bool may_be_changed(const tlm::tlm_generic_payload &trans) const
    {
        return !are_lanes_equal(trans) || ((trans.get_data_length() ^ data_length) |
                                           static_cast<unsigned>(trans.get_gp_option())) != 0;
    }
    /* Returns true if the response status has changed, and no other attribute, including the
     * address. Does not compare the option. */
    FTR_SC_INLINE bool is_only_answered(const tlm::tlm_generic_payload &trans) const
    {
        if constexpr (is_compact(payload_layout{}))
            return are_set_but_last(static_cast<word_lanes>((lanes_of<0>(trans) == own_lanes<0>()) &
                                                            (lanes_of<2>(trans) == own_lanes<2>())),
                                    static_cast<word_lanes>(lanes_of<1>(trans) == own_lanes<1>()));
        return are_lanes_equal(trans) && trans.get_data_length() == data_length &&
               trans.get_address() == address && trans.get_response_status() != answer;
    }
    /* Returns true if the response status is `answer` and no attribute has changed, except perhaps
     * the address. Does not compare the option. */
    FTR_SC_INLINE bool is_answered_alike(const tlm::tlm_generic_payload &trans) const
    {
        if constexpr (is_compact(payload_layout{}))
            return are_lanes_equal(trans) &&
                   word_at(place(trans, place_of_address(payload_layout{}) + length_place)) ==
                       word_at(reinterpret_cast<const unsigned char *>(this) + length_place);
        return are_lanes_equal(trans) && trans.get_data_length() == data_length &&
               trans.get_response_status() == answer;
    }

  private:
    /* distance of the data length and the response status from the address */
    static constexpr std::size_t length_place = 24;

    static const unsigned char *place(const tlm::tlm_generic_payload &trans, std::size_t offset)
    {
        return reinterpret_cast<const unsigned char *>(&trans) + offset;
    }
    static FTR_SC_INLINE word_lanes lanes_at(const unsigned char *bytes)
    {
        word_lanes lanes;
        std::memcpy(&lanes, bytes, sizeof lanes);
        return lanes;
    }
    /* Returns the lanes @p Number. 0: address, command; 1: data pointer, data length, response
     * status; 2: byte enable pointer and length, streaming width. */
    template <unsigned Number>
    static FTR_SC_INLINE word_lanes lanes_of(const tlm::tlm_generic_payload &trans)
    {
        return lanes_at(place(trans, Number == 2 ? place_of_enables(payload_layout{})
                                                 : place_of_address(payload_layout{}) +
                                                       Number * sizeof(word_lanes)));
    }
    template <unsigned Number> FTR_SC_INLINE any_lanes &own_lanes()
    {
        return reinterpret_cast<any_lanes *>(this)[Number];
    }
    template <unsigned Number> FTR_SC_INLINE const any_lanes &own_lanes() const
    {
        return reinterpret_cast<const any_lanes *>(this)[Number];
    }

    /* Returns whether the command, the data pointer, the byte enables and the streaming width are
     * unchanged. */
    FTR_SC_INLINE bool are_lanes_equal(const tlm::tlm_generic_payload &trans) const
    {
        if constexpr (is_compact(payload_layout{})) {
            constexpr std::size_t command_place = 8;
            const word_lanes now =
                lanes_at(place(trans, place_of_address(payload_layout{}) + command_place));
            const word_lanes before =
                lanes_at(reinterpret_cast<const unsigned char *>(this) + command_place);
            return are_all_set(
                static_cast<word_lanes>((now == before) & (lanes_of<2>(trans) == own_lanes<2>())));
        }
        return static_cast<unsigned>(trans.get_command()) == command &&
               trans.get_data_ptr() == data && trans.get_byte_enable_ptr() == byte_enable &&
               trans.get_byte_enable_length() == byte_enable_length &&
               trans.get_streaming_width() == streaming_width;
    }

    void capture_each(const tlm::tlm_generic_payload &trans)
    {
        address = trans.get_address();
        command = static_cast<unsigned>(trans.get_command());
        data = trans.get_data_ptr();
        data_length = trans.get_data_length();
        answer = trans.get_response_status();
        byte_enable = trans.get_byte_enable_ptr();
        byte_enable_length = trans.get_byte_enable_length();
        streaming_width = trans.get_streaming_width();
    }
};

/* Number of bytes at the begin of an array that are compared. */
inline constexpr unsigned compared_bytes = 64;

/* Returns a number that is different for each content of an array of @p length bytes, at most 7. */
FTR_SC_INLINE std::uint64_t few_bytes(const unsigned char *bytes, unsigned length)
{
    if (length >= 4) {
        std::uint32_t first;
        std::uint32_t last;
        std::memcpy(&first, bytes, sizeof first);
        std::memcpy(&last, bytes + length - sizeof last, sizeof last);
        return static_cast<std::uint64_t>(last) << 32 | first;
    }
    return length == 0 ? 0
                       : bytes[0] | static_cast<unsigned>(bytes[length / 2]) << 8 |
                             static_cast<unsigned>(bytes[length - 1]) << 16;
}

/* Returns a checksum of more than 8 bytes. A change of a single word always changes the checksum,
 * because the factor is odd. */
inline std::uint64_t many_bytes(const unsigned char *bytes, unsigned length)
{
    const unsigned size = length < compared_bytes ? length : compared_bytes;
    std::uint64_t sum = 0;
    for (unsigned i = 0; i + sizeof sum < size; i += sizeof sum)
        sum = (sum ^ word_at(bytes + i)) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ word_at(bytes + size - sizeof sum);
}

/* Returns a checksum of the first `compared_bytes` bytes of an array. */
FTR_SC_INLINE std::uint64_t contents_of(const unsigned char *bytes, unsigned length)
{
    if (FTR_SC_EXPECTED(length == sizeof(std::uint64_t)))
        return word_at(bytes);
    return length < sizeof(std::uint64_t) ? few_bytes(bytes, length) : many_bytes(bytes, length);
}

} // namespace detail
} // namespace ftr

#endif
