/** @file
 *  The fields of a TLM-2.0 payload as a value. Included by <ftr/systemc_fields.hpp>. */
#ifndef FTR_PAYLOAD_FIELDS_HPP
#define FTR_PAYLOAD_FIELDS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <ftr/systemc_values.hpp>

#include <tlm>

namespace ftr
{
namespace detail
{

/** Returns FTR_PAYLOAD, the maximum number of data bytes to record of a payload. */
FTR_SC_API std::uint64_t payload_limit();

/** The data of a payload. The data is valid in a write and in the successful response of a read;
 * otherwise the object has no value. */
struct payload_bytes {
    const unsigned char *data;
    std::size_t size;

    explicit payload_bytes(const tlm::tlm_generic_payload &trans) : data(nullptr), size(0)
    {
        if (!trans.is_write() && !(trans.is_read() && trans.is_response_ok()))
            return;
        const std::uint64_t limit = payload_limit();
        data = trans.get_data_ptr();
        size = trans.get_data_length() < limit ? trans.get_data_length()
                                               : static_cast<std::size_t>(limit);
    }
    explicit operator bool() const { return data && size; }
    const payload_bytes &operator*() const { return *this; }
};
template <> struct is_optional<payload_bytes> : std::true_type {
    using value_type = payload_bytes;
};

template <class Visitor, class Payload>
typename std::enable_if<derives<tlm::tlm_generic_payload, Payload>()>::type
ftr_fields(Visitor &visit, const Payload &trans)
{
    visit("command", trans.get_command());
    visit("address", static_cast<std::uint64_t>(trans.get_address()));
    visit("data_length", trans.get_data_length());
    visit("streaming_width", trans.get_streaming_width());
    visit("byte_enable_length", trans.get_byte_enable_length());
    visit("gp_option", trans.get_gp_option());
    visit("dmi_allowed", trans.is_dmi_allowed());
    visit("response_status", trans.get_response_status());
    visit("bytes", payload_bytes(trans));
}

} // namespace detail

template <> struct value_traits<detail::payload_bytes> : detail::made_text<FTR_TYPE_STRING> {
    static detail::text get(const detail::payload_bytes &value, detail::text_storage &&room)
    {
        return detail::hexadecimal_text(value.data, value.size, room);
    }
};

} // namespace ftr

#endif
