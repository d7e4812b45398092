/** @file
 *  Values of attributes, with the names of LWTR4SC. Included by <lwtr/lwtr.h>. */
#ifndef FTR_COMPAT_LWTR_VALUE_H
#define FTR_COMPAT_LWTR_VALUE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ftr/systemc_values.hpp>

namespace lwtr
{

struct no_data {
};
class value;
using object = std::vector<std::pair<std::string, value>>;

namespace detail
{

template <class T> struct is_wide_number : std::false_type {
};
template <int W> struct is_wide_number<sc_dt::sc_bigint<W>> : std::true_type {
};
template <int W> struct is_wide_number<sc_dt::sc_biguint<W>> : std::true_type {
};

template <class Base, class T> constexpr bool derives()
{
    return std::is_base_of<Base, T>::value;
}

/** True for types that ftr::value_traits converts: the types of C++ and SystemC for which LWTR4SC
 * itself has a conversion. value_converter converts all other types; users can specialise it. */
template <class T> struct is_plain {
    static constexpr bool value =
        (std::is_arithmetic<T>::value && !std::is_same<T, char>::value &&
         !std::is_const<T>::value) ||
        std::is_same<T, const char *>::value || std::is_same<T, char *>::value ||
        std::is_same<T, std::string>::value || std::is_same<T, sc_core::sc_time>::value ||
        std::is_same<T, sc_dt::sc_bit>::value || std::is_same<T, sc_dt::sc_logic>::value ||
        derives<sc_dt::sc_int_base, T>() || derives<sc_dt::sc_uint_base, T>() ||
        derives<sc_dt::sc_bv_base, T>() || derives<sc_dt::sc_lv_base, T>() ||
        is_wide_number<T>::value;
};
template <std::size_t N> struct is_plain<char[N]> : std::true_type {
};

/** Returns @p value, or "" if it is a null pointer, because neither std::string nor the recorder
 * accepts a null pointer. */
template <class T> const T &without_null(const T &value)
{
    return value;
}
inline const char *without_null(const char *const &value)
{
    return FTR_SC_EXPECTED(value) ? value : "";
}
inline const char *without_null(char *const &value)
{
    return value ? value : "";
}

} // namespace detail

/** The value of one attribute: nothing, a number, a text, a time, or an object with named values.
 */
class value
{
  public:
    value() = default;
    value(no_data) {}
    template <class T, typename std::enable_if<detail::is_plain<T>::value, int>::type = 0>
    value(const T &from) : has_data_(true)
    {
        const auto &given = detail::without_null(from);
        using traits = ftr::value_traits<typename std::decay<decltype(given)>::type>;
        typename traits::storage room;
        keep(ftr::detail::encoded_value(traits::type, traits::get(given, std::move(room))));
    }
    value(object fields) : has_data_(true), fields_(std::move(fields)) {}

    bool has_data() const { return has_data_; }
    bool is_object() const { return has_data_ && !is_single_; }
    const object &fields() const { return fields_; }
    /** Returns the value of a single attribute. A text is valid as long as this object exists. */
    ftr_value single() const
    {
        ftr_value encoded = encoded_;
        if (is_text_)
            encoded.as.text = text_.c_str();
        return encoded;
    }

  private:
    void keep(const ftr_value &encoded)
    {
        is_single_ = true;
        encoded_ = encoded;
        is_text_ = encoded.type == FTR_TYPE_STRING || encoded.type == FTR_TYPE_BIT_VECTOR ||
                   encoded.type == FTR_TYPE_LOGIC_VECTOR || encoded.type == FTR_TYPE_ENUMERATION;
        if (!is_text_)
            return;
        if (encoded.text_length == FTR_NUL_TERMINATED)
            text_ = encoded.as.text;
        else
            text_.assign(encoded.as.text, encoded.text_length);
        encoded_.text_length = text_.size();
    }

    bool has_data_ = false;
    bool is_single_ = false;
    bool is_text_ = false;
    ftr_value encoded_{};
    std::string text_;
    object fields_;
};

/** A field of an object: `archive & field("address", address)`. */
template <typename T> struct key_value {
    std::string key;
    const T &value;
};

template <typename T> key_value<T> field(const std::string &key, const T &value)
{
    return {key, value};
}

/** A field with a string literal as its name: no std::string is made for each value. */
template <typename T> struct literal_key_value {
    const char *key;
    std::size_t length;
    const T &value;
};

template <typename T, std::size_t N>
FTR_SC_INLINE literal_key_value<T> field(const char (&key)[N], const T &value)
{
    return {key, __builtin_strlen(key), value};
}

template <typename T> value record(const T &from);

/** The Archive of a user's record(Archive &, const T &): collects the fields of an object. */
class access
{
  public:
    access() = default;
    access(const access &) = delete;
    access &operator=(const access &) = delete;

    template <typename T> access &operator&(const key_value<T> &pair)
    {
        fields_.emplace_back(pair.key, record(pair.value));
        return *this;
    }
    template <typename T> access &operator&(const literal_key_value<T> &pair)
    {
        fields_.emplace_back(pair.key, record(pair.value));
        return *this;
    }
    value get_value() const { return value(fields_); }

  private:
    object fields_;
};

namespace detail
{

template <class T, class = void> struct has_record_member : std::false_type {
};
template <class T>
struct has_record_member<T, decltype(static_cast<void>(std::declval<const T &>().record(
                                std::declval<access &>())))> : std::true_type {
};

} // namespace detail

/** Converts a value of type T. Users specialise this template, or write `record(Archive &, const T
 *  &)` in namespace lwtr, or `record(Archive &)` as a member of T. */
template <typename T, class Enable = void> struct value_converter {
    using collects_fields = void; /**< not a member of specialisations by users */
    static value to_value(const T &from)
    {
        access fields;
        record(fields, from);
        return fields.get_value();
    }
};
template <typename T>
struct value_converter<T, typename std::enable_if<detail::has_record_member<T>::value>::type> {
    using collects_fields = void;
    static value to_value(const T &from)
    {
        access fields;
        from.record(fields);
        return fields.get_value();
    }
};
template <typename T>
struct value_converter<T, typename std::enable_if<detail::is_plain<T>::value>::type> {
    static value to_value(const T &from) { return value(from); }
};
template <> struct value_converter<no_data> {
    static value to_value(no_data) { return value(); }
};
template <> struct value_converter<value> {
    static value to_value(const value &from) { return from; }
};
template <> struct value_converter<char> {
    static value to_value(char from) { return value(static_cast<std::int64_t>(from)); }
};
#ifdef SC_INCLUDE_FX
template <typename T>
struct value_converter<T,
                       typename std::enable_if<detail::derives<sc_dt::sc_fxnum, T>() ||
                                               detail::derives<sc_dt::sc_fxnum_fast, T>()>::type> {
    static value to_value(const T &from) { return value(from.to_double()); }
};
#endif

template <typename T> value record(const T &from)
{
    return value_converter<T>::to_value(from);
}

} // namespace lwtr

#endif
