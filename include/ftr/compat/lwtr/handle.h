/** @file
 *  Transactions, with the names of LWTR4SC. Included by <lwtr/lwtr.h>. */
#ifndef FTR_COMPAT_LWTR_HANDLE_H
#define FTR_COMPAT_LWTR_HANDLE_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <systemc>

#include <ftr/compat/lwtr/attribute.h>
#include <ftr/compat/lwtr/database.h>
#include <ftr/compat/lwtr/transaction_state.h>

namespace lwtr
{

/** A transaction. Copies refer to the same transaction, which stays open until it is ended through
 * one of its handles or by its generator. */
class tx_handle
{
  public:
    using tx_handle_class_cb =
        std::function<void(const tx_handle &, callback_reason, const value &)>;
    using tx_handle_attribute_cb =
        std::function<void(const tx_handle &, const char *, const value &)>;
    using tx_handle_relation_cb =
        std::function<void(const tx_handle &, const tx_handle &, tx_relation_handle)>;

    /** Creates an invalid handle; its functions do nothing. */
    tx_handle() = default;
    tx_handle(const tx_handle &other) : shared_(other.shared_)
    {
        if (shared_)
            shared_->users.fetch_add(1, std::memory_order_relaxed);
    }
    tx_handle(tx_handle &&other) noexcept : shared_(other.shared_) { other.shared_ = nullptr; }
    tx_handle &operator=(tx_handle other) noexcept
    {
        std::swap(shared_, other.shared_);
        return *this;
    }
    FTR_SC_INLINE ~tx_handle()
    {
        if (!shared_)
            return;
        if (FTR_SC_EXPECTED(shared_->users.load(std::memory_order_acquire) == 1))
            detail::free_transactions<>::give_back(shared_); // the only user
        else
            leave(*shared_);
    }

    bool is_valid() const { return shared_ != nullptr; }
    bool is_active() const { return shared_ && shared_->is_active; }
    /** Returns the id of the transaction in the file. Transactions that are not recorded have
     *  greater ids than all recorded ones. */
    std::uint64_t get_id() const
    {
        if (!shared_)
            return 0;
        return is_recorded() ? shared_->tx.id : shared_->own_id;
    }

    /** End the transaction now, or at the absolute simulated time @p time. A transaction that
     * begins later ends at its begin. */
    FTR_SC_INLINE void end_tx() { end_at(ftr::detail::now(), no_data()); }
    template <typename END> FTR_SC_INLINE void end_tx(const END &attribute)
    {
        end_at(ftr::detail::now(), attribute);
    }
    FTR_SC_INLINE void end_tx_delayed(const sc_core::sc_time &time)
    {
        end_at(time.value(), no_data());
    }
    template <typename END>
    FTR_SC_INLINE void end_tx_delayed(const sc_core::sc_time &time, const END &attribute)
    {
        end_at(time.value(), attribute);
    }

    template <typename T> FTR_SC_INLINE void record_attribute(const char *name, const T &attribute)
    {
        if (!shared_)
            return;
        if (ftr_recorder *const rec = shared_->open_in)
            detail::put_any(rec, shared_->tx, FTR_CLASS_RECORD, name, attribute);
        if (__builtin_expect(detail::any_callback<>::is_registered, 0))
            call_back_attribute(tx_handle(shared_, another_user()), name, attribute);
    }
    template <typename T> void record_attribute(const std::string &name, const T &attribute)
    {
        record_attribute(name.c_str(), attribute);
    }
    template <typename T> void record_attribute(const T &attribute)
    {
        record_attribute(static_cast<const char *>(nullptr), attribute);
    }

    /** Record an event of this transaction, now or at @p time. @p attributes: the name of an
     *  attribute, its value, the name of the next one, and so on. The generator must have been
     *  created with events. */
    template <typename... Attributes>
    void record_event(const std::string &name, const Attributes &...attributes)
    {
        record_event_ticks(ftr::detail::now(), name, attributes...);
    }
    template <typename... Attributes>
    void record_event_at_time(const std::string &name, const sc_core::sc_time &time,
                              const Attributes &...attributes)
    {
        record_event_ticks(time.value(), name, attributes...);
    }

    /** Puts a relation from @p other to this transaction. Returns false if one of the two
     * transactions is invalid, or if they belong to different databases. */
    bool add_relation(tx_relation_handle relation, const tx_handle &other)
    {
        if (!is_valid() || !other.is_valid() || shared_->of->session != other.shared_->of->session)
            return false;
        if (ftr_recorder *rec = shared_->of->session->recorder)
            static_cast<void>(ftr_relation_put(rec, static_cast<ftr_relation>(relation),
                                               other.shared_->tx, shared_->tx));
        if (__builtin_expect(detail::any_callback<>::is_registered, 0))
            detail::callbacks_of<tx_handle_relation_cb>().call(*this, other, relation);
        return true;
    }
    bool add_relation(const char *relation, const tx_handle &other)
    {
        const tx_db *database = is_valid() ? get_tx_fiber().get_tx_db() : nullptr;
        return database && add_relation(database->create_relation(relation), other);
    }
    bool add_relation(const std::string &relation, const tx_handle &other)
    {
        return add_relation(relation.c_str(), other);
    }

    sc_core::sc_time get_begin_sc_time() const
    {
        return sc_core::sc_time::from_value(shared_ ? shared_->begin : 0);
    }
    sc_core::sc_time get_end_sc_time() const
    {
        return sc_core::sc_time::from_value(shared_ ? std::max(shared_->begin, shared_->end) : 0);
    }
    /** The handle must be valid, and the fiber and generator must still exist. */
    const tx_fiber &get_tx_fiber() const { return *shared_->of->fiber; }
    const tx_generator_base &get_tx_generator_base() const { return *shared_->of->generator; }

    static std::uint64_t register_class_cb(tx_handle_class_cb callback)
    {
        return detail::callbacks_of<tx_handle_class_cb>().add(std::move(callback));
    }
    static void unregister_class_cb(std::uint64_t id)
    {
        detail::callbacks_of<tx_handle_class_cb>().remove(id);
    }
    static std::uint64_t register_record_attribute_cb(tx_handle_attribute_cb callback)
    {
        return detail::callbacks_of<tx_handle_attribute_cb>().add(std::move(callback));
    }
    static void unregister_record_attribute_cb(std::uint64_t id)
    {
        detail::callbacks_of<tx_handle_attribute_cb>().remove(id);
    }
    static std::uint64_t register_relation_cb(tx_handle_relation_cb callback)
    {
        return detail::callbacks_of<tx_handle_relation_cb>().add(std::move(callback));
    }
    static void unregister_relation_cb(std::uint64_t id)
    {
        detail::callbacks_of<tx_handle_relation_cb>().remove(id);
    }

  private:
    friend class tx_generator_base;

    struct another_user {
    };

    /* Begins a transaction. @p declares: true_type if the generator declares an attribute of type
     * BEGIN. */
    template <typename BEGIN, class Declares>
    FTR_SC_INLINE tx_handle(detail::generator_state &of, std::uint64_t ticks,
                            const BEGIN &attribute, Declares declares)
    {
        detail::shared_transaction *const begun = detail::free_transactions<>::take();
        begun->of = &of;
        begun->begin = ticks;
        begun->end = 0;
        begun->users.store(1, std::memory_order_relaxed);
        begun->is_active = true;
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
        ftr_recorder *open_in = nullptr;
        /* No FTR_SC_EXPECTED here: with it, GCC would assume that the whole caller is rarely
         * executed. */
        if (ftr::detail::passes(*of.session, ticks)) {
            ftr_recorder *const rec = ftr::detail::recorder_of(*of.session);
            if (FTR_SC_EXPECTED(ftr_tx_begin(rec, of.id, ticks, &tx) == FTR_OK &&
                                tx.id != FTR_TX_NOT_RECORDED)) {
                open_in = rec;
                put_begin(rec, tx, of, attribute, declares);
            } else {
                tx.id = FTR_TX_NOT_RECORDED; /* also if the call failed */
            }
        }
        begun->open_in = open_in;
        begun->tx = ftr_tx_copy(tx);
        if (!FTR_SC_EXPECTED(tx.id != FTR_TX_NOT_RECORDED))
            begun->own_id = ftr::detail::next_unrecorded_id();
        shared_ = begun;
        if (__builtin_expect(detail::any_callback<>::is_registered, 0))
            call_back(tx_handle(begun, another_user()), lwtr::BEGIN, attribute);
    }

    FTR_SC_INLINE tx_handle(detail::shared_transaction *shared, another_user) : shared_(shared)
    {
        shared_->users.fetch_add(1, std::memory_order_relaxed);
    }

    /* Removes one of several users of a transaction. */
    __attribute__((noinline)) static void leave(detail::shared_transaction &shared)
    {
        if (shared.users.fetch_sub(1, std::memory_order_acq_rel) == 1)
            detail::free_transactions<>::give_back(&shared);
    }

    /* The handle must be valid. */
    bool is_recorded() const { return shared_->tx.id != FTR_TX_NOT_RECORDED; }

    template <class T>
    FTR_SC_INLINE static void put_begin(ftr_recorder *rec, ftr_tx tx,
                                        const detail::generator_state &, const T &attribute,
                                        std::true_type)
    {
        detail::put_declared(rec, tx, 0, attribute);
    }
    template <class T>
    FTR_SC_INLINE static void put_begin(ftr_recorder *rec, ftr_tx tx,
                                        const detail::generator_state &of, const T &attribute,
                                        std::false_type)
    {
        detail::put_listed(rec, tx, of.begin_name.c_str(), of.declared, attribute);
    }
    FTR_SC_INLINE static void put_begin(ftr_recorder *, ftr_tx, const detail::generator_state &,
                                        const no_data &, std::false_type)
    {
    }

    /* Puts the attribute that the user passed to the end of the transaction: by number if the
     * generator declares it with type T, otherwise by name. */
    template <class T>
    FTR_SC_INLINE static void put_end(ftr_recorder *rec, ftr_tx tx,
                                      const detail::generator_state &of, const T &attribute)
    {
        constexpr detail::declared_attribute given = detail::declare<T>();
        if (FTR_SC_EXPECTED(given.is_declared && of.end_place == detail::place(given, 1)))
            detail::put_declared(rec, tx, 1, attribute);
        else if (given.is_declared && of.end_place == detail::place(given, 0))
            detail::put_declared(rec, tx, 0, attribute);
        else
            detail::put_any(rec, tx, FTR_CLASS_END, of.end_name.c_str(), attribute);
    }
    FTR_SC_INLINE static void put_end(ftr_recorder *, ftr_tx, const detail::generator_state &,
                                      const no_data &)
    {
    }

    /* Not inlined, and with a separate handle as its argument, so that compilers keep the caller's
     * handle in a register. */
    template <class T>
    FTR_SC_COLD static void call_back(const tx_handle &of, callback_reason reason,
                                      const T &attribute)
    {
        detail::callbacks_of<tx_handle_class_cb>().call(of, reason, record(attribute));
    }
    template <class T>
    FTR_SC_COLD static void call_back_attribute(const tx_handle &of, const char *name,
                                                const T &attribute)
    {
        if (of.is_active())
            detail::callbacks_of<tx_handle_attribute_cb>().call(of, name, record(attribute));
    }

    template <class END> FTR_SC_INLINE void end_at(std::uint64_t ticks, const END &attribute)
    {
        detail::shared_transaction *const ended = shared_;
        if (!ended)
            return;
        std::uint64_t end = ticks;
        if (!FTR_SC_EXPECTED(end >= ended->begin))
            end = ended->begin;
        if (ftr_recorder *const rec = ended->open_in) {
            const ftr_tx tx = ended->tx;
            put_end(rec, tx, *ended->of, attribute);
            static_cast<void>(ftr_tx_end(rec, tx, end));
            ended->open_in = nullptr;
        } else if (!ended->is_active) {
            return;
        }
        ended->end = end;
        if (__builtin_expect(detail::any_callback<>::is_registered, 0))
            call_back(tx_handle(ended, another_user()), lwtr::END, attribute);
        ended->is_active = false;
    }

    static void put_pairs(ftr_recorder *, ftr_tx) {}
    template <class T, class... More>
    static void put_pairs(ftr_recorder *rec, ftr_tx tx, const std::string &name, const T &attribute,
                          const More &...more)
    {
        detail::put_any(rec, tx, FTR_CLASS_RECORD, name.c_str(), attribute);
        put_pairs(rec, tx, more...);
    }

    template <typename... Attributes>
    void record_event_ticks(std::uint64_t ticks, const std::string &name,
                            const Attributes &...attributes)
    {
        static_assert(sizeof...(Attributes) % 2 == 0, "give a value after each attribute's name");
        if (!is_valid() || !is_recorded() || !shared_->of->events ||
            !ftr::detail::passes(*shared_->of->session, ticks))
            return;
        ftr_recorder *const rec = shared_->of->session->recorder;
        ftr_tx event;
        if (ftr_tx_begin(rec, shared_->of->events, ticks, &event) != FTR_OK)
            return;
        static_cast<void>(ftr_tx_put_text(rec, event, 0, name.data(), name.size()));
        put_pairs(rec, event, attributes...);
        static_cast<void>(ftr_tx_end(rec, event, ticks));
        static_cast<void>(ftr_relation_put(rec, shared_->of->parent_of, shared_->tx, event));
    }

    detail::shared_transaction *shared_ = nullptr;
};

} // namespace lwtr

#endif
