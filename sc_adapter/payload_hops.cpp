/* Keeps the hops of active payloads. */
#include "payload_hops.hpp"

#include <utility>

namespace ftr
{
namespace detail
{

void payload_hops::finish(tlm_payload_hops &of, tlm_hop &done)
{
    done.is_done = true;
    for (const tlm_hop &hop : of.hops) {
        if (!hop.is_done)
            return;
    }
    of.hops.clear();
    /* Pools reuse the same payloads, so the entries of up to 4096 payloads stay in the map. Further
     * entries are reused. */
    if (payloads_.size() > 4096) {
        free_payloads_.push_back(payloads_.extract(of.payload));
        of.payload = nullptr;
    }
}

tlm_payload_hops &payload_hops::add(const void *payload)
{
    if (free_payloads_.empty())
        return payloads_.try_emplace(payload, tlm_payload_hops{payload, {}}).first->second;
    payload_map::node_type reused = std::move(free_payloads_.back());
    free_payloads_.pop_back();
    reused.key() = payload;
    reused.mapped().payload = payload;
    return payloads_.insert(std::move(reused)).position->second;
}

} // namespace detail
} // namespace ftr
