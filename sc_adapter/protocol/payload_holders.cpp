/* Decides whether a call passes a payload on. The decision depends on the modules that own the
 * sockets of all active calls with the payload. */
#include "payload_holders.hpp"

#include <algorithm>
#include <utility>

#include "reported_link.hpp"
#include "tlm_calls.hpp"

namespace ftr
{
namespace detail
{

namespace
{

/* Returns the name of the module that has a socket. Empty: unknown */
std::string module_of(const std::string &socket)
{
    const std::size_t dot = socket.rfind('.');
    return dot == std::string::npos ? "" : socket.substr(0, dot);
}

bool is_within(const std::string &module, const std::string &outer)
{
    return module.size() >= outer.size() && module.compare(0, outer.size(), outer) == 0 &&
           (module.size() == outer.size() || module[outer.size()] == '.');
}

std::string process_name(const tlm_call &call)
{
    const auto *const process = static_cast<const sc_core::sc_process_b *>(process_of(call));
    return process ? std::string("process ") + process->name() : "no process";
}

} // namespace

std::uint64_t payload_holders::doubts_ = 0;

active_calls &payload_holders::unrecorded()
{
    static active_calls &only = *new active_calls; // never destroyed: calls may last as long as
                                                   // the process
    return only;
}

template <class Visit> void payload_holders::visit_checked(Visit visit)
{
    const auto visit_call = [&visit](tlm_call &call) {
        if (call.link->check_)
            visit(holder{&call, call.link->check_});
    };
    tlm_calls::visit_all(visit_call);
    unrecorded().visit(visit_call);
}

bool payload_holders::has_call(const link_check &link, std::uint64_t identity)
{
    bool found = false;
    visit_checked(
        [&](const holder &of) { found |= of.link == &link && of.call->identity == identity; });
    return found;
}

std::vector<payload_holders::holder> payload_holders::holders_of(const payload_life &life,
                                                                 const tlm_call *except)
{
    std::vector<holder> found;
    visit_checked([&](const holder &of) {
        if (of.call != except && of.call->identity == life.identity)
            found.push_back(of);
    });
    return found;
}

/* Judges a call on @p link. A module *receives* a payload by a call to its target socket, and
 * *sends* it by a call from its initiator socket; only active calls count. An interconnect has
 * received a payload before it sends the payload. The first initiator has sent the payload once
 * more often than it has received it. @p is_nested: the process has another call with the payload.
 * @p other [out]: the call that @p link does not pass on */
payload_holders::relation payload_holders::judge(const link_check &link,
                                                 const std::vector<holder> &holders, bool is_nested,
                                                 const holder *&other)
{
    const std::string sender = module_of(link.name);
    const std::string receiver = module_of(link.target);
    if (sender.empty() || receiver.empty())
        return relation::passed_on;
    for (const holder &of : holders) {
        if (module_of(of.link->name).empty() || module_of(of.link->target).empty())
            return relation::passed_on; // recorded by the model itself: the modules are not known
    }
    const auto sends = [&holders](const std::string &module) {
        return std::count_if(holders.begin(), holders.end(), [&module](const holder &of) {
            return module_of(of.link->name) == module;
        });
    };
    /* The socket that receives for a module may belong to one of its submodules, or to a module
     * that encloses it. */
    const auto receives = [&holders](const std::string &module) {
        return std::count_if(holders.begin(), holders.end(), [&module](const holder &of) {
            const std::string at = module_of(of.link->target);
            return is_within(at, module) || is_within(module, at);
        });
    };
    const auto sent = sends(sender);
    const auto received = receives(sender);
    if (sent > 0) {
        /* If no module has sent the payload more often than it has received it, the payload is back
         * at its first initiator, which may pass it on as an interconnect. */
        const bool is_sure = std::any_of(holders.begin(), holders.end(), [&](const holder &of) {
            const std::string module = module_of(of.link->name);
            return sends(module) > receives(module);
        });
        if (sent < received || !is_sure)
            return relation::passed_on;
        other = &*std::find_if(holders.begin(), holders.end(), [&sender](const holder &of) {
            return module_of(of.link->name) == sender;
        });
        return relation::shared;
    }
    if (received > 0 || is_nested)
        return relation::passed_on;
    const auto same = std::find_if(holders.begin(), holders.end(), [&receiver](const holder &of) {
        return module_of(of.link->target) == receiver;
    });
    if (same == holders.end())
        return relation::doubtful;
    other = &*same;
    return relation::shared;
}

payload_life &payload_holders::choose_life(const link_check &link, payload_life &found)
{
    std::deque<payload_life> &further = link.state.further;
    const auto is_other = [&found](const payload_life &life) {
        return life.key == found.key && life.is_in_use();
    };
    if (std::none_of(further.begin(), further.end(), is_other))
        return found;
    const void *const process = running_process();
    payload_life *chosen = nullptr;
    visit_checked([&](const holder &of) {
        if (chosen || process_of(*of.call) != process)
            return;
        const std::uint64_t identity = of.call->identity;
        if (identity == found.identity && found.is_in_use())
            chosen = &found;
        for (payload_life &life : further) {
            if (is_other(life) && life.identity == identity)
                chosen = &life;
        }
    });
    for (payload_life &life : further) {
        const holder *other = nullptr;
        if (!chosen && is_other(life) &&
            judge(link, holders_of(life, nullptr), false, other) == relation::passed_on)
            chosen = &life;
    }
    return chosen ? *chosen : found;
}

payload_life &payload_holders::enter(const link_check &link, tlm_call &call, payload_life &life,
                                     const tlm_call *outer, std::string &shared)
{
    if (!life.is_handed_over() && outer && outer->link->check_ && outer->identity == life.identity)
        return life;
    const std::vector<holder> holders = holders_of(life, &call);
    const bool is_nested = std::any_of(holders.begin(), holders.end(), [&call](const holder &of) {
        return process_of(*of.call) == process_of(call);
    });
    if (holders.empty() || (is_nested && !life.is_handed_over()))
        return life;
    life.hand_over();
    const holder *other = nullptr;
    const relation found = judge(link, holders, is_nested, other);
    if (found == relation::doubtful) {
        call.doubt = ++doubts_;
        for (const holder &of : holders)
            of.call->watch(call.doubt);
    }
    if (found != relation::shared)
        return life;
    shared = "the payload is still in b_transport of " + describe(*other) +
             "; this call is made by " + process_name(call);
    life.silence();
    std::deque<payload_life> &further = link.state.further;
    const auto unused = std::find_if(further.begin(), further.end(),
                                     [](const payload_life &of) { return !of.is_in_use(); });
    payload_life &own = unused == further.end() ? further.emplace_back() : *unused;
    own = payload_life{};
    own.key = life.key;
    return own;
}

std::string payload_holders::describe(const holder &of)
{
    return of.link->name + " -> " + of.link->target + ", called by " + process_name(*of.call);
}

void payload_holders::report_entry(link_check &link, payload_life &life,
                                   const tlm::tlm_generic_payload &trans, const ftr_tx &tx,
                                   std::string shared)
{
    found_violations found;
    checked_call call{link, "b_transport", "", &trans, &life, trans.get_address(), tx, found};
    call.violate(protocol_rule::payload_shared, std::move(shared));
    life.silence(); // the attributes are those of two transactions
    link.state.sink.act();
}

void payload_holders::check_return(link_check &link, payload_life &life,
                                   const tlm::tlm_generic_payload &trans, tlm_call &call)
{
    const std::uint64_t from = call.end_watch();
    if (!from)
        return;
    for (const holder &of : holders_of(life, &call)) {
        if (of.call->doubt < from)
            continue;
        found_violations found;
        checked_call at{link,  "return of b_transport", "",        &trans,
                        &life, trans.get_address(),     call.open, found};
        at.violate(protocol_rule::payload_shared,
                   "the payload is still in b_transport of " + describe(of) +
                       "; this call, which began before, is made by " + process_name(call));
        life.silence();
        if (found.count > 0)
            link.state.sink.act();
        return;
    }
}

bool reported_link::has_blocking_call(std::uint64_t identity) const
{
    return payload_holders::has_call(*this, identity);
}

} // namespace detail
} // namespace ftr
