/** @file
 *  The switches of SCC's recorder: CCI parameters if CCI is found. Included by
 *  <tlm/scc/lwtr/tlm2_lwtr.h>.
 *
 *  FTR_COMPAT_CCI=1 requires CCI; with 0, CCI is not used. All files of a program must be compiled
 *  with the same value. */
#ifndef FTR_COMPAT_SCC_TRACING_SWITCH_H
#define FTR_COMPAT_SCC_TRACING_SWITCH_H

#ifndef FTR_COMPAT_CCI
#if defined(__has_include)
#if __has_include(<cci_configuration>)
#define FTR_COMPAT_CCI 1
#endif
#endif
#endif
#ifndef FTR_COMPAT_CCI
#define FTR_COMPAT_CCI 0
#endif

#if FTR_COMPAT_CCI
#include <cci_configuration>
#endif

namespace tlm
{
namespace scc
{
namespace lwtr
{

#if FTR_COMPAT_CCI
using tracing_switch = cci::cci_param<bool>;
#else
/** Replaces a CCI parameter. Only the program can set it. */
class tracing_switch
{
  public:
    tracing_switch(const char *, bool value) : value_(value) {}
    tracing_switch &operator=(bool value)
    {
        value_ = value;
        return *this;
    }
    operator bool() const { return value_; }
    bool get_value() const { return value_; }
    void set_value(bool value) { value_ = value; }

  private:
    bool value_;
};
#endif

} // namespace lwtr
} // namespace scc
} // namespace tlm

#endif
