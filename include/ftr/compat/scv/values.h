/** @file
 *  Converts values of SCV's introspection to attributes. Included by <ftr/scv.h>, after SCV's
 *  headers. */
#ifndef FTR_COMPAT_SCV_VALUES_H
#define FTR_COMPAT_SCV_VALUES_H

#include <cstdint>
#include <string>

#include <systemc>

#include <ftr/types.h>
#include <ftr/transaction.h>

/* Declares the namespace of scv-tr, which does not exist in Accellera's SCV. The code below uses
 * the names of both libraries without a namespace. */
namespace scv_tr
{
}

namespace ftr
{
namespace detail
{
namespace scv
{

using namespace ::scv_tr;

/** Returns the FTR type of @p value, which must not be a record or an array. */
inline ftr_type type_of(const scv_extensions_if &value)
{
    switch (value.get_type()) {
    case scv_extensions_if::BOOLEAN:
        return FTR_TYPE_BOOLEAN;
    case scv_extensions_if::ENUMERATION:
        return FTR_TYPE_ENUMERATION;
    case scv_extensions_if::INTEGER:
        return value.get_bitwidth() > 64 ? FTR_TYPE_BIT_VECTOR : FTR_TYPE_INTEGER;
    case scv_extensions_if::UNSIGNED:
        return value.get_bitwidth() > 64 ? FTR_TYPE_BIT_VECTOR : FTR_TYPE_UNSIGNED;
    case scv_extensions_if::FLOATING_POINT_NUMBER:
        return FTR_TYPE_FLOATING_POINT;
    case scv_extensions_if::BIT_VECTOR:
        return FTR_TYPE_BIT_VECTOR;
    case scv_extensions_if::LOGIC_VECTOR:
        return FTR_TYPE_LOGIC_VECTOR;
    case scv_extensions_if::FIXED_POINT_INTEGER:
        return FTR_TYPE_FIXED_POINT_INTEGER;
    case scv_extensions_if::UNSIGNED_FIXED_POINT_INTEGER:
        return FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER;
    case scv_extensions_if::POINTER:
        return FTR_TYPE_POINTER;
    default:
        return FTR_TYPE_STRING;
    }
}

/** Returns the bits of @p value as a text. Vector: sc_bv_base or sc_lv_base. */
template <class Vector> std::string bits_of(const scv_extensions_if &value)
{
    Vector bits(value.get_bitwidth());
    value.get_value(bits);
    return bits.to_string();
}

/** Returns the FTR value of @p from. A text points into @p room. */
inline ftr_value value_of(const scv_extensions_if &from, std::string &room)
{
    ftr_value value{};
    value.type = type_of(from);
    switch (value.type) {
    case FTR_TYPE_BOOLEAN:
        value.as.boolean = from.get_bool();
        return value;
    case FTR_TYPE_INTEGER:
        value.as.integer = from.get_integer();
        return value;
    case FTR_TYPE_UNSIGNED:
        value.as.number = from.get_unsigned();
        return value;
    case FTR_TYPE_FLOATING_POINT:
    case FTR_TYPE_FIXED_POINT_INTEGER:
    case FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER:
        value.as.real = from.get_double();
        return value;
    case FTR_TYPE_POINTER:
        value.as.number = reinterpret_cast<std::uintptr_t>(from.get_pointer());
        return value;
    case FTR_TYPE_ENUMERATION:
        room = from.get_enum_string(static_cast<int>(from.get_integer()));
        break;
    case FTR_TYPE_BIT_VECTOR:
        room = bits_of<sc_dt::sc_bv_base>(from);
        break;
    case FTR_TYPE_LOGIC_VECTOR:
        room = bits_of<sc_dt::sc_lv_base>(from);
        break;
    default:
        if (from.get_type() == scv_extensions_if::STRING)
            room = from.get_string();
    }
    value.as.text = room.data();
    value.text_length = room.size();
    return value;
}

/** Returns the name of an attribute. The name is the same as in SCV's text files. */
inline std::string name_of(const std::string &prefix, const scv_extensions_if &value)
{
    const char *const own = value.get_name();
    if (!own || !*own)
        return prefix.empty() ? "<anonymous>" : prefix;
    return prefix.empty() ? own : prefix + "." + own;
}

/** Calls @p each for a single value, or for all values in a record or an array, in their order. */
template <class Each> void visit(const scv_extensions_if &value, Each &&each)
{
    if (value.get_type() == scv_extensions_if::RECORD) {
        for (int i = 0; i < value.get_num_fields(); ++i)
            visit(*value.get_field(static_cast<unsigned>(i)), each);
    } else if (value.get_type() == scv_extensions_if::ARRAY) {
        for (int i = 0; i < value.get_array_size(); ++i)
            visit(*value.get_array_elt(i), each);
    } else {
        each(value);
    }
}

} // namespace scv
} // namespace detail
} // namespace ftr

#endif
