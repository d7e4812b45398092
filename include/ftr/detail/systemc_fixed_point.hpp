/** @file
 *  Converts values of SystemC's fixed point types to attribute values. Included by
 *  <ftr/systemc_values.hpp> if the program defines SC_INCLUDE_FX. */
#ifndef FTR_SYSTEMC_FIXED_POINT_HPP
#define FTR_SYSTEMC_FIXED_POINT_HPP

#include <string>
#include <type_traits>
#include <utility>

#include <ftr/detail/value_traits.hpp>

#include <systemc>

namespace ftr
{
namespace detail
{

/** Returns @p value, SystemC's exact decimal of a number, and adds the zero before the decimal
 * point if it is missing. */
FTR_SC_API text decimal_text(std::string value, text_storage &room);

/** Returns true if single precision, which viewers use, can represent every value of a fixed point
 * type with these widths, in bits. */
constexpr bool fits_single(int width, int integer_width)
{
    return width <= 24 && integer_width <= 127 && integer_width - width >= -149;
}

/** The width of a fixed point type, if it is known at compile time, and its FTR type. */
template <class T> struct fixed_shape {
    static constexpr bool is_static = false;
    static constexpr bool fits = false;
    static constexpr ftr_type type = FTR_TYPE_STRING;
};
template <int W, int I, ftr_type Type> struct static_shape {
    static constexpr bool is_static = true;
    static constexpr bool fits = fits_single(W, I);
    static constexpr ftr_type type = Type;
};
template <int W, int I, sc_dt::sc_q_mode Q, sc_dt::sc_o_mode O, int N>
struct fixed_shape<sc_dt::sc_fixed<W, I, Q, O, N>>
    : static_shape<W, I, FTR_TYPE_FIXED_POINT_INTEGER> {
};
template <int W, int I, sc_dt::sc_q_mode Q, sc_dt::sc_o_mode O, int N>
struct fixed_shape<sc_dt::sc_fixed_fast<W, I, Q, O, N>>
    : static_shape<W, I, FTR_TYPE_FIXED_POINT_INTEGER> {
};
template <int W, int I, sc_dt::sc_q_mode Q, sc_dt::sc_o_mode O, int N>
struct fixed_shape<sc_dt::sc_ufixed<W, I, Q, O, N>>
    : static_shape<W, I, FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER> {
};
template <int W, int I, sc_dt::sc_q_mode Q, sc_dt::sc_o_mode O, int N>
struct fixed_shape<sc_dt::sc_ufixed_fast<W, I, Q, O, N>>
    : static_shape<W, I, FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER> {
};

template <class T> constexpr bool is_fixed_point()
{
    return derives<sc_dt::sc_fxnum, T>() || derives<sc_dt::sc_fxnum_fast, T>();
}

/** Returns true for sc_fix, sc_ufix and their fast variants, which have a width that is known only
 * at run time. */
template <class T> constexpr bool is_dynamic_fixed_point()
{
    return is_fixed_point<T>() && !fixed_shape<T>::is_static;
}

template <class T> constexpr ftr_type dynamic_fixed_type()
{
    return derives<sc_dt::sc_ufix, T>() || derives<sc_dt::sc_ufix_fast, T>()
               ? FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER
               : FTR_TYPE_FIXED_POINT_INTEGER;
}

} // namespace detail

template <class T>
struct value_traits<
    T, detail::when<void, detail::is_fixed_point<T>() && detail::fixed_shape<T>::fits>> {
    static constexpr ftr_type type = detail::fixed_shape<T>::type;
    using storage = detail::no_storage;
    static double get(const T &value, storage &&) { return value.to_double(); }
};
/** A declared attribute has one type for all its values. If the width is known only at run time, or
 *  too large for single precision, this type is text. The type of an undeclared attribute depends
 *  on the width of the value. */
template <class T>
struct value_traits<
    T, detail::when<void, detail::is_fixed_point<T>() && !detail::fixed_shape<T>::fits>>
    : detail::made_text<FTR_TYPE_STRING> {
    static detail::text get(const T &value, detail::text_storage &&room)
    {
        return detail::decimal_text(value.to_string(sc_dt::SC_DEC, false, sc_dt::SC_F), room);
    }
};

namespace detail
{

template <class T> struct typed_value<T, when<void, is_dynamic_fixed_point<T>()>> {
    static ftr_value get(const T &value, text_storage &&room)
    {
        if (fits_single(value.wl(), value.iwl()))
            return encoded_value(dynamic_fixed_type<T>(), value.to_double());
        return encoded_value(FTR_TYPE_STRING, value_traits<T>::get(value, std::move(room)));
    }
};

} // namespace detail
} // namespace ftr

#endif
