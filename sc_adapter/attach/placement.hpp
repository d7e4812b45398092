/* Places observers on every base-protocol socket of an elaborated model. */
#ifndef FTR_PLACEMENT_HPP
#define FTR_PLACEMENT_HPP

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <ftr/tlm.hpp>

namespace ftr
{
namespace attach
{

/* The names of a link and of the sockets at its ends. */
struct link_ends {
    std::string link;
    std::string initiator;
    std::string target;   /* the innermost socket; empty: unknown */
    const char *protocol; /* "base-protocol" or "custom-protocol" */
};

/* Sockets or ports, counted by the name of their interface. */
class counted_ports
{
  public:
    struct group {
        std::size_t count;
        std::string example; /* name of the first one */
    };
    void add(const std::string &interface, const char *name)
    {
        ++groups_.insert({interface, {0, name}}).first->second.count;
    }
    const std::map<std::string, group> &groups() const { return groups_; }

  private:
    std::map<std::string, group> groups_;
};

/* The result of place_observers(): numbers for the summary. */
struct placed {
    std::size_t bound = 0;    /* initiator sockets with a binding, of any protocol */
    std::size_t observed = 0; /* bound initiator sockets with all their calls observed */
    std::size_t unbound = 0;
    std::size_t links = 0;
    std::vector<link_ends> ends; /* of the links that may be recorded */
    /* one sentence for each socket that is not completely observed */
    std::vector<std::string> unobserved;
    /* each link with the number of its granted DMI requests, which the observers count */
    std::vector<std::pair<std::string, const std::size_t *>> grants;
    /* observed initiator sockets with the payload and the phases of the base protocol, but not with
     * its types: they are not checked */
    counted_ports unchecked;
    counted_ports other_protocols;  /* initiator sockets with another payload or other phases */
    counted_ports other_interfaces; /* initiator sockets without tlm_fw_transport_if */
    counted_ports plain;            /* bound ports that are not sockets */
};

/* Places the observers. Must be called once, after all bindings are complete and before the first
 * call of the model. */
placed place_observers(recorder &rec);

/* Messages about the calls of a model that are not observed: one line for each cause, at the end of
 * every attached run. */

/* Returns true, after a message, if the model has bound initiator sockets and none is observed. */
bool tell_if_nothing_is_observed(const placed &sockets);

/* Prints a line if the simulation has ended before the time window of the recording. */
void tell_if_window_is_empty(const recorder &rec);

/* Prints a line for each protocol with sockets that are not observed, for ports without TLM-2.0
 * calls, and for links on which DMI was granted. Prints nothing if all calls were observed.
 * @param checks true if the rules of the base protocol are checked */
void tell_missed_calls(const placed &sockets, bool checks);

} // namespace attach
} // namespace ftr

#endif
