/* The names of the values of TLM-2.0's enumerations, and of types, as they are recorded and
 * reported. */
#ifndef FTR_TLM_NAMES_HPP
#define FTR_TLM_NAMES_HPP

#include <cstdlib>
#include <cstring>
#include <string>
#include <typeinfo>

#include <cxxabi.h>

#include <tlm>

namespace ftr
{
namespace detail
{

/* `names` has the names of the values `first`, `first` + 1, ... of an enumeration. */
template <class Enum> struct tlm_names;

template <> struct tlm_names<tlm::tlm_command> {
    static constexpr int first = tlm::TLM_READ_COMMAND;
    static constexpr const char *names[] = {"tlm::TLM_READ_COMMAND", "tlm::TLM_WRITE_COMMAND",
                                            "tlm::TLM_IGNORE_COMMAND"};
};

template <> struct tlm_names<tlm::tlm_response_status> {
    static constexpr int first = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    static constexpr const char *names[] = {"tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE",
                                            "tlm::TLM_BURST_ERROR_RESPONSE",
                                            "tlm::TLM_COMMAND_ERROR_RESPONSE",
                                            "tlm::TLM_ADDRESS_ERROR_RESPONSE",
                                            "tlm::TLM_GENERIC_ERROR_RESPONSE",
                                            "tlm::TLM_INCOMPLETE_RESPONSE",
                                            "tlm::TLM_OK_RESPONSE"};
};

template <> struct tlm_names<tlm::tlm_gp_option> {
    static constexpr int first = tlm::TLM_MIN_PAYLOAD;
    static constexpr const char *names[] = {"tlm::TLM_MIN_PAYLOAD", "tlm::TLM_FULL_PAYLOAD",
                                            "tlm::TLM_FULL_PAYLOAD_ACCEPTED"};
};

template <> struct tlm_names<tlm::tlm_sync_enum> {
    static constexpr int first = tlm::TLM_ACCEPTED;
    static constexpr const char *names[] = {"tlm::TLM_ACCEPTED", "tlm::TLM_UPDATED",
                                            "tlm::TLM_COMPLETED"};
};

template <> struct tlm_names<tlm::tlm_phase_enum> {
    static constexpr int first = tlm::UNINITIALIZED_PHASE;
    static constexpr const char *names[] = {"UNINITIALIZED_PHASE", "BEGIN_REQ", "END_REQ",
                                            "BEGIN_RESP", "END_RESP"};
};

template <> struct tlm_names<tlm::tlm_dmi::dmi_access_e> {
    static constexpr int first = tlm::tlm_dmi::DMI_ACCESS_NONE;
    static constexpr const char *names[] = {"tlm::DMI_ACCESS_NONE", "tlm::DMI_ACCESS_READ",
                                            "tlm::DMI_ACCESS_WRITE", "tlm::DMI_ACCESS_READ_WRITE"};
};

/* Returns the name of a value; for other numbers, @p otherwise. */
template <class Enum> const char *tlm_name(int value, const char *otherwise = nullptr)
{
    const auto index = static_cast<unsigned>(value - tlm_names<Enum>::first);
    return index < sizeof tlm_names<Enum>::names / sizeof(char *) ? tlm_names<Enum>::names[index]
                                                                  : otherwise;
}

/* Returns the part of a name that tells the values of an enumeration apart: `READ` of
 * "tlm::TLM_READ_COMMAND", `OK` of "tlm::TLM_OK_RESPONSE". */
inline std::string short_name(std::string name)
{
    for (const char *const prefix : {"tlm::TLM_", "tlm::DMI_ACCESS_"}) {
        if (name.rfind(prefix, 0) == 0)
            name.erase(0, std::strlen(prefix));
    }
    for (const char *const suffix : {"_COMMAND", "_RESPONSE"}) {
        const std::size_t size = std::strlen(suffix);
        if (name.size() > size && name.compare(name.size() - size, size, suffix) == 0)
            name.erase(name.size() - size);
    }
    return name;
}

/* Returns the name of a type as in a program's source. */
inline std::string type_name(const std::type_info &type)
{
    int status = 0;
    char *const text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
    std::string name = text ? text : type.name();
    std::free(text);
    return name;
}

/* Returns the name of a response status without `tlm::`. */
inline const char *response_name(tlm::tlm_response_status status)
{
    return tlm_name<tlm::tlm_response_status>(status, "tlm::(no such status)") + sizeof "tlm::" - 1;
}

} // namespace detail
} // namespace ftr

#endif
