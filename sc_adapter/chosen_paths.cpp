/* Constructs TLM links, and selects the functions that pass on their calls. */
#include "link_paths.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "call_recorder.hpp"
#include "reported_link.hpp"
#include "tlm_calls.hpp"

namespace ftr
{

using namespace detail;

tlm_link::tlm_link(recorder &rec, std::string name, std::string protocol,
                   const tlm_settings &settings)
    : session_(rec.session_), calls_(&tlm_calls::of(*rec.session_)), name_(std::move(name)),
      protocol_(std::move(protocol)), settings_(settings), recorder_(session_->recorder),
      forward_path_(&link_paths::any_forward), backward_path_(&link_paths::any_backward),
      latest_phased_(&no_access)
{
    if (settings_.protocol != tlm_protocol_check::off && protocol_ == "base-protocol")
        check_ = reported_link::make(*this, *session_);
    calls_->abandon = [](tlm_call &call) { call.link->abandon_blocking(call); };
    calls_->give_up_phased = [](phased_access &access) { access.link->give_up(access); };
    calls_->choose_paths = &link_paths::choose;
    if (settings_.form == tlm_form::calls)
        call_form_ = new call_recorder(*this);
    set_blocking_path(check_ ? &link_paths::checked : &link_paths::first);
    if (check_) {
        forward_path_ = &link_paths::checked_forward;
        backward_path_ = &link_paths::checked_backward;
    }
}

tlm_link::~tlm_link()
{
    if (check_)
        check_->detach();
    calls_->give_up(this);
    delete call_form_;
}

/* ---- paths ----------------------------------------------------------------------------------- */

namespace
{

/* Returns when accesses are entered before a window that begins at @p start, in ticks. Most
 * accesses that last until the window begin after this time. */
std::uint64_t early_until(std::uint64_t start)
{
    if (start == 0)
        return 0; // a time before the resolution is set would prevent the model from setting it
    const std::uint64_t least = sc_core::sc_time(10, sc_core::SC_US).value();
    const std::uint64_t before = std::max(start / 128, least);
    return start > before ? start - before : 0;
}

} // namespace

/* Selects the paths of a link, after its streams were defined and after a change of the conditions
 * below. */
void link_paths::choose(tlm_link &link)
{
    const bool is_searched = link.to_search_ == 0;
    const bool is_recorded = link.blocking_ != tlm_link::family::not_recorded;
    if (link.recorder_)
        link.calls_->early_until = early_until(ftr_window_start(link.recorder_));
    if (link.check_)
        link.set_blocking_path(!is_searched || !link.is_prepared_ || link.check_->to_inspect != 0
                                   ? &checked
                               : link.settings_.payload >= sizeof(std::uint64_t) ? &checked_usual
                                                                                 : &checked_few);
    else
        link.set_blocking_path(
            !is_recorded                                                             ? &ignored
            : !link.call_form_ && link.recorder_ && now() < link.calls_->early_until ? &early
            : !link.is_prepared_                                                     ? &any
            : is_searched                                                            ? &usual
                                                                                     : &searched);
    if (!link.has_usual_phases_)
        return;
    if (!link.check_) {
        link.forward_path_ = is_searched ? &usual_forward : &searched_forward;
        link.backward_path_ = &usual_backward;
    } else if (link.check_->sees_answers) {
        link.forward_path_ = &checked_usual_forward;
        link.backward_path_ = &checked_usual_backward;
    } else {
        link.forward_path_ = &checked_forward;
        link.backward_path_ = &checked_backward;
    }
}

void link_paths::first(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                       blocking_if &target)
{
    if (!link.records_blocking() && link.blocking_ == tlm_link::family::unknown) {
        target.b_transport(trans, delay);
        return;
    }
    if (link.recording_path_ == &first)
        choose(link);
    link.recording_path_(link, trans, delay, target);
}

void link_paths::ignored(tlm_link & /*link*/, payload_type &trans, sc_core::sc_time &delay,
                         blocking_if &target)
{
    target.b_transport(trans, delay);
}

} // namespace ftr
