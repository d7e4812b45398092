/* The state that the TLM links of one recorder share. Tracks the nesting of calls, and the links
 * that a payload passes; the links record the transactions. */
#include "tlm_calls.hpp"

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
    define(commands);
    define(options);
    define(responses);
    define(syncs);
    define(phases);
    define(accesses);
    if (!shared.recorder)
        return;
    if (ftr_relation_define(shared.recorder, "PARENT_CHILD", &parent_child) != FTR_OK ||
        ftr_relation_define(shared.recorder, "PREDECESSOR_SUCCESSOR", &predecessor_successor) !=
            FTR_OK)
        report_failure("relation", "PARENT_CHILD", FTR_ERR_MEMORY);
}

static_assert(static_cast<int>(tlm_step::begin_request) == tlm::BEGIN_REQ &&
                  static_cast<int>(tlm_step::end_response) == tlm::END_RESP,
              "phases are looked up by tlm_step");

template <class Enum> void tlm_calls::define(tlm_texts<Enum> &texts)
{
    int value = tlm_names<Enum>::first;
    for (ftr_text &each : texts.texts)
        each = text(tlm_name<Enum>(value++, "(unknown value)"));
}

ftr_text tlm_calls::text(const char *name)
{
    ftr_text &defined = texts_[name];
    if (!defined && shared.recorder &&
        ftr_text_define(shared.recorder, name, FTR_NUL_TERMINATED, &defined) != FTR_OK)
        report_failure("text", name, FTR_ERR_MEMORY);
    return defined;
}

/* ---- blocking calls -------------------------------------------------------------------------- */

void tlm_calls::give_up(const tlm_link *link)
{
    visit([this, link](tlm_call &call) {
        if (link && call.link != link)
            return;
        abandon(call);
        call.doubt = 0;
        leave(&call);
    });
}

void tlm_calls::visit_all(const std::function<void(tlm_call &)> &visit)
{
    for (const auto &calls : all_calls())
        calls.second->visit(visit);
}

/* ---- payloads -------------------------------------------------------------------------------- */

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
