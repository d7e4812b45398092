/* The state that the TLM links of one recorder share. Tracks the nesting of calls, and the links
 * that a payload passes; the links record the transactions. */
#include "tlm_calls.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace ftr
{
namespace detail
{

namespace
{

/* The calls of each session. Never destroyed: links may be used until the process ends. */
std::map<session *, tlm_calls *> &all_calls()
{
    static auto *const all = new std::map<session *, tlm_calls *>;
    return *all;
}

void give_all_up()
{
    for (const auto &calls : all_calls())
        calls.second->give_up(nullptr);
}

} // namespace

tlm_calls &tlm_calls::of(session &shared)
{
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    if (all_calls().empty())
        std::atexit(give_all_up); // registered last, so that it runs before the handler that
                                  // closes the recorder
    tlm_calls *&found = all_calls()[&shared];
    if (!found)
        found = new tlm_calls(shared);
    return *found;
}

tlm_calls::tlm_calls(session &of) : shared(of)
{
    define(commands,
           {"tlm::TLM_READ_COMMAND", "tlm::TLM_WRITE_COMMAND", "tlm::TLM_IGNORE_COMMAND"});
    define(options,
           {"tlm::TLM_MIN_PAYLOAD", "tlm::TLM_FULL_PAYLOAD", "tlm::TLM_FULL_PAYLOAD_ACCEPTED"});
    define(responses, {"tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE", "tlm::TLM_BURST_ERROR_RESPONSE",
                       "tlm::TLM_COMMAND_ERROR_RESPONSE", "tlm::TLM_ADDRESS_ERROR_RESPONSE",
                       "tlm::TLM_GENERIC_ERROR_RESPONSE", "tlm::TLM_INCOMPLETE_RESPONSE",
                       "tlm::TLM_OK_RESPONSE"});
    define(syncs, {"tlm::TLM_ACCEPTED", "tlm::TLM_UPDATED", "tlm::TLM_COMPLETED"});
    define(phases, {"BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP"});
    define(accesses, {"tlm::DMI_ACCESS_NONE", "tlm::DMI_ACCESS_READ", "tlm::DMI_ACCESS_WRITE",
                      "tlm::DMI_ACCESS_READ_WRITE"});
    if (!shared.recorder)
        return;
    if (ftr_relation_define(shared.recorder, "PARENT_CHILD", &parent_child) != FTR_OK ||
        ftr_relation_define(shared.recorder, "PREDECESSOR_SUCCESSOR", &predecessor_successor) !=
            FTR_OK)
        report_failure("relation", "PARENT_CHILD", FTR_ERR_MEMORY);
}

template <int First>
void tlm_calls::define(tlm_texts<First> &texts, std::initializer_list<const char *> names)
{
    for (ftr_text &none : texts.texts)
        none = text("(unknown value)");
    std::transform(names.begin(), names.end(), texts.texts,
                   [this](const char *name) { return text(name); });
}

ftr_text tlm_calls::text(const char *name)
{
    ftr_text &defined = texts_[name];
    if (!defined && shared.recorder &&
        ftr_text_define(shared.recorder, name, FTR_NUL_TERMINATED, &defined) != FTR_OK)
        report_failure("text", name, FTR_ERR_MEMORY);
    return defined;
}

/* ---- blocking calls -----------------------------------------------------------------------------
 */

void tlm_calls::give_up(const tlm_link *link)
{
    for (tlm_call *&head : buckets_) {
        for (tlm_call *call = head; call;) {
            tlm_call *const next = call->next;
            if (!link || call->link == link) {
                abandon(*call);
                leave(call);
            }
            call = next;
        }
    }
}

namespace
{

/* Returns the identity of the payload of a checked call. */
std::uint64_t identity_of(const tlm_call &call)
{
    std::uint64_t identity = call.stored[0];
    if (call.usual && ftr_slot_holds(call.slot, call.open))
        std::memcpy(&identity, ftr_observed_words(call.slot), sizeof identity);
    return identity;
}

} // namespace

bool tlm_calls::has_call(const tlm_link &link, std::uint64_t identity) const
{
    for (const tlm_call *call : buckets_) {
        for (; call; call = call->next) {
            if (call->link == &link && identity_of(*call) == identity)
                return true;
        }
    }
    return false;
}

/* ---- payloads -----------------------------------------------------------------------------------
 */

void tlm_calls::finish(tlm_payload_hops &of, tlm_hop &done)
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

tlm_payload_hops &tlm_calls::add_payload(const void *payload)
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
