/* All code of the plug-in that depends on the internals of a SystemC version: access to private
 * members, and the callbacks of the kernel. Supports SystemC 2.3.2 to 3.0. With any other version,
 * only this file fails to compile. */
#ifndef FTR_KERNEL_ACCESS_HPP
#define FTR_KERNEL_ACCESS_HPP

#include "tlm_names.hpp"

#include <cstring>
#include <string>
#include <typeinfo>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#if SYSTEMC_VERSION < 20171012
#error "the attach plug-in needs SystemC 2.3.2 or later"
#endif

namespace ftr
{
namespace attach
{

using fw_if = tlm::tlm_fw_transport_if<>;
using bw_if = tlm::tlm_bw_transport_if<>;

/* ---- private members ----------------------------------------------------------------------------
 * An explicit instantiation may name private members. Each instantiation below defines a friend
 * function that returns a pointer to one member. If a member is missing or has another type, this
 * file does not compile. */

template <class Tag, typename Tag::type Member> struct access {
    friend constexpr typename Tag::type member(Tag) { return Member; }
};

#define FTR_ACCESS(tag, class_name, member_type, member_name) \
    struct tag {                                              \
        using type = member_type class_name::*;               \
        friend constexpr type member(tag);                    \
    };                                                        \
    template struct access<tag, &class_name::member_name>

FTR_ACCESS(fw_first, sc_core::sc_port_b<fw_if>, fw_if *, m_interface);
FTR_ACCESS(fw_all, sc_core::sc_port_b<fw_if>, std::vector<fw_if *>, m_interface_vec);
FTR_ACCESS(bw_first, sc_core::sc_port_b<bw_if>, bw_if *, m_interface);
FTR_ACCESS(bw_all, sc_core::sc_port_b<bw_if>, std::vector<bw_if *>, m_interface_vec);

#undef FTR_ACCESS

struct object_detach {
    using type = void (sc_core::sc_object::*)();
    friend constexpr type member(object_detach);
};
template struct access<object_detach, &sc_core::sc_object::detach>;

/* Returns the pointer to the first interface of a port. operator-> uses this pointer, which
 * sc_port_b stores in a separate member. */
inline fw_if *&first_interface(sc_core::sc_port_b<fw_if> &port)
{
    return port.*member(fw_first{});
}
inline std::vector<fw_if *> &interfaces(sc_core::sc_port_b<fw_if> &port)
{
    return port.*member(fw_all{});
}
inline bw_if *&first_interface(sc_core::sc_port_b<bw_if> &port)
{
    return port.*member(bw_first{});
}
inline std::vector<bw_if *> &interfaces(sc_core::sc_port_b<bw_if> &port)
{
    return port.*member(bw_all{});
}

/* Removes an object from the hierarchy and releases its name. The kernel still calls the callbacks
 * of the object. */
inline void hide(sc_core::sc_object &object)
{
    (object.*member(object_detach{}))();
}

/* ---- sockets ------------------------------------------------------------------------------------
 * SystemC 2.3.4 renamed two functions of sockets. With the argument 0, overload resolution selects
 * the new name if it exists. */

template <class Socket> auto export_named(Socket &socket, int) -> decltype(socket.get_base_export())
{
    return socket.get_base_export();
}
template <class Socket>
auto export_named(Socket &socket, long) -> decltype(socket.get_export_base())
{
    return socket.get_export_base();
}
template <class Socket> auto port_named(Socket &socket, int) -> decltype(socket.get_base_port())
{
    return socket.get_base_port();
}
template <class Socket> auto port_named(Socket &socket, long) -> decltype(socket.get_port_base())
{
    return socket.get_port_base();
}

/* Return the export and the port of a socket of any kind. */
inline sc_core::sc_export_base &export_of(tlm::tlm_base_socket_if &socket)
{
    return export_named(socket, 0);
}
inline sc_core::sc_port_base &port_of(tlm::tlm_base_socket_if &socket)
{
    return port_named(socket, 0);
}

/* ---- classes of other protocol types ------------------------------------------------------------
 * A socket for `my_types` has other base classes than one for tlm_base_protocol_types, so it cannot
 * be cast to them. If both types have the same payload and the same phases, the interfaces of both
 * have the same bases, and all classes over these interfaces have the same layout and the same
 * virtual functions. Base classes are found by name, in the type information of an object. */

inline bool begins(const char *text, const char *beginning)
{
    return std::strncmp(text, beginning, std::strlen(beginning)) == 0;
}

/* Calls @p visit with each class from which @p type derives, beginning with @p type itself, and
 * with the address of this base in @p object, until @p visit returns true. */
template <class Visit>
bool find_base(const std::type_info &type, const void *object, const Visit &visit)
{
    if (visit(type, object))
        return true;
    if (const auto *single = dynamic_cast<const abi::__si_class_type_info *>(&type))
        return find_base(*single->__base_type, object, visit);
    const auto *several = dynamic_cast<const abi::__vmi_class_type_info *>(&type);
    for (unsigned i = 0; several && i < several->__base_count; ++i) {
        const abi::__base_class_type_info &base = several->__base_info[i];
        std::ptrdiff_t offset = base.__offset();
        if (base.__is_virtual_p()) // the offset is in the table of virtual functions
            std::memcpy(&offset, *static_cast<const char *const *>(object) + offset, sizeof offset);
        if (find_base(*base.__base_type, static_cast<const char *>(object) + offset, visit))
            return true;
    }
    return false;
}

/* Calls find_base() for the whole object that contains @p part. */
template <class Part, class Visit> bool find_base_of(const Part &part, const Visit &visit)
{
    return find_base(typeid(part), dynamic_cast<const void *>(&part), visit);
}

/* Mangled names of class templates, up to their first argument. */
constexpr const char *port_name = "N7sc_core9sc_port_bI";
constexpr const char *fw_if_name = "N3tlm19tlm_fw_transport_ifI";
constexpr const char *bw_if_name = "N3tlm19tlm_bw_transport_ifI";
constexpr const char *multi_initiator_name = "N9tlm_utils34multi_passthrough_initiator_socketI";
constexpr const char *multi_target_name = "N9tlm_utils31multi_passthrough_target_socketI";
constexpr const char *fw_port_name = "N7sc_core9sc_port_bIN3tlm19tlm_fw_transport_ifI";

/* The begin of the mangled name of the class that takes the place of `Part` for other protocol
 * types. */
template <class Part> constexpr const char *name_of_part = nullptr;
template <> inline constexpr const char *name_of_part<sc_core::sc_port_b<fw_if>> = fw_port_name;
template <>
inline constexpr const char *name_of_part<sc_core::sc_port_b<bw_if>> =
    "N7sc_core9sc_port_bIN3tlm19tlm_bw_transport_ifI";
template <>
inline constexpr const char *name_of_part<sc_core::sc_export<fw_if>> =
    "N7sc_core9sc_exportIN3tlm19tlm_fw_transport_ifI";
template <>
inline constexpr const char *name_of_part<sc_core::sc_export<bw_if>> =
    "N7sc_core9sc_exportIN3tlm19tlm_bw_transport_ifI";
template <>
inline constexpr const char *name_of_part<tlm_utils::multi_init_base_if<>> =
    "N9tlm_utils18multi_init_base_ifI";
template <>
inline constexpr const char *name_of_part<tlm_utils::multi_target_base_if<>> =
    "N9tlm_utils20multi_target_base_ifI";

/* Returns true if @p object derives from a class with a name that begins with @p name. */
template <class Object> bool derives_from(const Object &object, const char *name)
{
    return find_base_of(object, [name](const std::type_info &type, const void *) {
        return begins(type.name(), name);
    });
}

/* Returns true if all transport interfaces of @p object, for any protocol types, are for the
 * payload and the phases of the base protocol. */
inline bool has_base_payload(const sc_core::sc_interface &object)
{
    const auto differs = [](const std::type_info &type, const char *name,
                            const std::type_info &known) {
        const auto *own = dynamic_cast<const abi::__vmi_class_type_info *>(&type);
        const auto *base = dynamic_cast<const abi::__vmi_class_type_info *>(&known);
        if (!begins(type.name(), name))
            return false;
        if (!own || !base || own->__base_count != base->__base_count)
            return true;
        for (unsigned i = 0; i < own->__base_count; ++i) {
            if (*own->__base_info[i].__base_type != *base->__base_info[i].__base_type)
                return true;
        }
        return false;
    };
    return !find_base_of(object, [&](const std::type_info &type, const void *) {
        return differs(type, fw_if_name, typeid(fw_if)) || differs(type, bw_if_name, typeid(bw_if));
    });
}

/* Returns the base class @p Part of @p object, or the class that takes its place for other protocol
 * types. The bound interfaces may be used through the result only if they have the base payload. */
template <class Part, class Object> Part *part_of(Object *object)
{
    if (auto *part = dynamic_cast<Part *>(object))
        return part;
    const void *found = nullptr;
    const auto take = [&found](const std::type_info &type, const void *base) {
        found = begins(type.name(), name_of_part<Part>) ? base : nullptr;
        return found != nullptr;
    };
    if (object)
        find_base_of(*object, take);
    return static_cast<Part *>(const_cast<void *>(found));
}

/* Same as part_of(), for a port or an export. Returns NULL if the port or export is bound to an
 * interface for another payload. */
template <class Part, class Object> Part *bound_part_of(Object *object)
{
    Part *const part = part_of<Part>(object);
    const sc_core::sc_interface *const bound = part ? part->get_interface() : nullptr;
    return bound && !has_base_payload(*bound) ? nullptr : part;
}

/* Returns the interface of an export, NULL if the export is not bound. */
template <class If> If *interface_of(sc_core::sc_export<If> *exported)
{
    return exported && exported->get_interface() ? exported->operator->() : nullptr;
}

/* Returns the name of the interface of a port, for example sc_signal_in_if<bool> for
 * sc_in<bool>. */
inline std::string interface_name(const sc_core::sc_port_base &port)
{
    std::string name = "unknown";
    find_base_of(port, [&name](const std::type_info &type, const void *) {
        if (!begins(type.name(), port_name))
            return false;
        name = detail::type_name(type);
        const std::size_t begin = name.find('<');
        if (begin != std::string::npos)
            name = name.substr(begin + 1, name.rfind('>') - begin - 1);
        while (!name.empty() && name.back() == ' ')
            name.pop_back();
        return true;
    });
    return name;
}

/* ---- multi-sockets ------------------------------------------------------------------------------
 * A multi-socket calls the interfaces in a vector of its own. The class of a multi-socket is a
 * template over the owning module, so the object cannot be cast to its class. The type is therefore
 * recognised by name. The vector is found by its distance from another member, to which a virtual
 * function returns a reference. The distance does not depend on the module. */

struct any_module {
};

struct multi_initiator : tlm_utils::multi_passthrough_initiator_socket<any_module> {
    static constexpr auto known() { return &multi_initiator::m_sockets; }
    static constexpr auto wanted() { return &multi_initiator::m_used_sockets; }
};

struct multi_target : tlm_utils::multi_passthrough_target_socket<any_module> {
    static constexpr auto known() { return &multi_target::m_binders; }
    static constexpr auto wanted() { return &multi_target::m_sockets; }
};

/* Returns the offset of a data member. In the ABI of all supported compilers, a pointer to a data
 * member contains the offset. */
template <class Member> std::ptrdiff_t offset_of(Member member)
{
    static_assert(sizeof member == sizeof(std::ptrdiff_t), "Itanium C++ ABI");
    std::ptrdiff_t offset = 0;
    std::memcpy(&offset, &member, sizeof offset);
    return offset;
}

template <class Element, class Known, class Socket> std::vector<Element> *neighbour(Known &known)
{
    return reinterpret_cast<std::vector<Element> *>(reinterpret_cast<char *>(&known) +
                                                    offset_of(Socket::wanted()) -
                                                    offset_of(Socket::known()));
}

/* Returns the interfaces that a multi-socket of an initiator calls, or NULL if @p port is of
 * another kind. */
inline std::vector<fw_if *> *private_interfaces(sc_core::sc_port_b<fw_if> &port)
{
    auto *multi = part_of<tlm_utils::multi_init_base_if<>>(&port);
    if (!multi || !derives_from(port, multi_initiator_name))
        return nullptr;
    std::vector<fw_if *> &known = multi->get_sockets();
    return neighbour<fw_if *, std::vector<fw_if *>, multi_initiator>(known);
}

/* Returns the interfaces that a multi-socket of a target calls back, or NULL if @p socket is of
 * another kind. */
inline std::vector<bw_if *> *private_interfaces(sc_core::sc_export<fw_if> &socket)
{
    auto *multi = part_of<tlm_utils::multi_target_base_if<>>(&socket);
    if (!multi || !derives_from(socket, multi_target_name))
        return nullptr;
    auto &known = multi->get_binders();
    return neighbour<bw_if *, std::remove_reference_t<decltype(known)>, multi_target>(known);
}

/* ---- the hidden module ----------------------------------------------------------------------- */

/* A module that receives the kernel's callbacks without affecting the model. It is not in the
 * hierarchy, and its name cannot clash with a name of the model. */
class hidden_module : public sc_core::sc_module
{
  public:
    hidden_module() : hidden_module(sc_core::sc_module_name("$$$$ftr_attach$$$$")) {}

  private:
    explicit hidden_module(const sc_core::sc_module_name &) { hide(*this); }
};

} // namespace attach
} // namespace ftr

#endif
