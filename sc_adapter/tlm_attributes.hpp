/* The attributes of TLM links: names, types and order. Viewers keep one class for each attribute
 * name in a whole file, so a name has the same class in all generators. */
#ifndef FTR_TLM_ATTRIBUTES_HPP
#define FTR_TLM_ATTRIBUTES_HPP

#include <atomic>

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

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

/* True if an extension was registered, or if a link records more than 8 bytes of data. Calls then
 * look for attributes that do not fit into 64-bit words. */
extern FTR_SC_HIDDEN bool may_capture_more;

/* Registered user extensions (tlm_extensions.cpp). */
extern bool has_extension_recorders;
void put_extensions(ftr_recorder *rec, ftr_tx tx, const tlm::tlm_generic_payload &trans,
                    bool is_response);

} // namespace detail
} // namespace ftr

#endif
