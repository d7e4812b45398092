/** @file
 *  Records attributes, with the names of LWTR4SC. Included by <lwtr/lwtr.h>. */
#ifndef FTR_COMPAT_LWTR_ATTRIBUTE_H
#define FTR_COMPAT_LWTR_ATTRIBUTE_H

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ftr/compat/lwtr/value.h>
#include <ftr/systemc_fields.hpp>

namespace lwtr
{

namespace detail
{

/** An element of the list of fields that a generator declares for an object: a field with its
 * attribute, the begin of a nested object, or the end of an object. The key of an end is a null
 * pointer. */
struct declared_field {
    const char *key;
    std::size_t length; /**< length of `key` */
    /** name of the attribute, with the names of all enclosing objects before it */
    std::string name;
    ftr_type type;
    bool is_object;
    unsigned number;  /**< number of the attribute */
    std::size_t next; /**< distance from the begin of an object to the element behind its end */
    std::string kept; /**< the memory of `key` */
};

/** The fields of the object that a generator records at the begin of its transactions, in the order
 * in which the first recorded object has them. */
using field_list = std::vector<declared_field>;

} // namespace detail

/** An Archive for a user's record(Archive &, const T &) that puts each field immediately. Unlike
 * lwtr::access, this class does not collect the fields in a `value`, which would need memory. Used
 * if the user's functions accept an Archive of any type. */
class direct_access
{
  public:
    /** Puts fields: by number if @p declared contains them, otherwise by name.
     *  @param name of the attribute; "": the fields have their own names. Must be valid as long as
     *  this object exists. */
    direct_access(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class of_class, const char *name,
                  const detail::declared_field *declared = &none())
        : rec_(rec), tx_(tx), class_(of_class), name_(name), declared_(declared)
    {
    }
    /** Does not put fields, but adds them to @p collected. */
    direct_access(detail::field_list &collected, const char *name)
        : name_(name), declared_(&none()), collected_(&collected)
    {
    }
    direct_access(const direct_access &) = delete;
    direct_access &operator=(const direct_access &) = delete;

    template <typename T> direct_access &operator&(const key_value<T> &pair)
    {
        put_field(pair.key.c_str(), pair.key.size(), pair.value,
                  std::integral_constant<bool, detail::is_plain<T>::value>());
        return *this;
    }
    template <typename T> FTR_SC_INLINE direct_access &operator&(const literal_key_value<T> &pair)
    {
        put_field(pair.key, pair.length, pair.value,
                  std::integral_constant<bool, detail::is_plain<T>::value>());
        return *this;
    }

    /** The end of an empty list. */
    static const detail::declared_field &none()
    {
        static const detail::declared_field end{};
        return end;
    }

  private:
    template <typename T>
    FTR_SC_INLINE void put_field(const char *key, std::size_t length, const T &from,
                                 std::true_type);
    template <typename T>
    void put_field(const char *key, std::size_t length, const T &from, std::false_type);
    template <typename T> void put_other(const char *key, const T &from);
    template <typename T> void put_object(const char *key, const T &from, std::true_type);
    template <typename T> void put_object(const char *key, const T &from, std::false_type);
    const detail::declared_field *find(const char *key, ftr_type type, bool is_object);
    std::string name_of(const char *key) const
    {
        return *name_ ? std::string(name_) + "." + key : key;
    }
    std::size_t collect(const char *key, ftr_type type, bool is_object);

    ftr_recorder *rec_ = nullptr;
    ftr_tx tx_{};
    ftr_attribute_class class_ = FTR_CLASS_BEGIN;
    const char *name_;
    const detail::declared_field *declared_; /**< the next expected field */
    detail::field_list *collected_ = nullptr;
};

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

/** True for the types of attributes that are recorded as objects: their fields are known only when
 * a value is recorded. */
template <class T>
using begins_with_object =
    std::integral_constant<bool, !is_plain<T>::value && !std::is_same<T, no_data>::value>;

/** Combines the type and the number of a declared attribute in one word that is not 0. Returns 0 if
 * the attribute is not declared. */
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

/* Calls record() of the user: a member of T, or a function. */
template <class T>
auto record_fields(direct_access &fields, const T &from, int)
    -> decltype(static_cast<void>(from.record(fields)))
{
    from.record(fields);
}
template <class T>
auto record_fields(direct_access &fields, const T &from, long)
    -> decltype(static_cast<void>(record(fields, from)))
{
    record(fields, from);
}

/** True if value_converter has no specialisation for T, and record() accepts a direct_access. */
template <class T, class = void, class = void> struct is_put_directly : std::false_type {
};
template <class T>
struct is_put_directly<T, typename value_converter<T>::collects_fields,
                       decltype(record_fields(std::declval<direct_access &>(),
                                              std::declval<const T &>(), 0))> : std::true_type {
};

/** Lists the fields of @p from, whose attribute has the name @p name. The list ends with an element
 * with a null pointer as key. If the fields cannot be listed, the list contains only this
 * element. */
template <class T>
typename std::enable_if<is_put_directly<T>::value>::type
collect_fields(field_list &fields, const char *name, const T &from)
{
    direct_access collected(fields, name);
    record_fields(collected, from, 0);
    fields.push_back(direct_access::none());
    for (declared_field &field : fields)
        field.key = field.key ? field.kept.c_str() : nullptr;
}
template <class T>
typename std::enable_if<!is_put_directly<T>::value>::type collect_fields(field_list &fields,
                                                                         const char *, const T &)
{
    fields.push_back(direct_access::none());
}

/** Puts an object with fields that the generator may have declared. */
template <class T>
FTR_SC_INLINE typename std::enable_if<is_put_directly<T>::value>::type
put_listed(ftr_recorder *rec, ftr_tx tx, const char *name, const declared_field *declared,
           const T &from)
{
    direct_access fields(rec, tx, FTR_CLASS_BEGIN, name, declared);
    record_fields(fields, from, 0);
}

template <class T>
typename std::enable_if<is_put_directly<T>::value>::type put_object(ftr_recorder *rec, ftr_tx tx,
                                                                    ftr_attribute_class class_,
                                                                    const char *name, const T &from)
{
    direct_access fields(rec, tx, class_, name ? name : "");
    record_fields(fields, from, 0);
}
template <class T>
typename std::enable_if<!is_put_directly<T>::value>::type
put_object(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name,
           const T &from)
{
    put(rec, tx, class_, name ? name : "", record(from));
}
template <class T>
FTR_SC_INLINE typename std::enable_if<!is_plain<T>::value>::type
put_any(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name, const T &from)
{
    put_object(rec, tx, class_, name, from);
}
template <class T>
FTR_SC_INLINE typename std::enable_if<!is_put_directly<T>::value>::type
put_listed(ftr_recorder *rec, ftr_tx tx, const char *name, const declared_field *, const T &from)
{
    put_any(rec, tx, FTR_CLASS_BEGIN, name, from);
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

/** Finds a field in the rest of its object. Returns NULL if the field is not declared. */
inline const detail::declared_field *direct_access::find(const char *key, ftr_type type,
                                                         bool is_object)
{
    for (const detail::declared_field *field = declared_; field->key;
         field += field->is_object ? field->next : 1) {
        if (field->is_object == is_object && field->type == type &&
            std::strcmp(field->key, key) == 0)
            return field;
    }
    return nullptr;
}

/** Adds an attribute or the begin of an object. Returns its index. */
inline std::size_t direct_access::collect(const char *key, ftr_type type, bool is_object)
{
    unsigned count = 0;
    for (const detail::declared_field &known : *collected_)
        count += known.key && !known.is_object;
    collected_->push_back({key, std::strlen(key), name_of(key), type, is_object, count, 0, key});
    return collected_->size() - 1;
}

template <typename T>
FTR_SC_INLINE void direct_access::put_field(const char *key, std::size_t length, const T &from,
                                            std::true_type)
{
    const detail::declared_field *const field = declared_;
    if (FTR_SC_EXPECTED(field->key != nullptr) &&
        FTR_SC_EXPECTED(field->type == ftr::value_traits<T>::type && !field->is_object) &&
        FTR_SC_EXPECTED(field->length == length) &&
        FTR_SC_EXPECTED(std::memcmp(field->key, key, length) == 0)) {
        declared_ = field + 1;
        detail::put_declared(rec_, tx_, field->number, from);
    } else {
        put_other(key, from);
    }
}

/** Puts a field that is not the next declared one. */
template <typename T>
__attribute__((noinline)) void direct_access::put_other(const char *key, const T &from)
{
    if (collected_) {
        collect(key, ftr::value_traits<T>::type, false);
    } else if (const detail::declared_field *found = find(key, ftr::value_traits<T>::type, false)) {
        declared_ = found + 1;
        detail::put_declared(rec_, tx_, found->number, from);
    } else {
        detail::put_any(rec_, tx_, class_, name_of(key).c_str(), from);
    }
}

/** Puts a nested object, or a value for which the user has defined a conversion. */
template <typename T>
void direct_access::put_field(const char *key, std::size_t, const T &from, std::false_type)
{
    put_object(key, from, std::integral_constant<bool, detail::is_put_directly<T>::value>());
}

template <typename T> void direct_access::put_object(const char *key, const T &from, std::true_type)
{
    if (collected_) {
        const std::size_t begin = collect(key, FTR_TYPE_STRING, true);
        const std::string name = (*collected_)[begin].name;
        direct_access inner(*collected_, name.c_str());
        detail::record_fields(inner, from, 0);
        collected_->push_back(none());
        (*collected_)[begin].next = collected_->size() - begin;
    } else if (const detail::declared_field *found = find(key, FTR_TYPE_STRING, true)) {
        direct_access inner(rec_, tx_, class_, found->name.c_str(), found + 1);
        detail::record_fields(inner, from, 0);
        declared_ = found + found->next;
    } else {
        put_object(key, from, std::false_type());
    }
}
template <typename T>
void direct_access::put_object(const char *key, const T &from, std::false_type)
{
    if (!collected_)
        detail::put_any(rec_, tx_, class_, name_of(key).c_str(), from);
}

} // namespace lwtr

#endif
