/** @file
 *  Converts containers of C++ to attribute values: vectors, arrays and spans of bytes,
 *  other arrays, std::optional, std::variant. Included by <ftr/systemc_values.hpp>. */
#ifndef FTR_CONTAINER_VALUES_HPP
#define FTR_CONTAINER_VALUES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>
#include <variant>
#endif
#if __cplusplus >= 202002L
#include <span>
#endif

#include <ftr/detail/value_traits.hpp>

namespace ftr
{
namespace detail
{

/** Returns bytes as hexadecimal text, two digits for each byte. */
inline text hexadecimal_text(const unsigned char *bytes, std::size_t size, text_storage &room)
{
    static const char digits[] = "0123456789abcdef";
    char *const made = room.reserve(2 * size);
    for (std::size_t i = 0; i < size; ++i) {
        made[2 * i] = digits[bytes[i] >> 4];
        made[2 * i + 1] = digits[bytes[i] & 0xf];
    }
    return {made, 2 * size};
}

/** True for types like std::optional. If an object of this type has no value, nothing is
 *  recorded. */
template <class T> struct is_optional : std::false_type {
};

/** Returns @p held, the value in an object like std::optional or std::variant. If the type has a
 * destructor, the function hides the address from GCC 12. GCC 12 would warn that the value in a
 * temporary object may be uninitialized, although the value is read only if it exists. */
template <class T> FTR_SC_INLINE const T &held_value(const T &held)
{
    const T *at = &held;
    if (!std::is_trivially_destructible<T>::value)
        __asm__("" : "+r"(at));
    return *at;
}

} // namespace detail

namespace detail
{

/** True for the types of a byte: bytes are recorded as hexadecimal text. */
template <class T> struct is_byte : std::is_same<typename std::remove_cv<T>::type, unsigned char> {
};
#if __cplusplus >= 201703L
template <> struct is_byte<std::byte> : std::true_type {
};
template <> struct is_byte<const std::byte> : std::true_type {
};
#endif

/** Base of the traits of types with contiguous bytes. */
struct contiguous_bytes : made_text<FTR_TYPE_STRING> {
    template <class T> static text get(const T &value, text_storage &&room)
    {
        return hexadecimal_text(reinterpret_cast<const unsigned char *>(value.data()), value.size(),
                                room);
    }
};

} // namespace detail

template <class T, class Allocator>
struct value_traits<std::vector<T, Allocator>, detail::when<void, detail::is_byte<T>::value>>
    : detail::contiguous_bytes {
};
template <class T, std::size_t N>
struct value_traits<std::array<T, N>, detail::when<void, detail::is_byte<T>::value>>
    : detail::contiguous_bytes {
};
#ifdef __cpp_lib_span
template <class T, std::size_t Extent>
struct value_traits<std::span<T, Extent>, detail::when<void, detail::is_byte<T>::value>>
    : detail::contiguous_bytes {
};
#endif

namespace detail
{

/** The elements of other arrays are recorded like the fields of a struct: `name[0]`, `name[1]`. */
template <class Visitor, class T, std::size_t N>
typename std::enable_if<!is_byte<T>::value>::type ftr_fields(Visitor &visit,
                                                             const std::array<T, N> &array)
{
    for (std::size_t i = 0; i < N; ++i)
        visit(("[" + std::to_string(i) + "]").c_str(), array[i]);
}

} // namespace detail

#if __cplusplus >= 201703L

namespace detail
{

template <class T> struct is_optional<std::optional<T>> : std::true_type {
    using value_type = T;
};

inline text value_as_text(bool value, text_storage &)
{
    return {value ? "true" : "false", FTR_NUL_TERMINATED};
}
inline text value_as_text(double value, text_storage &room)
{
    return real_text(value, room);
}
inline text value_as_text(std::int64_t value, text_storage &room)
{
    return room.hold(std::to_string(value));
}
inline text value_as_text(std::uint64_t value, text_storage &room)
{
    return room.hold(std::to_string(value));
}
inline text value_as_text(text value, text_storage &room)
{
    return room.hold(value.size == FTR_NUL_TERMINATED ? std::string(value.data)
                                                      : std::string(value.data, value.size));
}

/** Returns the FTR type that all types in the list have, or STRING if they differ. */
template <class First, class... T> constexpr ftr_type common_type()
{
    return ((value_traits<T>::type == value_traits<First>::type) && ...) ? value_traits<First>::type
                                                                         : FTR_TYPE_STRING;
}
template <class First, class... T> struct common_encoded {
    using first = decltype(value_traits<First>::get(
        std::declval<const First &>(), std::declval<typename value_traits<First>::storage>()));
    static constexpr bool is_common =
        ((value_traits<T>::type == value_traits<First>::type) && ...) &&
        !std::is_same_v<first, text> && !std::is_same_v<first, known_text>;
    using type = std::conditional_t<is_common, first, text>;
};

} // namespace detail

template <> struct value_traits<std::monostate> : detail::borrowed_text<FTR_TYPE_STRING> {
    static detail::text get(std::monostate, storage &&) { return {"", 0}; }
};

/** A declared attribute has the type that all alternatives have; if the types of the alternatives
 * differ, the attribute is a text. */
template <class... T> struct value_traits<std::variant<T...>> {
    static constexpr ftr_type type = detail::common_type<T...>();
    using storage = detail::text_storage;
    using encoded = typename detail::common_encoded<T...>::type;

    static encoded get(const std::variant<T...> &value, storage &&room)
    {
        return std::visit(
            [&room](const auto &held) -> encoded {
                using traits = value_traits<std::decay_t<decltype(held)>>;
                static_cast<void>(room); // unused by numbers
                typename traits::storage own;
                if constexpr (detail::common_encoded<T...>::is_common)
                    return traits::get(detail::held_value(held), std::move(own));
                else if constexpr (traits::type == FTR_TYPE_TIME)
                    return detail::time_text(held.to_string(), room);
                else
                    return detail::value_as_text(
                        traits::get(detail::held_value(held), std::move(own)), room);
            },
            value);
    }
};

namespace detail
{

/** An undeclared attribute has the type of the current alternative. */
template <class... T> struct typed_value<std::variant<T...>> {
    static ftr_value get(const std::variant<T...> &value, text_storage &&room)
    {
        return std::visit(
            [&room](const auto &held) {
                using traits = value_traits<std::decay_t<decltype(held)>>;
                static_cast<void>(room); // unused by numbers
                typename traits::storage own;
                const auto encoded = traits::get(held_value(held), std::move(own));
                if constexpr (std::is_same_v<std::decay_t<decltype(encoded)>, text>)
                    return encoded_value(traits::type, value_as_text(encoded, room));
                else
                    return encoded_value(traits::type, encoded);
            },
            value);
    }
};

} // namespace detail

#endif

} // namespace ftr

#endif
