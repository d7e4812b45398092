/* The state that the TLM links of one recorder share. Tracks the nesting of calls, and the accesses
 * of a payload; the links record the transactions. */
#include "tlm_calls.hpp"

#include <cstdlib>
#include <map>
#include <mutex>

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
    define(names.commands, short_names.commands);
    define(names.options, short_names.options);
    define(names.responses, short_names.responses);
    define(names.syncs, short_names.syncs);
    define(names.phases, short_names.phases);
    define(names.dmi_accesses, short_names.dmi_accesses);
    if (!shared.recorder)
        return;
    const auto relate = [this](const char *name, ftr_relation &defined) {
        if (ftr_relation_define(shared.recorder, name, &defined) != FTR_OK)
            report_failure("relation", name, FTR_ERR_MEMORY);
    };
    relate("PARENT_CHILD", parent_child);
    relate("PREDECESSOR_SUCCESSOR", predecessor_successor);
}

static_assert(static_cast<int>(tlm_step::begin_request) == tlm::BEGIN_REQ &&
                  static_cast<int>(tlm_step::end_response) == tlm::END_RESP,
              "phases are looked up by tlm_step");

template <class Enum> void tlm_calls::define(tlm_texts<Enum> &texts, tlm_texts<Enum> &short_texts)
{
    int value = tlm_names<Enum>::first;
    for (unsigned i = 0; i < tlm_texts<Enum>::count; ++i, ++value) {
        const char *const name = tlm_name<Enum>(value, "(unknown value)");
        texts.texts[i] = text(name);
        short_texts.texts[i] = text(short_name(name));
    }
}

ftr_text tlm_calls::text(const std::string &name)
{
    ftr_text &defined = texts_[name];
    if (!defined && shared.recorder &&
        ftr_text_define(shared.recorder, name.c_str(), name.size(), &defined) != FTR_OK)
        report_failure("text", name.c_str(), FTR_ERR_MEMORY);
    return defined;
}

void tlm_calls::give_up(const tlm_link *link)
{
    visit([this, link](tlm_call &call) {
        if (link && call.link != link)
            return;
        abandon(call);
        call.doubt = 0;
        remove(call);
    });
    payloads.visit([this, link](open_access &access) {
        if (access.is_phased && (!link || access.link == link))
            give_up_phased(static_cast<phased_access &>(access));
    });
}

void tlm_calls::visit_all(const std::function<void(tlm_call &)> &visit)
{
    for (const auto &calls : all_calls())
        calls.second->visit(visit);
}

} // namespace detail
} // namespace ftr
