/* Follows a transaction in phases on one link, call by call and answer by answer. After a wrong
 * phase, the rest of the transaction on this link is not judged by it: one mistake is one
 * violation. */
#include "phase_check.hpp"

#include <utility>

namespace ftr
{
namespace detail
{

namespace
{

std::uintptr_t key_of(const tlm::tlm_generic_payload &trans, const link_check &link)
{
    return reinterpret_cast<std::uintptr_t>(&trans) + reinterpret_cast<std::uintptr_t>(&link) * 31U;
}

bool is_base_phase(unsigned phase)
{
    return phase >= tlm::BEGIN_REQ && phase <= tlm::END_RESP;
}

const char *state_text(phase_state state)
{
    static const char *const texts[] = {"no BEGIN_REQ", "BEGIN_REQ", "END_REQ", "BEGIN_RESP",
                                        "its completion"};
    return texts[static_cast<unsigned>(state)];
}

} // namespace

phase_hop *find_hop(protocol_state &state, const tlm::tlm_generic_payload &trans,
                    const link_check &link, bool makes)
{
    const std::uintptr_t key = key_of(trans, link);
    phase_hop *const hop = state.hops.find(key);
    if (!hop) {
        ++state.unchecked;
        return nullptr;
    }
    /* Sums of other addresses may be equal: then the place belongs to them as long as they need it.
     */
    const bool is_ours = hop->key == key && hop->payload == &trans && hop->link == &link;
    if (is_ours && (makes || hop->is_in_use()))
        return hop;
    if (!makes || hop->is_in_use())
        return nullptr;
    *hop = phase_hop{};
    hop->key = key;
    hop->payload = &trans;
    hop->link = &link;
    return hop;
}

phase_check::phase_check(link_check &link, bool is_forward, const tlm::tlm_generic_payload &trans,
                         unsigned phase, const char *phase_name, std::uint64_t now,
                         std::uint64_t delay)
    : call_{link,       is_forward ? "nb_transport_fw" : "nb_transport_bw",
            phase_name, &trans,
            nullptr,    trans.get_address()},
      is_forward_(is_forward), phase_(phase), begin_(now), delay_(delay),
      deltas_(sc_core::sc_delta_count()), trans_(trans)
{
    call_.life = find_life(link.state, trans);
    if (!call_.life)
        return;
    check_call(now, delay);
}

void phase_check::check_call(std::uint64_t now, std::uint64_t delay)
{
    link_check &link = call_.link;
    const bool goes_forward = phase_ == tlm::BEGIN_REQ || phase_ == tlm::END_RESP;
    if (phase_ <= tlm::END_RESP && (phase_ == 0 || goes_forward != is_forward_)) {
        call_.violate(protocol_rule::phase_path, is_forward_
                                                     ? "this phase does not travel forward"
                                                     : "this phase does not travel backward");
        hop_ = find_hop(link.state, trans_, link, false);
        if (hop_) {
            hop_->is_confused = true;
            identity_ = hop_->identity;
        }
        return;
    }
    if (static_cast<std::int64_t>(delay) < 0)
        call_.violate(protocol_rule::delay_negative, "the delay was subtracted below zero");
    if (!link.sees_answers)
        return;
    if (phase_ == tlm::BEGIN_REQ)
        begin_request(now + delay);
    else
        hop_ = find_hop(link.state, trans_, link, true);
    if (!hop_)
        return;
    if (phase_ != tlm::BEGIN_REQ && hop_->is_in_use())
        call_.life = hop_->life;
    identity_ = hop_->identity;
    if (trans_.has_mm() && trans_.get_ref_count() < 1)
        call_.violate(protocol_rule::reference_count,
                      "the payload has a memory manager and a reference count of " +
                          std::to_string(trans_.get_ref_count()));
    if (phase_ == tlm::BEGIN_REQ || !is_base_phase(phase_))
        return;
    if (hop_->is_in_use())
        check_payload();
    take_phase(phase_, now + delay);
}

/* A phase at a wrong place. */
void phase_check::misplace(protocol_rule rule, std::string found)
{
    if (hop_->is_confused)
        return;
    hop_->is_confused = true;
    call_.violate(rule, std::move(found));
}

void phase_check::begin_request(std::uint64_t effective)
{
    link_check &link = call_.link;
    payload_life &life = *call_.life;
    hop_ = find_hop(link.state, trans_, link, true);
    if (!hop_)
        return;
    if (hop_->is_in_use()) {
        /* A payload that is reused was reported where it began again. */
        if (!hop_->is_confused && hop_->identity == life.identity)
            call_.violate(protocol_rule::phase_order,
                          std::string("the transaction begins again after ") +
                              state_text(hop_->state));
        complete(*hop_);
    }
    const bool is_reused = life.links > 0 && life.unanswered == 0 && life.links == life.phased;
    if (is_reused)
        call_.violate(protocol_rule::payload_reused,
                      "the payload begins again while a link has not ended its earlier response");
    const bool begins = life.links == 0 || is_reused;
    if (begins) {
        life.links = 0;
        life.phased = 0;
        begin_life(link.state, life, trans_);
    }
    ++life.links;
    ++life.phased;
    *hop_ = phase_hop{
        hop_->key, hop_->payload,        hop_->link,        &life,        life.identity,
        effective, trans_.get_address(), ++life.unanswered, ++life.begun, phase_state::request,
        false};
    ++link.open_hops;
    if (!begins) {
        check_payload();
        if (trans_.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
            call_.violate(protocol_rule::response_start,
                          std::string("the response status is ") +
                              response_name(trans_.get_response_status()) +
                              " when the request is passed on");
    } else {
        if (is_set_up_wrong(trans_))
            check_set_up(call_);
        if (!trans_.has_mm())
            call_.violate(protocol_rule::memory_manager, "the payload has no memory manager");
    }
    if (link.blocking == life.identity && life.links > life.phased)
        call_.violate(protocol_rule::mixed_transport,
                      "the transaction is in b_transport of this link, and begins in phases");
    if (link.request && link.request->state == phase_state::request)
        call_.violate(protocol_rule::request_exclusion,
                      "the request of another transaction is not ended");
    link.request = hop_;
}

void phase_check::check_payload()
{
    const payload_life &life = *call_.life;
    if (__builtin_expect(is_changed(life, trans_), 0))
        check_attributes(call_);
    /* After the response, the initiator may have given the data back. */
    if (__builtin_expect(phase_ != tlm::END_RESP && are_contents_changed(life, trans_), 0))
        check_contents(call_);
}

void phase_check::check_time(phase_hop &hop, std::uint64_t effective)
{
    if (effective < hop.time && !hop.is_confused)
        call_.violate(protocol_rule::delay_decreases, "the effective time is " +
                                                          std::to_string(hop.time - effective) +
                                                          " ticks before that of the phase before");
    hop.time = effective;
}

/* A phase but BEGIN_REQ has come, by a call or by an answer. */
void phase_check::take_phase(unsigned phase, std::uint64_t effective)
{
    phase_hop &hop = *hop_;
    if (!hop.is_in_use()) {
        if (hop.state == phase_state::completed)
            misplace(protocol_rule::after_completion, "the transaction is complete on this link");
        else
            misplace(protocol_rule::phase_order, "there was no BEGIN_REQ");
        return;
    }
    check_time(hop, effective);
    if (phase == tlm::END_REQ)
        end_request();
    else if (phase == tlm::BEGIN_RESP)
        begin_response();
    else if (hop.state == phase_state::response || hop.is_confused)
        complete(hop);
    else
        misplace(protocol_rule::phase_order,
                 std::string("the phase before is ") + state_text(hop.state));
}

void phase_check::end_request()
{
    phase_hop &hop = *hop_;
    if (hop.state != phase_state::request) {
        misplace(protocol_rule::phase_order,
                 std::string("the phase before is ") + state_text(hop.state));
        return;
    }
    hop.state = phase_state::request_ended;
    if (call_.link.request == &hop)
        call_.link.request = nullptr;
}

void phase_check::begin_response()
{
    link_check &link = call_.link;
    phase_hop &hop = *hop_;
    if (hop.state == phase_state::response) {
        misplace(protocol_rule::phase_order, "the phase before is BEGIN_RESP");
        return;
    }
    hop.state = phase_state::response;
    if (link.request == &hop)
        link.request = nullptr;
    if (link.response && link.response != &hop && link.response->state == phase_state::response)
        call_.violate(protocol_rule::response_exclusion,
                      "the response of another transaction is not ended");
    link.response = &hop;
    answer();
}

/* The payload is answered on this link, by BEGIN_RESP or by early completion. */
void phase_check::answer()
{
    phase_hop &hop = *hop_;
    payload_life &life = *hop.life;
    if (life.identity != hop.identity)
        return;
    if (hop.number < life.unanswered) {
        life.unanswered = hop.number - 1;
        call_.violate(protocol_rule::response_path,
                      "the response comes before that of a link that the request was passed to");
        return;
    }
    life.unanswered = hop.number - 1;
    if (life.begun == hop.begun) {
        life.answer = trans_.get_response_status();
        if (__builtin_expect(trans_.get_address() != hop.address, 0))
            call_.violate(
                protocol_rule::address_changed,
                "the target changed the address, or an interconnect that answered itself");
    }
    const tlm::tlm_response_status status = trans_.get_response_status();
    if (__builtin_expect(status == tlm::TLM_INCOMPLETE_RESPONSE || status > life.answer, 0))
        check_answer(call_);
    life.answer = status;
}

void phase_check::complete(phase_hop &hop)
{
    link_check &link = call_.link;
    if (link.request == &hop)
        link.request = nullptr;
    if (link.response == &hop)
        link.response = nullptr;
    --link.open_hops;
    hop.state = phase_state::completed;
    hop.is_confused = false;
    if (hop.life->identity != hop.identity)
        return;
    --hop.life->links;
    --hop.life->phased;
    if (hop.life->unanswered >= hop.number)
        hop.life->unanswered = hop.number - 1;
}

/* ---- answers ------------------------------------------------------------------------------------
 */

void phase_check::check_accepted(unsigned phase, const char *phase_name, std::uint64_t delay)
{
    if (phase != phase_)
        call_.violate(protocol_rule::accepted_changed,
                      std::string("TLM_ACCEPTED returns with the phase ") + phase_name);
    else if (delay != delay_)
        call_.violate(protocol_rule::accepted_changed, "TLM_ACCEPTED returns with another delay");
}

void phase_check::take_update(unsigned phase, std::uint64_t effective)
{
    if (phase > tlm::END_RESP)
        return; // an ignorable phase
    const bool is_next =
        phase > phase_ && phase_ != tlm::END_REQ &&
        (is_forward_ ? phase == tlm::END_REQ || phase == tlm::BEGIN_RESP : phase == tlm::END_RESP);
    if (phase_ == tlm::END_RESP) {
        call_.violate(protocol_rule::end_status, "END_RESP is answered with TLM_UPDATED");
    } else if (!is_base_phase(phase_)) {
        return;
    } else if (!is_next) {
        misplace(protocol_rule::status_phase, "TLM_UPDATED returns with no phase that may follow");
    } else if (is_same_life()) {
        if (is_forward_ && hop_->is_in_use())
            check_payload();
        take_phase(phase, effective);
    }
}

void phase_check::end(tlm::tlm_sync_enum sync, unsigned phase, const char *phase_name,
                      std::uint64_t now, std::uint64_t delay)
{
    if (!call_.life)
        return;
    call_.call = is_forward_ ? "return of nb_transport_fw" : "return of nb_transport_bw";
    if (sync == tlm::TLM_ACCEPTED || !is_forward_)
        call_.payload = nullptr; // may be gone, or another transaction's
    if (now != begin_ || sc_core::sc_delta_count() != deltas_)
        call_.violate(protocol_rule::nonblocking_waits, "time or a delta cycle has passed");
    if (sync == tlm::TLM_ACCEPTED) {
        check_accepted(phase, phase_name, delay);
    } else if (hop_) {
        call_.phase = phase_name;
        if (sync == tlm::TLM_UPDATED)
            take_update(phase, now + delay);
        else
            take_completion(now + delay);
    }
}

/* TLM_COMPLETED: the transaction has no more calls on this link. */
void phase_check::take_completion(std::uint64_t effective)
{
    call_.phase = "TLM_COMPLETED";
    if (!is_same_life() || !hop_->is_in_use())
        return; // END_RESP, or completed by a call within this one
    if (phase_ == tlm::END_REQ) {
        misplace(protocol_rule::status_phase, "END_REQ is answered with TLM_COMPLETED");
        return;
    }
    check_time(*hop_, effective);
    if (is_forward_ && phase_ == tlm::BEGIN_REQ && hop_->state != phase_state::response) {
        check_payload();
        answer();
    }
    complete(*hop_);
}

} // namespace detail
} // namespace ftr
