/** @file
 *  Converts values of TLM-2.0 types, with the names of SCC. Included by
 *  <tlm/scc/lwtr/tlm2_lwtr.h>. */
#ifndef FTR_COMPAT_SCC_LWTR4TLM2_H
#define FTR_COMPAT_SCC_LWTR4TLM2_H

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include <ftr/compat/lwtr/lwtr.h>
#include <ftr/systemc_values.hpp>

#include <tlm>

namespace lwtr
{
namespace detail
{

/** Converts a value to its name with ftr::value_traits. */
template <class T> struct named_tlm_value {
    static value to_value(const T &from)
    {
        using traits = ftr::value_traits<T>;
        typename traits::storage room;
        const ftr::detail::text name = traits::get(from, std::move(room));
        return name.size == FTR_NUL_TERMINATED ? value(name.data)
                                               : value(std::string(name.data, name.size));
    }
};

} // namespace detail

template <> struct value_converter<tlm::tlm_phase> {
    static value to_value(const tlm::tlm_phase &from)
    {
        return value(std::string("tlm::") + from.get_name());
    }
};
template <>
struct value_converter<tlm::tlm_sync_enum> : detail::named_tlm_value<tlm::tlm_sync_enum> {
};
template <> struct value_converter<tlm::tlm_command> : detail::named_tlm_value<tlm::tlm_command> {
};
template <>
struct value_converter<tlm::tlm_response_status>
    : detail::named_tlm_value<tlm::tlm_response_status> {
};
template <>
struct value_converter<tlm::tlm_gp_option> : detail::named_tlm_value<tlm::tlm_gp_option> {
};
template <> struct value_converter<tlm::tlm_dmi::dmi_access_e> {
    static value to_value(tlm::tlm_dmi::dmi_access_e from)
    {
        switch (from) {
        case tlm::tlm_dmi::DMI_ACCESS_NONE:
            return value("tlm::DMI_ACCESS_NONE");
        case tlm::tlm_dmi::DMI_ACCESS_READ:
            return value("tlm::DMI_ACCESS_READ");
        case tlm::tlm_dmi::DMI_ACCESS_WRITE:
            return value("tlm::DMI_ACCESS_WRITE");
        case tlm::tlm_dmi::DMI_ACCESS_READ_WRITE:
            return value("tlm::DMI_ACCESS_READ_WRITE");
        }
        return value("ILLEGAL");
    }
};

template <class Archive> void record(Archive &archive, const tlm::tlm_dmi &from)
{
    archive &field("start_address", from.get_start_address());
    archive &field("end_address", from.get_end_address());
    archive &field("access", from.get_granted_access());
}

template <class Archive> void record(Archive &archive, const tlm::tlm_generic_payload &from)
{
    archive &field("command", from.get_command());
    archive &field("address", from.get_address());
    archive &field("data_length", from.get_data_length());
    if (from.get_data_ptr() && from.get_data_length()) {
        std::uint64_t data = 0;
        const unsigned length = from.get_data_length();
        std::memcpy(&data, from.get_data_ptr(), length < sizeof data ? length : sizeof data);
        archive &field("data", data);
    }
    archive &field("response_status", from.get_response_status());
    archive &field("streaming_width", from.get_streaming_width());
    archive &field("byte_enable_length", from.get_byte_enable_length());
    archive &field("dmi_allowed", from.is_dmi_allowed());
    archive &field("gp_option", from.get_gp_option());
}

} // namespace lwtr

#endif
