/** @file
 *  Transactions. Included by <ftr/systemc.hpp>. */
#ifndef FTR_SYSTEMC_TRANSACTION_HPP
#define FTR_SYSTEMC_TRANSACTION_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ftr/recorder.h>
#include <ftr/systemc_fields.hpp>
#include <ftr/systemc_recorder.hpp>
#include <ftr/detail/event_values.hpp>
#include <ftr/detail/systemc_session.hpp>
#include <ftr/systemc_values.hpp>

#include <systemc>

namespace ftr
{

/** An open transaction. Movable but not copyable; the destructor ends the transaction at the
 *  current time. After the end of the simulation, or if the simulation does not continue after a
 *  pause, the destructor leaves the transaction open, and it is `unfinished` in the file. Converts
 *  to ftr_tx for relations, even after the transaction has ended. */
class transaction
{
  public:
    /** Creates an invalid transaction; its functions do nothing. */
    FTR_SC_INLINE transaction() : transaction(nullptr, ftr_tx{FTR_TX_NOT_RECORDED, 0}) {}
    FTR_SC_INLINE transaction(transaction &&other) noexcept
        : recorder_(other.recorder_), id_(other.id_), place_(other.place_)
    {
        other.recorder_ = nullptr;
    }
    transaction &operator=(transaction &&other) noexcept
    {
        if (this != &other) {
            end();
            recorder_ = other.recorder_;
            id_ = other.id_;
            place_ = other.place_;
            other.recorder_ = nullptr;
        }
        return *this;
    }
    FTR_SC_INLINE ~transaction()
    {
        if (recorder_)
            detail::end_abandoned(recorder_, *this);
    }

    /** Returns true if the transaction is open and recorded. */
    bool is_open() const { return recorder_ != nullptr; }
    FTR_SC_INLINE operator ftr_tx() const { return ftr_tx{id_, place_}; }

    /** Put an undeclared attribute with the class RECORD, BEGIN or END. A struct becomes one
     *  attribute for each field, `name.field`. */
    template <class T> FTR_SC_INLINE ftr_status put(const char *name, const T &value)
    {
        return put_class(FTR_CLASS_RECORD, name, value);
    }
    template <class T> FTR_SC_INLINE ftr_status put_begin(const char *name, const T &value)
    {
        return put_class(FTR_CLASS_BEGIN, name, value);
    }
    template <class T> FTR_SC_INLINE ftr_status put_end(const char *name, const T &value)
    {
        return put_class(FTR_CLASS_END, name, value);
    }

    /** Records an event of this transaction now, for example `tx.event("L2 hit", "way", 3)`: a
     *  transaction of `GENERATOR.events` that viewers show inside this one.
     *  @param name any text
     *  @param more pairs of a name and a value: further attributes of the event
     *  @return the event, for relations; not recorded if this transaction is not open */
    template <class Name, class... More>
    FTR_SC_INLINE ftr_tx event(const Name &name, const More &...more) const
    {
        return recorder_ ? event_ticks(detail::now(), detail::now(), name, more...) : no_event();
    }
    template <class Name, class... More>
    FTR_SC_INLINE ftr_tx event_at(const sc_core::sc_time &time, const Name &name,
                                  const More &...more) const
    {
        return recorder_ ? event_ticks(time.value(), time.value(), name, more...) : no_event();
    }
    template <class Name, class... More>
    FTR_SC_INLINE ftr_tx event_between(const sc_core::sc_time &from, const sc_core::sc_time &to,
                                       const Name &name, const More &...more) const
    {
        return recorder_ ? event_ticks(from.value(), to.value(), name, more...) : no_event();
    }

    /** Ends the transaction now. @return FTR_OK; FTR_ERR_ORDER if the transaction begins later than
     * now, which leaves it open; or another failure */
    FTR_SC_INLINE ftr_status end() { return recorder_ ? end_open(detail::now()) : FTR_OK; }
    /** Ends the transaction at @p time, which may be before or after the current time. */
    FTR_SC_INLINE ftr_status end_at(const sc_core::sc_time &time)
    {
        return recorder_ ? end_open(time.value()) : FTR_OK;
    }

  protected:
    template <class... A> friend class generator;

    FTR_SC_INLINE transaction(ftr_recorder *rec, ftr_tx tx)
        : recorder_(rec), id_(tx.id), place_(tx.place)
    {
    }

    template <class T>
    FTR_SC_INLINE ftr_status put_class(ftr_attribute_class class_, const char *name, const T &value)
    {
        return recorder_
                   ? detail::put_undeclared(recorder_, *this, class_, name, value, FTR_TRUST_TX)
                   : FTR_OK;
    }

    static ftr_tx no_event() { return ftr_tx{FTR_TX_NOT_RECORDED, 0}; }
    template <class Name, class... More>
    FTR_SC_INLINE ftr_tx event_ticks(std::uint64_t from, std::uint64_t to, const Name &name,
                                     const More &...more) const
    {
        static_assert(sizeof...(More) % 2 == 0, "give a value after the name of each attribute");
        return detail::put_event(recorder_, *this, from, to, name, std::forward_as_tuple(more...),
                                 std::make_index_sequence<sizeof...(More) / 2>());
    }

    FTR_SC_INLINE ftr_status end_open(std::uint64_t ticks)
    {
        const ftr_status status = ftr_tx_end_trusted(recorder_, *this, ticks, FTR_TRUST_TX);
        if (status != FTR_ERR_ORDER)
            recorder_ = nullptr;
        return status;
    }

    ftr_recorder *recorder_; /**< NULL: not open, or not recorded */
    /* The members of an ftr_tx, stored separately so that compilers keep them in registers. */
    std::uint64_t id_;
    std::uint64_t place_;
};

/** A transaction of a generator with the attributes A. */
template <class... A> class transaction_of : public transaction
{
  public:
    /** The type of attribute I in the generator's list. */
    template <std::size_t I>
    using attribute =
        typename detail::declared<typename std::tuple_element<I, std::tuple<A...>>::type>::type;

    using transaction::end;
    using transaction::end_at;
    FTR_SC_INLINE transaction_of() = default;
    FTR_SC_INLINE transaction_of(transaction_of &&other) noexcept = default;
    transaction_of &operator=(transaction_of &&other) noexcept = default;
    /* Always inline: if the compiler called this destructor when the model throws an exception, the
     * handle could not stay in registers. */
    FTR_SC_INLINE ~transaction_of() = default;

    using transaction::put;

    /** Puts attribute I of the generator's list. */
    template <std::size_t I, class V> FTR_SC_INLINE ftr_status put(const V &value)
    {
        static_assert(I < sizeof...(A), "the generator declares no attribute of this number");
        if (!recorder_)
            return FTR_OK;
        return detail::put_declared(recorder_, *this, detail::layout<A...>::template number<I>(),
                                    detail::as_declared<attribute<I>>(value), FTR_TRUST_ATTRIBUTE);
    }

    /** Puts all at_end attributes, in the order of the list, and ends the transaction now. */
    template <class V, class... W> FTR_SC_INLINE ftr_status end(const V &value, const W &...more)
    {
        if (!recorder_)
            return FTR_OK;
        put_all<FTR_CLASS_END>(std::index_sequence_for<V, W...>(), value, more...);
        return end_open(detail::now());
    }
    template <class V, class... W>
    FTR_SC_INLINE ftr_status end_at(const sc_core::sc_time &time, const V &value, const W &...more)
    {
        if (!recorder_)
            return FTR_OK;
        put_all<FTR_CLASS_END>(std::index_sequence_for<V, W...>(), value, more...);
        return end_open(time.value());
    }

  private:
    template <class...> friend class generator;

    FTR_SC_INLINE transaction_of(ftr_recorder *rec, ftr_tx tx) : transaction(rec, tx) {}

    template <ftr_attribute_class Class, std::size_t... N, class... V>
    FTR_SC_INLINE void put_all(std::index_sequence<N...>, const V &...values)
    {
        static_assert(sizeof...(V) == detail::count_class<A...>(Class, sizeof...(A)),
                      "give one value for each attribute declared for this moment, or none");
        const ftr_status statuses[] = {FTR_OK, put<detail::place_of<A...>(Class, N)>(values)...};
        static_cast<void>(statuses);
    }
};

} // namespace ftr

#endif
