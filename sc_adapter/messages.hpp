/* Messages of the adapter; no other file of it prints. */
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

/** Ends the simulation with @p message as the error. During a simulation, on its thread: by a
 * SystemC report, so that the model unwinds; otherwise by exit(). Returns if the program has
 * configured SystemC to continue after errors. */
void end_simulation(const std::string &message, bool is_simulation_thread);

} // namespace detail
} // namespace ftr

#endif
