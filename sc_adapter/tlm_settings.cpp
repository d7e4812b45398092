/* The settings of TLM links in the environment: FTR_TLM, FTR_PHASES, FTR_TLM_DELAY, FTR_PAYLOAD,
 * FTR_DMI, FTR_DEBUG_TRANSPORT and FTR_PROTOCOL. */
#include <ftr/detail/payload_fields.hpp>
#include <ftr/detail/size_text.h>
#include <ftr/tlm_link.hpp>

#include <cstring>
#include <string>

#include "adapter_process.hpp"
#include "messages.hpp"

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

/* Returns whether the environment variable has the value @p set. If it is set to another value than
 * @p set or @p otherwise, prints a message. */
bool is_set(const char *variable, const char *set, const char *otherwise)
{
    const char *const value = value_of(variable);
    if (!value || std::strcmp(value, otherwise) == 0)
        return false;
    if (std::strcmp(value, set) == 0)
        return true;
    refuse(variable, value, (std::string(otherwise) + " or " + set).c_str());
    return false;
}

tlm_protocol_check protocol_check()
{
    const char *const value = value_of("FTR_PROTOCOL");
    if (!value || std::strcmp(value, "off") == 0)
        return tlm_protocol_check::off;
    if (std::strcmp(value, "check") == 0)
        return tlm_protocol_check::check;
    if (std::strcmp(value, "report") == 0)
        return tlm_protocol_check::report;
    if (std::strcmp(value, "error") == 0)
        return tlm_protocol_check::error;
    refuse("FTR_PROTOCOL", value, "check, report, error or off");
    return tlm_protocol_check::off;
}

tlm_settings read_environment()
{
    tlm_settings settings;
    if (is_set("FTR_TLM", "calls", "accesses"))
        settings.form = tlm_form::calls;
    settings.phase_events = is_set("FTR_PHASES", "events", "times");
    settings.delay = !is_set("FTR_TLM_DELAY", "0", "1");
    if (const char *value = value_of("FTR_PAYLOAD")) {
        if (std::strcmp(value, "all") == 0)
            settings.payload = UINT64_MAX;
        else if (!ftr_size_parse(value, &settings.payload))
            refuse("FTR_PAYLOAD", value, "a number of bytes, or all");
    }
    settings.denies_dmi = is_set("FTR_DMI", "deny", "allow");
    settings.debug_transport = is_set("FTR_DEBUG_TRANSPORT", "1", "0");
    settings.protocol = protocol_check();
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

} // namespace ftr
