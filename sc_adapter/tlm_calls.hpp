/* State shared by all TLM links of one recorder: the texts of TLM's enumerations, the kinds of
 * relation, the active blocking calls of each process, and the hops of active payloads. */
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

/* Texts for the values First, First + 1, ... of an enumeration. */
template <int First> struct tlm_texts {
    static constexpr unsigned count = 8;
    ftr_text texts[count]; /* index: value - First; unused entries: the text for invalid values */

    ftr_text of(int value) const
    {
        const unsigned index = static_cast<unsigned>(value - First);
        return texts[index < count ? index : count - 1];
    }
};

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
    /* words for N_bl_timed that are known already; first: the identity */
    std::uint64_t stored[1 + payload_words];

    std::uint64_t *words() { return stored + 1; }
    const std::uint64_t *words() const { return stored + 1; }
};

/* The attributes of N_bl. The attributes of the request come first, so that they can be put when
 * the call begins. */
enum tlm_bl_word : unsigned {
    word_start_delay,
    word_bl_request,
    word_bl_data = word_bl_request + request_words,
    word_bl_dmi_allowed,
    word_bl_response_status,
    word_end_delay,
    bl_words
};

/* A link that a payload is passing, or has passed while calls with this payload on other links
 * continue. A transaction with id 0 does not exist. */
struct tlm_hop {
    const tlm_link *link;
    ftr_tx call; /* the transaction of N_nb with BEGIN_REQ */
    ftr_tx request;
    ftr_tx response;
    std::uint64_t begin; /* begin of the open request or response */
    /* Words for the end of an open request: word_dmi_allowed, word_response_status, and word_data
     * if the request was completed early. */
    std::uint64_t answer[3];
    bool is_request_open;
    bool is_response_open;
    bool is_done;
};

/* The hops of a payload in order. An entry is never destroyed: it is reused for another payload, so
 * a pointer to an entry stays valid, and `payload` tells whether it still is the entry of a
 * payload. */
struct tlm_payload_hops {
    const void *payload; /* NULL: the entry is unused */
    std::vector<tlm_hop> hops;
};

/* State shared by the links of one recorder. Never destroyed: calls may last until the process
 * ends. */
class tlm_calls
{
  public:
    /* Returns the state that the links of a session share. The first call creates it. */
    static tlm_calls &of(session &shared);

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

    /* Returns true if a b_transport call on @p link with a payload of this identity is active. */
    bool has_call(const tlm_link &link, std::uint64_t identity) const;

    /* Returns the hops of a payload, or NULL. @p known: the entry of the payload at an earlier
     * time; NULL: unknown */
    tlm_payload_hops *find_hops(const void *payload, tlm_payload_hops *known)
    {
        if (known && FTR_SC_EXPECTED(known->payload == payload))
            return known;
        const auto found = payloads_.find(payload);
        return FTR_SC_EXPECTED(found != payloads_.end()) ? &found->second : nullptr;
    }
    /* Same as find_hops(), but adds an entry if there is none. */
    tlm_payload_hops &hops(const void *payload, tlm_payload_hops *known)
    {
        tlm_payload_hops *const found = find_hops(payload, known);
        return FTR_SC_EXPECTED(found) ? *found : add_payload(payload);
    }
    /* Returns the unfinished hop on @p link, or NULL. @p hops: may be NULL */
    static tlm_hop *hop(tlm_payload_hops *hops, const tlm_link *link)
    {
        if (!hops)
            return nullptr;
        for (tlm_hop &hop : hops->hops) {
            if (hop.link == link && !hop.is_done)
                return &hop;
        }
        return nullptr;
    }
    /* Marks a hop as done. If all hops of the payload are done, their memory is reused. */
    void finish(tlm_payload_hops &of, tlm_hop &done);

    ftr_text text(const char *name);
    ftr_text text_of(const tlm_phase_view &phase)
    {
        return FTR_SC_EXPECTED(phase.step != tlm_step::other)
                   ? phases.of(static_cast<int>(phase.step))
                   : text(phase.name);
    }

    /* Ends all open transactions of @p link as unfinished. NULL: of all links. */
    void give_up(const tlm_link *link);

    session &shared;
    void (*abandon)(tlm_call &) = nullptr; /* ends a call as unfinished; set by the first link */
    tlm_texts<tlm::TLM_READ_COMMAND> commands;
    tlm_texts<tlm::TLM_MIN_PAYLOAD> options;
    tlm_texts<tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE> responses;
    tlm_texts<tlm::TLM_ACCEPTED> syncs;
    tlm_texts<static_cast<int>(tlm_step::begin_request)> phases; /* index: tlm_step */
    tlm_texts<tlm::tlm_dmi::DMI_ACCESS_NONE> accesses;
    ftr_relation parent_child = 0;
    ftr_relation predecessor_successor = 0;

  private:
    explicit tlm_calls(session &of);
    template <int First>
    void define(tlm_texts<First> &texts, std::initializer_list<const char *> names);

    using payload_map = std::unordered_map<const void *, tlm_payload_hops>;

    FTR_SC_COLD tlm_payload_hops &add_payload(const void *payload);

    static constexpr std::size_t bucket_count = 1024;
    tlm_call *buckets_[bucket_count]{};
    tlm_call *free_calls_ = nullptr;
    payload_map payloads_;
    /* unused entries, which keep their memory */
    std::vector<payload_map::node_type> free_payloads_;
    std::unordered_map<std::string, ftr_text> texts_;
};

/* Returns the running process, or NULL. */
inline const void *running_process()
{
    sc_core::sc_simcontext *context = sc_core::sc_curr_simcontext;
    return context ? context->get_curr_proc_info()->process_handle : nullptr;
}

} // namespace detail
} // namespace ftr

#endif
