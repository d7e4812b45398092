/* The active b_transport calls, by the process that has made them. */
#ifndef FTR_ACTIVE_CALLS_HPP
#define FTR_ACTIVE_CALLS_HPP

#include <cstdint>
#include <cstring>

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

/* An active blocking call. It is not on the stack of the calling process, because the kernel may
 * delete this stack without unwinding it. */
struct tlm_call {
    /* The open transaction, in the stream N_bl, or in N_bl_timed if N_bl is not recorded. id 0:
     * none. */
    ftr_tx open;
    tlm_call *next;
    tlm_link *link;
    const void *process;
    std::uint64_t timed_begin;
    tlm_call **bucket; /* head of the list that contains this call */
    /* The generator, if ftr_observed_begin() began the call; otherwise NULL. If not NULL, the
     * request is only in the slot, and `stored` contains at most the identity. */
    const ftr_observed_generator *usual;
    ftr_slot *slot;   /* valid only if `usual` is not NULL */
    unsigned command; /* a tlm::tlm_command; 2 also for invalid commands */
    bool is_slow;     /* begin_slow() was called for this call */
    bool has_data;
    bool has_word; /* the data is one word; set only by the fast path of checked calls */
    /* words for N_bl_timed that are known already; the first one is the identity */
    std::uint64_t stored[1 + payload_words];
    /* For payload_holders. These three members are 0 for nearly all calls, and in unused
     * objects. */
    std::uint64_t doubt;         /* number of this call, if it may belong to another initiator */
    std::uint64_t watched_from;  /* `doubt` of the first doubtful call during this call; 0: none */
    std::uint64_t watched_begin; /* `timed_begin`, if `watched_from` is not 0 */

    std::uint64_t *words() { return stored + 1; }
    const std::uint64_t *words() const { return stored + 1; }

    /* Makes the call end on the slow path: sets `timed_begin` to a time that is later than every
     * effective time. */
    void watch(std::uint64_t from)
    {
        if (watched_from)
            return;
        watched_from = from;
        watched_begin = timed_begin;
        timed_begin = UINT64_MAX;
    }
    /* Undoes watch(). Returns the number that was passed to watch(), or 0. */
    std::uint64_t end_watch()
    {
        const std::uint64_t from = watched_from;
        if (from)
            timed_begin = watched_begin;
        watched_from = 0;
        return from;
    }
};

/* Returns the identity of the payload of a call on a checked link. */
inline std::uint64_t identity_of(const tlm_call &call)
{
    std::uint64_t identity = call.stored[0];
    if (call.usual && ftr_slot_holds(call.slot, call.open))
        std::memcpy(&identity, ftr_observed_words(call.slot), sizeof identity);
    return identity;
}

/* A set of active calls. */
class active_calls
{
  public:
    /* Begins a call. @p outer: the enclosing call of the same process, or NULL. */
    tlm_call *enter(const void *process, const tlm_call *&outer)
    {
        tlm_call *call = free_calls_;
        if (FTR_SC_EXPECTED(call))
            free_calls_ = call->next;
        else
            call = new tlm_call();
        tlm_call **const head =
            &buckets_[(reinterpret_cast<std::uintptr_t>(process) >> 6) & (bucket_count - 1)];
        tlm_call *const earlier = *head;
        call->bucket = head;
        call->next = earlier;
        call->process = process;
        *head = call;
        for (outer = earlier; outer && outer->process != process;)
            outer = outer->next;
        return call;
    }
    /* Ends a call. */
    void leave(tlm_call *call)
    {
        tlm_call **at = call->bucket;
        while (!FTR_SC_EXPECTED(*at == call))
            at = &(*at)->next;
        *at = call->next;
        call->next = free_calls_;
        free_calls_ = call;
    }

    /* Calls @p visit with each call. @p visit may end this call. */
    template <class Visit> void visit(Visit visit) const
    {
        for (tlm_call *call : buckets_) {
            while (call) {
                tlm_call *const next = call->next;
                visit(*call);
                call = next;
            }
        }
    }

  private:
    static constexpr std::size_t bucket_count = 1024;
    tlm_call *buckets_[bucket_count]{};
    tlm_call *free_calls_ = nullptr;
};

} // namespace detail
} // namespace ftr

#endif
