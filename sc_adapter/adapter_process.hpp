/* The parts of the adapter that concern the whole process: the environment variables that the
 * adapter reads itself (the core reads the others), and further copies of the adapter. An
 * instrumented model links one copy, and the attach plug-in contains another. Only one of the
 * copies prints messages about the environment. */
#ifndef FTR_ADAPTER_PROCESS_HPP
#define FTR_ADAPTER_PROCESS_HPP

#include <cstdlib>
#include <cstring>

#include <ftr/detail/process.h>

namespace ftr
{
namespace detail
{

/** Returns the value of @p variable; nullptr if it is unset or empty. */
inline const char *value_of(const char *variable)
{
    const char *const value = secure_getenv(variable);
    return value && *value ? value : nullptr;
}

/** Returns whether @p variable, for example FTR_STRICT, is 1. */
inline bool is_flag_set(const char *variable)
{
    const char *const value = value_of(variable);
    return value && std::strcmp(value, "1") == 0;
}

/* true in the copy of the adapter that the attach plug-in contains */
extern bool is_attach_plugin;

/* Returns the state that the copies of the adapter share, or NULL in a process without
 * libftr_attach.so. */
ftr_process *shared_process();

/* Returns true in the model's copy of the adapter if the attach plug-in observes all sockets of the
 * process. */
bool is_beside_plugin();

/* Returns true if another copy has opened the default recorder, or has tried to and failed. */
bool has_other_copy_opened();

} // namespace detail
} // namespace ftr

#endif
