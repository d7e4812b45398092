/* Registers checked links with the report of their violations, and relates violations to
 * transactions. This file does not depend on the kinds of calls. */
#include "reported_link.hpp"

#include "adapter_process.hpp"
#include "tlm_calls.hpp"
#include "violation_report.hpp"

namespace ftr
{

namespace detail
{

reported_link *reported_link::make(tlm_link &link, session &recorded)
{
    if (is_beside_plugin())
        return nullptr; // the plug-in checks all links
    violation_report &report = violation_report::of(link.settings().protocol);
    auto *const made = new reported_link(report.state(), link, recorded);
    report.add(*made);
    return made;
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
