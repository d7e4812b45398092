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

namespace lwtr
{

class tx_generator_base;

namespace detail
{

/** The part of a generator that its transactions need. Never freed, because handles outlive their
 *  generator. */
struct generator_state {
    const tx_generator_base *generator;
    const tx_fiber *fiber;
    ftr::detail::session *session;
    declared_attribute begin;
    declared_attribute end;
    std::string begin_name;
    std::string end_name;
    ftr_generator id;
    ftr_generator events; /**< 0: none */
    ftr_relation parent_of;
    generator_state *next;

    /** Returns the core's number of the declared end attribute. */
    unsigned end_number() const { return begin.is_declared ? 1 : 0; }
};

/** The state that the copies of a handle share. */
struct shared_transaction {
    generator_state *of;
    ftr_recorder *recorder; /**< NULL: not recorded */
    ftr_tx tx;
    std::uint64_t id;
    std::uint64_t begin; /**< in ticks */
    std::uint64_t end;
    std::atomic<unsigned> users;
    bool is_active;
    shared_transaction *next_free;
};

/** The unused states of a thread. Their memory is never freed; it is bounded by the maximum number
 *  of handles that existed at the same time. */
template <class Unused = void> struct __attribute__((visibility("default"))) free_transactions {
    static thread_local shared_transaction *first;

    static shared_transaction *take()
    {
        if (__builtin_expect(!first, 0))
            add_block();
        shared_transaction *const taken = first;
        first = taken->next_free;
        return taken;
    }
    static void give_back(shared_transaction *unused)
    {
        unused->next_free = first;
        first = unused;
    }

  private:
    struct block {
        block *next;
        shared_transaction states[255];
    };

    __attribute__((noinline)) static void add_block()
    {
        static std::atomic<block *> all{nullptr}; // reachable, for leak checkers
        block *const added = new block();
        added->next = all.load();
        while (!all.compare_exchange_weak(added->next, added)) {
        }
        for (shared_transaction &state : added->states)
            give_back(&state);
    }
};
template <class Unused> thread_local shared_transaction *free_transactions<Unused>::first = nullptr;

} // namespace detail

/** A transaction. Copies refer to the same one; it stays open until one of them, or its generator,
 *  ends it. */
class tx_handle
{
  public:
    using tx_handle_class_cb =
        std::function<void(const tx_handle &, callback_reason, const value &)>;
    using tx_handle_attribute_cb =
        std::function<void(const tx_handle &, const char *, const value &)>;
    using tx_handle_relation_cb =
        std::function<void(const tx_handle &, const tx_handle &, tx_relation_handle)>;

    /** Creates an invalid handle: its calls do nothing. */
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
    ~tx_handle()
    {
        if (shared_ && shared_->users.fetch_sub(1, std::memory_order_acq_rel) == 1)
            detail::free_transactions<>::give_back(shared_);
    }

    bool is_valid() const { return shared_ != nullptr; }
    bool is_active() const { return shared_ && shared_->is_active; }
    /** Returns its id in the file. Transactions that are not recorded have greater ids than all
     *  recorded ones. */
    std::uint64_t get_id() const { return shared_ ? shared_->id : 0; }

    /** End it now or at @p time; if its begin is later, at its begin. */
    void end_tx() { end_at(ftr::detail::now(), no_data()); }
    template <typename END> void end_tx(const END &attribute)
    {
        end_at(ftr::detail::now(), attribute);
    }
    void end_tx_delayed(const sc_core::sc_time &time) { end_at(time.value(), no_data()); }
    template <typename END> void end_tx_delayed(const sc_core::sc_time &time, const END &attribute)
    {
        end_at(time.value(), attribute);
    }

    template <typename T> FTR_SC_INLINE void record_attribute(const char *name, const T &attribute)
    {
        if (!is_active())
            return;
        if (shared_->recorder)
            detail::put_any(shared_->recorder, shared_->tx, FTR_CLASS_RECORD, name, attribute);
        if (__builtin_expect(detail::any_callback<>::is_registered, 0))
            detail::callbacks_of<tx_handle_attribute_cb>().call(*this, name, record(attribute));
    }
    template <typename T> void record_attribute(const std::string &name, const T &attribute)
    {
        record_attribute(name.c_str(), attribute);
    }
    template <typename T> void record_attribute(const T &attribute)
    {
        record_attribute(static_cast<const char *>(nullptr), attribute);
    }

    /** Records an event of this transaction, now or at @p time: the name of an attribute, its
     *  value, and so on. Its generator must have events. */
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

    /** Relates @p other to this transaction. Returns false if one of them is invalid, or if they
     *  belong to different databases. */
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
        return sc_core::sc_time::from_value(shared_ ? shared_->end : 0);
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

    template <typename BEGIN>
    FTR_SC_INLINE tx_handle(detail::generator_state &of, std::uint64_t ticks,
                            const BEGIN &attribute)
        : shared_(detail::free_transactions<>::take())
    {
        shared_->of = &of;
        shared_->recorder = nullptr;
        shared_->begin = ticks;
        shared_->end = ticks;
        shared_->users.store(1, std::memory_order_relaxed);
        shared_->is_active = true;
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
        if (FTR_SC_EXPECTED(ftr::detail::passes(*of.session, ticks))) {
            ftr_recorder *const rec = ftr::detail::recorder_of(*of.session);
            if (ftr_tx_begin(rec, of.id, ticks, &tx) == FTR_OK && tx.id != FTR_TX_NOT_RECORDED) {
                shared_->recorder = rec;
                put_typed(rec, tx, FTR_CLASS_BEGIN, of.begin, 0, of.begin_name, attribute);
            }
        }
        shared_->tx = tx;
        shared_->id = shared_->recorder ? tx.id : ftr::detail::next_unrecorded_id();
        call_back(lwtr::BEGIN, attribute);
    }

    /* Puts the attribute of the begin or end, by its number if the generator declares this type. */
    template <class T>
    FTR_SC_INLINE static void put_typed(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
                                        detail::declared_attribute declared, unsigned number,
                                        const std::string &name, const T &attribute)
    {
        constexpr detail::declared_attribute given = detail::declare<T>();
        if (given.is_declared && declared.is_declared && declared.type == given.type)
            detail::put_declared(rec, tx, number, attribute);
        else
            detail::put_any(rec, tx, class_, name.c_str(), attribute);
    }
    FTR_SC_INLINE static void put_typed(ftr_recorder *, ftr_tx, ftr_attribute_class,
                                        detail::declared_attribute, unsigned, const std::string &,
                                        const no_data &)
    {
    }

    template <class T> void call_back(callback_reason reason, const T &attribute) const
    {
        if (__builtin_expect(detail::any_callback<>::is_registered, 0))
            detail::callbacks_of<tx_handle_class_cb>().call(*this, reason, record(attribute));
    }

    template <class END> FTR_SC_INLINE void end_at(std::uint64_t ticks, const END &attribute)
    {
        if (!is_active())
            return;
        const std::uint64_t end = std::max(ticks, shared_->begin);
        shared_->end = end;
        if (ftr_recorder *const rec = shared_->recorder) {
            const detail::generator_state &of = *shared_->of;
            const ftr_tx tx = shared_->tx;
            put_typed(rec, tx, FTR_CLASS_END, of.end, of.end_number(), of.end_name, attribute);
            static_cast<void>(ftr_tx_end(rec, tx, end));
        }
        call_back(lwtr::END, attribute);
        shared_->is_active = false;
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
        if (!is_valid() || !shared_->recorder || !shared_->of->events ||
            !ftr::detail::passes(*shared_->of->session, ticks))
            return;
        ftr_recorder *const rec = shared_->recorder;
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
