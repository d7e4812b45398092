/* The attributes of accesses: names, types and order. Viewers keep one class for each attribute
 * name in a whole file, so a name has the same class in all generators. */
#ifndef FTR_ACCESS_ATTRIBUTES_HPP
#define FTR_ACCESS_ATTRIBUTES_HPP

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

/* Indices of the declared attributes of an access. If the protocol is checked, the identity of the
 * payload comes first, and each index is greater by one. */
enum access_attribute : unsigned {
    at_address,
    at_length,
    at_delay, /* the last one of the request, because it may be missing */
    request_attributes,
    at_data = request_attributes,
    at_response,
    at_dmi_allowed,
    at_request_time,
    at_response_time,
    at_phase,
    all_access_attributes
};

/* The identity of a payload is a number that the payload keeps from its first link to its last. */
inline constexpr ftr_attribute identified_access_attributes[] = {
    {"payload_id", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"delay", FTR_TYPE_TIME, FTR_CLASS_BEGIN},
    {"data", FTR_TYPE_STRING, FTR_CLASS_RECORD},
    {"response", FTR_TYPE_STRING, FTR_CLASS_END},
    {"dmi_allowed", FTR_TYPE_BOOLEAN, FTR_CLASS_END},
    {"request_time", FTR_TYPE_TIME, FTR_CLASS_END},
    {"response_time", FTR_TYPE_TIME, FTR_CLASS_END},
    {"phase", FTR_TYPE_STRING, FTR_CLASS_END}};

inline constexpr ftr_attribute debug_access_attributes[] = {
    {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"transported", FTR_TYPE_UNSIGNED, FTR_CLASS_END},
    {"response", FTR_TYPE_STRING, FTR_CLASS_END},
    {"data", FTR_TYPE_STRING, FTR_CLASS_RECORD}};

inline constexpr ftr_attribute dmi_request_attributes[] = {
    {"command", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
    {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"granted", FTR_TYPE_BOOLEAN, FTR_CLASS_END},
    {"start_address", FTR_TYPE_UNSIGNED, FTR_CLASS_END},
    {"end_address", FTR_TYPE_UNSIGNED, FTR_CLASS_END},
    {"access", FTR_TYPE_STRING, FTR_CLASS_END},
    {"read_latency", FTR_TYPE_TIME, FTR_CLASS_END},
    {"write_latency", FTR_TYPE_TIME, FTR_CLASS_END}};

inline constexpr ftr_attribute dmi_invalidation_attributes[] = {
    {"start_address", FTR_TYPE_UNSIGNED, FTR_CLASS_END},
    {"end_address", FTR_TYPE_UNSIGNED, FTR_CLASS_END}};

inline constexpr ftr_attribute other_phase_attributes[] = {
    {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};

} // namespace detail
} // namespace ftr

#endif
