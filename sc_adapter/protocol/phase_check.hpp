/* The rules of non-blocking transport on one link: the path, order and times of phases, the return
 * values, and at most one open request and one open response at a time. The code that every call
 * runs is inline; the reporting functions are in phase_check.cpp. */
#ifndef FTR_PHASE_CHECK_HPP
#define FTR_PHASE_CHECK_HPP

#include <climits>
#include <utility>

#include "link_check.hpp"

namespace ftr
{
namespace detail
{

/* Table indexed by path (backward, forward), state and phase. An entry is the state after the
 * phase; if the phase is not allowed, the entry is wrong_phase | the number of the broken rule. */
extern const unsigned char phase_transitions[2][8][8];
inline constexpr unsigned wrong_phase = 0x80;

/* Returns the hop of a payload on a link if it is in use, otherwise NULL. */
phase_hop *find_active_hop(link_check &link, const tlm::tlm_generic_payload &trans);

/* Returns the hop of a payload on a link, and initialises a free one if there is none. Makes this
 * hop the latest one of the link. NULL: the table is full. */
phase_hop *acquire_hop(link_check &link, const tlm::tlm_generic_payload &trans);

FTR_SC_INLINE phase_hop *hop_of(link_check &link, const tlm::tlm_generic_payload &trans)
{
    phase_hop *const hop = link.latest;
    if (FTR_SC_EXPECTED(hop->is_of(trans, link)))
        return hop;
    return acquire_hop(link, trans);
}

/* Checks a call of nb_transport. Constructed before the call is forwarded; end() is called after it
 * has returned. */
class phase_check
{
  public:
    /* @p now, @p delay: ticks. May throw, because the sink may throw. */
    FTR_SC_INLINE phase_check(link_check &link, bool is_forward,
                              const tlm::tlm_generic_payload &trans, unsigned phase,
                              std::uint64_t now, std::uint64_t delay)
        : link_(link), trans_(trans), deltas_(delta_count(*sc_core::sc_curr_simcontext)),
          delay_(delay), phase_(phase), is_forward_(is_forward)
    {
        if (__builtin_expect(static_cast<std::int64_t>(delay) < 0, 0))
            found_ = after<&phase_check::report_delay>(copy());
        if (is_forward && phase == tlm::BEGIN_REQ)
            begin_request(now + delay);
        else if (FTR_SC_EXPECTED(phase - tlm::BEGIN_REQ <= tlm::END_RESP - tlm::BEGIN_REQ))
            continue_in(phase, now + delay);
        else
            pass_other_phase();
    }

    /* Checks the return of the call. Reads the payload only if the caller of nb_transport has to
     * keep the payload alive. */
    FTR_SC_INLINE void end(tlm::tlm_sync_enum sync, unsigned phase, std::uint64_t delay)
    {
        has_returned_ = true;
        const sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
        /* A different number of delta cycles shows that the call has waited. */
        if (__builtin_expect(delta_count(context) != deltas_, 0))
            found_ = after<&phase_check::report_waiting>(copy(), sync);
        if (is_forward_ && phase_ == tlm::END_RESP)
            check_ended();
        if (is_forward_ && phase_ == tlm::BEGIN_REQ && sync != tlm::TLM_COMPLETED)
            note_references();
        if (sync == tlm::TLM_ACCEPTED) {
            if (__builtin_expect(phase != phase_, 0) || __builtin_expect(delay != delay_, 0))
                found_ = after<&phase_check::report_accepted>(copy(), phase);
        } else if (FTR_SC_EXPECTED(hop_ != nullptr)) {
            const std::uint64_t effective = context.time_stamp().value() + delay;
            if (sync == tlm::TLM_UPDATED)
                process_update(phase, effective);
            else
                process_completion(effective);
        }
    }

    std::uint64_t identity() const { return identity_; }
    /* Returns the hop of the call, or NULL if the call belongs to none. */
    phase_hop *hop() const { return hop_; }
    /* Returns the violations, or NULL. The caller must return the object with
     * protocol_state::release(). */
    found_violations *found() const { return found_; }

  private:
    FTR_SC_INLINE void begin_request(std::uint64_t effective);
    FTR_SC_INLINE void continue_in(unsigned phase, std::uint64_t effective);
    FTR_SC_INLINE void process_phase(unsigned phase, std::uint64_t effective);
    FTR_SC_INLINE void answer(phase_hop &hop, payload_life &life, unsigned phase);
    FTR_SC_INLINE void complete(phase_hop &hop) const;
    FTR_SC_INLINE void process_update(unsigned phase, std::uint64_t effective);
    FTR_SC_INLINE void process_completion(std::uint64_t effective);
    FTR_SC_INLINE void check_ended();
    FTR_SC_INLINE void pass_other_phase();

    FTR_SC_INLINE bool is_unmanaged() const
    {
        return !trans_.has_mm() || trans_.get_ref_count() < 1;
    }
    /* Returns whether a request that is passed on to this link may break a rule. */
    FTR_SC_INLINE bool is_passed_on_oddly(const payload_life &life) const
    {
        if (life.snapshot.may_be_changed(trans_))
            return true;
        if (are_contents_changed(life))
            return true;
        if (__builtin_expect(trans_.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, 0))
            return true;
        if (__builtin_expect(is_unmanaged(), 0))
            return true;
        return __builtin_expect(life.links.blocked != 0, 0);
    }
    /* Notes whether the target side of the first link has acquired the payload in this call. */
    FTR_SC_INLINE void note_references() const
    {
        if (!hop_ || hop_->number != 1 || !is_same_life() || !hop_->is_in_use())
            return; // the transaction may have ended
        const int references = trans_.get_ref_count();
        if (references > hop_->life->references)
            hop_->life->kept_references = references;
    }
    /* Returns whether the target side of the first link probably holds a reference to the payload.
     * The payload then still exists after the initiator has completed the transaction. */
    FTR_SC_INLINE bool is_kept_by_target(const phase_hop &hop, const payload_life &life) const
    {
        return hop.number == 1 && trans_.get_ref_count() >= life.kept_references;
    }
    bool is_same_life() const { return hop_->identity == identity_; }
    static FTR_SC_INLINE bool is_open(const phase_hop *request)
    {
        return request && request->state == phase_state::request;
    }

    /* Describes this call for a report. */
    checked_call call(unsigned phase);
    void act_before() const;
    void check_manager(checked_call &of) const;
    void misplace(unsigned phase, protocol_rule rule);
    void report_delay();
    void report_waiting(tlm::tlm_sync_enum sync);
    void report_accepted(unsigned phase);
    void report_answer(unsigned phase);
    void report_time(unsigned phase, std::uint64_t effective);
    void report_payload(unsigned phase);
    void report_ended();
    void report_request(bool begins, const phase_hop *open);
    void report_response();
    void begin_again(payload_life *again);
    void check_other_phase();
    void check_ignorable_phase();
    void report_wrong_update(unsigned phase);
    void report_wrong_completion();

    FTR_SC_INLINE phase_check(const phase_check &from, bool is_forward)
        : link_(from.link_), trans_(from.trans_), hop_(from.hop_), found_(from.found_),
          identity_(from.identity_), deltas_(0), delay_(from.delay_), phase_(from.phase_),
          is_forward_(is_forward), has_returned_(from.has_returned_)
    {
    }
    /* Copies member by member. A copy of the whole object would force this object into memory. */
    FTR_SC_INLINE phase_check copy() const { return {*this, is_forward_}; }

    /* Calls @p Function on a copy of this object, so that the object itself can stay in registers.
     * Returns the violations of this call. */
    template <auto Function, class... Arguments>
    FTR_SC_COLD static found_violations *after(phase_check of, Arguments... arguments)
    {
        (of.*Function)(arguments...);
        if (!of.has_returned_ && of.found_)
            of.act_before();
        return of.found_;
    }

    link_check &link_;
    const tlm::tlm_generic_payload &trans_;
    phase_hop *hop_ = nullptr;
    found_violations *found_ = nullptr;
    std::uint64_t identity_ = 0;
    const std::uint64_t deltas_;
    const std::uint64_t delay_;
    const unsigned phase_;
    const bool is_forward_;
    bool has_returned_ = false;
    bool is_kept_ = false; /* see is_kept_by_target() */
};

/* Checks the begin of a request on any link of a transaction. */
FTR_SC_INLINE void phase_check::begin_request(std::uint64_t effective)
{
    if (!FTR_SC_EXPECTED(link_.sees_answers))
        return;
    hop_ = hop_of(link_, trans_);
    if (!FTR_SC_EXPECTED(hop_))
        return;
    phase_hop &hop = *hop_;
    payload_life *life = hop.life;
    if (!FTR_SC_EXPECTED(life->is_of(trans_)) && !(life = find_life(link_.state, trans_))) {
        hop_ = nullptr;
        return;
    }
    bool begins = !life->is_in_use();
    /* If all links that the payload is passing are answered, the payload is being reused. */
    if (__builtin_expect(hop.is_in_use(), 0) ||
        (!begins && __builtin_expect(life->unanswered == 0 && life->links.blocked == 0, 0))) {
        found_ = after<&phase_check::begin_again>(copy(), life);
        begins = !life->is_in_use();
    }
    bool is_odd = false;
    if (__builtin_expect(is_open(link_.request), 0))
        is_odd = true;
    if (begins) {
        begin_life(*life);
        life->unanswered = 0;
        life->references = trans_.get_ref_count();
        life->kept_references = INT_MAX;
        is_odd |= capture_managed_payload(*life, trans_);
        capture_contents(*life, trans_);
    } else {
        if (is_passed_on_oddly(*life))
            is_odd = true;
        life->snapshot.answer = payload_snapshot::not_answered;
    }
    ++life->links.phased;
    hop.life = life;
    hop.identity = identity_ = life->identity;
    hop.time = effective;
    hop.address = trans_.get_address();
    hop.number = ++life->unanswered;
    hop.state = phase_state::request;
    hop.is_confused = false;
    phase_hop *const open = std::exchange(link_.request, &hop);
    if (__builtin_expect(is_odd, 0))
        found_ = after<&phase_check::report_request>(copy(), begins, open);
}

/* Checks an ignorable phase, or the path of a base-protocol phase on a link with calls that are not
 * observed. */
FTR_SC_INLINE void phase_check::pass_other_phase()
{
    hop_ = find_active_hop(link_, trans_);
    if (hop_)
        identity_ = hop_->identity;
    found_ = after<&phase_check::check_other_phase>(copy());
}

/* Checks a phase of the base protocol other than a forward BEGIN_REQ. */
FTR_SC_INLINE void phase_check::continue_in(unsigned phase, std::uint64_t effective)
{
    if (!FTR_SC_EXPECTED(link_.sees_answers)) {
        pass_other_phase();
        return;
    }
    hop_ = hop_of(link_, trans_);
    if (!FTR_SC_EXPECTED(hop_))
        return;
    identity_ = hop_->identity;
    process_phase(phase, effective);
}

/* Checks a phase of a call, or of its return. */
FTR_SC_INLINE void phase_check::process_phase(unsigned phase, std::uint64_t effective)
{
    phase_hop &hop = *hop_;
    const unsigned to =
        phase_transitions[is_forward_ != has_returned_][static_cast<unsigned>(hop.state)][phase];
    if (__builtin_expect(to & wrong_phase, 0)) {
        found_ = after<&phase_check::misplace>(copy(), phase,
                                               static_cast<protocol_rule>(to & ~wrong_phase));
        return;
    }
    payload_life &life = *hop.life;
    if (__builtin_expect(life.snapshot.may_be_changed(trans_), 0) ||
        __builtin_expect(is_unmanaged(), 0))
        found_ = after<&phase_check::report_payload>(copy(), phase);
    if (__builtin_expect(effective < hop.time, 0))
        found_ = after<&phase_check::report_time>(copy(), phase, effective);
    hop.time = effective;
    hop.state = static_cast<phase_state>(to);
    if (phase == tlm::END_RESP)
        return complete(hop);
    if (link_.request == &hop)
        link_.request = nullptr;
    if (phase == tlm::BEGIN_RESP) {
        if (__builtin_expect(link_.response != nullptr, 0))
            found_ = after<&phase_check::report_response>(copy());
        link_.response = &hop;
        if (FTR_SC_EXPECTED(life.identity == hop.identity)) {
            answer(hop, life, phase);
            if (!is_forward_)
                is_kept_ = is_kept_by_target(hop, life);
        }
    }
}

/* Checks the answer on this link: BEGIN_RESP or early completion. */
FTR_SC_INLINE void phase_check::answer(phase_hop &hop, payload_life &life, unsigned phase)
{
    const int status = trans_.get_response_status();
    if (__builtin_expect(hop.number < life.unanswered, 0) ||
        (life.snapshot.answer == payload_snapshot::not_answered
             ? __builtin_expect(status == tlm::TLM_INCOMPLETE_RESPONSE, 0) ||
                   __builtin_expect(trans_.get_address() != hop.address, 0)
             : __builtin_expect(status != life.snapshot.answer, 0)) ||
        (life.snapshot.command == tlm::TLM_WRITE_COMMAND
             ? is_written_data_changed(life)
             : is_answered_data_changed(life, status)) ||
        are_enables_changed(life)) {
        found_ = after<&phase_check::report_answer>(copy(), phase);
        static_cast<void>(is_answered_data_changed(life, status)); // stores the first answer
        life.snapshot.store_answer(status);
    } else {
        life.snapshot.answer = status;
    }
    life.unanswered = hop.number - 1;
}

FTR_SC_INLINE void phase_check::complete(phase_hop &hop) const
{
    if (link_.request == &hop)
        link_.request = nullptr;
    if (link_.response == &hop)
        link_.response = nullptr;
    hop.state = phase_state::completed;
    payload_life &life = *hop.life;
    if (__builtin_expect(life.identity != hop.identity, 0))
        return;
    --life.links.phased;
    if (__builtin_expect(life.unanswered >= hop.number, 0))
        life.unanswered = hop.number - 1;
}

/* Checks a return of TLM_UPDATED: @p phase is the next phase. */
FTR_SC_INLINE void phase_check::process_update(unsigned phase, std::uint64_t effective)
{
    const bool is_legal = is_forward_ ? phase_ == tlm::BEGIN_REQ &&
                                            (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
                                      : phase_ == tlm::BEGIN_RESP && phase == tlm::END_RESP;
    if (!FTR_SC_EXPECTED(is_legal)) {
        found_ = after<&phase_check::report_wrong_update>(copy(), phase);
        return;
    }
    phase_hop &hop = *hop_;
    if (!FTR_SC_EXPECTED(is_same_life()))
        return;
    if (is_forward_)
        return process_phase(phase, effective);
    if (!FTR_SC_EXPECTED(hop.state == phase_state::response))
        return; // a nested call has completed the transaction
    if (__builtin_expect(effective < hop.time, 0))
        found_ = after<&phase_check::report_time>(copy(), phase, effective);
    complete(hop);
    if (is_kept_)
        check_ended();
}

/* Compares the attributes when the call that has ended the transaction on this link returns. The
 * payload must still exist. */
FTR_SC_INLINE void phase_check::check_ended()
{
    if (!hop_ || hop_->life->identity != identity_)
        return; // the payload was not checked, or already belongs to another transaction
    if (__builtin_expect(hop_->life->snapshot.may_be_changed(trans_), 0))
        found_ = after<&phase_check::report_ended>(copy());
}

/* Checks a return of TLM_COMPLETED: the transaction has no more calls on this link. */
FTR_SC_INLINE void phase_check::process_completion(std::uint64_t effective)
{
    phase_hop &hop = *hop_;
    payload_life &life = *hop.life;
    const bool is_request = is_forward_ && phase_ == tlm::BEGIN_REQ;
    /* Usually, the callee has made no call for this transaction. */
    if (is_request && FTR_SC_EXPECTED(hop.state == phase_state::request) &&
        FTR_SC_EXPECTED(life.identity == identity_)) {
        if (__builtin_expect(effective < hop.time, 0))
            found_ = after<&phase_check::report_time>(copy(), phase_, effective);
        if (__builtin_expect(life.snapshot.may_be_changed(trans_), 0))
            found_ = after<&phase_check::report_payload>(copy(), phase_);
        answer(hop, life, phase_);
        if (FTR_SC_EXPECTED(link_.request == &hop))
            link_.request = nullptr;
        hop.state = phase_state::completed;
        --life.links.phased;
        return;
    }
    if (!is_same_life() || !hop.is_in_use())
        return; // this was END_RESP, or a nested call has completed the transaction
    if (__builtin_expect(phase_ == tlm::END_REQ, 0)) {
        found_ = after<&phase_check::report_wrong_completion>(copy());
        return;
    }
    if (__builtin_expect(effective < hop.time, 0))
        found_ = after<&phase_check::report_time>(copy(), phase_, effective);
    if (is_request && hop.state != phase_state::response) {
        if (__builtin_expect(life.snapshot.may_be_changed(trans_), 0))
            found_ = after<&phase_check::report_payload>(copy(), phase_);
        if (FTR_SC_EXPECTED(life.identity == identity_))
            answer(hop, life, phase_);
    }
    complete(hop);
    if (is_kept_)
        check_ended();
}

} // namespace detail
} // namespace ftr

#endif
