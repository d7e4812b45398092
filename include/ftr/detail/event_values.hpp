/** @file
 *  Records events with undeclared attributes. Included by <ftr/systemc_transaction.hpp>. */
#ifndef FTR_EVENT_VALUES_HPP
#define FTR_EVENT_VALUES_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ftr/recorder.h>
#include <ftr/systemc_fields.hpp>
#include <ftr/systemc_values.hpp>

namespace ftr
{
namespace detail
{

/** Selects the constructor of a generator of events. */
struct events_tag {
};

/** Returns false if the parent is not recorded or the times are invalid. The caller then calls the
 * C library without values, so that the library counts or reports the event. */
FTR_SC_INLINE bool event_begins(ftr_tx parent, std::uint64_t from, std::uint64_t to)
{
    return parent.id != FTR_TX_NOT_RECORDED && from <= to;
}

/** Puts the same relation as ftr_tx_event(). */
FTR_SC_INLINE void relate_event(ftr_recorder *rec, ftr_tx parent, ftr_tx event)
{
    static_cast<void>(ftr_relation_put(rec, FTR_RELATION_PARENT_OF, parent, event));
}

inline const char *attribute_name(const char *name)
{
    return name;
}
inline const char *attribute_name(const std::string &name)
{
    return name.c_str();
}

/** Returns the value of an undeclared attribute. The result may point into the arguments: see
 * declared_value(). */
template <class T>
FTR_SC_INLINE ftr_named_value
attribute_value(const char *name, const T &value,
                typename value_traits<T>::storage &&room = typename value_traits<T>::storage())
{
    return {name, typed_value<T>::get(value, std::move(room))};
}

template <class T>
FTR_SC_INLINE ftr_value event_name(
    const T &name, typename value_traits<T>::storage &&room = typename value_traits<T>::storage())
{
    expect_supported<T>();
    static_assert(value_traits<T>::type == FTR_TYPE_STRING, "the name of an event is a text");
    return encoded_value(FTR_TYPE_STRING, value_traits<T>::get(name, std::move(room)));
}

FTR_SC_INLINE ftr_tx put_event_list(ftr_recorder *rec, ftr_tx parent, std::uint64_t from,
                                    std::uint64_t to, const ftr_value &name,
                                    std::initializer_list<ftr_named_value> values)
{
    ftr_tx event{FTR_TX_NOT_RECORDED, 0};
    static_cast<void>(
        ftr_tx_event_named(rec, parent, from, to, &name, values.begin(), values.size(), &event));
    return event;
}

/** The type of value I in a tuple of pairs of a name and a value. */
template <class Pairs, std::size_t I>
using value_of_pair =
    typename std::decay<typename std::tuple_element<2 * I + 1, Pairs>::type>::type;

template <class Pairs, std::size_t... I> constexpr bool any_in_pieces(std::index_sequence<I...>)
{
    const bool pieces[] = {is_put_in_pieces<value_of_pair<Pairs, I>>()..., false};
    for (const bool one : pieces) {
        if (one)
            return true;
    }
    return false;
}

/** Records an event in one call: no value is a struct. */
template <class Name, class Pairs, std::size_t... I>
FTR_SC_INLINE ftr_tx put_event_values(std::false_type, ftr_recorder *rec, ftr_tx parent,
                                      std::uint64_t from, std::uint64_t to, const Name &name,
                                      const Pairs &pairs, std::index_sequence<I...>)
{
    static_cast<void>(pairs);
    return put_event_list(
        rec, parent, from, to, event_name(name),
        {attribute_value(attribute_name(std::get<2 * I>(pairs)), std::get<2 * I + 1>(pairs))...});
}

/** Records an event with structs, which become several attributes. */
template <class Name, class Pairs, std::size_t... I>
ftr_tx put_event_values(std::true_type, ftr_recorder *rec, ftr_tx parent, std::uint64_t from,
                        std::uint64_t to, const Name &name, const Pairs &pairs,
                        std::index_sequence<I...>)
{
    ftr_tx event{FTR_TX_NOT_RECORDED, 0};
    ftr_generator events = 0;
    if (!event_begins(parent, from, to))
        return put_event_list(rec, parent, from, to, event_name(name), {});
    if (ftr_tx_find_events(rec, parent, &events) != FTR_OK ||
        ftr_tx_begin(rec, events, from, &event) != FTR_OK)
        return ftr_tx{FTR_TX_NOT_RECORDED, 0};
    const ftr_status statuses[] = {put_declared(rec, event, 0, name, FTR_TRUST_NOTHING),
                                   put_undeclared(rec, event, FTR_CLASS_RECORD,
                                                  attribute_name(std::get<2 * I>(pairs)),
                                                  std::get<2 * I + 1>(pairs))...};
    static_cast<void>(statuses);
    static_cast<void>(ftr_tx_end(rec, event, to));
    relate_event(rec, parent, event);
    return event;
}

/** Records an event of an open transaction. @p pairs is a tuple of names and values. */
template <class Name, class Pairs, std::size_t... I>
FTR_SC_INLINE ftr_tx put_event(ftr_recorder *rec, ftr_tx parent, std::uint64_t from,
                               std::uint64_t to, const Name &name, const Pairs &pairs,
                               std::index_sequence<I...> places)
{
    using in_pieces = std::integral_constant<bool, any_in_pieces<Pairs>(places)>;
    return put_event_values(in_pieces(), rec, parent, from, to, name, pairs, places);
}

} // namespace detail
} // namespace ftr

#endif
