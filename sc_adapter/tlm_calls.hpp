/* What all TLM links of one recorder share: the texts of TLM's enumerations, the kinds of relation,
 * the blocking calls that are going on in each process, and the hops of payloads that are under
 * way.
 */
#ifndef FTR_TLM_CALLS_HPP
#define FTR_TLM_CALLS_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

/* Texts by value, for an enumeration whose values are first, first + 1, ... */
struct tlm_texts {
    static constexpr unsigned count = 8;
    int first;
    ftr_text texts[count]; /* what is left of them: of a value that is none */

    ftr_text of(int value) const
    {
        const unsigned index = static_cast<unsigned>(value - first);
        return texts[index < count ? index : count - 1];
    }
};

/* A blocking call that is going on. It is not on the stack of the process that makes it, because
 * that may vanish without unwinding. */
struct tlm_call {
    tlm_call *next;
    tlm_link *link;
    const void *process;
    tlm_call **bucket; /* where it is found */
    ftr_tx
        open; /* begun: the call in N_bl, or, where that is left out, in N_bl_timed; id 0: none */
    std::uint64_t timed_begin;
    unsigned command; /* a tlm::tlm_command */
    bool is_odd;      /* holds more than words */
    bool has_data;
    std::uint64_t words[payload_words]; /* for N_bl_timed, as far as known */
};

/* The attributes of N_bl: a request's come first, so that they can be put when the call begins. */
enum tlm_bl_word : unsigned {
    word_start_delay,
    word_bl_request,
    word_bl_data = word_bl_request + request_words,
    word_bl_dmi_allowed,
    word_bl_response_status,
    word_end_delay,
    bl_words
};

/* One link that a payload is passing or, while others still do, has passed. Ids are 0 where there
 * is no transaction. */
struct tlm_hop {
    const tlm_link *link;
    ftr_tx call; /* the one of N_nb with BEGIN_REQ */
    ftr_tx request;
    ftr_tx response;
    std::uint64_t begin; /* of the request or response that is open */
    bool is_request_open;
    bool is_response_open;
    bool is_done;
};

/* The state shared by the links of one recorder. Never destroyed: calls may outlive everything. */
class tlm_calls
{
  public:
    /* The one of this session. */
    static tlm_calls &of(session &shared);

    /* A call begins. @p outer: the one of the same process that it lies in, or NULL. */
    tlm_call *enter(const void *process, const tlm_call *&outer)
    {
        tlm_call *call = free_calls_;
        if (FTR_SC_EXPECTED(call))
            free_calls_ = call->next;
        else
            call = new tlm_call;
        tlm_call **const head =
            &buckets_[(reinterpret_cast<std::uintptr_t>(process) >> 6) & (bucket_count - 1)];
        call->bucket = head;
        call->next = *head;
        call->process = process;
        *head = call;
        for (outer = call->next; outer && outer->process != process;)
            outer = outer->next;
        return call;
    }
    /* It has ended. */
    void leave(tlm_call *call)
    {
        tlm_call **at = call->bucket;
        while (*at != call)
            at = &(*at)->next;
        *at = call->next;
        call->next = free_calls_;
        free_calls_ = call;
    }

    /* The hops of a payload, in the order they began. */
    std::vector<tlm_hop> &hops(const void *payload) { return payloads_[payload]; }
    /* The hop of @p link that is not done, or NULL. */
    tlm_hop *hop(const void *payload, const tlm_link *link);
    /* A hop is done; when all of its payload are, they are forgotten. */
    void finish(const void *payload, tlm_hop &done);

    ftr_text text(const char *name);

    /* Ends what is still going on as unfinished: on one link, or on all (NULL). */
    void give_up(const tlm_link *link);

    session &shared;
    tlm_texts commands;
    tlm_texts options;
    tlm_texts responses;
    tlm_texts syncs;
    tlm_texts accesses;
    ftr_relation parent_child = 0;
    ftr_relation predecessor_successor = 0;

  private:
    explicit tlm_calls(session &of);
    tlm_texts define(int first, std::initializer_list<const char *> names);

    static constexpr std::size_t bucket_count = 1024;
    tlm_call *buckets_[bucket_count]{};
    tlm_call *free_calls_ = nullptr;
    std::unordered_map<const void *, std::vector<tlm_hop>> payloads_;
    std::unordered_map<std::string, ftr_text> texts_;
};

/* The process that runs, or NULL. */
inline const void *running_process()
{
    sc_core::sc_simcontext *context = sc_core::sc_curr_simcontext;
    return context ? context->get_curr_proc_info()->process_handle : nullptr;
}

} // namespace detail
} // namespace ftr

#endif
