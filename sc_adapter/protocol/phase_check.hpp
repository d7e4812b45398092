/* The rules of non-blocking transport on one link: path, order and times of phases, return values,
 * and that at most one request and one response are open at a time. The code that every call runs
 * is inline; the reporting functions are in phase_check.cpp. */
#ifndef FTR_PHASE_CHECK_HPP
#define FTR_PHASE_CHECK_HPP

#include "link_check.hpp"

namespace ftr
{
namespace detail
{

/* The state after a phase: by path (backward, forward), by state, and by phase. `broken` is
 * protocol_rule::count if the phase is legal. */
struct phase_transition {
    phase_state next;
    protocol_rule broken;
};
extern const phase_transition phase_transitions[2][5][5];

/* Returns the hop of a payload on a link if it is in use, otherwise NULL. */
phase_hop *find_active_hop(link_check &link, const tlm::tlm_generic_payload &trans);

/* Returns the hop of a payload on a link, or a free one that it initialises. NULL: the table is
 * full. */
phase_hop *take_hop(link_check &link, const tlm::tlm_generic_payload &trans);

FTR_SC_INLINE phase_hop *hop_of(link_check &link, const tlm::tlm_generic_payload &trans)
{
    phase_hop *const hop = link.latest;
    if (FTR_SC_EXPECTED(hop && hop->payload == &trans && hop->key == key_of(trans, link)))
        return hop;
    return link.latest = take_hop(link, trans);
}

/* A call of nb_transport, from before it is forwarded until after. */
class phase_check
{
  public:
    /* @p now, @p delay: ticks */
    FTR_SC_INLINE phase_check(link_check &link, bool is_forward,
                              const tlm::tlm_generic_payload &trans, unsigned phase,
                              std::uint64_t now, std::uint64_t delay)
        : link_(link), trans_(trans), begin_(now), deltas_(sc_core::sc_delta_count()),
          delay_(delay), phase_(phase), is_forward_(is_forward)
    {
        if (__builtin_expect(static_cast<std::int64_t>(delay) < 0, 0))
            report_delay();
        if (is_forward && phase == tlm::BEGIN_REQ)
            begin_request(now + delay);
        else if (FTR_SC_EXPECTED(phase - tlm::BEGIN_REQ <= tlm::END_RESP - tlm::BEGIN_REQ))
            continue_in(phase, now + delay);
        else
            pass_other_phase();
    }

    /* It has returned. Reads the payload only if the caller has to keep it alive. */
    FTR_SC_INLINE void end(tlm::tlm_sync_enum sync, unsigned phase, std::uint64_t now,
                           std::uint64_t delay)
    {
        has_returned_ = true;
        if (__builtin_expect(now != begin_ || sc_core::sc_delta_count() != deltas_, 0))
            report_waiting(sync);
        if (sync == tlm::TLM_ACCEPTED) {
            if (__builtin_expect(phase != phase_ || delay != delay_, 0))
                report_accepted(phase);
        } else if (FTR_SC_EXPECTED(hop_ != nullptr)) {
            if (sync == tlm::TLM_UPDATED)
                take_update(phase, now + delay);
            else
                take_completion(now + delay);
        }
    }

    std::uint64_t identity() const { return identity_; }
    const found_violations &found() const { return found_; }

  private:
    FTR_SC_INLINE void begin_request(std::uint64_t effective);
    FTR_SC_INLINE void continue_in(unsigned phase, std::uint64_t effective);
    FTR_SC_INLINE void take_phase(unsigned phase, std::uint64_t effective);
    FTR_SC_INLINE void answer(phase_hop &hop, unsigned phase);
    FTR_SC_INLINE void complete(phase_hop &hop);
    FTR_SC_INLINE void take_update(unsigned phase, std::uint64_t effective);
    FTR_SC_INLINE void take_completion(std::uint64_t effective);

    FTR_SC_INLINE bool is_wrongly_counted() const
    {
        return trans_.has_mm() && trans_.get_ref_count() < 1;
    }
    bool is_same_life() const { return hop_->identity == identity_; }
    bool is_request_open() const
    {
        return link_.request && link_.request->state == phase_state::request;
    }

    /* Returns the call, for a report. */
    checked_call call(unsigned phase);
    FTR_SC_COLD void misplace(unsigned phase, protocol_rule rule);
    FTR_SC_COLD void report_delay();
    FTR_SC_COLD void report_waiting(tlm::tlm_sync_enum sync);
    FTR_SC_COLD void report_accepted(unsigned phase);
    FTR_SC_COLD void report_answer(phase_hop &hop, unsigned phase);
    FTR_SC_COLD void report_time(unsigned phase, std::uint64_t effective);
    FTR_SC_COLD void report_payload(unsigned phase);
    FTR_SC_COLD void report_request(bool begins);
    FTR_SC_COLD void report_response();
    FTR_SC_COLD void begin_again(payload_life &life);
    FTR_SC_COLD void pass_other_phase();
    FTR_SC_COLD void take_wrong_update(unsigned phase);
    FTR_SC_COLD void take_wrong_completion();

    link_check &link_;
    const tlm::tlm_generic_payload &trans_;
    phase_hop *hop_ = nullptr;
    std::uint64_t identity_ = 0;
    const std::uint64_t begin_;
    const std::uint64_t deltas_;
    const std::uint64_t delay_;
    const unsigned phase_;
    const bool is_forward_;
    bool has_returned_ = false;
    found_violations found_;
};

/* A request begins, on the first link of a transaction or on a further one. */
FTR_SC_INLINE void phase_check::begin_request(std::uint64_t effective)
{
    if (!FTR_SC_EXPECTED(link_.sees_answers))
        return;
    payload_life *const life = find_life(link_.state, trans_);
    hop_ = FTR_SC_EXPECTED(life) ? hop_of(link_, trans_) : nullptr;
    if (!FTR_SC_EXPECTED(hop_))
        return;
    phase_hop &hop = *hop_;
    /* If all links that the payload is passing are answered, the payload is being reused. */
    if (__builtin_expect(hop.is_in_use(), 0) ||
        (life->links != 0 && life->unanswered == 0 && life->links == life->phased))
        begin_again(*life);
    const bool begins = life->links == 0;
    ++life->links;
    ++life->phased;
    bool is_odd = is_request_open();
    if (begins) {
        begin_life(link_.state, *life);
        is_odd |= take_payload(*life, trans_) || !life->has_manager;
    } else {
        is_odd |= life->snapshot.may_be_changed(trans_) || are_contents_changed(*life) ||
                  trans_.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE ||
                  is_wrongly_counted() || life->links != life->phased;
    }
    life->snapshot.answer = payload_snapshot::not_answered;
    hop.life = life;
    hop.identity = identity_ = life->identity;
    hop.time = effective;
    hop.address = trans_.get_address();
    hop.number = ++life->unanswered;
    hop.state = phase_state::request;
    hop.is_confused = false;
    if (__builtin_expect(is_odd, 0))
        report_request(begins);
    link_.request = &hop;
}

/* Checks a phase of the base protocol other than a forward BEGIN_REQ. */
FTR_SC_INLINE void phase_check::continue_in(unsigned phase, std::uint64_t effective)
{
    if (!FTR_SC_EXPECTED(link_.sees_answers))
        return pass_other_phase();
    hop_ = hop_of(link_, trans_);
    if (!FTR_SC_EXPECTED(hop_))
        return;
    identity_ = hop_->identity;
    take_phase(phase, effective);
}

/* Checks a phase that was passed by a call or by an answer. */
FTR_SC_INLINE void phase_check::take_phase(unsigned phase, std::uint64_t effective)
{
    phase_hop &hop = *hop_;
    const phase_transition &to =
        phase_transitions[is_forward_ != has_returned_][static_cast<unsigned>(hop.state)][phase];
    if (__builtin_expect(to.broken != protocol_rule::count, 0))
        return misplace(phase, to.broken);
    const payload_life &life = *hop.life;
    if (__builtin_expect(life.snapshot.may_be_changed(trans_), 0) ||
        __builtin_expect(is_wrongly_counted(), 0))
        report_payload(phase);
    if (__builtin_expect(effective < hop.time, 0))
        report_time(phase, effective);
    hop.time = effective;
    hop.state = to.next;
    if (phase == tlm::END_RESP)
        return complete(hop);
    if (link_.request == &hop)
        link_.request = nullptr;
    if (phase == tlm::BEGIN_RESP) {
        if (__builtin_expect(link_.response != nullptr, 0))
            report_response();
        link_.response = &hop;
        answer(hop, phase);
    }
}

/* The payload is answered on this link, by BEGIN_RESP or by early completion. */
FTR_SC_INLINE void phase_check::answer(phase_hop &hop, unsigned phase)
{
    payload_life &life = *hop.life;
    if (__builtin_expect(life.identity != hop.identity, 0))
        return;
    const int status = trans_.get_response_status();
    const bool is_last = life.snapshot.answer == payload_snapshot::not_answered;
    const bool is_odd =
        hop.number < life.unanswered || (!is_last && status != life.snapshot.answer) ||
        (is_last &&
         (status == tlm::TLM_INCOMPLETE_RESPONSE || trans_.get_address() != hop.address)) ||
        are_contents_changed(life);
    if (__builtin_expect(is_odd, 0))
        report_answer(hop, phase);
    life.unanswered = hop.number - 1;
    life.snapshot.answer = status;
}

FTR_SC_INLINE void phase_check::complete(phase_hop &hop)
{
    if (link_.request == &hop)
        link_.request = nullptr;
    if (link_.response == &hop)
        link_.response = nullptr;
    hop.state = phase_state::completed;
    payload_life &life = *hop.life;
    if (__builtin_expect(life.identity != hop.identity, 0))
        return;
    --life.links;
    --life.phased;
    if (life.unanswered >= hop.number)
        life.unanswered = hop.number - 1;
}

/* TLM_UPDATED: the call returned the next phase. */
FTR_SC_INLINE void phase_check::take_update(unsigned phase, std::uint64_t effective)
{
    const bool is_legal = is_forward_ ? phase_ == tlm::BEGIN_REQ &&
                                            (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
                                      : phase_ == tlm::BEGIN_RESP && phase == tlm::END_RESP;
    if (!FTR_SC_EXPECTED(is_legal))
        return take_wrong_update(phase);
    phase_hop &hop = *hop_;
    if (!FTR_SC_EXPECTED(is_same_life()))
        return;
    if (is_forward_)
        return take_phase(phase, effective);
    if (!FTR_SC_EXPECTED(hop.state == phase_state::response))
        return; // completed by a call within this one
    if (__builtin_expect(effective < hop.time, 0))
        report_time(phase, effective);
    complete(hop);
}

/* TLM_COMPLETED: the transaction has no more calls on this link. */
FTR_SC_INLINE void phase_check::take_completion(std::uint64_t effective)
{
    phase_hop &hop = *hop_;
    if (!is_same_life() || !hop.is_in_use())
        return; // END_RESP, or completed by a call within this one
    if (__builtin_expect(phase_ == tlm::END_REQ, 0))
        return take_wrong_completion();
    if (__builtin_expect(effective < hop.time, 0))
        report_time(phase_, effective);
    if (is_forward_ && phase_ == tlm::BEGIN_REQ && hop.state != phase_state::response) {
        if (__builtin_expect(hop.life->snapshot.may_be_changed(trans_), 0))
            report_payload(phase_);
        answer(hop, phase_);
    }
    complete(hop);
}

} // namespace detail
} // namespace ftr

#endif
