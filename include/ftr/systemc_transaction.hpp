/** @file
 *  Transactions and their generators. Included by <ftr/systemc.hpp>. */
#ifndef FTR_SYSTEMC_TRANSACTION_HPP
#define FTR_SYSTEMC_TRANSACTION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ftr/recorder.h>
#include <ftr/systemc_fields.hpp>
#include <ftr/systemc_recorder.hpp>
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
        return recorder_ ? detail::put_undeclared(recorder_, *this, class_, name, value) : FTR_OK;
    }

    FTR_SC_INLINE ftr_status end_open(std::uint64_t ticks)
    {
        const ftr_status status = ftr_tx_end(recorder_, *this, ticks);
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
                                    detail::as_declared<attribute<I>>(value));
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

/** Begins transactions of one kind on a stream, for example `read`. A is the list of attributes:
 *  each is `type`, at_begin<type> or at_end<type>. A type must be listed in docs/format.md, or be a
 *  struct with ftr_fields(). Copies refer to the same generator. */
template <class... A> class generator
{
  public:
    using transaction = transaction_of<A...>;

    /** Creates an invalid generator: its transactions are not recorded. */
    generator() : session_(&detail::off_session), id_(0) {}

    /** @param names names of the attributes, one for each; "" for a struct with fields that need no
     *   prefix */
    template <class... Name>
    generator(const stream &of, const std::string &name, const Name &...names)
        : session_(of.session_), id_(0)
    {
        static_assert(sizeof...(Name) == sizeof...(A), "give one name for each attribute");
        if (of.is_recorded())
            define(of, name, {std::string(names)...});
    }

    /** Returns true if a transaction that begins now is recorded. If it is not recorded, the caller
     * can skip the computation of values. */
    FTR_SC_INLINE bool is_recording() const
    {
        return session_->state.load(std::memory_order_relaxed) != detail::valve::off;
    }

    /** Begins a transaction now. @param values either none, or all at_begin attributes in the order
     * of the list */
    template <class... V> FTR_SC_INLINE transaction begin(const V &...values) const
    {
        if (!detail::passes(*session_))
            return transaction();
        return begin_ticks(detail::now(), values...);
    }
    /** Begins a transaction at @p time, which may be before or after the current time. */
    template <class... V>
    FTR_SC_INLINE transaction begin_at(const sc_core::sc_time &time, const V &...values) const
    {
        if (!detail::passes(*session_, time.value()))
            return transaction();
        return begin_ticks(time.value(), values...);
    }

    /** Records a complete transaction in one call, which costs less than separate calls.
     *  @param values values of the first attributes of the list, of any class */
    template <class... V>
    FTR_SC_INLINE ftr_tx record(const sc_core::sc_time &from, const sc_core::sc_time &to,
                                const V &...values) const
    {
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
        if (detail::passes(*session_, to.value()))
            record_ticks(tx, from.value(), to.value(), with_structs(),
                         std::index_sequence_for<V...>(), values...);
        return tx;
    }

    /** Records an event now: a transaction without duration that is related to @p parent. */
    template <class... V> FTR_SC_INLINE ftr_tx event(ftr_tx parent, const V &...values) const
    {
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
        if (detail::passes(*session_))
            event_ticks(tx, parent, detail::now(), with_structs(), std::index_sequence_for<V...>(),
                        values...);
        return tx;
    }
    template <class... V>
    FTR_SC_INLINE ftr_tx event_at(ftr_tx parent, const sc_core::sc_time &time,
                                  const V &...values) const
    {
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
        if (detail::passes(*session_, time.value()))
            event_ticks(tx, parent, time.value(), with_structs(), std::index_sequence_for<V...>(),
                        values...);
        return tx;
    }

    ftr_generator handle() const { return id_; }

  private:
    template <std::size_t I> using attribute = typename transaction::template attribute<I>;

    /* A list without structs is passed to the core in one call; a list with structs needs one call
     * for each field. */
    using with_structs = std::integral_constant<bool, detail::struct_before<A...>(sizeof...(A))>;

    void define(const stream &of, const std::string &name,
                const std::array<std::string, sizeof...(A)> &names)
    {
        detail::declaration list(sizeof...(A));
        std::size_t index = 0;
        const int expanded[] = {0, (declare<A>(list, names[index], index), ++index, 0)...};
        static_cast<void>(expanded);
        const ftr_status status = ftr_generator_define(
            session_->recorder, of.handle(), name.c_str(), list.attributes(), list.count(), &id_);
        if (status != FTR_OK) {
            detail::report_failure("generator", name.c_str(), status);
            session_ = &detail::off_session;
        }
    }
    template <class Attribute>
    static void declare(detail::declaration &list, const std::string &name, std::size_t index)
    {
        using what = detail::declared<Attribute>;
        detail::layout<A...>::first[index].store(list.count(), std::memory_order_relaxed);
        list.add(name, what::class_, static_cast<const typename what::type *>(nullptr));
    }

    FTR_SC_INLINE transaction begin_ticks(std::uint64_t ticks) const
    {
        ftr_recorder *const rec = detail::recorder_of(*session_);
        ftr_tx tx;
        if (ftr_tx_begin(rec, id_, ticks, &tx) != FTR_OK)
            return transaction();
        /* Without this statement, GCC packs the handle into a vector register and unpacks it for
         * every call. */
        __asm__("" : "+r"(tx.id));
        return transaction(rec, tx);
    }
    template <class V, class... W>
    FTR_SC_INLINE transaction begin_ticks(std::uint64_t ticks, const V &value,
                                          const W &...more) const
    {
        transaction begun = begin_ticks(ticks);
        if (begun.recorder_)
            begun.template put_all<FTR_CLASS_BEGIN>(std::index_sequence_for<V, W...>(), value,
                                                    more...);
        return begun;
    }

    template <std::size_t... I, class... V>
    FTR_SC_INLINE void record_ticks(ftr_tx &tx, std::uint64_t from, std::uint64_t to,
                                    std::false_type, std::index_sequence<I...>,
                                    const V &...values) const
    {
        record_list(tx, from, to,
                    {detail::declared_value(detail::as_declared<attribute<I>>(values))...});
    }
    template <std::size_t... I, class... V>
    FTR_SC_INLINE void record_ticks(ftr_tx &tx, std::uint64_t from, std::uint64_t to,
                                    std::true_type, std::index_sequence<I...>,
                                    const V &...values) const
    {
        transaction begun = begin_ticks(from);
        if (!begun.recorder_)
            return;
        const ftr_status statuses[] = {FTR_OK, begun.template put<I>(values)...};
        static_cast<void>(statuses);
        tx = begun;
        static_cast<void>(begun.end_open(to));
    }
    FTR_SC_INLINE void record_list(ftr_tx &tx, std::uint64_t from, std::uint64_t to,
                                   std::initializer_list<ftr_value> values) const
    {
        static_cast<void>(ftr_tx_record(detail::recorder_of(*session_), id_, from, to,
                                        values.begin(), values.size(), &tx));
    }

    template <std::size_t... I, class... V>
    void event_ticks(ftr_tx &tx, ftr_tx parent, std::uint64_t ticks, std::false_type,
                     std::index_sequence<I...>, const V &...values) const
    {
        event_list(tx, parent, ticks,
                   {detail::declared_value(detail::as_declared<attribute<I>>(values))...});
    }
    template <std::size_t... I, class... V>
    void event_ticks(ftr_tx &tx, ftr_tx parent, std::uint64_t ticks, std::true_type,
                     std::index_sequence<I...> places, const V &...values) const
    {
        record_ticks(tx, ticks, ticks, std::true_type(), places, values...);
        detail::relate_event(session_->recorder, parent, tx);
    }
    void event_list(ftr_tx &tx, ftr_tx parent, std::uint64_t ticks,
                    std::initializer_list<ftr_value> values) const
    {
        static_cast<void>(ftr_tx_event(session_->recorder, parent, id_, ticks, values.begin(),
                                       values.size(), &tx));
    }

    detail::session *session_;
    ftr_generator id_;
};

} // namespace ftr

#endif
