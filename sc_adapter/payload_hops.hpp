/* The hops of active payloads, for the form tlm_form::calls. */
#ifndef FTR_PAYLOAD_HOPS_HPP
#define FTR_PAYLOAD_HOPS_HPP

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

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

class payload_hops
{
  public:
    /* Returns the hops of a payload, or NULL. @p known: the entry of the payload at an earlier
     * time; NULL: unknown */
    tlm_payload_hops *find(const void *payload, tlm_payload_hops *known)
    {
        if (known && known->payload == payload)
            return known;
        const auto found = payloads_.find(payload);
        return found != payloads_.end() ? &found->second : nullptr;
    }
    /* Same as find(), but adds an entry if there is none. */
    tlm_payload_hops &of(const void *payload, tlm_payload_hops *known)
    {
        tlm_payload_hops *const found = find(payload, known);
        return found ? *found : add(payload);
    }
    /* Returns the unfinished hop on @p link, or NULL. @p hops: may be NULL */
    static tlm_hop *on_link(tlm_payload_hops *hops, const tlm_link *link)
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

  private:
    using payload_map = std::unordered_map<const void *, tlm_payload_hops>;

    tlm_payload_hops &add(const void *payload);

    payload_map payloads_;
    /* unused entries, which keep their memory */
    std::vector<payload_map::node_type> free_payloads_;
};

} // namespace detail
} // namespace ftr

#endif
