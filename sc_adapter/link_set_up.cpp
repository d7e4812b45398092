/* Constructs TLM links, and defines their streams and generators. */
#include <ftr/tlm_link.hpp>

#include <string>
#include <utility>

#include "access_attributes.hpp"
#include "call_recorder.hpp"
#include "extension_recorders.hpp"
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
      protocol_(std::move(protocol)), settings_(settings)
{
    may_capture_more = may_capture_more || settings_.payload > sizeof(std::uint64_t);
    if (settings_.protocol != tlm_protocol_check::off && protocol_ == "base-protocol")
        check_ = reported_link::make(*this, *session_);
    calls_->abandon = [](tlm_call &call) { call.link->abandon_blocking(call); };
    calls_->give_up_phased = [](phased_access &access) { access.link->give_up(access); };
    if (settings_.form == tlm_form::calls)
        call_form_ = new call_recorder(*this);
}

tlm_link::~tlm_link()
{
    if (check_)
        check_->path = nullptr;
    calls_->give_up(this);
    delete call_form_;
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
    for (unsigned i = 0; is_recorded && i < commands; ++i) {
        accesses_[i] =
            define_generator(stream, command_names[i], identified_access_attributes + 1 - more,
                             all_access_attributes + more);
        if (settings_.phase_events && accesses_[i])
            define_events(accesses_[i], command_names[i], events_[i]);
        if (calls_->parent_child && accesses_[i])
            prepared_[i] = ftr_observed_prepare(session_->recorder, accesses_[i],
                                                calls_->parent_child, request_attributes + more);
    }
    blocking_ = nonblocking_ = family_of(is_recorded);
    is_simple_ = blocking_ == family::recorded && !settings_.denies_dmi;
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
