/* Defines the streams and generators of a TLM link, and puts attributes by name. */
#include <ftr/tlm_link.hpp>

#include <algorithm>

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

bool tlm_link::define_stream(const char *suffix, const char *kind, ftr_stream &stream) const
{
    const std::string name = name_ + suffix;
    const ftr_status status =
        ftr_stream_define_of(session_->recorder, name_.c_str(), name.c_str(), kind, &stream);
    if (status != FTR_OK)
        report_failure("stream", name.c_str(), status);
    return status == FTR_OK && ftr_stream_is_recorded(session_->recorder, stream);
}

ftr_generator tlm_link::define_generator(ftr_stream stream, const char *name,
                                         const ftr_attribute *attributes, std::size_t count) const
{
    ftr_generator generator = 0;
    const ftr_status status =
        ftr_generator_define(session_->recorder, stream, name, attributes, count, &generator);
    if (status != FTR_OK)
        report_failure("generator", name, status);
    return status == FTR_OK ? generator : 0;
}

/* Returns the state of one kind of calls on this link, after their streams were defined. */
tlm_link::family tlm_link::family_of(bool is_recorded) const
{
    if (!is_recorded)
        return family::not_recorded;
    return check_ ? family::checked : family::recorded;
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
        if (settings_.phase_events)
            events_[i] =
                define_generator(stream, (std::string(command_names[i]) + ".events").c_str(),
                                 phase_event_attributes, count_of(phase_event_attributes));
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

bool tlm_link::ignores(const char *suffix) const
{
    return !ftr_stream_name_is_recorded(session_->recorder, name_.c_str(),
                                        (name_ + suffix).c_str());
}

bool tlm_link::ignores_transport() const
{
    if (settings_.denies_dmi || checks_protocol())
        return false;
    return call_form_
               ? ignores("_bl") && ignores("_bl_timed") && ignores("_nb") && ignores("_nb_timed")
               : ignores("");
}

bool tlm_link::ignores_all() const
{
    const bool is_short = !call_form_;
    return ignores_transport() && ignores(is_short ? ".dmi" : "_dmi") &&
           (!settings_.debug_transport || ignores(is_short ? ".debug" : "_dbg"));
}

/* ---- attributes by name ---------------------------------------------------------------------- */

void tlm_link::put_hexadecimal(ftr_tx tx, ftr_attribute_class class_, const char *name,
                               const unsigned char *bytes, std::uint64_t length) const
{
    ftr_value value{};
    value.type = FTR_TYPE_STRING;
    value.defined = FTR_BYTES;
    value.text_length = length;
    value.as.bytes = bytes;
    static_cast<void>(ftr_tx_put_named(session_->recorder, tx, class_, name, &value));
}

void tlm_link::put_flag(ftr_tx tx, const char *name) const
{
    ftr_value value{};
    value.type = FTR_TYPE_BOOLEAN;
    value.as.boolean = true;
    static_cast<void>(ftr_tx_put_named(session_->recorder, tx, FTR_CLASS_END, name, &value));
}

void tlm_link::put_time(ftr_tx tx, const char *name, std::uint64_t ticks) const
{
    ftr_value value{};
    value.type = FTR_TYPE_TIME;
    value.as.number = ticks;
    static_cast<void>(ftr_tx_put_named(session_->recorder, tx, FTR_CLASS_END, name, &value));
}

void tlm_link::end_unfinished(ftr_tx tx, std::uint64_t time) const
{
    put_flag(tx, "unfinished");
    static_cast<void>(ftr_tx_end(session_->recorder, tx, time));
}

} // namespace ftr
