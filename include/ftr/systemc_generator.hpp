/** @file
 *  Generators of transactions, and of events inside transactions. Included by <ftr/systemc.hpp>. */
#ifndef FTR_SYSTEMC_GENERATOR_HPP
#define FTR_SYSTEMC_GENERATOR_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include <ftr/recorder.h>
#include <ftr/systemc_fields.hpp>
#include <ftr/systemc_recorder.hpp>
#include <ftr/systemc_transaction.hpp>
#include <ftr/detail/systemc_session.hpp>
#include <ftr/systemc_values.hpp>

#include <systemc>

namespace ftr
{

/** Begins transactions of one kind on a stream, for example `read`. A is the list of attributes:
 *  each is `type`, at_begin<type> or at_end<type>. A type must be listed in docs/format.md, or be a
 *  struct with ftr_fields(). Copies refer to the same generator. */
template <class... A> class generator
{
  public:
    using transaction = transaction_of<A...>;

    /** Creates an invalid generator: its transactions are not recorded. */
    generator() : session_(&detail::off_session), entity_(nullptr) {}

    /** @param names names of the attributes, one for each; "" for a struct with fields that need no
     *   prefix */
    template <class... Name>
    generator(const stream &of, const std::string &name, const Name &...names)
        : session_(of.session_), entity_(nullptr)
    {
        static_assert(sizeof...(Name) == sizeof...(A), "give one name for each attribute");
        if (!of.is_recorded())
            return;
        const ftr_status status =
            define({std::string(names)...}, [&](detail::declaration &list, ftr_generator *made) {
                return ftr_generator_define(session_->recorder, of.handle(), name.c_str(),
                                            list.attributes(), list.count(), made);
            });
        if (status != FTR_OK)
            detail::report_failure("generator", name.c_str(), status);
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
        if (!detail::may_begin(*session_))
            return transaction();
        return begin_ticks(detail::now(), values...);
    }
    /** Begins a transaction at @p time, which may be before or after the current time. */
    template <class... V>
    FTR_SC_INLINE transaction begin_at(const sc_core::sc_time &time, const V &...values) const
    {
        if (!detail::may_begin(*session_, time.value()))
            return transaction();
        return begin_ticks(time.value(), values...);
    }

    /** Records a complete transaction in one call, which costs less than separate calls.
     *  @param values values of the first attributes of the list, of any class */
    template <class... V>
    FTR_SC_INLINE ftr_tx record(const sc_core::sc_time &from, const sc_core::sc_time &to,
                                const V &...values) const
    {
        if (!passes(from.value(), to.value(), with_structs()))
            return ftr_tx{FTR_TX_NOT_RECORDED, 0};
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
        record_ticks(tx, from.value(), to.value(), with_structs(), std::index_sequence_for<V...>(),
                     values...);
        return tx;
    }

    /** Records an event now: a transaction without duration, and the relation `parent_of` from @p
     *  parent to it. To record events that viewers show inside their parent, define ftr::events. */
    template <class... V> FTR_SC_INLINE ftr_tx event(ftr_tx parent, const V &...values) const
    {
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
        if (detail::passes(*session_))
            event_ticks(tx, parent, detail::now(), detail::now(), values...);
        return tx;
    }
    template <class... V>
    FTR_SC_INLINE ftr_tx event_at(ftr_tx parent, const sc_core::sc_time &time,
                                  const V &...values) const
    {
        return event_between(parent, time, time, values...);
    }
    template <class... V>
    FTR_SC_INLINE ftr_tx event_between(ftr_tx parent, const sc_core::sc_time &from,
                                       const sc_core::sc_time &to, const V &...values) const
    {
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
        if (detail::passes(*session_, to.value()))
            event_ticks(tx, parent, from.value(), to.value(), values...);
        return tx;
    }

    FTR_SC_INLINE ftr_generator handle() const
    {
        return entity_ ? ftr_generator_of(session_->recorder, entity_) : 0;
    }

  private:
    template <std::size_t I> using attribute = typename transaction::template attribute<I>;

    /* A list without structs is passed to the C library in one call; a list with structs needs one
     * call for each field. */
    using with_structs = std::integral_constant<bool, detail::struct_before<A...>(sizeof...(A))>;

    /** Defines the events of @p of. The first attribute of the list is their name. */
    template <class Of, class... Name>
    generator(detail::events_tag, const Of &of, const Name &...names)
        : session_(of.session_), entity_(nullptr)
    {
        if (!session_->recorder)
            return;
        const ftr_status status = define(
            {"name", std::string(names)...}, [&](detail::declaration &list, ftr_generator *made) {
                return ftr_events_define(session_->recorder, of.handle(), list.attributes() + 1,
                                         list.count() - 1, made);
            });
        /* The recorder reports wrong arguments itself, with the name of the events. */
        if (status == FTR_ERR_MEMORY)
            detail::report_failure("generator", "events", status);
    }

    template <class Call>
    ftr_status define(const std::array<std::string, sizeof...(A)> &names, const Call &call)
    {
        detail::declaration list(sizeof...(A));
        std::size_t index = 0;
        const int expanded[] = {0, (declare<A>(list, names[index], index), ++index, 0)...};
        static_cast<void>(expanded);
        ftr_generator made = 0;
        const ftr_status status = call(list, &made);
        if (status == FTR_OK)
            entity_ = ftr_generator_definition(session_->recorder, made);
        else
            session_ = &detail::off_session;
        return status;
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
        if (!FTR_SC_EXPECTED(ftr_tx_begins_inline(rec, entity_, ticks, &tx))) {
            tx = detail::begin_rarely(*session_, entity_, ticks);
            if (tx.id == FTR_TX_NOT_RECORDED)
                return transaction();
        }
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

    /** Returns whether record() passes a transaction to the core. A transaction with structs begins
     * before it ends, so that only its end decides. */
    FTR_SC_INLINE bool passes(std::uint64_t from, std::uint64_t to, std::false_type) const
    {
        return detail::may_record(*session_, from, to);
    }
    FTR_SC_INLINE bool passes(std::uint64_t, std::uint64_t to, std::true_type) const
    {
        return detail::passes(*session_, to);
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
        static_cast<void>(ftr_tx_record_trusted(detail::recorder_of(*session_), entity_, from, to,
                                                values.begin(), values.size(), &tx));
    }

    template <class... V>
    FTR_SC_INLINE void event_ticks(ftr_tx &tx, ftr_tx parent, std::uint64_t from, std::uint64_t to,
                                   const V &...values) const
    {
        event_values(tx, parent, from, to, with_structs(), std::index_sequence_for<V...>(),
                     values...);
    }
    template <std::size_t... I, class... V>
    FTR_SC_INLINE void event_values(ftr_tx &tx, ftr_tx parent, std::uint64_t from, std::uint64_t to,
                                    std::false_type, std::index_sequence<I...>,
                                    const V &...values) const
    {
        event_list(tx, parent, from, to,
                   {detail::declared_value(detail::as_declared<attribute<I>>(values))...});
    }
    template <std::size_t... I, class... V>
    void event_values(ftr_tx &tx, ftr_tx parent, std::uint64_t from, std::uint64_t to,
                      std::true_type, std::index_sequence<I...> places, const V &...values) const
    {
        if (!detail::event_begins(parent, from, to)) {
            event_list(tx, parent, from, to, {});
            return;
        }
        record_ticks(tx, from, to, std::true_type(), places, values...);
        detail::relate_event(session_->recorder, parent, tx);
    }
    FTR_SC_INLINE void event_list(ftr_tx &tx, ftr_tx parent, std::uint64_t from, std::uint64_t to,
                                  std::initializer_list<ftr_value> values) const
    {
        static_cast<void>(ftr_tx_event_trusted(detail::recorder_of(*session_), parent, entity_,
                                               from, to, values.begin(), values.size(), &tx));
    }

    template <class... B> friend class generator;
    template <class... B> friend class events;

    detail::session *session_;
    const ftr_entity *entity_; /**< the definition; only read while the recorder is open */
};

/** The events of a generator `read`: transactions of `read.events`, which viewers show inside their
 *  parent. A is the list of attributes after the name of an event, as for generators.
 *
 *      ftr::events<unsigned> read_events{read, "way"};
 *      read_events.event(tx, "L2 hit", 3);
 *
 *  The parent may be open or ended. transaction::event() records events with attributes that are
 *  not declared. A generator has one list of attributes for its events. */
template <class... A> class events : private generator<at_begin<const char *>, A...>
{
    using base = generator<at_begin<const char *>, A...>;

  public:
    /** Creates invalid events: they are not recorded. */
    events() = default;

    /** @param names names of the attributes after `name`, one for each */
    template <class... B, class... Name>
    explicit events(const generator<B...> &of, const Name &...names)
        : base(detail::events_tag(), of, names...)
    {
        static_assert(sizeof...(Name) == sizeof...(A), "give one name for each attribute");
    }

    /* event(parent, name, values...), event_at(parent, time, name, values...) and
     * event_between(parent, from, to, name, values...) */
    using base::event;
    using base::event_at;
    using base::event_between;
    using base::handle;
    using base::is_recording;
};

} // namespace ftr

#endif
