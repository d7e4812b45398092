/* State shared by all TLM links of one recorder: the texts of TLM's enumerations, the kinds of
 * relation, the active blocking calls of each process, and the hops of active payloads. */
#ifndef FTR_TLM_CALLS_HPP
#define FTR_TLM_CALLS_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <ftr/tlm_link.hpp>

#include "active_calls.hpp"
#include "tlm_names.hpp"

namespace ftr
{
namespace detail
{

/* Texts for the values of an enumeration. */
template <class Enum> struct tlm_texts {
    static constexpr unsigned count = 8;
    ftr_text texts[count]; /* in the order of tlm_names; unused: the text for invalid values */

    ftr_text of(int value) const
    {
        const auto index = static_cast<unsigned>(value - tlm_names<Enum>::first);
        return texts[index < count ? index : count - 1];
    }
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
 * a pointer to an entry stays valid, and `payload` shows to which payload the entry belongs now. */
struct tlm_payload_hops {
    const void *payload; /* NULL: the entry is unused */
    std::vector<tlm_hop> hops;
};

/* State shared by the links of one recorder. Never destroyed: calls may last until the process
 * ends. */
class tlm_calls : public active_calls
{
  public:
    /* Returns the state that the links of a session share. The first call creates it. */
    static tlm_calls &of(session &shared);

    /* Calls @p visit with each call that the links of any session record. */
    static void visit_all(const std::function<void(tlm_call &)> &visit);

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
    tlm_texts<tlm::tlm_command> commands;
    tlm_texts<tlm::tlm_gp_option> options;
    tlm_texts<tlm::tlm_response_status> responses;
    tlm_texts<tlm::tlm_sync_enum> syncs;
    tlm_texts<tlm::tlm_phase_enum> phases; /* tlm_step has the same numbers */
    tlm_texts<tlm::tlm_dmi::dmi_access_e> accesses;
    ftr_relation parent_child = 0;
    ftr_relation predecessor_successor = 0;

  private:
    explicit tlm_calls(session &of);
    template <class Enum> void define(tlm_texts<Enum> &texts);

    using payload_map = std::unordered_map<const void *, tlm_payload_hops>;

    FTR_SC_COLD tlm_payload_hops &add_payload(const void *payload);

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
