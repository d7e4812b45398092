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

/* The attributes that must not change while a payload is passed. They have the order of the members
 * of tlm_generic_payload, so that several are compared at once. */
struct alignas(16) payload_snapshot {
    std::uint64_t address; /* the address in the latest b_transport call */
    unsigned command;
    unsigned unused; /* a payload has padding here; see mark_answered() */
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
        if constexpr (has_lanes) {
            store_lanes<0>(trans);
            store_lanes<1>(trans);
            store_lanes<2>(trans);
        } else {
            capture_each(trans);
        }
    }
    void store_answer(int status)
    {
        answer = status == tlm::TLM_INCOMPLETE_RESPONSE ? answered_incompletely : status;
    }
    /* Makes is_only_answered() return false and is_answered_alike() return true. */
    FTR_SC_INLINE void mark_answered() { unused = ~unused; }
    /* Must be used after a call with the address @p passed has ended by an exception. Makes
     * is_only_answered() return false, because the address of the enclosing call is not known
     * here. */
    void forget_address(std::uint64_t passed) { address = ~passed; }

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
        /* The product of two 32-bit numbers is 0 only if one of them is. */
        return FTR_SC_EXPECTED(trans.get_data_ptr()) &&
               FTR_SC_EXPECTED(
                   std::uint64_t{trans.get_data_length()} * trans.get_streaming_width() != 0);
    }

    /* Returns one bit for each 32-bit word that is unchanged: bits 0 and 1: address, 2: command, 3:
     * `unused`, 4 and 5: byte enable pointer, 6: byte enable length, 7: streaming width, 8 and 9:
     * data pointer, 10: data length, 11: response status equal to `answer`. Bits 12 to 15 are equal
     * to bits 4 to 7. */
    FTR_SC_INLINE unsigned unchanged_words(const tlm::tlm_generic_payload &trans) const
    {
#ifdef __SSE2__
        if constexpr (has_lanes) {
            const __m128i enables = equal_lanes<2>(trans);
            return static_cast<unsigned>(_mm_movemask_epi8(
                _mm_packs_epi16(_mm_packs_epi32(equal_lanes<0>(trans), enables),
                                _mm_packs_epi32(equal_lanes<1>(trans), enables))));
        }
#endif
        return compare_each(trans);
    }
    /* Returns false if no attribute has changed, except perhaps the address and the response
     * status. If true, the caller must compare the attributes one by one. */
    FTR_SC_INLINE bool may_be_changed(const tlm::tlm_generic_payload &trans) const
    {
        static_assert(tlm::TLM_MIN_PAYLOAD == 0, "compared as bits");
        const unsigned numbers = (static_cast<unsigned>(trans.get_command()) ^ command) |
                                 static_cast<unsigned>(trans.get_gp_option());
#ifdef __SSE2__
        if constexpr (has_lanes) {
            constexpr unsigned answer_bits = 0xc0;
            const auto same = static_cast<unsigned>(
                _mm_movemask_epi8(_mm_packs_epi32(equal_lanes<1>(trans), equal_lanes<2>(trans))));
            return __builtin_expect((((same | answer_bits) ^ all_words) | numbers) != 0, 0);
        }
#endif
        return numbers != 0 ||
               (compare_each(trans) | address_words | unused_word | answer_word) != all_words;
    }
    /* Returns whether the response status has changed and all other attributes, including the
     * address, are unchanged. The option is not compared. @p words: unchanged_words() */
    static FTR_SC_INLINE bool is_only_answered(unsigned words)
    {
        return words == (all_words & ~answer_word);
    }
    /* Returns whether mark_answered() was called, the response status is `answer`, and no attribute
     * has changed, except perhaps the address. */
    static FTR_SC_INLINE bool is_answered_alike(unsigned words)
    {
        return (words | address_words) == (all_words & ~unused_word);
    }
    /* Writes the address, the data length, the streaming width and the byte enable length of a
     * payload, after capture(), as 64-bit words in this order. The byte enable pointer must be NULL
     * and the response status TLM_INCOMPLETE_RESPONSE. */
    FTR_SC_INLINE void put_words(const tlm::tlm_generic_payload &trans, std::uint8_t *to) const
    {
#ifdef __SSE2__
        if constexpr (has_lanes) {
            static_assert(tlm::TLM_INCOMPLETE_RESPONSE == 0, "upper half of the data length");
            const auto lane = [](__m128i *of) { return _mm_castsi128_pd(_mm_load_si128(of)); };
            constexpr int first_low_second_high = 2;
            const __m128d numbers =
                _mm_shuffle_pd(lane(own_lanes<0>()), lane(own_lanes<1>()), first_low_second_high);
            _mm_storeu_pd(reinterpret_cast<double *>(to), numbers);
            _mm_storeu_si128(
                reinterpret_cast<__m128i *>(to + sizeof numbers),
                _mm_shuffle_epi32(_mm_load_si128(own_lanes<2>()), _MM_SHUFFLE(1, 2, 0, 3)));
            return;
        }
#endif
        const std::uint64_t words[] = {trans.get_address(), trans.get_data_length(),
                                       trans.get_streaming_width(), trans.get_byte_enable_length()};
        std::memcpy(to, words, sizeof words);
    }
    /* Captures the address for a call on a further link. Returns whether no other attribute has
     * changed since the life began. */
    FTR_SC_INLINE bool recapture(const tlm::tlm_generic_payload &trans)
    {
        answer = not_answered;
        if (!FTR_SC_EXPECTED(static_cast<unsigned>(trans.get_command()) == command)) {
            address = trans.get_address();
            return false;
        }
#ifdef __SSE2__
        if constexpr (has_lanes) {
            store_lanes<0>(trans);
            return FTR_SC_EXPECTED(_mm_movemask_epi8(_mm_and_si128(
                                       equal_lanes<1>(trans), equal_lanes<2>(trans))) == 0xffff) &&
                   FTR_SC_EXPECTED(trans.get_gp_option() == tlm::TLM_MIN_PAYLOAD);
        }
#endif
        address = trans.get_address();
        unused = 0;
        return !may_be_changed(trans);
    }

  private:
#ifdef __SSE2__
    static constexpr bool has_lanes = is_compact(payload_layout{});
#else
    static constexpr bool has_lanes = false;
#endif
    /* Parts of unchanged_words(). */
    static constexpr unsigned all_words = 0xffff;
    static constexpr unsigned address_words = 0x3;
    static constexpr unsigned unused_word = 0x8;
    static constexpr unsigned answer_word = 0x800;

#ifdef __SSE2__
    /* Four words of a payload or of this object. 0: address, command, unused; 1: data pointer, data
     * length, response status; 2: byte enable pointer and length, streaming width. */
    template <unsigned Number>
    static FTR_SC_INLINE __m128i lanes_of(const tlm::tlm_generic_payload &trans)
    {
        constexpr std::size_t place =
            Number == 2 ? place_of_enables(payload_layout{})
                        : place_of_address(payload_layout{}) + Number * sizeof(__m128i);
        return _mm_loadu_si128(reinterpret_cast<const __m128i *>(
            reinterpret_cast<const unsigned char *>(&trans) + place));
    }
    template <unsigned Number> FTR_SC_INLINE __m128i *own_lanes() const
    {
        return const_cast<__m128i *>(reinterpret_cast<const __m128i *>(this) + Number);
    }
    template <unsigned Number>
    FTR_SC_INLINE __m128i equal_lanes(const tlm::tlm_generic_payload &trans) const
    {
        return _mm_cmpeq_epi32(lanes_of<Number>(trans), _mm_load_si128(own_lanes<Number>()));
    }
    template <unsigned Number> FTR_SC_INLINE void store_lanes(const tlm::tlm_generic_payload &trans)
    {
        _mm_store_si128(own_lanes<Number>(), lanes_of<Number>(trans));
    }
#else
    template <unsigned Number> void store_lanes(const tlm::tlm_generic_payload &trans);
#endif

    unsigned compare_each(const tlm::tlm_generic_payload &trans) const
    {
        const auto words = [](bool is_equal, unsigned bits) { return is_equal ? bits : 0; };
        return words(trans.get_address() == address, address_words) |
               words(static_cast<unsigned>(trans.get_command()) == command, 0x4) |
               words(unused == 0, unused_word) |
               words(trans.get_byte_enable_ptr() == byte_enable, 0x3030) |
               words(trans.get_byte_enable_length() == byte_enable_length, 0x4040) |
               words(trans.get_streaming_width() == streaming_width, 0x8080) |
               words(trans.get_data_ptr() == data, 0x300) |
               words(trans.get_data_length() == data_length, 0x400) |
               words(trans.get_response_status() == answer, answer_word);
    }
    void capture_each(const tlm::tlm_generic_payload &trans)
    {
        unused = 0;
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

/* Returns a checksum of an array that does not have 8 bytes. A function call, so that the calling
 * code needs few registers. */
FTR_SC_COLD inline std::uint64_t other_contents(const unsigned char *bytes, unsigned length)
{
    return length < sizeof(std::uint64_t) ? few_bytes(bytes, length) : many_bytes(bytes, length);
}

/* Returns a checksum of the first `compared_bytes` bytes of an array. @p IsWord: the array is known
 * to have 8 bytes */
template <bool IsWord = false>
FTR_SC_INLINE std::uint64_t contents_of(const unsigned char *bytes, unsigned length)
{
    return IsWord || FTR_SC_EXPECTED(length == sizeof(std::uint64_t))
               ? word_at(bytes)
               : other_contents(bytes, length);
}

} // namespace detail
} // namespace ftr

#endif
