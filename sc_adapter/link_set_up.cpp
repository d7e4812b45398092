/* Defines the streams and generators of TLM links. */
#include <ftr/tlm_link.hpp>

#include <algorithm>
#include <iterator>
#include <string>

#include "access_attributes.hpp"
#include "call_recorder.hpp"
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
    has_usual_phases_ = is_prepared_ && !settings_.phase_events && !settings_.denies_dmi;
    blocking_ = nonblocking_ = family_of(is_recorded);
    calls_->choose_paths(*this);
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
