/* Converts SystemC's vectors and names to text. The headers choose the conversion for each type. */
#include <cstdio>

#define SC_INCLUDE_FX
#include <ftr/detail/decimal.h>
#include <ftr/systemc_values.hpp>

#include "tlm_names.hpp"

namespace ftr
{
namespace detail
{

namespace
{

/* Returns the digits bit(length - 1) to bit(0) as a text. */
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

text real_text(double value, text_storage &room)
{
    char made[FTR_DECIMAL_SIZE];
    static_cast<void>(ftr_decimal_format(value, sizeof value, 15, made));
    return room.hold(made);
}

text time_text(const std::string &value, text_storage &room)
{
    const std::size_t unit = value.find(' ');
    std::string plain;
    for (std::size_t i = 0; i < value.size(); ++i)
        if (i >= unit || (value[i] >= '0' && value[i] <= '9'))
            plain += value[i];
    return room.hold(std::move(plain));
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
    return tlm_name<tlm::tlm_command>(value);
}

const char *name_of(tlm::tlm_response_status value)
{
    return tlm_name<tlm::tlm_response_status>(value);
}

const char *name_of(tlm::tlm_gp_option value)
{
    return tlm_name<tlm::tlm_gp_option>(value);
}

const char *name_of(tlm::tlm_sync_enum value)
{
    return tlm_name<tlm::tlm_sync_enum>(value);
}

const char *name_of(tlm::tlm_phase_enum value)
{
    return tlm_name<tlm::tlm_phase_enum>(value);
}

} // namespace detail
} // namespace ftr
