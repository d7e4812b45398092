/** @file
 *  Converts values of SystemC's and TLM-2.0's types to attribute values. Included by
 *  <ftr/systemc_values.hpp>. */
#ifndef FTR_SYSTEMC_DATATYPES_HPP
#define FTR_SYSTEMC_DATATYPES_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include <ftr/detail/value_traits.hpp>

#include <systemc>
#include <tlm>

namespace ftr
{
namespace detail
{

FTR_SC_API text bits_text(const sc_dt::sc_signed &value, text_storage &room);
FTR_SC_API text bits_text(const sc_dt::sc_unsigned &value, text_storage &room);
FTR_SC_API text bits_text(const sc_dt::sc_bv_base &value, text_storage &room);
FTR_SC_API text bits_text(const sc_dt::sc_lv_base &value, text_storage &room);
FTR_SC_API const char *name_of(tlm::tlm_command value);
FTR_SC_API const char *name_of(tlm::tlm_response_status value);
FTR_SC_API const char *name_of(tlm::tlm_gp_option value);
FTR_SC_API const char *name_of(tlm::tlm_sync_enum value);
FTR_SC_API const char *name_of(tlm::tlm_phase_enum value);

/** Encodes SystemC integers of up to 64 bits as numbers, and wider ones as the text of their
 * bits. */
template <bool Wide, ftr_type Narrow, class Encoded> struct sized_integer {
    static constexpr ftr_type type = Narrow;
    using storage = no_storage;
    static Encoded get(const sc_dt::sc_signed &value, storage &&) { return value.to_int64(); }
    static Encoded get(const sc_dt::sc_unsigned &value, storage &&) { return value.to_uint64(); }
};
template <ftr_type Narrow, class Encoded>
struct sized_integer<true, Narrow, Encoded> : made_text<FTR_TYPE_BIT_VECTOR> {
    template <class T> static text get(const T &value, text_storage &&room)
    {
        return bits_text(value, room);
    }
};

/** The result of read_type() for a class that is not a signal or a port. */
struct no_signal {
};
template <class T> T read_type(const sc_core::sc_signal_in_if<T> &);
template <class T> T read_type(const sc_core::sc_in<T> &);
template <class T> T read_type(const sc_core::sc_inout<T> &);
no_signal read_type(...);
template <class T, bool = std::is_class<T>::value> struct signal_value {
    static constexpr bool is_signal = false;
};
template <class T> struct signal_value<T, true> {
    using type = decltype(read_type(std::declval<const T &>()));
    static constexpr bool is_signal = !std::is_same<type, no_signal>::value;
};

template <class T> struct named_value : made_text<FTR_TYPE_STRING> {
    static text get(T value, text_storage &&room)
    {
        const char *name = name_of(value);
        return name ? text{name, FTR_NUL_TERMINATED} : number_text(value, room);
    }
};

} // namespace detail

/* ---- SystemC --------------------------------------------------------------------------------- */

template <> struct value_traits<sc_core::sc_time> {
    static constexpr ftr_type type = FTR_TYPE_TIME;
    using storage = detail::no_storage;
    static std::uint64_t get(const sc_core::sc_time &value, storage &&) { return value.value(); }
};

template <> struct value_traits<sc_dt::sc_bit> : detail::borrowed_text<FTR_TYPE_BIT_VECTOR> {
    static detail::text get(const sc_dt::sc_bit &value, storage &&)
    {
        return {value.to_bool() ? "1" : "0", 1};
    }
};
template <> struct value_traits<sc_dt::sc_logic> : detail::borrowed_text<FTR_TYPE_LOGIC_VECTOR> {
    static detail::text get(const sc_dt::sc_logic &value, storage &&)
    {
        return {&"01ZX"[value.value()], 1};
    }
};
template <class T>
struct value_traits<T, detail::when<void, detail::derives<sc_dt::sc_bv_base, T>()>>
    : detail::made_text<FTR_TYPE_BIT_VECTOR> {
    static detail::text get(const sc_dt::sc_bv_base &value, detail::text_storage &&room)
    {
        return detail::bits_text(value, room);
    }
};
template <class T>
struct value_traits<T, detail::when<void, detail::derives<sc_dt::sc_lv_base, T>()>>
    : detail::made_text<FTR_TYPE_LOGIC_VECTOR> {
    static detail::text get(const sc_dt::sc_lv_base &value, detail::text_storage &&room)
    {
        return detail::bits_text(value, room);
    }
};
/** Part selections and concatenations of bit and logic vectors. */
template <class T>
struct value_traits<T, detail::when<void, detail::derives<sc_dt::sc_proxy<T>, T>() &&
                                              !detail::derives<sc_dt::sc_bv_base, T>() &&
                                              !detail::derives<sc_dt::sc_lv_base, T>()>>
    : detail::made_text<FTR_TYPE_LOGIC_VECTOR> {
    static detail::text get(const sc_dt::sc_proxy<T> &value, detail::text_storage &&room)
    {
        return room.hold(value.to_string());
    }
};

template <class T>
struct value_traits<T, detail::when<void, detail::derives<sc_dt::sc_int_base, T>()>>
    : detail::plain_value<FTR_TYPE_INTEGER, std::int64_t> {
};
template <class T>
struct value_traits<T, detail::when<void, detail::derives<sc_dt::sc_uint_base, T>() ||
                                              detail::derives<sc_dt::sc_int_subref_r, T>() ||
                                              detail::derives<sc_dt::sc_uint_subref_r, T>()>>
    : detail::plain_value<FTR_TYPE_UNSIGNED, std::uint64_t> {
};
template <class T>
struct value_traits<T, detail::when<void, detail::derives<sc_dt::sc_int_bitref_r, T>() ||
                                              detail::derives<sc_dt::sc_uint_bitref_r, T>()>>
    : detail::plain_value<FTR_TYPE_BOOLEAN, bool> {
};

template <int W>
struct value_traits<sc_dt::sc_bigint<W>>
    : detail::sized_integer<(W > 64), FTR_TYPE_INTEGER, std::int64_t> {
};
template <int W>
struct value_traits<sc_dt::sc_biguint<W>>
    : detail::sized_integer<(W > 64), FTR_TYPE_UNSIGNED, std::uint64_t> {
};
/** Results of arithmetic with sc_bigint and sc_biguint. Their width is known only at run time. */
template <>
struct value_traits<sc_dt::sc_signed>
    : detail::sized_integer<true, FTR_TYPE_INTEGER, std::int64_t> {
};
template <>
struct value_traits<sc_dt::sc_unsigned>
    : detail::sized_integer<true, FTR_TYPE_UNSIGNED, std::uint64_t> {
};

/** The recorded value of a signal, or of a port of a signal, is its current value. */
template <class T>
struct value_traits<T, detail::when<void, detail::signal_value<T>::is_signal>>
    : value_traits<typename detail::signal_value<T>::type> {
    using base = value_traits<typename detail::signal_value<T>::type>;
    static auto get(const T &signal, typename base::storage &&room)
        -> decltype(base::get(signal.read(), std::move(room)))
    {
        return base::get(signal.read(), std::move(room));
    }
};

/* ---- TLM-2.0 --------------------------------------------------------------------------------- */

template <> struct value_traits<tlm::tlm_command> : detail::named_value<tlm::tlm_command> {
};
template <>
struct value_traits<tlm::tlm_response_status> : detail::named_value<tlm::tlm_response_status> {
};
template <> struct value_traits<tlm::tlm_gp_option> : detail::named_value<tlm::tlm_gp_option> {
};
template <> struct value_traits<tlm::tlm_sync_enum> : detail::named_value<tlm::tlm_sync_enum> {
};
template <> struct value_traits<tlm::tlm_phase_enum> : detail::named_value<tlm::tlm_phase_enum> {
};
template <class T>
struct value_traits<T, detail::when<void, detail::derives<tlm::tlm_phase, T>()>>
    : detail::borrowed_text<FTR_TYPE_STRING> {
    using storage = detail::no_storage;
    static detail::text get(const tlm::tlm_phase &value, storage &&)
    {
        return {value.get_name(), FTR_NUL_TERMINATED};
    }
};

} // namespace ftr

#endif
