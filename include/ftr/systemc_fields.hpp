/** @file
 *  Declares and puts a generator's attributes: single values, and structs with named fields.
 *  Included by <ftr/systemc.hpp>. */
#ifndef FTR_SYSTEMC_FIELDS_HPP
#define FTR_SYSTEMC_FIELDS_HPP

#include <atomic>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ftr/recorder.h>
#include <ftr/detail/payload_fields.hpp>
#include <ftr/detail/systemc_session.hpp>
#include <ftr/detail/trusted_calls.h>
#include <ftr/systemc_values.hpp>

namespace ftr
{

/** An element of a generator's list of attributes: an attribute of type T that is put when a
 * transaction begins. A plain type in the list is an attribute that is put between begin and
 * end. */
template <class T> struct at_begin {
};
/** An element of a generator's list of attributes: an attribute of type T that is put when a
 * transaction ends. */
template <class T> struct at_end {
};

namespace detail
{

/* ---- kinds of types ----------------------------------------------------------------------------
 */

/** An argument for ftr_fields(): has_fields uses it to detect whether this function exists for a
 * type. */
struct field_probe {
    template <class F> void operator()(const char *, const F &) {}
};

template <class T, class = void> struct has_fields : std::false_type {
};
template <class T>
struct has_fields<T, decltype(static_cast<void>(
                         ftr_fields(std::declval<field_probe &>(), std::declval<const T &>())))>
    : std::true_type {
};

template <class A> struct declared {
    using type = A;
    static constexpr ftr_attribute_class class_ = FTR_CLASS_RECORD;
};
template <class T> struct declared<at_begin<T>> {
    using type = T;
    static constexpr ftr_attribute_class class_ = FTR_CLASS_BEGIN;
};
template <class T> struct declared<at_end<T>> {
    using type = T;
    static constexpr ftr_attribute_class class_ = FTR_CLASS_END;
};

/* ---- the attributes of a generator, numbered --------------------------------------------------
 */

/** Returns the number of attributes with class @p class_ among the first @p limit of the list A. */
template <class... A>
constexpr std::size_t count_class(ftr_attribute_class class_, std::size_t limit)
{
    const ftr_attribute_class classes[] = {declared<A>::class_..., FTR_CLASS_RECORD};
    std::size_t count = 0;
    for (std::size_t i = 0; i < limit; ++i)
        count += classes[i] == class_;
    return count;
}

/** Returns the index in the list A of the @p nth attribute with class @p class_, counted from 0. */
template <class... A> constexpr std::size_t place_of(ftr_attribute_class class_, std::size_t nth)
{
    const ftr_attribute_class classes[] = {declared<A>::class_..., FTR_CLASS_RECORD};
    std::size_t index = 0;
    while (classes[index] != class_ || nth-- != 0)
        ++index;
    return index;
}

/** Returns true if a value of type T can become any number of attributes: T is a struct, or a type
 *  like std::optional. */
template <class T> constexpr bool is_put_in_pieces()
{
    return has_fields<T>::value || is_optional<T>::value;
}

/** Returns true if is_put_in_pieces() is true for one of the first @p limit attributes. */
template <class... A> constexpr bool struct_before(std::size_t limit)
{
    const bool structs[] = {is_put_in_pieces<typename declared<A>::type>()..., false};
    for (std::size_t i = 0; i < limit; ++i) {
        if (structs[i])
            return true;
    }
    return false;
}

/** The number that the C library has for each attribute in the list A. A struct in the list
 *  increases the numbers of the attributes after it, because each field of the struct has a number.
 *  The fields are counted when a generator with the list A is defined. */
template <class... A> struct layout {
    static std::atomic<unsigned> first[sizeof...(A) + 1];

    template <std::size_t I> FTR_SC_INLINE static unsigned number()
    {
        return struct_before<A...>(I) ? first[I].load(std::memory_order_relaxed)
                                      : static_cast<unsigned>(I);
    }
};
template <class... A> std::atomic<unsigned> layout<A...>::first[sizeof...(A) + 1];

/* ---- declaration
 * --------------------------------------------------------------------------------- */

/** Returns the name of the attribute for a field: `prefix.field` or `prefix[0]`. */
inline std::string field_name(const std::string &prefix, const char *name)
{
    if (prefix.empty())
        return name;
    return *name == '[' ? prefix + name : prefix + "." + name;
}

/** Collects the arguments for ftr_generator_define(). */
class declaration
{
  public:
    /** @param count expected number of attributes: more are possible, because structs have fields
     */
    explicit declaration(std::size_t count)
    {
        names_.reserve(count);
        attributes_.reserve(count);
    }

    template <class T>
    typename std::enable_if<!is_put_in_pieces<T>()>::type add(const std::string &name,
                                                              ftr_attribute_class class_, const T *)
    {
        expect_supported<T>();
        names_.push_back(name);
        attributes_.push_back({nullptr, value_traits<T>::type, class_});
    }
    template <class T>
    typename std::enable_if<is_optional<T>::value>::type add(const std::string &name,
                                                             ftr_attribute_class class_, const T *)
    {
        using value_type = typename is_optional<T>::value_type;
        expect_supported<value_type>();
        names_.push_back(name);
        attributes_.push_back({nullptr, value_traits<value_type>::type, class_});
    }
    template <class T>
    typename std::enable_if<has_fields<T>::value>::type add(const std::string &name,
                                                            ftr_attribute_class class_, const T *)
    {
        static_assert(std::is_default_constructible<T>::value,
                      "a struct in a generator's list is asked for its fields before there is a "
                      "value: give it a default constructor");
        field_adder adder{*this, name, class_};
        ftr_fields(adder, static_cast<const T &>(T()));
    }

    unsigned count() const { return static_cast<unsigned>(attributes_.size()); }

    /** Returns the collected attributes, valid until the next add(). */
    const ftr_attribute *attributes()
    {
        for (std::size_t i = 0; i < attributes_.size(); ++i)
            attributes_[i].name = names_[i].c_str();
        return attributes_.data();
    }

  private:
    struct field_adder {
        declaration &into;
        const std::string &prefix;
        ftr_attribute_class class_;

        template <class F> void operator()(const char *name, const F &)
        {
            into.add(field_name(prefix, name), class_, static_cast<const F *>(nullptr));
        }
    };

    std::vector<std::string> names_;
    std::vector<ftr_attribute> attributes_;
};

/* ---- putting values
 * ------------------------------------------------------------------------------ */

FTR_SC_INLINE ftr_status put_encoded(ftr_recorder *rec, ftr_tx tx, unsigned number, bool value,
                                     ftr_trust trust)
{
    return ftr_tx_put_bool_trusted(rec, tx, number, value, trust);
}
FTR_SC_INLINE ftr_status put_encoded(ftr_recorder *rec, ftr_tx tx, unsigned number,
                                     std::int64_t value, ftr_trust trust)
{
    return ftr_tx_put_int_trusted(rec, tx, number, value, trust);
}
FTR_SC_INLINE ftr_status put_encoded(ftr_recorder *rec, ftr_tx tx, unsigned number,
                                     std::uint64_t value, ftr_trust trust)
{
    return ftr_tx_put_number_trusted(rec, tx, number, value, trust);
}
FTR_SC_INLINE ftr_status put_encoded(ftr_recorder *rec, ftr_tx tx, unsigned number, double value,
                                     ftr_trust trust)
{
    return ftr_tx_put_real_trusted(rec, tx, number, value, trust);
}
FTR_SC_INLINE ftr_status put_encoded(ftr_recorder *rec, ftr_tx tx, unsigned number, text value,
                                     ftr_trust trust)
{
    return ftr_tx_put_text_trusted(rec, tx, number, value.data, value.size, trust);
}
FTR_SC_INLINE ftr_status put_encoded(ftr_recorder *rec, ftr_tx tx, unsigned number,
                                     known_text value, ftr_trust)
{
    return ftr_tx_put_defined(rec, tx, number, value.id);
}

/** Puts a value that becomes exactly one attribute. @p trust: what the caller guarantees */
template <class T>
FTR_SC_INLINE typename std::enable_if<!is_put_in_pieces<T>(), ftr_status>::type
put_declared(ftr_recorder *rec, ftr_tx tx, unsigned number, const T &value,
             ftr_trust trust = FTR_TRUST_NOTHING)
{
    using traits = value_traits<T>;
    return put_encoded(rec, tx, number, traits::get(value, typename traits::storage()), trust);
}

/** Puts the value of an object like std::optional, if it has one. */
template <class T>
FTR_SC_INLINE typename std::enable_if<is_optional<T>::value, ftr_status>::type
put_declared(ftr_recorder *rec, ftr_tx tx, unsigned number, const T &value,
             ftr_trust trust = FTR_TRUST_NOTHING)
{
    using traits = value_traits<typename is_optional<T>::value_type>;
    return value ? put_encoded(rec, tx, number,
                               traits::get(held_value(*value), typename traits::storage()), trust)
                 : FTR_OK;
}

/** Puts the fields of a struct as attributes with consecutive numbers. The user's ftr_fields() may
 * visit other fields than at the declaration, so the types of the fields are checked. */
struct field_putter {
    ftr_recorder *const rec;
    const ftr_tx tx;
    unsigned number;
    ftr_status status;

    template <class F>
    FTR_SC_INLINE typename std::enable_if<!has_fields<F>::value>::type operator()(const char *,
                                                                                  const F &field)
    {
        const ftr_status answer = put_declared(rec, tx, number++, field, FTR_TRUST_TX);
        if (answer != FTR_OK)
            status = answer;
    }
    template <class F>
    FTR_SC_INLINE typename std::enable_if<has_fields<F>::value>::type operator()(const char *,
                                                                                 const F &field)
    {
        ftr_fields(*this, field);
    }
};

/** Puts a struct. `flatten` inlines the user's ftr_fields(), so that the attribute numbers are
 * constants. */
template <class T>
__attribute__((flatten)) typename std::enable_if<has_fields<T>::value, ftr_status>::type
put_declared(ftr_recorder *rec, ftr_tx tx, unsigned number, const T &value,
             ftr_trust = FTR_TRUST_NOTHING)
{
    field_putter putter{rec, tx, number, FTR_OK};
    ftr_fields(putter, value);
    return putter.status;
}

/** as_declared() converts a value for an attribute of type T. If V and T are recorded in the same
 * way, the value is unchanged; otherwise it is converted to T. */
template <class T, class V> constexpr bool recorded_alike(std::true_type /* both are values */)
{
    return value_traits<T>::type == value_traits<V>::type;
}
template <class T, class V> constexpr bool recorded_alike(std::false_type)
{
    return std::is_same<T, V>::value;
}
template <class T, class V> constexpr bool passes_as_is()
{
    return recorded_alike<T, V>(std::integral_constant < bool,
                                !is_put_in_pieces<T>() && !is_put_in_pieces<V>() > ());
}
template <class T, class V>
FTR_SC_INLINE typename std::enable_if<passes_as_is<T, V>(), const V &>::type
as_declared(const V &value)
{
    return value;
}
template <class T, class V>
FTR_SC_INLINE typename std::enable_if<!passes_as_is<T, V>(), T>::type as_declared(const V &value)
{
    static_assert(std::is_convertible<const V &, T>::value,
                  "the value does not convert to the type its attribute is declared with");
    return static_cast<T>(value);
}

/** Returns the value of a declared attribute, for calls of the C library with several values. The
 * result may point into @p value and @p room. The default argument for @p room lives until the end
 * of the caller's full expression. */
template <class T>
FTR_SC_INLINE ftr_value declared_value(
    const T &value, typename value_traits<T>::storage &&room = typename value_traits<T>::storage())
{
    return encoded_value(value_traits<T>::type, value_traits<T>::get(value, std::move(room)));
}

/** Put an undeclared attribute. A struct becomes one attribute for each field, `name.field`. */
template <class T>
FTR_SC_INLINE typename std::enable_if<!is_put_in_pieces<T>(), ftr_status>::type
put_undeclared(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name,
               const T &value, ftr_trust trust = FTR_TRUST_NOTHING)
{
    typename value_traits<T>::storage room;
    const ftr_value typed = typed_value<T>::get(value, std::move(room));
    return ftr_tx_put_named_trusted(rec, tx, class_, name, &typed, trust);
}

template <class T>
FTR_SC_INLINE typename std::enable_if<is_optional<T>::value, ftr_status>::type
put_undeclared(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name,
               const T &value, ftr_trust trust = FTR_TRUST_NOTHING)
{
    using value_type = typename is_optional<T>::value_type;
    typename value_traits<value_type>::storage room;
    if (!value)
        return FTR_OK;
    const ftr_value typed = typed_value<value_type>::get(held_value(*value), std::move(room));
    return ftr_tx_put_named_trusted(rec, tx, class_, name, &typed, trust);
}

template <class T>
typename std::enable_if<has_fields<T>::value, ftr_status>::type
put_undeclared(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name,
               const T &value, ftr_trust trust = FTR_TRUST_NOTHING);

struct undeclared_field_putter {
    ftr_recorder *rec;
    ftr_tx tx;
    ftr_attribute_class class_;
    const char *prefix;
    ftr_trust trust;
    ftr_status status;

    template <class F> void operator()(const char *name, const F &field)
    {
        const ftr_status answer =
            put_undeclared(rec, tx, class_, field_name(prefix, name).c_str(), field, trust);
        if (answer != FTR_OK)
            status = answer;
    }
};

template <class T>
typename std::enable_if<has_fields<T>::value, ftr_status>::type
put_undeclared(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name,
               const T &value, ftr_trust trust)
{
    undeclared_field_putter putter{rec, tx, class_, name, trust, FTR_OK};
    ftr_fields(putter, value);
    return putter.status;
}

} // namespace detail
} // namespace ftr

#endif
