/* Converts SystemC's vectors and names to text. The headers choose the conversion for each type. */
#include <cstdio>

#define SC_INCLUDE_FX
#include <ftr/systemc_values.hpp>

namespace ftr
{
namespace detail
{

namespace
{

/* Most significant digit first, from bit(i). */
template <class Bit> text spell(int length, text_storage &room, Bit bit)
{
    const std::size_t size = length > 0 ? static_cast<std::size_t>(length) : 0;
    char *const to = room.reserve(size);
    for (std::size_t i = 0; i < size; ++i)
        to[i] = bit(static_cast<int>(size - 1 - i));
    return {to, size};
}

} // namespace

text bits_text(uint128 value, text_storage &room)
{
    return spell(128, room, [&](int i) { return static_cast<char>('0' + (value >> i & 1)); });
}

text bits_text(const sc_dt::sc_signed &value, text_storage &room)
{
    return spell(value.length(), room, [&](int i) { return value.test(i) ? '1' : '0'; });
}

text bits_text(const sc_dt::sc_unsigned &value, text_storage &room)
{
    return spell(value.length(), room, [&](int i) { return value.test(i) ? '1' : '0'; });
}

text bits_text(const sc_dt::sc_bv_base &value, text_storage &room)
{
    return spell(value.length(), room, [&](int i) { return "01"[value.get_bit(i) & 1]; });
}

text bits_text(const sc_dt::sc_lv_base &value, text_storage &room)
{
    return spell(value.length(), room, [&](int i) { return "01ZX"[value.get_bit(i) & 3]; });
}

text character_text(char value, text_storage &room)
{
    char *const to = room.reserve(5);
    const unsigned code = static_cast<unsigned char>(value);
    if (code >= 0x20 && code < 0x7f) {
        to[0] = value;
        return {to, 1};
    }
    std::snprintf(to, 5, "\\x%02x", code);
    return {to, 4};
}

text number_text(std::int64_t value, text_storage &room)
{
    return room.hold(std::to_string(value));
}

text decimal_text(std::string value, text_storage &room)
{
    const std::size_t point = value.find_first_not_of("+-");
    if (point != std::string::npos && value[point] == '.')
        value.insert(point, 1, '0');
    return room.hold(std::move(value));
}

const char *name_of(tlm::tlm_command value)
{
    switch (value) {
    case tlm::TLM_READ_COMMAND:
        return "tlm::TLM_READ_COMMAND";
    case tlm::TLM_WRITE_COMMAND:
        return "tlm::TLM_WRITE_COMMAND";
    case tlm::TLM_IGNORE_COMMAND:
        return "tlm::TLM_IGNORE_COMMAND";
    }
    return nullptr;
}

const char *name_of(tlm::tlm_response_status value)
{
    switch (value) {
    case tlm::TLM_OK_RESPONSE:
        return "tlm::TLM_OK_RESPONSE";
    case tlm::TLM_INCOMPLETE_RESPONSE:
        return "tlm::TLM_INCOMPLETE_RESPONSE";
    case tlm::TLM_GENERIC_ERROR_RESPONSE:
        return "tlm::TLM_GENERIC_ERROR_RESPONSE";
    case tlm::TLM_ADDRESS_ERROR_RESPONSE:
        return "tlm::TLM_ADDRESS_ERROR_RESPONSE";
    case tlm::TLM_COMMAND_ERROR_RESPONSE:
        return "tlm::TLM_COMMAND_ERROR_RESPONSE";
    case tlm::TLM_BURST_ERROR_RESPONSE:
        return "tlm::TLM_BURST_ERROR_RESPONSE";
    case tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE:
        return "tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE";
    }
    return nullptr;
}

const char *name_of(tlm::tlm_gp_option value)
{
    switch (value) {
    case tlm::TLM_MIN_PAYLOAD:
        return "tlm::TLM_MIN_PAYLOAD";
    case tlm::TLM_FULL_PAYLOAD:
        return "tlm::TLM_FULL_PAYLOAD";
    case tlm::TLM_FULL_PAYLOAD_ACCEPTED:
        return "tlm::TLM_FULL_PAYLOAD_ACCEPTED";
    }
    return nullptr;
}

const char *name_of(tlm::tlm_sync_enum value)
{
    switch (value) {
    case tlm::TLM_ACCEPTED:
        return "tlm::TLM_ACCEPTED";
    case tlm::TLM_UPDATED:
        return "tlm::TLM_UPDATED";
    case tlm::TLM_COMPLETED:
        return "tlm::TLM_COMPLETED";
    }
    return nullptr;
}

const char *name_of(tlm::tlm_phase_enum value)
{
    switch (value) {
    case tlm::UNINITIALIZED_PHASE:
        return "UNINITIALIZED_PHASE";
    case tlm::BEGIN_REQ:
        return "BEGIN_REQ";
    case tlm::END_REQ:
        return "END_REQ";
    case tlm::BEGIN_RESP:
        return "BEGIN_RESP";
    case tlm::END_RESP:
        return "END_RESP";
    }
    return nullptr;
}

} // namespace detail
} // namespace ftr
