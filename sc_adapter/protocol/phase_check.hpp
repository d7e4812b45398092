/* The rules of non-blocking transport on one link: which phases travel which way, in which order,
 * at which time, with which answers, and not two requests or two responses at once. */
#ifndef FTR_PHASE_CHECK_HPP
#define FTR_PHASE_CHECK_HPP

#include "link_check.hpp"

namespace ftr
{
namespace detail
{

/* The hop of a payload on a link that is in phases. With @p makes, one that is free for it if there
 * is none. NULL: there is none, or the table is full. */
phase_hop *find_hop(protocol_state &state, const tlm::tlm_generic_payload &trans,
                    const link_check &link, bool makes);

/* A call of nb_transport, from before it is forwarded until after. */
class phase_check
{
  public:
    /* @p now, @p delay: ticks */
    phase_check(link_check &link, bool is_forward, const tlm::tlm_generic_payload &trans,
                unsigned phase, const char *phase_name, std::uint64_t now, std::uint64_t delay);

    /* It has returned. The payload is read only where the caller must keep it alive. */
    void end(tlm::tlm_sync_enum sync, unsigned phase, const char *phase_name, std::uint64_t now,
             std::uint64_t delay);

    std::uint64_t identity() const { return identity_; }
    checked_call &call() { return call_; }

  private:
    void check_call(std::uint64_t now, std::uint64_t delay);
    void begin_request(std::uint64_t effective);
    void take_phase(unsigned phase, std::uint64_t effective);
    void end_request();
    void begin_response();
    void answer();
    void complete(phase_hop &hop);
    void check_time(phase_hop &hop, std::uint64_t effective);
    void check_payload();
    void check_accepted(unsigned phase, const char *phase_name, std::uint64_t delay);
    void take_update(unsigned phase, std::uint64_t effective);
    void take_completion(std::uint64_t effective);
    bool is_same_life() const { return hop_ && hop_->identity == identity_; }
    void misplace(protocol_rule rule, std::string found);

    checked_call call_;
    const bool is_forward_;
    const unsigned phase_;
    const std::uint64_t begin_;
    const std::uint64_t delay_;
    const std::uint64_t deltas_;
    const tlm::tlm_generic_payload &trans_;
    phase_hop *hop_ = nullptr;
    std::uint64_t identity_ = 0;
};

} // namespace detail
} // namespace ftr

#endif
