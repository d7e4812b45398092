/* Access to private members of SystemC's classes without a call into the SystemC library: the
 * extensions and the memory manager of a payload, and the number of delta cycles. Does not compile
 * if a member is missing or has another type. */
#ifndef FTR_EXTENSION_ACCESS_HPP
#define FTR_EXTENSION_ACCESS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <ftr/detail/systemc_session.hpp>

#include <tlm>

namespace ftr
{
namespace detail
{

/* An explicit instantiation may name a private member. Each instantiation of this template defines
 * a friend function that returns a pointer to the member. */
template <class Tag, typename Tag::type Member> struct private_access {
    friend constexpr typename Tag::type member(Tag) { return Member; }
};

struct payload_extensions {
    using type = tlm::tlm_array<tlm::tlm_extension_base *> tlm::tlm_generic_payload::*;
    friend constexpr type member(payload_extensions);
};
template struct private_access<payload_extensions, &tlm::tlm_generic_payload::m_extensions>;

struct payload_manager {
    using type = tlm::tlm_mm_interface *tlm::tlm_generic_payload::*;
    friend constexpr type member(payload_manager);
};
template struct private_access<payload_manager, &tlm::tlm_generic_payload::m_mm>;

struct kernel_deltas {
    using type = sc_dt::uint64 sc_core::sc_simcontext::*;
    friend constexpr type member(kernel_deltas);
};
template struct private_access<kernel_deltas, &sc_core::sc_simcontext::m_delta_count>;

/* Returns the number of delta cycles so far. */
FTR_SC_INLINE std::uint64_t delta_count(const sc_core::sc_simcontext &context)
{
    return context.*member(kernel_deltas{});
}

/* Returns the memory manager of a payload, or NULL. */
FTR_SC_INLINE const tlm::tlm_mm_interface *manager_of(const tlm::tlm_generic_payload &trans)
{
    return trans.*member(payload_manager{});
}

/* Returns the array of extensions of a payload. The array has an element for each type that existed
 * when the payload was made, or when SystemC last extended the array. It is never shortened. A call
 * of get_extension() with a greater index aborts. */
FTR_SC_INLINE const tlm::tlm_array<tlm::tlm_extension_base *> &
extensions_in(const tlm::tlm_generic_payload &trans)
{
    return trans.*member(payload_extensions{});
}

inline std::uintptr_t bits_of(const tlm::tlm_extension_base *extension)
{
    return reinterpret_cast<std::uintptr_t>(extension);
}

/* Returns whether any extension is set. Used for numbers of types that extension_bits() does not
 * test inline. */
FTR_SC_COLD inline bool has_one_of(tlm::tlm_extension_base *const *extensions, std::size_t count)
{
    return std::any_of(extensions, extensions + count,
                       [](const tlm::tlm_extension_base *extension) { return extension; });
}

/* Returns true if a payload has an array for two to eight types of extensions. */
FTR_SC_INLINE bool has_usual_array(const tlm::tlm_generic_payload &trans)
{
    return extensions_in(trans).size() - 2 <= 6;
}

/* Returns @p bits if the payload has no extension, otherwise another number. The array must be
 * usual, or must have been usual before it was extended; if it now has more than eight elements,
 * the result is never 0. */
FTR_SC_INLINE std::uintptr_t usual_extension_bits(const tlm::tlm_generic_payload &trans,
                                                  std::uintptr_t bits)
{
    const auto &extensions = extensions_in(trans);
    tlm::tlm_extension_base *const *const first = &extensions[0];
    tlm::tlm_extension_base *const *const end = first + extensions.size();
    if (__builtin_expect(end > first + 4, 0)) {
        if (end > first + 8)
            return bits | 1;
        bits |= bits_of(first[2]) | bits_of(first[3]) | bits_of(end[-4]) | bits_of(end[-3]);
    }
    /* Each step is one instruction. A compiler that changes the order of the steps needs more
     * instructions. */
    bits |= bits_of(first[0]);
    asm("" : "+r"(bits));
    bits |= bits_of(first[1]);
    asm("" : "+r"(bits));
    bits |= bits_of(end[-2]);
    asm("" : "+r"(bits));
    return bits | bits_of(end[-1]);
}

/* Same as usual_extension_bits(), for any array. */
FTR_SC_INLINE std::uintptr_t extension_bits(const tlm::tlm_generic_payload &trans,
                                            std::uintptr_t bits)
{
    if (FTR_SC_EXPECTED(has_usual_array(trans)))
        return usual_extension_bits(trans, bits);
    const auto &extensions = extensions_in(trans);
    return extensions.size() == 0
               ? bits
               : bits | static_cast<std::uintptr_t>(has_one_of(&extensions[0], extensions.size()));
}

} // namespace detail
} // namespace ftr

#endif
