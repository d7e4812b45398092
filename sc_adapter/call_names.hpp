/* The names of calls in messages about invalid calls: users of the adapter do not call the
 * functions of C. */
#ifndef FTR_ADAPTER_CALL_NAMES_HPP
#define FTR_ADAPTER_CALL_NAMES_HPP

namespace ftr
{
namespace detail
{

/** Returns the member function that <ftr/systemc.hpp> has for the function @p call of C: see
 *  ftr_call_namer. */
const char *name_in_systemc(const char *call);

/** The same for <ftr/compat/lwtr/lwtr.h>. */
const char *name_in_lwtr(const char *call);

} // namespace detail
} // namespace ftr

#endif
