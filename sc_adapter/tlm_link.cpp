/* The streams of a TLM link by name, and attributes by name. */
#include <ftr/tlm_link.hpp>

#include "reported_link.hpp"

namespace ftr
{

using namespace detail;

/* ---- streams --------------------------------------------------------------------------------- */

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

/* Returns whether one kind of calls on this link is not recorded, recorded, or also checked. Called
 * after the streams of these calls were defined. */
tlm_link::family tlm_link::family_of(bool is_recorded) const
{
    if (!is_recorded)
        return family::not_recorded;
    return check_ ? family::checked : family::recorded;
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
