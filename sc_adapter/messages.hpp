/* The one place of the adapter that speaks to people. */
#ifndef FTR_MESSAGES_HPP
#define FTR_MESSAGES_HPP

#include <string>

#include <ftr/recorder.h>

namespace ftr
{
namespace detail
{

/** Says @p message on stderr, as one line. May be called on any thread. */
void say(ftr_severity severity, const std::string &message);

/** Ends the simulation with @p message as error: by SystemC's report where a simulation runs and
 * the caller is on its thread, so that the model unwinds; by exiting elsewhere. Returns when the
 * program has told SystemC to go on after errors. */
void end_simulation(const std::string &message, bool is_simulation_thread);

} // namespace detail
} // namespace ftr

#endif
