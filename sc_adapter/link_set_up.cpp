/* Constructs TLM links, and defines their streams and generators. */
#include <ftr/tlm_link.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "access_attributes.hpp"
#include "call_recorder.hpp"
#include "link_paths.hpp"
#include "reported_link.hpp"
#include "tlm_calls.hpp"

namespace ftr
{

using namespace detail;

namespace
{

constexpr const char *command_names[] = {"read", "write", "ignore"};

template <std::size_t Count> constexpr std::size_t count_of(const ftr_attribute (&)[Count])
{
    return Count;
}

} // namespace

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

void tlm_link::set_blocking_path(blocking_path path)
{
    recording_path_ = path;
    blocking_path_ = settings_.denies_dmi ? &link_paths::denying : path;
}

/* Counts an access on a path that records the types of extensions. After the last one, the next
 * accesses take the fast paths. */
void tlm_link::count_search()
{
    if (to_search_ == 0 || --to_search_ > 0 || !is_prepared_)
        return;
    has_usual_phases_ = !settings_.phase_events && !settings_.denies_dmi;
    link_paths::use_usual_phases(*this);
    if (!check_) // checked calls are inspected first
        set_blocking_path(&link_paths::usual);
}

void link_paths::first(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                       blocking_if &target)
{
    if (link.records_blocking())
        link.set_blocking_path(&any);
    else if (link.blocking_ == tlm_link::family::not_recorded)
        link.set_blocking_path(&ignored);
    any(link, trans, delay, target);
}

void link_paths::ignored(tlm_link & /*link*/, payload_type &trans, sc_core::sc_time &delay,
                         blocking_if &target)
{
    target.b_transport(trans, delay);
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* Defines the events of the accesses with one command. */
void tlm_link::define_events(ftr_generator accesses, const char *name, ftr_generator &events) const
{
    const ftr_status status = ftr_events_define(session_->recorder, accesses, nullptr, 0, &events);
    if (status != FTR_OK)
        report_failure("events of the generator", name, status);
}

/* Defines the stream of accesses, and prepares the fast path for each command. */
bool tlm_link::define_accesses()
{
    ftr_stream stream = 0;
    const bool is_recorded = define_stream("", "TLM", stream);
    const unsigned more = identity_words();
    const auto &names = calls_->names.phases;
    const ftr_text phases[] = {names.of(tlm::BEGIN_REQ), names.of(tlm::END_REQ),
                               names.of(tlm::BEGIN_RESP)};
    for (unsigned i = 0; is_recorded && i < commands; ++i) {
        accesses_[i] =
            define_generator(stream, command_names[i], identified_access_attributes + 1 - more,
                             all_access_attributes + more);
        if (settings_.phase_events && accesses_[i])
            define_events(accesses_[i], command_names[i], events_[i]);
        if (calls_->parent_child && accesses_[i])
            prepared_[i] =
                ftr_observed_prepare(session_->recorder, accesses_[i], calls_->parent_child,
                                     request_attributes + more, phases);
    }
    is_prepared_ = std::all_of(std::begin(prepared_), std::end(prepared_),
                               [](const ftr_observed_generator &of) { return of.generator != 0; });
    blocking_ = nonblocking_ = family_of(is_recorded);
    return is_recorded;
}

bool tlm_link::define_blocking()
{
    if (blocking_ != family::unknown)
        return false;
    if (!call_form_)
        return define_accesses();
    const bool is_recorded = call_form_->define_blocking();
    blocking_ = family_of(is_recorded);
    return is_recorded;
}

bool tlm_link::define_nonblocking()
{
    if (nonblocking_ != family::unknown)
        return false;
    if (!call_form_)
        return define_accesses();
    const bool is_recorded = call_form_->define_nonblocking();
    nonblocking_ = family_of(is_recorded);
    return is_recorded;
}

bool tlm_link::define_dmi()
{
    if (dmi_ != family::unknown)
        return false;
    ftr_stream stream = 0;
    const bool is_recorded =
        call_form_ ? call_form_->define_dmi() : define_stream(".dmi", "TLM DMI", stream);
    if (is_recorded && !call_form_) {
        get_ = define_generator(stream, "get", dmi_request_attributes,
                                count_of(dmi_request_attributes));
        invalidate_ = define_generator(stream, "invalidate", dmi_invalidation_attributes,
                                       count_of(dmi_invalidation_attributes));
    }
    dmi_ = is_recorded ? family::recorded : family::not_recorded;
    return is_recorded;
}

bool tlm_link::define_debug()
{
    if (debug_ != family::unknown)
        return false;
    ftr_stream stream = 0;
    const bool is_recorded =
        call_form_ ? call_form_->define_debug() : define_stream(".debug", "TLM debug", stream);
    for (unsigned i = 0; is_recorded && !call_form_ && i < commands; ++i)
        debug_accesses_[i] = define_generator(stream, command_names[i], debug_access_attributes,
                                              count_of(debug_access_attributes));
    debug_ = is_recorded ? family::recorded : family::not_recorded;
    return is_recorded;
}

} // namespace ftr
