/* Checks the arguments and the results of DMI and debug transport calls. */
#include "memory_check.hpp"

#include "tlm_names.hpp"

#include <algorithm>
#include <cstdio>

namespace ftr
{
namespace detail
{

namespace
{

/* Maximum number of stored grants of a link; older ones are discarded. */
constexpr std::size_t regions_limit = 64;

std::string range_text(std::uint64_t start, std::uint64_t end)
{
    char text[64];
    static_cast<void>(std::snprintf(text, sizeof text, "0x%llx to 0x%llx",
                                    static_cast<unsigned long long>(start),
                                    static_cast<unsigned long long>(end)));
    return text;
}

memory_request request_of(const tlm::tlm_generic_payload &trans, bool is_debug)
{
    const bool is_write = is_debug && trans.is_write() && trans.get_data_ptr();
    return {&trans,
            trans.get_gp_option(),
            trans.get_command(),
            is_debug ? trans.get_data_ptr() : nullptr,
            is_debug ? trans.get_data_length() : 0,
            is_write ? contents_of(trans.get_data_ptr(), trans.get_data_length()) : 0,
            false,
            false};
}

/* Returns the number of delta cycles; 0 without a simulation context, because DMI and debug
 * transport may be called before the simulation. */
std::uint64_t deltas_so_far()
{
    return sc_core::sc_curr_simcontext ? delta_count(*sc_core::sc_curr_simcontext) : 0;
}

bool overlap(const dmi_region &a, const dmi_region &b)
{
    return a.start <= b.end && b.start <= a.end;
}

} // namespace

memory_check::memory_check(link_check &link, const tlm::tlm_generic_payload &trans,
                           const tlm::tlm_dmi *dmi)
    : call_{link,    dmi ? "get_direct_mem_ptr" : "transport_dbg",
            "",      &trans,
            nullptr, trans.get_address(),
            {},      found_},
      request_(request_of(trans, !dmi)), deltas_(deltas_so_far()), is_debug_(!dmi),
      is_outermost_(link.state.memory.payload != &trans)
{
    if (is_outermost_) {
        link.state.memory = request_;
        check_start(dmi);
    } else {
        report_once([&] { check_request(link.state.memory, false); });
    }
    link.state.memory.is_refused = false;
}

memory_check::~memory_check()
{
    if (is_outermost_)
        call_.link.state.memory = {};
}

void memory_check::check_start(const tlm::tlm_dmi *dmi)
{
    const tlm::tlm_generic_payload &trans = *call_.payload;
    if (dmi && trans.get_command() == tlm::TLM_IGNORE_COMMAND)
        call_.violate(protocol_rule::dmi_command, "the command is TLM_IGNORE_COMMAND");
    if (dmi)
        check_descriptor(*dmi);
    else if (trans.get_data_length() > 0 && !trans.get_data_ptr())
        call_.violate(protocol_rule::debug_pointer,
                      "the data pointer is null, and the data length is " +
                          std::to_string(trans.get_data_length()));
    if (request_.option == tlm::TLM_FULL_PAYLOAD_ACCEPTED)
        call_.violate(protocol_rule::memory_option,
                      "the option is TLM_FULL_PAYLOAD_ACCEPTED before the call");
    if (request_.option != tlm::TLM_FULL_PAYLOAD)
        return;
    if (trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
        call_.violate(protocol_rule::debug_payload, std::string("the response status is ") +
                                                        response_name(trans.get_response_status()) +
                                                        " before the call");
    if (dmi)
        return;
    if (trans.get_byte_enable_ptr() && trans.get_byte_enable_length() == 0)
        call_.violate(protocol_rule::debug_payload,
                      "there is a byte enable pointer, and the byte enable length is 0");
    if (trans.get_streaming_width() == 0)
        call_.violate(protocol_rule::debug_payload, "the streaming width is 0");
    if (trans.is_dmi_allowed())
        call_.violate(protocol_rule::debug_payload, "dmi_allowed is true before the call");
}

/* Reports a descriptor that is not in its initial state. If the range has no end, its end address
 * is 0 or the greatest address, depending on the version of SystemC. */
void memory_check::check_descriptor(const tlm::tlm_dmi &dmi)
{
    const char *found = nullptr;
    if (dmi.get_dmi_ptr())
        found = "the descriptor has a pointer before the call";
    else if (!dmi.is_none_allowed())
        found = "the descriptor has an access type before the call";
    else if (dmi.get_start_address() != 0 ||
             (dmi.get_end_address() != 0 && dmi.get_end_address() != ~sc_dt::uint64{0}))
        found = "the descriptor has a range before the call";
    else if (dmi.get_read_latency().value() != 0 || dmi.get_write_latency().value() != 0)
        found = "the descriptor has a latency before the call";
    if (found)
        call_.violate(protocol_rule::dmi_descriptor, found);
}

/* Compares the payload with @p was. @p may_accept: the target is allowed to change the option. */
void memory_check::check_request(const memory_request &was, bool may_accept)
{
    const tlm::tlm_generic_payload &now = *call_.payload;
    const tlm::tlm_gp_option option = now.get_gp_option();
    if (option != was.option && !(may_accept && was.option == tlm::TLM_FULL_PAYLOAD &&
                                  option == tlm::TLM_FULL_PAYLOAD_ACCEPTED))
        call_.violate(protocol_rule::memory_option, "the option was changed");
    if (now.get_command() != was.command)
        return call_.violate(protocol_rule::memory_changed, "the command was changed");
    if (!is_debug_)
        return;
    if (now.get_data_length() != was.length)
        call_.violate(protocol_rule::memory_changed, "the data length was changed from " +
                                                         std::to_string(was.length) + " to " +
                                                         std::to_string(now.get_data_length()));
    else if (now.get_data_ptr() != was.data)
        call_.violate(protocol_rule::debug_pointer, "the data pointer was changed");
    else if (request_of(now, true).contents != was.contents)
        call_.violate(protocol_rule::memory_changed, "the data of a write was changed");
}

void memory_check::check_grant(const tlm::tlm_dmi &dmi)
{
    const std::uint64_t start = dmi.get_start_address();
    const std::uint64_t end = dmi.get_end_address();
    if (!dmi.get_dmi_ptr())
        call_.violate(protocol_rule::dmi_grant, "the pointer is null");
    else if (dmi.is_none_allowed())
        call_.violate(protocol_rule::dmi_grant, "the access type is DMI_ACCESS_NONE");
    else if (call_.address < start || call_.address > end)
        call_.violate(protocol_rule::dmi_grant,
                      "the range " + range_text(start, end) + " does not contain the address");
    else if ((call_.payload->is_read() && !dmi.is_read_allowed()) ||
             (call_.payload->is_write() && !dmi.is_write_allowed()))
        call_.violate(protocol_rule::dmi_access, call_.payload->is_read()
                                                     ? "a read was requested, and only writes are "
                                                       "allowed"
                                                     : "a write was requested, and only reads are "
                                                       "allowed");
    else
        check_overlap({start, end, dmi.get_dmi_ptr(), dmi.get_granted_access()});
}

void memory_check::check_overlap(const dmi_region &region)
{
    std::vector<dmi_region> &regions = call_.link.regions;
    for (const dmi_region &known : regions) {
        if (overlap(known, region) && (known.access & region.access) != 0 &&
            reinterpret_cast<std::uintptr_t>(known.memory) - known.start !=
                reinterpret_cast<std::uintptr_t>(region.memory) - region.start) {
            call_.violate(protocol_rule::dmi_overlap,
                          "the range " + range_text(region.start, region.end) +
                              " is at another place in memory than " +
                              range_text(known.start, known.end) +
                              ", which was granted before and not invalidated");
            break;
        }
    }
    const auto same = std::find_if(regions.begin(), regions.end(), [&](const dmi_region &known) {
        return known.start == region.start && known.end == region.end &&
               known.access == region.access;
    });
    if (same != regions.end())
        regions.erase(same);
    if (regions.size() == regions_limit)
        regions.erase(regions.begin());
    regions.push_back(region);
}

/* Calls @p check, which reports violations, unless a violation was already reported for this
 * request: a violation on the innermost link is visible on the outer links, too. */
template <class Check> void memory_check::report_once(Check check)
{
    const unsigned found_before = found_.count;
    if (!call_.link.state.memory.is_reported)
        check();
    call_.link.state.memory.is_reported |= found_.count != found_before;
}

void memory_check::end_dmi(const tlm::tlm_dmi &dmi, bool granted)
{
    call_.call = "return of get_direct_mem_ptr";
    bool &is_refused = call_.link.state.memory.is_refused; // set by a further link of this call
    report_once([&] {
        check_request(request_, true);
        if (deltas_so_far() != deltas_)
            call_.violate(protocol_rule::dmi_waits, "time or a delta cycle has passed");
        if (granted && is_refused)
            call_.violate(protocol_rule::dmi_refused,
                          "an interconnect grants DMI that was refused on a further link");
        else if (granted)
            check_grant(dmi);
    });
    is_refused = !granted;
}

void memory_check::end_debug(unsigned transported)
{
    call_.call = "return of transport_dbg";
    report_once([&] {
        check_request(request_, true);
        if (deltas_so_far() != deltas_)
            call_.violate(protocol_rule::debug_waits, "time or a delta cycle has passed");
        if (transported > request_.length)
            call_.violate(protocol_rule::debug_length, std::to_string(transported) +
                                                           " bytes were returned of " +
                                                           std::to_string(request_.length));
    });
}

void check_invalidation(link_check &link, std::uint64_t start, std::uint64_t end)
{
    const dmi_region gone{start, end, nullptr, tlm::tlm_dmi::DMI_ACCESS_NONE};
    link.regions.erase(
        std::remove_if(link.regions.begin(), link.regions.end(),
                       [&](const dmi_region &known) { return overlap(known, gone); }),
        link.regions.end());
    if (start <= end)
        return;
    found_violations found;
    checked_call call{link, "invalidate_direct_mem_ptr", "", nullptr, nullptr, start, {}, found};
    call.violate(protocol_rule::invalidation_range, "the range is " + range_text(start, end));
}

} // namespace detail
} // namespace ftr
