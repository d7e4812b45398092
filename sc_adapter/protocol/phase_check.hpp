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

inline phase_hop *hop_of(link_check &link, const tlm::tlm_generic_payload &trans)
{
    phase_hop *const hop = link.latest;
    if (FTR_SC_EXPECTED(hop->is_of(trans, link)))
        return hop;
    return acquire_hop(link, trans);
}

/* A call that a usual step has checked, and that is being forwarded. */
struct usual_call {
    phase_hop *hop;
    std::uint64_t identity; /* of the life of `hop` when the call began */
    std::uint64_t deltas;   /* number of delta cycles */
    std::uint64_t delay;    /* ticks */
    bool is_kept = false;   /* see phase_check::is_kept_by_target() */
};

/* Checks a call of nb_transport, in all cases. Constructed before the call is forwarded; end() is
 * called after it has returned. */
class phase_check
{
  public:
    /* @p now, @p delay: ticks. May throw, because the sink may throw. */
    phase_check(link_check &link, bool is_forward, const tlm::tlm_generic_payload &trans,
                unsigned phase, std::uint64_t now, std::uint64_t delay);
    /* Continues with a call that a usual step (usual_phases.hpp) has checked before it was
     * forwarded. */
    phase_check(link_check &link, const tlm::tlm_generic_payload &trans, const usual_call &passed,
                unsigned phase)
        : link_(link), trans_(trans), hop_(passed.hop), identity_(passed.identity),
          deltas_(passed.deltas), delay_(passed.delay), phase_(phase),
          is_forward_(phase == tlm::BEGIN_REQ || phase == tlm::END_RESP), is_kept_(passed.is_kept)
    {
    }

    /* Checks the return of the call. Reads the payload only if the caller of nb_transport has to
     * keep the payload alive. */
    void end(tlm::tlm_sync_enum sync, unsigned phase, std::uint64_t delay);

    std::uint64_t identity() const { return identity_; }
    /* Returns the hop of the call, or NULL if the call belongs to none. */
    phase_hop *hop() const { return hop_; }
    /* Returns the violations, or NULL. The caller must return the object with
     * protocol_state::release(). */
    found_violations *found() const { return found_; }

    static bool is_open(const phase_hop *request)
    {
        return request && request->state == phase_state::request;
    }
    /* Notes whether the target side of the first link has acquired the payload in the call that
     * began the life @p identity. */
    static FTR_SC_INLINE void note_references(const phase_hop &hop, std::uint64_t identity,
                                              const tlm::tlm_generic_payload &trans)
    {
        if (hop.number != 1 || hop.identity != identity || !hop.is_in_use())
            return; // the transaction may have ended
        const int references = trans.get_ref_count();
        if (references > hop.life->references)
            hop.life->kept_references = references;
    }
    /* Returns whether the target side of the first link probably holds a reference to the payload.
     * The payload then still exists after the initiator has completed the transaction. */
    static FTR_SC_INLINE bool is_kept_by_target(const phase_hop &hop,
                                                const tlm::tlm_generic_payload &trans)
    {
        return hop.number == 1 && trans.get_ref_count() >= hop.life->kept_references;
    }
    /* Returns whether the answer on a link is as required. At the first answer of a read, stores a
     * checksum of the data. */
    template <bool IsWord = false>
    static FTR_SC_INLINE bool is_answered_well(const phase_hop &hop, payload_life &life,
                                               const tlm::tlm_generic_payload &trans)
    {
        const int status = trans.get_response_status();
        const int answer = life.snapshot.answer;
        return FTR_SC_EXPECTED(hop.number >= life.unanswered) &&
               (answer == payload_snapshot::not_answered
                    ? FTR_SC_EXPECTED(status != tlm::TLM_INCOMPLETE_RESPONSE &&
                                      trans.get_address() == hop.address)
                    : FTR_SC_EXPECTED(status == answer)) &&
               !(life.snapshot.command == tlm::TLM_WRITE_COMMAND
                     ? is_written_data_changed<IsWord>(life)
                     : is_answered_data_changed<IsWord>(life, status)) &&
               !are_enables_changed<!IsWord>(life);
    }

  private:
    void begin_request(std::uint64_t effective);
    void continue_in(unsigned phase, std::uint64_t effective);
    void process_phase(unsigned phase, std::uint64_t effective);
    void answer(phase_hop &hop, payload_life &life, unsigned phase);
    void complete(phase_hop &hop) const;
    void process_update(unsigned phase, std::uint64_t effective);
    void process_completion(std::uint64_t effective);
    void check_ended();
    void pass_other_phase();

    bool is_unmanaged() const { return !trans_.has_mm() || trans_.get_ref_count() < 1; }
    bool is_passed_on_oddly(const payload_life &life) const;
    bool is_same_life() const { return hop_->identity == identity_; }

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

    /* Calls a function that reports violations, and acts on them before the call is forwarded. */
    template <auto Function, class... Arguments> void report(Arguments... arguments)
    {
        (this->*Function)(arguments...);
        if (!has_returned_ && found_)
            act_before();
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

} // namespace detail
} // namespace ftr

#endif
