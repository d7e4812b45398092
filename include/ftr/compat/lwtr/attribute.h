/** @file
 *  Records attributes, with the names of LWTR4SC. Included by <lwtr/lwtr.h>. */
#ifndef FTR_COMPAT_LWTR_ATTRIBUTE_H
#define FTR_COMPAT_LWTR_ATTRIBUTE_H

#include <string>
#include <type_traits>

#include <ftr/compat/lwtr/value.h>
#include <ftr/systemc_fields.hpp>

namespace lwtr
{
namespace detail
{

/** A name as an argument. A null pointer means "". */
struct name_argument {
    std::string text;

    name_argument(const char *given) : text(given ? given : "") {}
    name_argument(std::string given) : text(std::move(given)) {}
};

/** The attribute that a generator declares for the begin or the end of its transactions. */
struct declared_attribute {
    bool is_declared;
    ftr_type type;
};

template <class T>
constexpr typename std::enable_if<is_plain<T>::value, declared_attribute>::type declare()
{
    return {true, ftr::value_traits<T>::type};
}
template <class T>
constexpr typename std::enable_if<!is_plain<T>::value, declared_attribute>::type declare()
{
    return {false, FTR_TYPE_STRING}; // the fields of T are known only when a value is recorded
}

/** Combines the type and the number of a declared attribute in one word that is not 0. Returns 0 if
 * it is not declared. */
constexpr unsigned place(declared_attribute declared, unsigned number)
{
    return declared.is_declared ? 1 + number + (static_cast<unsigned>(declared.type) << 2) : 0;
}

/** Puts an attribute of any type. An object becomes one attribute for each field, `name.field`. */
inline void put(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const std::string &name,
                const value &from)
{
    if (from.is_object()) {
        for (const auto &field : from.fields())
            put(rec, tx, class_, name.empty() ? field.first : name + "." + field.first,
                field.second);
    } else if (from.has_data()) {
        const ftr_value single = from.single();
        static_cast<void>(
            ftr_tx_put_named(rec, tx, class_, name.empty() ? "unnamed" : name.c_str(), &single));
    }
}
template <class T>
FTR_SC_INLINE typename std::enable_if<is_plain<T>::value>::type
put_any(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name, const T &from)
{
    static_cast<void>(ftr::detail::put_undeclared(rec, tx, class_, name && *name ? name : "unnamed",
                                                  without_null(from)));
}
template <class T>
FTR_SC_INLINE typename std::enable_if<!is_plain<T>::value>::type
put_any(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name, const T &from)
{
    put(rec, tx, class_, name ? name : "", record(from));
}

/** Puts attribute @p number, which the generator has declared with the type of T. */
template <class T>
FTR_SC_INLINE typename std::enable_if<is_plain<T>::value>::type
put_declared(ftr_recorder *rec, ftr_tx tx, unsigned number, const T &from)
{
    static_cast<void>(ftr::detail::put_declared(rec, tx, number, without_null(from)));
}
template <class T>
FTR_SC_INLINE typename std::enable_if<!is_plain<T>::value>::type
put_declared(ftr_recorder *, ftr_tx, unsigned, const T &)
{
}

} // namespace detail
} // namespace lwtr

#endif
