/* Messages about the calls of a model that are not observed: one line for each cause, at the end of
 * every attached run. */
#ifndef FTR_MISSED_CALLS_HPP
#define FTR_MISSED_CALLS_HPP

#include "placement.hpp"

namespace ftr
{
namespace attach
{

/* Returns true, after a message, if the model has bound initiator sockets and none is observed. */
bool tell_if_nothing_is_observed(const placed &sockets);

/* Prints a line for each protocol with sockets that are not observed, for ports without TLM-2.0
 * calls, and for links on which DMI was granted. Prints nothing if all calls were observed.
 * @param checks the rules of the base protocol are checked */
void tell_missed_calls(const placed &sockets, bool checks);

} // namespace attach
} // namespace ftr

#endif
