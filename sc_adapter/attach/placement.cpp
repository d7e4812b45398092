/* Finds the links of an elaborated model and places observers at the calls of its sockets. A link
 * begins at a port that makes forward calls. The interface that a backward call reaches determines
 * the link of the call. This file uses only names and bindings; the observers record the calls. */
#include "placement.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "kernel_access.hpp"

namespace ftr
{
namespace attach
{

namespace
{

using fw_port = sc_core::sc_port_b<fw_if>;
using bw_port = sc_core::sc_port_b<bw_if>;
using fw_export = sc_core::sc_export<fw_if>;
using bw_export = sc_core::sc_export<bw_if>;
using initiator_if = tlm_utils::multi_init_base_if<>;
using target_if = tlm_utils::multi_target_base_if<>;

/* Counts the granted DMI requests, recorded or not. */
class counting_observer : public tlm_fw_observer<>
{
  public:
    counting_observer(tlm_link &link, fw_if &target, std::size_t &grants)
        : tlm_fw_observer<>(link, target), grants_(grants)
    {
    }

    bool get_direct_mem_ptr(tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi) override
    {
        const bool granted = tlm_fw_observer<>::get_direct_mem_ptr(trans, dmi);
        grants_ += granted;
        return granted;
    }

  private:
    std::size_t &grants_;
};

/* Observers of links on which only DMI and debug transport are recorded: they forward the other
 * calls without a test. */
class memory_observer : public counting_observer
{
  public:
    using counting_observer::counting_observer;

    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override
    {
        target().b_transport(trans, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        return target().nb_transport_fw(trans, phase, delay);
    }
};

/* One binding of a port that makes forward calls. */
struct forward_end {
    fw_port *port;
    std::size_t index;
    fw_if *target;                 /* the interface that the port is bound to */
    std::vector<bw_if *> answered; /* interfaces on which targets may call back */
    /* Depth of the port in the hierarchy. If several ends fit a backward call, the deepest one made
     * the forward call. */
    std::size_t depth;
    bool is_base; /* the types of the protocol are tlm_base_protocol_types */
    tlm_link *link = nullptr;
    tlm_fw_observer<> *observer = nullptr; /* NULL: no call of the link is recorded */
};

/* A port through which a target calls its initiator, and the target socket to which this port
 * belongs. */
struct backward_port {
    bw_port *port;
    fw_export *socket; /* NULL: none */
};

class placer
{
  public:
    explicit placer(recorder &rec) : rec_(rec) {}

    void collect(const std::vector<sc_core::sc_object *> &objects);
    placed place();

  private:
    void collect_socket(sc_core::sc_object &object);
    void collect_forward(fw_port &port, tlm::tlm_base_socket_if *socket);
    void collect_other(sc_core::sc_port_base &port, const tlm::tlm_base_socket_if *socket);
    void collect_target(sc_core::sc_object &object);
    std::string target_name(const fw_if *target) const;
    static bw_if *answered_by(fw_port &port, tlm::tlm_base_socket_if *socket);
    void complete_answers();
    static void install(const forward_end &end, fw_if *&place)
    {
        if (end.observer)
            place = end.observer;
    }
    void place_forward(forward_end &end, std::size_t bindings);
    void expect_unseen_calls(const fw_port &port);
    void expect_unseen_calls(const backward_port &backward);
    void place_private(fw_port &port);
    void place_backward(const backward_port &backward);
    void place_private(const backward_port &backward);
    bw_if *observe(const backward_port &backward, std::size_t index, bw_if &initiator);
    forward_end *find_caller(const backward_port &backward, std::size_t index,
                             const bw_if &initiator);
    static std::vector<fw_if *> received_by(const backward_port &backward, std::size_t index);
    void miss(const std::string &what) { result_.unobserved.push_back(what); }
    /* Same as miss(), for an initiator socket that was counted as observed. */
    void miss_calls(const std::string &what)
    {
        --result_.observed;
        miss(what);
    }

    recorder &rec_;
    std::vector<forward_end> ends_;
    std::vector<backward_port> backward_;
    std::vector<std::pair<fw_if *, std::string>>
        targets_; /* interfaces that receive calls, with the names of their sockets */
    std::map<std::pair<bw_if *, tlm_link *>, tlm_bw_observer<> *> backward_observers_;
    std::set<const sc_core::sc_port_base *> socket_ports_;
    std::vector<const sc_core::sc_port_base *> plain_; /* may be ports of target sockets */
    placed result_;
};

/* Keeps an object until the end of the process, like the kernel's own objects. The list prevents
 * reports of LeakSanitizer. */
template <class Object> Object *keep(Object *made)
{
    static auto *const kept = new std::vector<const void *>;
    kept->push_back(made);
    return made;
}

std::size_t depth_of(const char *name)
{
    return static_cast<std::size_t>(std::count(name, name + std::strlen(name), '.'));
}

/* ---- search ---------------------------------------------------------------------------------- */

void placer::collect(const std::vector<sc_core::sc_object *> &objects)
{
    for (sc_core::sc_object *object : objects) {
        collect_socket(*object);
        collect(object->get_child_objects());
    }
}

/* Returns the interface of an initiator socket that targets call back. NULL for multi-sockets: they
 * have one interface for each binding, and access to their export would bind the export. */
bw_if *placer::answered_by(fw_port &port, tlm::tlm_base_socket_if *socket)
{
    if (!socket || part_of<initiator_if>(&port))
        return nullptr;
    return interface_of(bound_part_of<bw_export>(&export_of(*socket)));
}

/* Collects the interfaces on which a target socket receives its calls. A multi-socket has one
 * interface for each binding. An outer socket of the hierarchy has the same interface as its inner
 * socket; the outer socket is collected first. */
void placer::collect_target(sc_core::sc_object &object)
{
    auto *const received = bound_part_of<fw_export>(&object);
    if (auto *multi = part_of<target_if>(&object)) {
        const auto &binders = multi->get_binders();
        for (std::size_t i = 0; i < binders.size(); ++i)
            targets_.emplace_back(binders[i],
                                  std::string(object.name()) + "[" + std::to_string(i) + "]");
    } else if (fw_if *own = interface_of(received)) {
        targets_.emplace_back(own, object.name());
    }
}

std::string placer::target_name(const fw_if *target) const
{
    const auto found = std::find_if(targets_.rbegin(), targets_.rend(),
                                    [target](const auto &known) { return known.first == target; });
    return found != targets_.rend() ? found->second : "";
}

void placer::collect_forward(fw_port &port, tlm::tlm_base_socket_if *socket)
{
    const std::vector<fw_if *> &bound = interfaces(port);
    ++(bound.empty() ? result_.unbound : result_.bound);
    result_.observed += !bound.empty();
    const bool is_base = dynamic_cast<fw_port *>(static_cast<sc_core::sc_object *>(&port));
    if (!is_base && !bound.empty())
        result_.unchecked.add(interface_name(port), port.name());
    for (std::size_t i = 0; i < bound.size(); ++i) {
        ends_.push_back({&port, i, bound[i], {}, depth_of(port.name()), is_base});
        if (bw_if *answers = answered_by(port, socket))
            ends_.back().answered.push_back(answers);
    }
}

/* Counts a socket or a port that is not observed. */
void placer::collect_other(sc_core::sc_port_base &port, const tlm::tlm_base_socket_if *socket)
{
    const sc_core::sc_interface *const bound = port.get_interface();
    if (!socket) {
        if (bound)
            plain_.push_back(&port);
        return;
    }
    ++(bound ? result_.bound : result_.unbound);
    /* The model itself may record this link. */
    const bool is_recorded =
        bound && (derives_from(*bound, "N3ftr15tlm_fw_observerI") ||
                  derives_from(port, "N3ftr30tlm_recording_initiator_socketI"));
    const sc_core::sc_object *const parent = port.get_parent_object();
    if (!bound || is_recorded || (parent && derives_from(*parent, "N3ftr12tlm_recorderI")))
        return;
    (derives_from(port, fw_port_name) ? result_.other_protocols : result_.other_interfaces)
        .add(interface_name(port), port.name());
}

void placer::collect_socket(sc_core::sc_object &object)
{
    auto *const socket = dynamic_cast<tlm::tlm_base_socket_if *>(&object);
    const unsigned category = socket ? socket->get_socket_category() : 0;
    if (socket)
        socket_ports_.insert(&port_of(*socket));
    if (auto *port = bound_part_of<fw_port>(&object)) {
        collect_forward(*port, socket);
    } else if ((category & tlm::TLM_TARGET_SOCKET) != 0) {
        collect_target(object);
        if (auto *own = bound_part_of<bw_port>(&port_of(*socket)))
            backward_.push_back({own, bound_part_of<fw_export>(&object)});
    } else if (auto *plain = bound_part_of<bw_port>(&object)) {
        const auto known =
            std::find_if(backward_.begin(), backward_.end(),
                         [plain](const backward_port &backward) { return backward.port == plain; });
        if (known == backward_.end())
            backward_.push_back({plain, nullptr});
    } else if (auto *other = dynamic_cast<sc_core::sc_port_base *>(&object)) {
        collect_other(*other, socket);
    }
}

/* Adds the interfaces of multi-sockets of initiators to `answered`. A multi-socket is called back
 * through one binder for each binding; a socket deeper in the hierarchy with the same binding
 * receives the call. */
void placer::complete_answers()
{
    std::vector<std::pair<fw_if *, bw_if *>> binders;
    for (const forward_end &end : ends_) {
        auto *multi = part_of<initiator_if>(end.port);
        if (!multi || end.index != 0)
            continue;
        const std::size_t count =
            std::min(multi->get_sockets().size(), multi->get_binders().size());
        for (std::size_t i = 0; i < count; ++i)
            binders.emplace_back(multi->get_sockets()[i], multi->get_binders()[i]);
    }
    for (forward_end &end : ends_) {
        for (const auto &binder : binders) {
            if (binder.first == end.target)
                end.answered.push_back(binder.second);
        }
    }
}

/* ---- forward --------------------------------------------------------------------------------- */

void placer::place_forward(forward_end &end, std::size_t bindings)
{
    std::string name = end.port->name();
    if (bindings > 1 || part_of<initiator_if>(end.port))
        name += "[" + std::to_string(end.index) + "]";
    const char *const protocol = end.is_base ? "base-protocol" : "custom-protocol";
    end.link = keep(new tlm_link(rec_, name, protocol));
    const std::string target = target_name(end.target);
    end.link->set_target(target);
    ++result_.links;
    if (end.link->ignores_all())
        return; // without an observer, the calls of the link cost nothing
    result_.ends.push_back({name, end.port->name(), target, protocol});
    std::size_t &grants = *keep(new std::size_t(0));
    result_.grants.emplace_back(name, &grants);
    if (end.link->ignores_transport())
        end.observer = keep(new memory_observer(*end.link, *end.target, grants));
    else
        end.observer = keep(new counting_observer(*end.link, *end.target, grants));
    install(end, interfaces(*end.port)[end.index]);
    if (end.index == 0)
        install(end, first_interface(*end.port));
}

/* Informs the links of a multi-socket that calls may bypass their observers. */
void placer::expect_unseen_calls(const fw_port &port)
{
    for (forward_end &end : ends_) {
        if (end.port == &port)
            end.link->expect_unseen_calls();
    }
}

void placer::expect_unseen_calls(const backward_port &backward)
{
    const std::vector<bw_if *> &bound = interfaces(*backward.port);
    for (std::size_t i = 0; i < bound.size(); ++i) {
        if (forward_end *end = find_caller(backward, i, *bound[i]))
            end->link->expect_unseen_calls();
    }
}

/* Places observers in a multi-socket's own copy of the bindings of its port. */
void placer::place_private(fw_port &port)
{
    std::vector<fw_if *> *const own = private_interfaces(port);
    if (!own) {
        if (part_of<initiator_if>(&port)) {
            expect_unseen_calls(port);
            miss_calls(std::string(port.name()) +
                       " is a multi-socket of an unknown class: its calls "
                       "through its own pointers are not recorded");
        }
        return;
    }
    if (own->empty())
        return; // the socket is bound hierarchically: an inner socket makes the calls
    std::vector<forward_end *> ends;
    for (forward_end &end : ends_) {
        if (end.port == &port)
            ends.push_back(&end);
    }
    const bool is_known =
        own->size() == ends.size() && std::equal(ends.begin(), ends.end(), own->begin(),
                                                 [](const forward_end *end, const fw_if *target) {
                                                     return end->target == target;
                                                 });
    if (!is_known) {
        expect_unseen_calls(port);
        miss_calls(std::string(port.name()) +
                   " calls interfaces other than the ones that it is bound to");
        return;
    }
    for (std::size_t i = 0; i < ends.size(); ++i)
        install(*ends[i], (*own)[i]);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Returns the interface on which a target socket receives calls; in a multi-socket, the one of
 * binding @p index. */
std::vector<fw_if *> placer::received_by(const backward_port &backward, std::size_t index)
{
    std::vector<fw_if *> received;
    if (auto *multi = part_of<target_if>(backward.socket)) {
        const auto &binders = multi->get_binders();
        if (index < binders.size())
            received.push_back(binders[index]);
    } else if (backward.socket) {
        received.push_back(interface_of(backward.socket));
    }
    return received;
}

/* Finds the forward end of the initiator that a call through binding @p index reaches. If a module
 * receives the answers for several sockets on one interface, the target's own interface
 * distinguishes the sockets. */
forward_end *placer::find_caller(const backward_port &backward, std::size_t index,
                                 const bw_if &initiator)
{
    const std::vector<fw_if *> received = received_by(backward, index);
    forward_end *best = nullptr;
    bool best_matches = false;
    for (forward_end &end : ends_) {
        if (std::find(end.answered.begin(), end.answered.end(), &initiator) == end.answered.end())
            continue;
        const bool matches =
            std::find(received.begin(), received.end(), end.target) != received.end();
        if (!best || matches > best_matches ||
            (matches == best_matches && end.depth > best->depth)) {
            best = &end;
            best_matches = matches;
        }
    }
    return best;
}

bw_if *placer::observe(const backward_port &backward, std::size_t index, bw_if &initiator)
{
    const forward_end *end = find_caller(backward, index, initiator);
    if (!end) {
        miss(std::string(backward.port->name()) +
             " calls back an initiator without a socket: these calls are not recorded");
        return &initiator;
    }
    if (end->link->ignores_all())
        return &initiator; // without an observer, the calls of the link cost nothing
    tlm_bw_observer<> *&observer = backward_observers_[{&initiator, end->link}];
    if (!observer)
        observer = keep(new tlm_bw_observer<>(*end->link, initiator));
    return observer;
}

void placer::place_backward(const backward_port &backward)
{
    std::vector<bw_if *> &bound = interfaces(*backward.port);
    for (std::size_t i = 0; i < bound.size(); ++i)
        bound[i] = observe(backward, i, *bound[i]);
    if (!bound.empty())
        first_interface(*backward.port) = bound.front();
}

void placer::place_private(const backward_port &backward)
{
    std::vector<bw_if *> *const own =
        backward.socket ? private_interfaces(*backward.socket) : nullptr;
    if (!own) {
        if (part_of<target_if>(backward.socket)) {
            expect_unseen_calls(backward);
            miss(std::string(backward.socket->name()) +
                 " is a multi-socket of an unknown class: its calls through its own pointers are "
                 "not recorded");
        }
        return;
    }
    const std::vector<bw_if *> &bound = interfaces(*backward.port);
    const bool is_known =
        own->empty() || (own->size() == bound.size() &&
                         std::is_permutation(own->begin(), own->end(), bound.begin()));
    if (!is_known) {
        expect_unseen_calls(backward);
        miss(std::string(backward.socket->name()) +
             " calls back interfaces other than the ones that it is bound to");
        return;
    }
    for (std::size_t i = 0; i < own->size(); ++i)
        (*own)[i] = observe(backward, i, *(*own)[i]);
}

placed placer::place()
{
    for (const sc_core::sc_port_base *port : plain_) {
        if (socket_ports_.count(port) == 0)
            result_.plain.add(interface_name(*port), port->name());
    }
    complete_answers();
    std::map<const fw_port *, std::size_t> bindings;
    for (const forward_end &end : ends_)
        ++bindings[end.port];
    for (forward_end &end : ends_)
        place_forward(end, bindings[end.port]);
    for (const auto &port : bindings)
        place_private(*const_cast<fw_port *>(port.first));
    for (const backward_port &backward : backward_)
        place_private(backward); // must precede place_backward(), which changes the bindings of the
                                 // ports: place_private() compares with them
    for (const backward_port &backward : backward_)
        place_backward(backward);
    return result_;
}

} // namespace

placed place_observers(recorder &rec)
{
    placer all(rec);
    all.collect(sc_core::sc_get_top_level_objects());
    return all.place();
}

} // namespace attach
} // namespace ftr
