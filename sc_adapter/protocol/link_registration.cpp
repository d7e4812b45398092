/* Registers checked links with their report, and relates violations to transactions. Does not know
 * calls. */
#include "reported_link.hpp"

#include <dlfcn.h>

#include <ftr/detail/process.h>

#include "tlm_calls.hpp"
#include "violation_report.hpp"

namespace ftr
{

namespace detail
{

namespace
{

/* Linked in or preloaded, the attach plug-in observes all sockets. */
bool is_checked_by_plugin()
{
    auto *const process = static_cast<ftr_process *>(dlsym(RTLD_DEFAULT, FTR_PROCESS_SYMBOL));
    return !is_attach_plugin && process && __atomic_load_n(&process->attached, __ATOMIC_ACQUIRE);
}

} // namespace

reported_link *reported_link::make(const tlm_link &link, session &recorded)
{
    if (is_checked_by_plugin())
        return nullptr;
    violation_report &report = violation_report::of(link.settings().protocol);
    auto *const made = new reported_link(report.state(), link, recorded);
    report.add(*made);
    return made;
}

bool reported_link::has_blocking_call(std::uint64_t identity) const
{
    return blocking == identity || tlm_calls::of(recorded_).has_call(link_, identity);
}

void reported_link::relate(const found_violations &found, ftr_tx broken_by) const
{
    if (!broken_by.id)
        return;
    auto &report = static_cast<violation_report &>(state.sink);
    const ftr_relation violation = report.stream_of(recorded_).violation;
    for (unsigned i = 0; i < found.waiting; ++i)
        static_cast<void>(
            ftr_relation_put(recorded_.recorder, violation, broken_by, found.recorded[i]));
}

} // namespace detail

} // namespace ftr
