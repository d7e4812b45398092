/* The attributes of the streams of the form tlm_form::calls: names, types and order. Viewers keep
 * one class for each attribute name in a whole file, so a name has the same class in all
 * generators. */
#ifndef FTR_CALL_ATTRIBUTES_HPP
#define FTR_CALL_ATTRIBUTES_HPP

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

/* Indices of the attributes of a payload, in the order in which they are declared. */
enum tlm_word : unsigned {
    word_command,
    word_address,
    word_data_length,
    word_streaming_width,
    word_byte_enable_length,
    word_gp_option,
    request_words,
    word_dmi_allowed = request_words,
    word_response_status,
    word_data, /* the last word, because it may be missing */
    payload_words
};

/* The attributes of N_bl. The attributes of the request come first, so that they can be put when
 * the call begins. */
enum tlm_bl_word : unsigned {
    word_start_delay,
    word_bl_request,
    word_bl_data = word_bl_request + request_words,
    word_bl_dmi_allowed,
    word_bl_response_status,
    word_end_delay,
    bl_words
};

/* Indices of the attributes of an nb_transport call, which precede those of the payload. */
enum tlm_nb_word : unsigned {
    word_phase,
    word_delay,
    word_sync,
    word_phase_after,
    word_delay_after,
    nb_words
};

static_assert(nb_words + payload_words <= +most_call_words && bl_words <= +most_call_words,
              "room for the attributes of every call");

#define FTR_REQUEST_ATTRIBUTES                                            \
    {"trans.command", FTR_TYPE_STRING, FTR_CLASS_BEGIN},                  \
        {"trans.address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},            \
        {"trans.data_length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},        \
        {"trans.streaming_width", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},    \
        {"trans.byte_enable_length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}, \
    {                                                                     \
        "trans.gp_option", FTR_TYPE_STRING, FTR_CLASS_BEGIN               \
    }
#define FTR_RESPONSE_ATTRIBUTES                                 \
    {"trans.dmi_allowed", FTR_TYPE_BOOLEAN, FTR_CLASS_END},     \
    {                                                           \
        "trans.response_status", FTR_TYPE_STRING, FTR_CLASS_END \
    }
#define FTR_DATA_ATTRIBUTE                               \
    {                                                    \
        "trans.data", FTR_TYPE_INTEGER, FTR_CLASS_RECORD \
    }
#define FTR_PAYLOAD_ATTRIBUTES FTR_REQUEST_ATTRIBUTES, FTR_RESPONSE_ATTRIBUTES, FTR_DATA_ATTRIBUTE

/* If the protocol is checked, the first attribute is the identity of the payload: a number that the
 * payload keeps from its first link to its last. The indices of all other attributes are therefore
 * greater by one. */
#define FTR_IDENTITY_ATTRIBUTE                         \
    {                                                  \
        "trans.id", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN \
    }

inline constexpr ftr_attribute identified_payload_attributes[] = {FTR_IDENTITY_ATTRIBUTE,
                                                                  FTR_PAYLOAD_ATTRIBUTES};
inline constexpr const ftr_attribute *payload_attributes = identified_payload_attributes + 1;

inline constexpr ftr_attribute identified_blocking_attributes[] = {
    FTR_IDENTITY_ATTRIBUTE,  {"start_delay", FTR_TYPE_TIME, FTR_CLASS_BEGIN},
    FTR_REQUEST_ATTRIBUTES,  FTR_DATA_ATTRIBUTE,
    FTR_RESPONSE_ATTRIBUTES, {"end_delay", FTR_TYPE_TIME, FTR_CLASS_END}};

inline constexpr const ftr_attribute *blocking_attributes = identified_blocking_attributes + 1;

inline constexpr ftr_attribute identified_nonblocking_attributes[] = {
    FTR_IDENTITY_ATTRIBUTE,
    {"tlm_phase", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
    {"delay", FTR_TYPE_TIME, FTR_CLASS_BEGIN},
    {"tlm_sync", FTR_TYPE_STRING, FTR_CLASS_END},
    {"tlm_phase[return_path]", FTR_TYPE_STRING, FTR_CLASS_END},
    {"delay[return_path]", FTR_TYPE_TIME, FTR_CLASS_END},
    FTR_PAYLOAD_ATTRIBUTES};

inline constexpr const ftr_attribute *nonblocking_attributes =
    identified_nonblocking_attributes + 1;

inline constexpr ftr_attribute debug_attributes[] = {
    {"transported", FTR_TYPE_UNSIGNED, FTR_CLASS_END}, FTR_PAYLOAD_ATTRIBUTES};

#undef FTR_IDENTITY_ATTRIBUTE
#undef FTR_PAYLOAD_ATTRIBUTES
#undef FTR_DATA_ATTRIBUTE
#undef FTR_RESPONSE_ATTRIBUTES
#undef FTR_REQUEST_ATTRIBUTES

enum tlm_debug_word : unsigned { word_transported };

enum tlm_get_word : unsigned {
    word_get_command,
    word_get_address,
    word_granted,
    word_start_address,
    word_end_address,
    word_access,
    word_read_latency,
    word_write_latency,
    get_words
};

inline constexpr ftr_attribute get_attributes[] = {
    {"trans.command", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
    {"trans.address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"granted", FTR_TYPE_BOOLEAN, FTR_CLASS_END},
    {"dmi_data.start_address", FTR_TYPE_UNSIGNED, FTR_CLASS_END},
    {"dmi_data.end_address", FTR_TYPE_UNSIGNED, FTR_CLASS_END},
    {"dmi_data.access", FTR_TYPE_STRING, FTR_CLASS_END},
    {"dmi_data.read_latency", FTR_TYPE_TIME, FTR_CLASS_END},
    {"dmi_data.write_latency", FTR_TYPE_TIME, FTR_CLASS_END}};

inline constexpr ftr_attribute invalidate_attributes[] = {
    {"start_addr", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"end_addr", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};

} // namespace detail
} // namespace ftr

#endif
