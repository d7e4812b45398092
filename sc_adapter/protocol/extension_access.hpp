/* Whether a payload has an extension, without a call into SystemC's library for each type of
 * extension. This is the only file of the adapter that depends on a private member of the payload.
 * It does not compile if the member is missing or has another type. */
#ifndef FTR_EXTENSION_ACCESS_HPP
#define FTR_EXTENSION_ACCESS_HPP

#include <ftr/detail/systemc_session.hpp>

#include <tlm>

namespace ftr
{
namespace detail
{

/* An explicit instantiation may name a private member: this one defines a friend function that
 * returns a pointer to the member. */
template <class Tag, typename Tag::type Member> struct payload_access {
    friend constexpr typename Tag::type member(Tag) { return Member; }
};

struct payload_extensions {
    using type = tlm::tlm_array<tlm::tlm_extension_base *> tlm::tlm_generic_payload::*;
    friend constexpr type member(payload_extensions);
};
template struct payload_access<payload_extensions, &tlm::tlm_generic_payload::m_extensions>;

FTR_SC_INLINE bool has_extensions(const tlm::tlm_generic_payload &trans)
{
    const auto &extensions = trans.*member(payload_extensions{});
    tlm::tlm_extension_base *const *at = &extensions[0];
    for (tlm::tlm_extension_base *const *const end = at + extensions.size(); at != end; ++at) {
        if (*at)
            return true;
    }
    return false;
}

} // namespace detail
} // namespace ftr

#endif
