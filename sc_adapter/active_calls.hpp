/* Two indices of the open accesses: b_transport calls are found by their process, and all accesses
 * by their payload. */
#ifndef FTR_ACTIVE_CALLS_HPP
#define FTR_ACTIVE_CALLS_HPP

#include <cstdint>
#include <memory>

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

/* The use of a payload on a link that has not ended. It is not on the stack of a process, because
 * the kernel may delete this stack without unwinding it. */
struct open_access {
    /* The open transaction. In the form tlm_form::calls: in the stream N_bl, or in N_bl_timed if
     * N_bl is not recorded. id 0: none. */
    ftr_tx open;
    const void *payload;
    open_access *below; /* the next access in the same list of open_payloads */
    tlm_link *link;
    std::uint64_t begin; /* ticks, with the delay of the call */
    /* The prepared generator, if ftr_observed_begin() began the transaction, so that `open` is in a
     * slot of the link's recorder; otherwise NULL. */
    const ftr_observed_generator *usual;
    bool is_phased; /* a phased_access; otherwise a tlm_call */
};

/* An active b_transport call. */
struct tlm_call : open_access {
    tlm_call *next;
    const void *process;
    tlm_call **bucket; /* head of the list that contains this call */
    /* A call that is nested in a call of the same process with the same payload is not in a list of
     * open_payloads, but its outermost call is. */
    tlm_call *outer;     /* the call in which this call is nested; not valid if it is outermost */
    tlm_call *outermost; /* the call itself, if it is in a list */
    tlm_call *innermost; /* of an outermost call: the latest call that is nested in it, or itself */
    ftr_slot *slot;      /* valid only if `usual` is not NULL */
    std::uint64_t address;  /* of the payload when the call began */
    unsigned command;       /* a tlm::tlm_command; 2 also for invalid commands */
    unsigned data_size;     /* recorded bytes of the data of a write */
    bool has_word;          /* the data is one word; set only by the fast path of checked calls */
    std::uint64_t identity; /* of the payload, on a checked link */
    std::uint64_t words[most_call_words]; /* for the form tlm_form::calls */
    /* For payload_holders. These three members are 0 for nearly all calls, and in unused
     * objects. */
    std::uint64_t doubt; /* number of this call, if it may belong to another initiator */
    /* If, during this call, a call with the same payload began that may belong to another
     * initiator: `doubt` of the first such call; otherwise 0. */
    std::uint64_t watched_from;
    std::uint64_t watched_begin; /* `begin`, if `watched_from` is not 0 */

    /* Makes the call end on the slow path: sets `begin` to a time that is later than every
     * effective time. */
    void watch(std::uint64_t from)
    {
        if (watched_from)
            return;
        watched_from = from;
        watched_begin = begin;
        begin = UINT64_MAX;
    }
    /* Undoes watch(). Returns the number that was passed to watch(), or 0. */
    std::uint64_t end_watch()
    {
        const std::uint64_t from = watched_from;
        if (from)
            begin = watched_begin;
        watched_from = 0;
        return from;
    }
};

/* A set of active calls. */
class active_calls
{
  public:
    /* Begins a call. */
    tlm_call *enter(const void *process)
    {
        tlm_call *call = free_calls_;
        if (FTR_SC_EXPECTED(call))
            free_calls_ = call->next;
        else
            call = new tlm_call();
        tlm_call **const head = &list_of(process);
        call->bucket = head;
        call->next = *head;
        call->process = process;
        *head = call;
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

    /* Return the innermost call of a process, and the one that encloses a call; NULL: none. */
    tlm_call *innermost(const void *process) { return first_of(list_of(process), process); }
    static tlm_call *enclosing(const tlm_call &call) { return first_of(call.next, call.process); }

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
    tlm_call *&list_of(const void *process)
    {
        return buckets_[(reinterpret_cast<std::uintptr_t>(process) >> 6) & (bucket_count - 1)];
    }
    static tlm_call *first_of(tlm_call *call, const void *process)
    {
        while (call && call->process != process)
            call = call->next;
        return call;
    }

    static constexpr std::size_t bucket_count = 1024;
    tlm_call *buckets_[bucket_count]{};
    tlm_call *free_calls_ = nullptr;
};

/* The open accesses by their payload. Each list has the latest access first. */
class open_payloads
{
  public:
    /* Returns the list that contains the accesses with @p payload, and others. */
    open_access *list_of(const void *payload) const { return lists_[index_of(payload)]; }

    /* Adds an access. Returns the list as it was before. */
    open_access *add(open_access &access)
    {
        open_access **const list = &lists_[index_of(access.payload)];
        access.below = *list;
        *list = &access;
        if (__builtin_expect(++count_ > mask_, 0))
            grow();
        return access.below;
    }
    void remove(const open_access &access)
    {
        open_access **at = &lists_[index_of(access.payload)];
        while (!FTR_SC_EXPECTED(*at == &access))
            at = &(*at)->below;
        *at = access.below;
        --count_;
    }
    /* Searches @p list for the latest access with @p payload whose link is not @p link. NULL: there
     * is none. */
    static open_access *on_other_link(open_access *list, const void *payload, const tlm_link *link)
    {
        for (; list; list = list->below) {
            if (list->payload != payload)
                continue;
            if (list->is_phased && list->link != link)
                return list;
            if (open_access *const call =
                    list->is_phased ? nullptr : nested_on_other_link(*list, link))
                return call;
        }
        return nullptr;
    }
    /* Calls @p visit with each access. @p visit may remove this access. */
    template <class Visit> void visit(Visit visit) const
    {
        for (std::size_t i = 0; i <= mask_; ++i) {
            for (open_access *access = lists_[i]; access;) {
                open_access *const below = access->below;
                visit(*access);
                access = below;
            }
        }
    }

  private:
    /* Goes from the innermost nested call outwards to @p outermost, and returns the first call
     * whose link is not @p link. NULL: there is none. */
    static tlm_call *nested_on_other_link(open_access &outermost, const tlm_link *link)
    {
        for (tlm_call *call = static_cast<tlm_call &>(outermost).innermost;; call = call->outer) {
            if (call->link != link)
                return call;
            if (call == &outermost)
                return nullptr;
        }
    }
    std::size_t index_of(const void *payload) const
    {
        return (reinterpret_cast<std::uintptr_t>(payload) >> 6) & mask_;
    }
    /* Distributes the accesses among four times as many lists, in the same order. */
    FTR_SC_COLD void grow()
    {
        const open_payloads old = {std::move(lists_), mask_, count_};
        mask_ = mask_ * 4 + 3;
        lists_ = std::make_unique<open_access *[]>(mask_ + 1);
        old.visit([this](open_access &access) {
            open_access **at = &lists_[index_of(access.payload)];
            while (*at)
                at = &(*at)->below;
            *at = &access;
            access.below = nullptr;
        });
    }

    open_payloads(std::unique_ptr<open_access *[]> lists, std::size_t mask, std::size_t count)
        : lists_(std::move(lists)), mask_(mask), count_(count)
    {
    }

    static constexpr std::size_t first_lists = 1024;
    std::unique_ptr<open_access *[]> lists_ = std::make_unique<open_access *[]>(first_lists);
    std::size_t mask_ = first_lists - 1;
    std::size_t count_ = 0;

  public:
    open_payloads() = default;
};

} // namespace detail
} // namespace ftr

#endif
