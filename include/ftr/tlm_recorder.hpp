/** @file
 *  For models that can be edited: a module that records the calls between two sockets, and sockets
 *  that record the calls that they send or receive. Included by <ftr/tlm.hpp>.
 *
 *      ftr::tlm_recorder<> probe{"probe"};             // stream top.probe
 *      cpu.socket.bind(probe.target_socket);
 *      probe.initiator_socket.bind(memory.socket);
 *
 *      // instead of tlm::tlm_initiator_socket<>:
 *      ftr::tlm_recording_initiator_socket<> socket{"socket"}; */
#ifndef FTR_TLM_RECORDER_HPP
#define FTR_TLM_RECORDER_HPP

#include <memory>
#include <string>
#include <vector>

#include <ftr/tlm_observer.hpp>

namespace ftr
{

/** Records the calls between an initiator and a target. The link has the name of this module, and
 *  the names of its streams begin with it (<ftr/tlm_link.hpp>). */
template <unsigned BusWidth = 32, class Types = tlm::tlm_base_protocol_types>
class tlm_recorder : public sc_core::sc_module
{
  public:
    using payload_type = typename Types::tlm_payload_type;
    using phase_type = typename Types::tlm_phase_type;

    /** The initiator's socket must be bound to this socket. */
    tlm::tlm_target_socket<BusWidth, Types> target_socket;
    /** This socket must be bound to the target's socket. */
    tlm::tlm_initiator_socket<BusWidth, Types> initiator_socket;

    explicit tlm_recorder(const sc_core::sc_module_name &name, recorder &rec = recorder::standard(),
                          const tlm_settings &settings = tlm_environment())
        : sc_core::sc_module(name), target_socket("target_socket"),
          initiator_socket("initiator_socket"), link_(rec, this->name(), tlm_protocol<Types>::name,
                                                      detail::settings_for<Types>(settings)),
          fw_(*this), bw_(*this), fw_observer_(link_, fw_), bw_observer_(link_, bw_)
    {
        target_socket.bind(fw_observer_);
        initiator_socket.bind(bw_observer_);
    }

    tlm_link &link() { return link_; }

  private:
    struct forward_path : tlm::tlm_fw_transport_if<Types> {
        explicit forward_path(tlm_recorder &recorder) : of(recorder) {}
        void b_transport(payload_type &trans, sc_core::sc_time &delay) override
        {
            of.initiator_socket->b_transport(trans, delay);
        }
        tlm::tlm_sync_enum nb_transport_fw(payload_type &trans, phase_type &phase,
                                           sc_core::sc_time &delay) override
        {
            return of.initiator_socket->nb_transport_fw(trans, phase, delay);
        }
        bool get_direct_mem_ptr(payload_type &trans, tlm::tlm_dmi &dmi) override
        {
            return of.initiator_socket->get_direct_mem_ptr(trans, dmi);
        }
        unsigned transport_dbg(payload_type &trans) override
        {
            return of.initiator_socket->transport_dbg(trans);
        }
        tlm_recorder &of;
    };

    struct backward_path : tlm::tlm_bw_transport_if<Types> {
        explicit backward_path(tlm_recorder &recorder) : of(recorder) {}
        tlm::tlm_sync_enum nb_transport_bw(payload_type &trans, phase_type &phase,
                                           sc_core::sc_time &delay) override
        {
            return of.target_socket->nb_transport_bw(trans, phase, delay);
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override
        {
            of.target_socket->invalidate_direct_mem_ptr(start, end);
        }
        tlm_recorder &of;
    };

    tlm_link link_;
    forward_path fw_;
    backward_path bw_;
    tlm_fw_observer<Types> fw_observer_;
    tlm_bw_observer<Types> bw_observer_;
};

/** An initiator socket that records its calls. The streams have the name of the socket (`name[i]`
 * if it has several bindings). */
template <unsigned BusWidth = 32, class Types = tlm::tlm_base_protocol_types, int N = 1,
          sc_core::sc_port_policy Policy = sc_core::SC_ONE_OR_MORE_BOUND>
class tlm_recording_initiator_socket : public tlm::tlm_initiator_socket<BusWidth, Types, N, Policy>
{
    using base = tlm::tlm_initiator_socket<BusWidth, Types, N, Policy>;
    using fw_if = tlm::tlm_fw_transport_if<Types>;
    using bw_if = tlm::tlm_bw_transport_if<Types>;

  public:
    using base::bind;

    explicit tlm_recording_initiator_socket(const char *name, recorder &rec = recorder::standard(),
                                            const tlm_settings &settings = tlm_environment())
        : base(name), rec_(rec), settings_(detail::settings_for<Types>(settings))
    {
    }

    /** Binds the interface that receives backward calls, which are recorded, too. */
    void bind(bw_if &initiator) override
    {
        backward_ = std::make_unique<tlm_bw_observer<Types>>(link(0).link, initiator);
        base::bind(*backward_);
    }
    void operator()(bw_if &initiator) { bind(initiator); }
    using base::operator();

    fw_if *operator->() { return observer(0); }
    fw_if *operator[](int index) { return observer(index); }

  private:
    struct one_link {
        one_link(recorder &rec, const std::string &name, const tlm_settings &settings)
            : link(rec, name, tlm_protocol<Types>::name, settings)
        {
        }
        tlm_link link;
        std::unique_ptr<tlm_fw_observer<Types>> forward;
    };

    one_link &link(int index)
    {
        const auto at = static_cast<std::size_t>(index);
        if (links_.size() <= at)
            links_.resize(at + 1);
        if (!links_[at]) {
            std::string name = this->name();
            if (at > 0 || this->size() > 1)
                name += "[" + std::to_string(at) + "]";
            links_[at] = std::make_unique<one_link>(rec_, name, settings_);
        }
        return *links_[at];
    }

    fw_if *observer(int index)
    {
        one_link &of = link(index);
        if (!of.forward) {
            fw_if *target = base::operator[](index);
            if (!target)
                return nullptr;
            of.forward = std::make_unique<tlm_fw_observer<Types>>(of.link, *target);
        }
        return of.forward.get();
    }

    recorder &rec_;
    const tlm_settings settings_;
    std::vector<std::unique_ptr<one_link>> links_;
    std::unique_ptr<tlm_bw_observer<Types>> backward_;
};

/** A target socket that records received calls. The streams have the name of the socket. */
template <unsigned BusWidth = 32, class Types = tlm::tlm_base_protocol_types, int N = 1,
          sc_core::sc_port_policy Policy = sc_core::SC_ONE_OR_MORE_BOUND>
class tlm_recording_target_socket : public tlm::tlm_target_socket<BusWidth, Types, N, Policy>
{
    using base = tlm::tlm_target_socket<BusWidth, Types, N, Policy>;
    using fw_if = tlm::tlm_fw_transport_if<Types>;
    using bw_if = tlm::tlm_bw_transport_if<Types>;

  public:
    using base::bind;

    explicit tlm_recording_target_socket(const char *name, recorder &rec = recorder::standard(),
                                         const tlm_settings &settings = tlm_environment())
        : base(name),
          link_(rec, this->name(), tlm_protocol<Types>::name, detail::settings_for<Types>(settings))
    {
    }

    /** Binds the interface that receives the calls. */
    void bind(fw_if &target) override
    {
        forward_ = std::make_unique<tlm_fw_observer<Types>>(link_, target);
        base::bind(*forward_);
    }
    void operator()(fw_if &target) { bind(target); }
    using base::operator();

    bw_if *operator->() { return observer(0); }
    bw_if *operator[](int index) { return observer(index); }

  private:
    bw_if *observer(int index)
    {
        const auto at = static_cast<std::size_t>(index);
        if (backward_.size() <= at)
            backward_.resize(at + 1);
        if (!backward_[at]) {
            bw_if *initiator = base::operator[](index);
            if (!initiator)
                return nullptr;
            backward_[at] = std::make_unique<tlm_bw_observer<Types>>(link_, *initiator);
        }
        return backward_[at].get();
    }

    tlm_link link_;
    std::unique_ptr<tlm_fw_observer<Types>> forward_;
    std::vector<std::unique_ptr<tlm_bw_observer<Types>>> backward_;
};

} // namespace ftr

#endif
