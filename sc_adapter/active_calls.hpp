/* Two indices of the open accesses: b_transport calls are found by their process, and all accesses
 * by their payload. */
#ifndef FTR_ACTIVE_CALLS_HPP
#define FTR_ACTIVE_CALLS_HPP

#include <algorithm>
#include <cstdint>
#include <iterator>
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
    /* The prepared generator, and the slot of the transaction, if ftr_observed_begin() began it;
     * otherwise `slot` is NULL. */
    const ftr_observed_generator *usual;
    ftr_slot *slot;
    bool is_phased; /* a phased_access; otherwise a tlm_call */
};

struct process_calls;

/* An active b_transport call. */
struct tlm_call : open_access {
    /* The next outer call and the next inner call of the process. The outermost call has
     * process_calls::bottom outside; inside the innermost one are unused objects. */
    tlm_call *outer;
    tlm_call *inner;
    process_calls *calls;
    bool is_listed;        /* is in a list of open_payloads */
    std::uint64_t address; /* of the payload when the call began */
    /* a tlm::tlm_command; 2 also for invalid commands. Not valid if `slot` is not NULL: `usual`
     * then shows the command */
    unsigned command;
    unsigned data_size;                   /* recorded bytes of the data of a write */
    payload_life *life;                   /* of the payload, on a checked link */
    std::uint64_t identity;               /* of `*life` when the call began */
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

/* The active calls of a process: a list from the outermost call to `innermost`. A call ends after
 * the calls inside it. */
struct process_calls {
    const void *process;
    tlm_call *innermost; /* `bottom`: none */
    process_calls *next; /* with the same hash of the process */
    tlm_call bottom;     /* is no call: its payload, its link and its next outer call are NULL */
};

inline const void *process_of(const tlm_call &call)
{
    return call.calls->process;
}

/* A set of active calls. */
class active_calls
{
  public:
    /* Begins a call. */
    tlm_call &enter(const void *process)
    {
        process_calls *calls = buckets_[index_of(process)];
        if (!FTR_SC_EXPECTED(calls->process == process))
            calls = &search(process);
        tlm_call *call = calls->innermost->inner;
        if (!FTR_SC_EXPECTED(call))
            call = &add(*calls);
        calls->innermost = call;
        return *call;
    }
    /* Returns the object that enter() would return, without beginning a call. NULL: enter() must
     * find or allocate it. commit() begins the call. */
    tlm_call *peek(const void *process) const
    {
        const process_calls *const calls = buckets_[index_of(process)];
        return FTR_SC_EXPECTED(calls->process == process) ? calls->innermost->inner : nullptr;
    }
    static void commit(tlm_call &call) { call.calls->innermost = &call; }
    /* Ends the innermost call of a process. */
    void leave(tlm_call &call) { call.calls->innermost = call.outer; }
    /* Ends any call. */
    FTR_SC_COLD void remove(tlm_call &call)
    {
        tlm_call *&innermost = call.calls->innermost;
        call.outer->inner = call.inner;
        if (call.inner)
            call.inner->outer = call.outer;
        if (innermost == &call)
            innermost = call.outer;
        /* The object becomes the first unused one. */
        call.outer = innermost;
        call.inner = innermost->inner;
        if (call.inner)
            call.inner->outer = &call;
        innermost->inner = &call;
    }

    /* Return the innermost call of a process, and the one that encloses a call; NULL: none. */
    tlm_call *innermost(const void *process)
    {
        const process_calls *calls = buckets_[index_of(process)];
        while (calls && calls->process != process)
            calls = calls->next;
        return calls ? real(calls->innermost) : nullptr;
    }
    static tlm_call *enclosing(const tlm_call &call) { return real(call.outer); }

    /* Calls @p visit with each call, the inner ones of a process first. @p visit may end this
     * call. */
    template <class Visit> void visit(Visit visit) const
    {
        for (process_calls *calls : buckets_) {
            for (; calls; calls = calls->next) {
                for (tlm_call *call = calls->innermost; call->outer;) {
                    tlm_call *const outer = call->outer;
                    visit(*call);
                    call = outer;
                }
            }
        }
    }

  private:
    static std::size_t index_of(const void *process)
    {
        return (reinterpret_cast<std::uintptr_t>(process) >> 6) & (bucket_count - 1);
    }
    static tlm_call *real(tlm_call *call) { return call->outer ? call : nullptr; }

    /* Returns the calls of a process that is not the first one with its hash. Reuses the object of
     * a process without calls: processes can be many, but few make calls at the same time. */
    FTR_SC_COLD process_calls &search(const void *process)
    {
        process_calls *unused = nullptr;
        process_calls **const first = &buckets_[index_of(process)];
        for (process_calls *calls = *first; calls != &none_; calls = calls->next) {
            if (calls->process == process)
                return *calls;
            if (calls->innermost == &calls->bottom)
                unused = calls;
        }
        if (!unused) {
            unused = new process_calls();
            unused->innermost = &unused->bottom;
            unused->next = *first;
            *first = unused;
        }
        unused->process = process;
        return *unused;
    }
    /* Makes an object for a call inside the innermost one. */
    FTR_SC_COLD static tlm_call &add(process_calls &calls)
    {
        auto *const made = new tlm_call();
        made->calls = &calls;
        made->outer = calls.innermost;
        calls.innermost->inner = made;
        return *made;
    }

    static constexpr std::size_t bucket_count = 1024;
    process_calls *buckets_[bucket_count];
    process_calls none_{}; /* the end of each list: an object of no process */

  public:
    active_calls()
    {
        none_.process = this;
        none_.innermost = &none_.bottom;
        std::fill(std::begin(buckets_), std::end(buckets_), &none_);
    }
    active_calls(const active_calls &) = delete;
    active_calls &operator=(const active_calls &) = delete;
};

/* The open accesses by their payload. Each list has the latest access first. */
class open_payloads
{
  public:
    /* Returns whether add() will allocate memory. */
    bool is_full() const { return count_ > mask_; }
    /* Returns the list that contains the accesses with @p payload, and others. */
    open_access *list_of(const void *payload) const { return lists_[index_of(payload)]; }

    /* Adds an access. Returns the list as it was before. */
    open_access *add(open_access &access)
    {
        if (!FTR_SC_EXPECTED(!is_full()))
            grow();
        open_access **const list = &lists_[index_of(access.payload)];
        access.below = *list;
        *list = &access;
        ++count_;
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
                    list->is_phased ? nullptr : within_on_other_link(*list, link))
                return call;
        }
        return nullptr;
    }
    /* Returns whether a b_transport call in @p list has the payload of @p access. */
    static bool has_blocking(const open_access *list, const open_access &access)
    {
        while (list && (list->is_phased || list->payload != access.payload))
            list = list->below;
        return list != nullptr;
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
    /* Returns the innermost call with the payload of the call @p listed, inside this call or
     * itself, that is on another link than @p link. NULL: there is none. */
    static tlm_call *within_on_other_link(open_access &listed, const tlm_link *link)
    {
        const auto &outermost = static_cast<tlm_call &>(listed);
        for (tlm_call *call = outermost.calls->innermost;; call = call->outer) {
            if (call->payload == outermost.payload && call->link != link)
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
