/* All code of the plug-in that depends on the internals of a SystemC version: access to private
 * members, and the callbacks of the kernel. Supports SystemC 2.3.2 to 3.0. With any other version,
 * only this file fails to compile. */
#ifndef FTR_KERNEL_ACCESS_HPP
#define FTR_KERNEL_ACCESS_HPP

#include <cstring>
#include <vector>

#include <cxxabi.h>

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

/* Removes an object from the hierarchy and releases its name. The kernel still calls its
 * callbacks. */
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

/* ---- multi-sockets ------------------------------------------------------------------------------
 * A multi-socket calls the interfaces in a vector of its own. Its class is a template over the
 * owning module, so the object cannot be cast to its class. The type is therefore recognised by
 * name. The vector is found by its distance from another member, to which a virtual function
 * returns a reference; this distance does not depend on the module. */

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

/* Returns true if a class is an instance of the class template with the mangled name @p mangled, or
 * derives from one. */
inline bool derives_from(const std::type_info &type, const char *mangled)
{
    if (std::strncmp(type.name(), mangled, std::strlen(mangled)) == 0)
        return true;
    if (const auto *single = dynamic_cast<const abi::__si_class_type_info *>(&type))
        return derives_from(*single->__base_type, mangled);
    const auto *several = dynamic_cast<const abi::__vmi_class_type_info *>(&type);
    if (!several)
        return false;
    for (unsigned i = 0; i < several->__base_count; ++i) {
        if (derives_from(*several->__base_info[i].__base_type, mangled))
            return true;
    }
    return false;
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
    auto *multi = dynamic_cast<tlm_utils::multi_init_base_if<> *>(&port);
    if (!multi || !derives_from(typeid(port), "N9tlm_utils34multi_passthrough_initiator_socketI"))
        return nullptr;
    std::vector<fw_if *> &known = multi->get_sockets();
    return neighbour<fw_if *, std::vector<fw_if *>, multi_initiator>(known);
}

/* Returns the interfaces that a multi-socket of a target calls back, or NULL if @p socket is of
 * another kind. */
inline std::vector<bw_if *> *private_interfaces(sc_core::sc_export<fw_if> &socket)
{
    auto *multi = dynamic_cast<tlm_utils::multi_target_base_if<> *>(&socket);
    if (!multi || !derives_from(typeid(socket), "N9tlm_utils31multi_passthrough_target_socketI"))
        return nullptr;
    auto &known = multi->get_binders();
    return neighbour<bw_if *, std::remove_reference_t<decltype(known)>, multi_target>(known);
}

/* ---- the hidden module
 * --------------------------------------------------------------------------- */

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
