/* Messages about the calls of a model that are not observed. They name the cause and, if there is
 * one, the way to record these calls. */
#include "placement.hpp"

#include <algorithm>
#include <cstdlib>

#include <ftr/detail/run_identity.h>

#include "messages.hpp"
#include "session.hpp"

namespace ftr
{
namespace attach
{

namespace
{

/* Returns "1 socket" or "2 sockets". */
std::string count_of(std::size_t count, const std::string &noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void say(const std::string &text)
{
    detail::say(FTR_SEVERITY_NOTE, text);
}

/* Returns the subject and the verb of a sentence: "1 initiator socket of N is" or "2 initiator
 * sockets of N are". */
std::string subject(const counted_ports::group &group, const std::string &of)
{
    return count_of(group.count, "initiator socket") + of + (group.count == 1 ? " is " : " are ");
}

void tell_other_sockets(const placed &sockets)
{
    for (const auto &[interface, group] : sockets.other_protocols.groups())
        say(subject(group, " with the interface " + interface) + "not observed (for example " +
            group.example + "): record the calls with an ftr::tlm_recorder (<ftr/tlm.hpp>)");
    for (const auto &[interface, group] : sockets.other_interfaces.groups())
        say(subject(group, " with the interface " + interface) + "not observed (for example " +
            group.example + "): only calls of tlm::tlm_fw_transport_if can be recorded");
}

void tell_unchecked(const placed &sockets)
{
    for (const auto &[interface, group] : sockets.unchecked.groups())
        say(subject(group, " with the interface " + interface) +
            "observed, but the rules of the base protocol are not checked there (for example " +
            group.example + ")");
}

/* Prints the number of plain ports, and the interfaces that most of these ports have. */
void tell_plain_ports(const placed &sockets)
{
    constexpr std::size_t named = 3;
    std::vector<std::pair<std::size_t, std::string>> interfaces;
    std::size_t all = 0;
    for (const auto &[interface, group] : sockets.plain.groups()) {
        interfaces.emplace_back(group.count, interface);
        all += group.count;
    }
    if (all == 0)
        return;
    std::sort(interfaces.rbegin(), interfaces.rend());
    std::string text;
    for (std::size_t i = 0; i < interfaces.size() && i < named; ++i)
        text += (i > 0 ? ", " : "") + std::to_string(interfaces[i].first) + " of " +
                interfaces[i].second;
    if (interfaces.size() > named)
        text += ", ...";
    say(count_of(all, "port") + (all == 1 ? " carries" : " carry") + " no TLM-2.0 calls and " +
        (all == 1 ? "is" : "are") + " not observed (" + text + ")");
}

void tell_grants(const placed &sockets)
{
    std::size_t links = 0;
    std::string example;
    for (const auto &[name, grants] : sockets.grants) {
        if (*grants > 0 && links++ == 0)
            example = name;
    }
    if (links > 0)
        say("DMI was granted on " + count_of(links, "link") + " (for example " + example +
            "): accesses through DMI pointers are not observed; with FTR_DMI=deny, all accesses "
            "are calls");
}

} // namespace

bool tell_if_nothing_is_observed(const placed &sockets)
{
    if (sockets.bound == 0 || sockets.observed > 0 || sockets.links > 0)
        return false;
    detail::say(FTR_SEVERITY_WARNING,
                "none of the " + count_of(sockets.bound, "bound initiator socket") +
                    " of this model is observed: no TLM-2.0 call is recorded");
    return true;
}

void tell_if_window_is_empty(const recorder &rec)
{
    const std::uint64_t now = detail::now();
    const char *start = std::getenv("FTR_START");
    if (start && rec.is_open() && ftr_run_time(rec.handle(), now) > now)
        say("nothing of the model is recorded: the simulation ended at " +
            sc_core::sc_time_stamp().to_string() + ", before FTR_START=" + start);
}

void tell_missed_calls(const placed &sockets, bool checks)
{
    tell_other_sockets(sockets);
    if (checks)
        tell_unchecked(sockets);
    if (!sockets.unobserved.empty())
        say(count_of(sockets.unobserved.size(), "socket") + " of the base protocol " +
            (sockets.unobserved.size() == 1 ? "is" : "are") +
            " not completely observed (FTR_VERBOSE=1 names each)");
    tell_plain_ports(sockets);
    tell_grants(sockets);
}

} // namespace attach
} // namespace ftr
