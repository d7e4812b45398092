/** @file
 *  The state of a transaction that its handles share. Included by <lwtr/lwtr.h>. */
#ifndef FTR_COMPAT_LWTR_TRANSACTION_STATE_H
#define FTR_COMPAT_LWTR_TRANSACTION_STATE_H

#include <atomic>
#include <cstdint>
#include <string>

#include <ftr/compat/lwtr/attribute.h>
#include <ftr/detail/systemc_session.hpp>

namespace lwtr
{

class tx_fiber;
class tx_generator_base;

namespace detail
{

/** The part of a generator that its transactions need. Never freed, because handles may outlive
 *  their generator. */
struct generator_state {
    const tx_generator_base *generator;
    const tx_fiber *fiber;
    ftr::detail::session *session;
    unsigned end_place; /**< place() of the attribute that is declared for the end; 0: none */
    std::string begin_name;
    std::string end_name;
    ftr_generator id;
    ftr_generator events; /**< 0: none */
    ftr_relation parent_of;
    generator_state *next;
    /** the fields that the generator declares for the object at the begin */
    const declared_field *declared = &direct_access::none();
    field_list fields{}; /**< the memory of `declared` */
    /** false: the generator is defined with its first transaction, because only an object has the
     *  names of its fields */
    std::atomic<bool> is_defined{true};
};

/** The state that the copies of a handle share. */
struct shared_transaction {
    /** number of handles. The first member, at the address of the state, so that compilers save a
     * register */
    std::atomic<unsigned> users;
    bool is_active;
    generator_state *of;
    ftr_recorder *open_in; /**< NULL: not recorded, or ended */
    ftr_tx tx;             /**< id FTR_TX_NOT_RECORDED: not recorded */
    std::uint64_t own_id;  /**< result of get_id() if the transaction is not recorded */
    std::uint64_t begin;   /**< in ticks */
    std::uint64_t end;     /**< in ticks; until the transaction has ended, 0 */
    shared_transaction *next_free;
};

/** The list of unused states of a thread. The memory of states is never freed. Its size is limited
 * by the maximum number of transactions that had handles at the same time. */
template <class Unused = void> struct __attribute__((visibility("default"))) free_transactions {
    static thread_local shared_transaction *first;

    FTR_SC_INLINE static shared_transaction *take()
    {
        if (__builtin_expect(!first, 0))
            add_block();
        shared_transaction *const taken = first;
        first = taken->next_free;
        return taken;
    }
    FTR_SC_INLINE static void give_back(shared_transaction *unused)
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

} // namespace lwtr

#endif
