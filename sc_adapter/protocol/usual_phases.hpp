/* The usual steps of the checker for nb_transport; inline, because nearly every call takes them. A
 * step that returns false has had no effect: either a rule may be broken, or the step does not know
 * the case. The caller then uses phase_check, which knows all rules. A step does the same as
 * phase_check for a call in which it finds no violation. */
#ifndef FTR_USUAL_PHASES_HPP
#define FTR_USUAL_PHASES_HPP

#include <climits>

#include "phase_check.hpp"

namespace ftr
{
namespace detail
{

/* Steps before a call is forwarded. @p IsWord: the payload has 8 bytes of data; then the steps do
 * not know payloads with byte enables. @p hop: of the payload on this link. @p effective: time of
 * the call with its delay. */
template <unsigned Phase, bool IsWord> struct usual_phase;

struct usual_step {
    static constexpr bool is_forward = false;

    static FTR_SC_INLINE bool is_managed(const tlm::tlm_generic_payload &trans)
    {
        return FTR_SC_EXPECTED(manager_of(trans)) && FTR_SC_EXPECTED(trans.get_ref_count() >= 1);
    }
    /* Returns whether a call may follow the earlier calls of the transaction. */
    static FTR_SC_INLINE bool continues_well(const phase_hop &hop,
                                             const tlm::tlm_generic_payload &trans,
                                             std::uint64_t effective)
    {
        return FTR_SC_EXPECTED(!hop.life->snapshot.may_be_changed(trans)) && is_managed(trans) &&
               FTR_SC_EXPECTED(effective >= hop.time);
    }
    static FTR_SC_INLINE void clear(phase_hop *&place, const phase_hop &hop)
    {
        if (place == &hop)
            place = nullptr;
    }
    /* Returns whether a call may return as it does. */
    static FTR_SC_INLINE bool returns_well(const phase_hop & /*hop*/, std::uint64_t /*identity*/,
                                           const tlm::tlm_generic_payload & /*trans*/)
    {
        return true;
    }
};

template <bool IsWord> struct usual_phase<tlm::BEGIN_REQ, IsWord> : usual_step {
    static constexpr bool is_forward = true;

    static FTR_SC_INLINE bool begin(link_check &link, phase_hop &hop,
                                    const tlm::tlm_generic_payload &trans, std::uint64_t effective)
    {
        payload_life &life = *hop.life;
        if (!FTR_SC_EXPECTED(life.is_of(trans) && !hop.is_in_use() && life.links.blocked == 0) ||
            !is_managed(trans) || __builtin_expect(phase_check::is_open(link.request), 0) ||
            !(life.links.phased == 0 ? begin_first(life, trans) : begin_further(life, trans)))
            return false;
        ++life.links.phased;
        hop.identity = life.identity;
        hop.time = effective;
        hop.address = trans.get_address();
        hop.number = ++life.unanswered;
        hop.state = phase_state::request;
        hop.is_confused = false;
        link.request = &hop;
        return true;
    }
    /* Notes whether the target side of the first link has acquired the payload in this call. */
    static FTR_SC_INLINE bool returns_well(const phase_hop &hop, std::uint64_t identity,
                                           const tlm::tlm_generic_payload &trans)
    {
        phase_check::note_references(hop, identity, trans);
        return true;
    }

    /* The return of TLM_COMPLETED, if the callee has made no call for the transaction. */
    static FTR_SC_INLINE bool complete(link_check &link, phase_hop &hop, std::uint64_t identity,
                                       const tlm::tlm_generic_payload &trans,
                                       std::uint64_t effective)
    {
        payload_life &life = *hop.life;
        if (!FTR_SC_EXPECTED(hop.state == phase_state::request && life.identity == identity &&
                             effective >= hop.time && !life.snapshot.may_be_changed(trans)) ||
            !phase_check::is_answered_well<IsWord>(hop, life, trans))
            return false;
        life.snapshot.answer = trans.get_response_status();
        life.unanswered = hop.number - 1;
        clear(link.request, hop);
        hop.state = phase_state::completed;
        --life.links.phased;
        return true;
    }

  private:
    static FTR_SC_INLINE bool begin_first(payload_life &life, const tlm::tlm_generic_payload &trans)
    {
        if (!payload_snapshot::has_data(trans) ||
            !FTR_SC_EXPECTED(payload_snapshot::unusual_bits(trans) == 0))
            return false;
        begin_life(life);
        life.snapshot.capture(trans);
        life.carried = life.identity;
        life.unanswered = 0;
        life.references = trans.get_ref_count();
        life.kept_references = INT_MAX;
        capture_contents<IsWord>(life, trans);
        return true;
    }
    static FTR_SC_INLINE bool begin_further(payload_life &life,
                                            const tlm::tlm_generic_payload &trans)
    {
        if (!FTR_SC_EXPECTED(life.unanswered != 0) ||
            !FTR_SC_EXPECTED(!life.snapshot.may_be_changed(trans)) ||
            is_written_data_changed<IsWord>(life) || are_enables_changed<!IsWord>(life) ||
            !FTR_SC_EXPECTED(trans.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE))
            return false;
        life.snapshot.answer = payload_snapshot::not_answered;
        return true;
    }
};

template <bool IsWord> struct usual_phase<tlm::END_REQ, IsWord> : usual_step {
    static FTR_SC_INLINE bool begin(link_check &link, phase_hop &hop,
                                    const tlm::tlm_generic_payload &trans, std::uint64_t effective)
    {
        if (!FTR_SC_EXPECTED(hop.state == phase_state::request) ||
            !continues_well(hop, trans, effective))
            return false;
        hop.time = effective;
        hop.state = phase_state::request_ended;
        clear(link.request, hop);
        return true;
    }
};

template <bool IsWord> struct usual_phase<tlm::BEGIN_RESP, IsWord> : usual_step {
    static FTR_SC_INLINE bool begin(link_check &link, phase_hop &hop,
                                    const tlm::tlm_generic_payload &trans, std::uint64_t effective)
    {
        payload_life &life = *hop.life;
        const bool may_follow =
            hop.state == phase_state::request_ended || hop.state == phase_state::request;
        if (!FTR_SC_EXPECTED(may_follow) || !continues_well(hop, trans, effective) ||
            !FTR_SC_EXPECTED(!link.response && life.identity == hop.identity) ||
            !phase_check::is_answered_well<IsWord>(hop, life, trans))
            return false;
        hop.time = effective;
        hop.state = phase_state::response;
        clear(link.request, hop);
        link.response = &hop;
        life.snapshot.answer = trans.get_response_status();
        life.unanswered = hop.number - 1;
        return true;
    }
};

template <bool IsWord> struct usual_phase<tlm::END_RESP, IsWord> : usual_step {
    static constexpr bool is_forward = true;

    static FTR_SC_INLINE bool begin(link_check &link, phase_hop &hop,
                                    const tlm::tlm_generic_payload &trans, std::uint64_t effective)
    {
        payload_life &life = *hop.life;
        if (!FTR_SC_EXPECTED(hop.state == phase_state::response) ||
            !continues_well(hop, trans, effective) ||
            !FTR_SC_EXPECTED(life.identity == hop.identity && life.unanswered < hop.number))
            return false;
        hop.time = effective;
        hop.state = phase_state::completed;
        clear(link.request, hop);
        clear(link.response, hop);
        --life.links.phased;
        return true;
    }
    /* Compares the attributes when the call that has ended the transaction returns. */
    static FTR_SC_INLINE bool returns_well(const phase_hop &hop, std::uint64_t identity,
                                           const tlm::tlm_generic_payload &trans)
    {
        return hop.life->identity != identity ||
               FTR_SC_EXPECTED(!hop.life->snapshot.may_be_changed(trans));
    }
};

} // namespace detail
} // namespace ftr

#endif
