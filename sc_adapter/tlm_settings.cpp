/* The settings of TLM links (FTR_PAYLOAD, FTR_DMI, FTR_DEBUG_TRANSPORT and FTR_PROTOCOL), and the
 * construction of links. */
#include <ftr/detail/payload_fields.hpp>
#include <ftr/detail/size_text.h>
#include <ftr/tlm_link.hpp>

#include <cstring>
#include <string>
#include <utility>

#include "adapter_process.hpp"
#include "messages.hpp"
#include "reported_link.hpp"
#include "tlm_attributes.hpp"
#include "tlm_calls.hpp"

namespace ftr
{

using namespace detail;

namespace
{

void refuse(const char *variable, const char *value, const char *expected)
{
    if (is_beside_plugin())
        return; // the plug-in prints the message
    say(FTR_SEVERITY_ERROR,
        std::string(variable) + "=" + value + " is invalid: expected " + expected);
}

tlm_settings read_environment()
{
    tlm_settings settings;
    if (const char *value = value_of("FTR_PAYLOAD")) {
        if (std::strcmp(value, "all") == 0)
            settings.payload = UINT64_MAX;
        else if (!ftr_size_parse(value, &settings.payload))
            refuse("FTR_PAYLOAD", value, "a number of bytes, or all");
    }
    if (const char *value = value_of("FTR_DMI")) {
        settings.denies_dmi = std::strcmp(value, "deny") == 0;
        if (!settings.denies_dmi && std::strcmp(value, "allow") != 0)
            refuse("FTR_DMI", value, "allow or deny");
    }
    if (const char *value = value_of("FTR_DEBUG_TRANSPORT")) {
        settings.debug_transport = std::strcmp(value, "1") == 0;
        if (!settings.debug_transport && std::strcmp(value, "0") != 0)
            refuse("FTR_DEBUG_TRANSPORT", value, "0 or 1");
    }
    if (const char *value = value_of("FTR_PROTOCOL")) {
        if (std::strcmp(value, "check") == 0)
            settings.protocol = tlm_protocol_check::check;
        else if (std::strcmp(value, "report") == 0)
            settings.protocol = tlm_protocol_check::report;
        else if (std::strcmp(value, "error") == 0)
            settings.protocol = tlm_protocol_check::error;
        else if (std::strcmp(value, "off") != 0)
            refuse("FTR_PROTOCOL", value, "check, report, error or off");
    }
    return settings;
}

} // namespace

const tlm_settings &tlm_environment()
{
    static const tlm_settings settings = read_environment();
    return settings;
}

std::uint64_t detail::payload_limit()
{
    return tlm_environment().payload;
}

/* ---- construction ---------------------------------------------------------------------------- */

tlm_link::tlm_link(recorder &rec, std::string name, std::string protocol,
                   const tlm_settings &settings)
    : session_(rec.session_), calls_(&tlm_calls::of(*rec.session_)), name_(std::move(name)),
      protocol_(std::move(protocol)), settings_(settings)
{
    calls_->abandon = [](tlm_call &call) { call.link->abandon_blocking(call); };
    may_capture_more = may_capture_more || settings_.payload > 8;
    if (settings_.protocol != tlm_protocol_check::off && protocol_ == "base-protocol")
        check_ = reported_link::make(*this, *session_);
}

tlm_link::~tlm_link()
{
    if (check_)
        check_->path = nullptr;
    calls_->give_up(this);
}

} // namespace ftr
