/** @file
 *  Converts values of C++ types to attribute values. Included by <ftr/systemc_values.hpp>. */
#ifndef FTR_VALUE_TRAITS_HPP
#define FTR_VALUE_TRAITS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <string_view>
#endif

#include <ftr/recorder.h>
#include <ftr/detail/systemc_session.hpp>

namespace ftr
{

namespace detail
{

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

/** A borrowed text. */
struct text {
    const char *data;
    std::size_t size; /**< in bytes, or FTR_NUL_TERMINATED */
};

/** A text that was defined in the recorder with ftr_text_define(). */
struct known_text {
    ftr_text id;
};

struct no_storage {
};

/** Base of the traits of types that cannot be recorded. */
struct unsupported_value {
};
template <class T> void expect_supported();

} // namespace detail

/** Converts values of type T. A specialisation has
 *      static constexpr ftr_type type;
 *      struct storage;                          memory that the encoded value may point into
 *      static ENCODED get(T const &, storage &&);
 *  with ENCODED bool, int64_t, uint64_t, double or ftr::detail::text, as required by `type`. A type
 *  without a specialisation cannot be a value: name its fields with ftr_fields() instead. */
template <class T, class Enable = void> struct value_traits : detail::unsupported_value {
    /* These members prevent further errors of the compiler. */
    static constexpr ftr_type type = FTR_TYPE_STRING;
    using storage = detail::no_storage;
    static detail::text get(const T &, storage &&)
    {
        detail::expect_supported<T>();
        return {"", 0};
    }
};

namespace detail
{

/** All uses of a type instantiate this function, so that an unsupported type causes a single
 * compile error. */
template <class T> void expect_supported()
{
    static_assert(!std::is_base_of<unsupported_value, value_traits<T>>::value,
                  "ftr cannot record a value of this type: list its fields with ftr_fields(), or "
                  "specialise ftr::value_traits");
}

} // namespace detail

namespace detail
{

/** Memory for a text that is created by a conversion. */
class text_storage
{
  public:
    /** Returns @p size bytes to be filled. They are valid until the next call. */
    char *reserve(std::size_t size)
    {
        if (size <= sizeof near_)
            return near_;
        far_.resize(size);
        return &far_[0];
    }
    text hold(std::string made)
    {
        far_ = std::move(made);
        return {far_.data(), far_.size()};
    }

  private:
    char near_[128];
    std::string far_;
};

FTR_SC_API text bits_text(uint128 value, text_storage &room);
/** Returns a text of one character; `\xHH` if it is not printable ASCII. */
FTR_SC_API text character_text(char value, text_storage &room);
/** Returns the value of an enumerator without a name as a text. */
FTR_SC_API text number_text(std::int64_t value, text_storage &room);
/** Returns the decimal with the fewest digits, at most 17, that reads back as the same value. The
 *  decimal point is `.` in each locale. */
FTR_SC_API text real_text(double value, text_storage &room);
/** Returns a time with its unit, for example `1500 ns`. @param value  the time as SystemC prints
 * it: its number may have the thousands separators of the global C++ locale */
FTR_SC_API text time_text(const std::string &value, text_storage &room);

/* Base classes for specialisations of value_traits. */

template <ftr_type Type, class Encoded> struct plain_value {
    static constexpr ftr_type type = Type;
    using storage = no_storage;
    template <class T> static Encoded get(const T &value, storage &&)
    {
        return static_cast<Encoded>(value);
    }
};

template <ftr_type Type> struct borrowed_text {
    static constexpr ftr_type type = Type;
    using storage = no_storage;
};

template <ftr_type Type> struct made_text {
    static constexpr ftr_type type = Type;
    using storage = text_storage;
};

template <class E, class = void> struct has_enum_name : std::false_type {
};
template <class E>
struct has_enum_name<E, decltype(static_cast<void>(static_cast<const char *>(
                            ftr_enum_name(std::declval<E>()))))> : std::is_enum<E> {
};

template <class T> constexpr bool is_int64_like()
{
    return std::is_integral<T>::value && sizeof(T) <= 8 && !std::is_same<T, bool>::value &&
           !std::is_same<T, char>::value;
}

/** `value`: E is an enum without names. `fits`: all values of its type fit into int64_t. */
template <class E, bool = std::is_enum<E>::value> struct plain_enum : std::false_type {
    static constexpr bool fits = false;
};
template <class E> struct plain_enum<E, true> {
    static constexpr bool value = !has_enum_name<E>::value;
    using underlying = typename std::underlying_type<E>::type;
    static constexpr bool fits = std::is_signed<underlying>::value || sizeof(underlying) < 8;
};

template <class T, bool Wanted> using when = typename std::enable_if<Wanted, T>::type;
template <class Base, class T> constexpr bool derives()
{
    return std::is_base_of<Base, T>::value;
}

} // namespace detail

/* ---- C++ ------------------------------------------------------------------------------------- */

template <> struct value_traits<bool> : detail::plain_value<FTR_TYPE_BOOLEAN, bool> {
};
template <class T>
struct value_traits<T, detail::when<void, detail::is_int64_like<T>() && std::is_signed<T>::value>>
    : detail::plain_value<FTR_TYPE_INTEGER, std::int64_t> {
};
template <class T>
struct value_traits<T, detail::when<void, detail::is_int64_like<T>() && std::is_unsigned<T>::value>>
    : detail::plain_value<FTR_TYPE_UNSIGNED, std::uint64_t> {
};
template <> struct value_traits<detail::int128> : detail::made_text<FTR_TYPE_BIT_VECTOR> {
    static detail::text get(detail::int128 value, detail::text_storage &&room)
    {
        return detail::bits_text(static_cast<detail::uint128>(value), room);
    }
};
template <> struct value_traits<detail::uint128> : detail::made_text<FTR_TYPE_BIT_VECTOR> {
    static detail::text get(detail::uint128 value, detail::text_storage &&room)
    {
        return detail::bits_text(value, room);
    }
};
template <class T>
struct value_traits<T, detail::when<void, std::is_floating_point<T>::value>>
    : detail::plain_value<FTR_TYPE_FLOATING_POINT, double> {
};

template <> struct value_traits<char> : detail::made_text<FTR_TYPE_STRING> {
    static detail::text get(char value, detail::text_storage &&room)
    {
        return detail::character_text(value, room);
    }
};
template <> struct value_traits<const char *> : detail::borrowed_text<FTR_TYPE_STRING> {
    static detail::text get(const char *value, storage &&) { return {value, FTR_NUL_TERMINATED}; }
};
template <> struct value_traits<char *> : value_traits<const char *> {
};
/** A character array is recorded up to its first NUL, or as a whole if it has none. The length of a
 * literal is computed at compile time. */
template <std::size_t N> struct value_traits<char[N]> : detail::borrowed_text<FTR_TYPE_STRING> {
    static detail::text get(const char (&value)[N], storage &&)
    {
        if (value[N - 1] == '\0')
            return {value, std::strlen(value)};
        const void *nul = std::memchr(value, '\0', N);
        return {value, nul ? static_cast<std::size_t>(static_cast<const char *>(nul) - value) : N};
    }
};
template <> struct value_traits<std::string> : detail::borrowed_text<FTR_TYPE_STRING> {
    static detail::text get(const std::string &value, storage &&)
    {
        return {value.data(), value.size()};
    }
};
#if __cplusplus >= 201703L
template <> struct value_traits<std::string_view> : detail::borrowed_text<FTR_TYPE_STRING> {
    static detail::text get(std::string_view value, storage &&)
    {
        return {value.data() ? value.data() : "", value.size()};
    }
};
#endif

/** An enum for which argument-dependent lookup finds `const char *ftr_enum_name(E)`. If this
 *  function returns NULL for a value, the number of the value is recorded. */
template <class E>
struct value_traits<E, detail::when<void, detail::has_enum_name<E>::value>>
    : detail::made_text<FTR_TYPE_ENUMERATION> {
    static detail::text get(E value, detail::text_storage &&room)
    {
        const char *name = ftr_enum_name(value);
        return name ? detail::text{name, FTR_NUL_TERMINATED}
                    : detail::number_text(static_cast<std::int64_t>(value), room);
    }
};
template <class E>
struct value_traits<E,
                    detail::when<void, detail::plain_enum<E>::value && detail::plain_enum<E>::fits>>
    : detail::plain_value<FTR_TYPE_INTEGER, std::int64_t> {
};
template <class E>
struct value_traits<
    E, detail::when<void, detail::plain_enum<E>::value && !detail::plain_enum<E>::fits>>
    : detail::plain_value<FTR_TYPE_UNSIGNED, std::uint64_t> {
};

template <class T> struct value_traits<T *> {
    static constexpr ftr_type type = FTR_TYPE_POINTER;
    using storage = detail::no_storage;
    static std::uint64_t get(T *value, storage &&)
    {
        return reinterpret_cast<std::uintptr_t>(value);
    }
};
template <> struct value_traits<std::nullptr_t> {
    static constexpr ftr_type type = FTR_TYPE_POINTER;
    using storage = detail::no_storage;
    static std::uint64_t get(std::nullptr_t, storage &&) { return 0; }
};

namespace detail
{

inline ftr_value encoded_value(ftr_type type, bool value)
{
    ftr_value encoded{};
    encoded.type = type;
    encoded.as.boolean = value;
    return encoded;
}
inline ftr_value encoded_value(ftr_type type, std::int64_t value)
{
    ftr_value encoded{};
    encoded.type = type;
    encoded.as.integer = value;
    return encoded;
}
inline ftr_value encoded_value(ftr_type type, std::uint64_t value)
{
    ftr_value encoded{};
    encoded.type = type;
    encoded.as.number = value;
    return encoded;
}
inline ftr_value encoded_value(ftr_type type, double value)
{
    ftr_value encoded{};
    encoded.type = type;
    encoded.as.real = value;
    return encoded;
}
inline ftr_value encoded_value(ftr_type type, text value)
{
    ftr_value encoded{};
    encoded.type = type;
    encoded.text_length = value.size;
    encoded.as.text = value.data;
    return encoded;
}
inline ftr_value encoded_value(ftr_type type, known_text value)
{
    ftr_value encoded{};
    encoded.type = type;
    encoded.defined = value.id;
    return encoded;
}

/** A value and its type, for calls of the C library that need both. The ftr_value is valid as long
 *  as the value and the storage exist. */
template <class T, class Enable = void> struct typed_value {
    static ftr_value get(const T &value, typename value_traits<T>::storage &&room)
    {
        return encoded_value(value_traits<T>::type, value_traits<T>::get(value, std::move(room)));
    }
};

} // namespace detail
} // namespace ftr

#endif
