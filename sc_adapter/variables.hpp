/* The environment variables that the adapter reads itself. The core reads the others. */
#ifndef FTR_VARIABLES_HPP
#define FTR_VARIABLES_HPP

#include <cstdlib>
#include <cstring>

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

} // namespace detail
} // namespace ftr

#endif
