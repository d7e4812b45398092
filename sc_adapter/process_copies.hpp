/* A process may contain several copies of the adapter: an instrumented model links one, and the
 * attach plug-in contains another. Only one of the copies prints messages about the environment. */
#ifndef FTR_PROCESS_COPIES_HPP
#define FTR_PROCESS_COPIES_HPP

#include <ftr/detail/process.h>

namespace ftr
{
namespace detail
{

/* Set by the attach plug-in in its own copy. */
extern bool is_attach_plugin;

/* Returns the state that the copies share, or NULL in a process without libftr_attach.so. */
ftr_process *shared_process();

/* Returns true in the model's copy of the adapter if the attach plug-in observes all sockets of the
 * process. */
bool is_beside_plugin();

/* Returns true if another copy has opened the default recorder, or has tried to and failed. */
bool has_other_copy_opened();

} // namespace detail
} // namespace ftr

#endif
