/* Messages of the adapter. No other file of the adapter prints. */
#ifndef FTR_MESSAGES_HPP
#define FTR_MESSAGES_HPP

#include <string>

#include <ftr/recorder.h>

namespace ftr
{
namespace detail
{

/** Prints @p message to stderr, as one line. May be called from any thread. */
void say(ftr_severity severity, const std::string &message);

/** Ends the simulation with the error @p message. Within sc_main() on the thread of the simulation,
 * it reports a SystemC error, so that the model unwinds. Otherwise it ends the process. Returns
 * only if the program has configured SystemC to continue after errors. */
void end_simulation(const std::string &message, bool is_simulation_thread);

/* Users of the adapter do not call the functions of C, so messages about invalid calls have the
 * names of member functions. */

/** Returns the member function that <ftr/systemc.hpp> has for the function @p call of C: see
 *  ftr_call_namer. */
const char *name_in_systemc(const char *call);

/** Like name_in_systemc(), for <ftr/compat/lwtr/lwtr.h>. */
const char *name_in_lwtr(const char *call);

} // namespace detail
} // namespace ftr

#endif
