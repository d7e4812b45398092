/* Finds the hop of a call, and reports violations. After a wrong phase, the later phases of the
 * transaction on this link are not checked, so that one mistake gives one violation. */
#include "phase_check.hpp"

#include "tlm_names.hpp"

#include <utility>

namespace ftr
{
namespace detail
{

namespace
{

constexpr unsigned char legal(phase_state next)
{
    return static_cast<unsigned char>(next);
}

constexpr unsigned char wrong(protocol_rule rule)
{
    return static_cast<unsigned char>(wrong_phase | static_cast<unsigned>(rule));
}

constexpr unsigned char path = wrong(protocol_rule::phase_path);
constexpr unsigned char order = wrong(protocol_rule::phase_order);
constexpr unsigned char after = wrong(protocol_rule::after_completion);
constexpr unsigned char ended = legal(phase_state::request_ended);
constexpr unsigned char responded = legal(phase_state::response);
constexpr unsigned char completed = legal(phase_state::completed);

const char *state_text(phase_state state)
{
    static const char *const texts[] = {"no BEGIN_REQ", "its completion", "BEGIN_REQ", "END_REQ",
                                        "BEGIN_RESP"};
    return texts[static_cast<unsigned>(state)];
}

/* Returns the name of a phase. Calls SystemC's library only for phases that are not in the base
 * protocol. */
const char *phase_name(unsigned phase)
{
    const char *const name = tlm_name<tlm::tlm_phase_enum>(static_cast<int>(phase));
    return name ? name : tlm::tlm_phase(static_cast<tlm::tlm_phase_enum>(phase)).get_name();
}

} // namespace

/* Rows: none, completed, request, request_ended, response. Columns: no phase, BEGIN_REQ, END_REQ,
 * BEGIN_RESP, END_RESP. The entry of a forward BEGIN_REQ is never read. */
const unsigned char phase_transitions[2][8][8] = {
    {{path, path, order, order, path},
     {path, path, after, after, path},
     {path, path, ended, responded, path},
     {path, path, order, responded, path},
     {path, path, order, order, path}},
    {{path, order, path, path, order},
     {path, order, path, path, after},
     {path, order, path, path, order},
     {path, order, path, path, order},
     {path, order, path, path, completed}},
};

/* Returns the hop of a payload on a link, or a free hop, or NULL if the table is full. */
static phase_hop *search_hop(link_check &link, const tlm::tlm_generic_payload &trans)
{
    return link.state.hops.find(hash_of(trans, link), [&trans, &link](const phase_hop &hop) {
        return hop.is_of(trans, link);
    });
}

phase_hop *acquire_hop(link_check &link, const tlm::tlm_generic_payload &trans)
{
    phase_hop *const hop = search_hop(link, trans);
    if (!hop) {
        ++link.state.unchecked;
        return nullptr;
    }
    if (hop->is_of(trans, link))
        return link.latest = hop;
    payload_life *const life = find_life(link.state, trans);
    if (!life)
        return nullptr;
    if (hop->link && hop->link->latest == hop)
        hop->link->latest = &no_hop; // `latest` of a link never belongs to another link
    *hop = phase_hop{};
    hop->life = life;
    hop->payload = &trans;
    hop->link = &link;
    return link.latest = hop;
}

phase_hop *find_active_hop(link_check &link, const tlm::tlm_generic_payload &trans)
{
    phase_hop *const hop = search_hop(link, trans);
    return hop && hop->is_of(trans, link) && hop->is_in_use() ? hop : nullptr;
}

/* ---- calls ----------------------------------------------------------------------------------- */

phase_check::phase_check(link_check &link, bool is_forward, const tlm::tlm_generic_payload &trans,
                         unsigned phase, std::uint64_t now, std::uint64_t delay)
    : link_(link), trans_(trans), deltas_(delta_count(*sc_core::sc_curr_simcontext)), delay_(delay),
      phase_(phase), is_forward_(is_forward)
{
    if (static_cast<std::int64_t>(delay) < 0)
        report<&phase_check::report_delay>();
    if (is_forward && phase == tlm::BEGIN_REQ)
        begin_request(now + delay);
    else if (phase - tlm::BEGIN_REQ <= tlm::END_RESP - tlm::BEGIN_REQ)
        continue_in(phase, now + delay);
    else
        pass_other_phase();
}

void phase_check::end(tlm::tlm_sync_enum sync, unsigned phase, std::uint64_t delay)
{
    has_returned_ = true;
    const sc_core::sc_simcontext &context = *sc_core::sc_curr_simcontext;
    /* A different number of delta cycles shows that the call has waited. */
    if (delta_count(context) != deltas_)
        report<&phase_check::report_waiting>(sync);
    if (is_forward_ && phase_ == tlm::END_RESP)
        check_ended();
    if (is_forward_ && phase_ == tlm::BEGIN_REQ && sync != tlm::TLM_COMPLETED && hop_)
        note_references(*hop_, identity_, trans_);
    if (sync == tlm::TLM_ACCEPTED) {
        if (phase != phase_ || delay != delay_)
            report<&phase_check::report_accepted>(phase);
    } else if (hop_) {
        const std::uint64_t effective = context.time_stamp().value() + delay;
        if (sync == tlm::TLM_UPDATED)
            process_update(phase, effective);
        else
            process_completion(effective);
    }
}

/* Returns whether a request that is passed on to this link may break a rule. */
bool phase_check::is_passed_on_oddly(const payload_life &life) const
{
    return life.snapshot.may_be_changed(trans_) || are_contents_changed(life) ||
           trans_.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE || is_unmanaged() ||
           life.links.blocked != 0;
}

/* Checks the begin of a request on any link of a transaction. */
void phase_check::begin_request(std::uint64_t effective)
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
    if (hop.is_in_use() || (!begins && life->unanswered == 0 && life->links.blocked == 0)) {
        report<&phase_check::begin_again>(life);
        begins = !life->is_in_use();
    }
    bool is_odd = false;
    if (is_open(link_.request))
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
    if (is_odd)
        report<&phase_check::report_request>(begins, open);
}

/* Checks an ignorable phase, or the path of a base-protocol phase on a link with calls that are not
 * observed. */
void phase_check::pass_other_phase()
{
    hop_ = find_active_hop(link_, trans_);
    if (hop_)
        identity_ = hop_->identity;
    report<&phase_check::check_other_phase>();
}

/* Checks a phase of the base protocol other than a forward BEGIN_REQ. */
void phase_check::continue_in(unsigned phase, std::uint64_t effective)
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
void phase_check::process_phase(unsigned phase, std::uint64_t effective)
{
    phase_hop &hop = *hop_;
    const unsigned to =
        phase_transitions[is_forward_ != has_returned_][static_cast<unsigned>(hop.state)][phase];
    if (to & wrong_phase) {
        report<&phase_check::misplace>(phase, static_cast<protocol_rule>(to & ~wrong_phase));
        return;
    }
    payload_life &life = *hop.life;
    if (life.snapshot.may_be_changed(trans_) || is_unmanaged())
        report<&phase_check::report_payload>(phase);
    if (effective < hop.time)
        report<&phase_check::report_time>(phase, effective);
    hop.time = effective;
    hop.state = static_cast<phase_state>(to);
    if (phase == tlm::END_RESP)
        return complete(hop);
    if (link_.request == &hop)
        link_.request = nullptr;
    if (phase == tlm::BEGIN_RESP) {
        if (link_.response != nullptr)
            report<&phase_check::report_response>();
        link_.response = &hop;
        if (FTR_SC_EXPECTED(life.identity == hop.identity)) {
            answer(hop, life, phase);
            if (!is_forward_)
                is_kept_ = is_kept_by_target(hop, trans_);
        }
    }
}

/* Checks the answer on this link: BEGIN_RESP or early completion. */
void phase_check::answer(phase_hop &hop, payload_life &life, unsigned phase)
{
    const int status = trans_.get_response_status();
    if (!is_answered_well(hop, life, trans_)) {
        report<&phase_check::report_answer>(phase);
        static_cast<void>(is_answered_data_changed(life, status)); // stores the first answer
        life.snapshot.store_answer(status);
    } else {
        life.snapshot.answer = status;
    }
    life.unanswered = hop.number - 1;
}

void phase_check::complete(phase_hop &hop) const
{
    if (link_.request == &hop)
        link_.request = nullptr;
    if (link_.response == &hop)
        link_.response = nullptr;
    hop.state = phase_state::completed;
    payload_life &life = *hop.life;
    if (life.identity != hop.identity)
        return;
    --life.links.phased;
    if (life.unanswered >= hop.number)
        life.unanswered = hop.number - 1;
}

/* Checks a return of TLM_UPDATED: @p phase is the next phase. */
void phase_check::process_update(unsigned phase, std::uint64_t effective)
{
    const bool is_legal = is_forward_ ? phase_ == tlm::BEGIN_REQ &&
                                            (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
                                      : phase_ == tlm::BEGIN_RESP && phase == tlm::END_RESP;
    if (!FTR_SC_EXPECTED(is_legal)) {
        report<&phase_check::report_wrong_update>(phase);
        return;
    }
    phase_hop &hop = *hop_;
    if (!FTR_SC_EXPECTED(is_same_life()))
        return;
    if (is_forward_)
        return process_phase(phase, effective);
    if (!FTR_SC_EXPECTED(hop.state == phase_state::response))
        return; // a nested call has completed the transaction
    if (effective < hop.time)
        report<&phase_check::report_time>(phase, effective);
    complete(hop);
    if (is_kept_)
        check_ended();
}

/* Compares the attributes when the call that has ended the transaction on this link returns. The
 * payload must still exist. */
void phase_check::check_ended()
{
    if (!hop_ || hop_->life->identity != identity_)
        return; // the payload was not checked, or already belongs to another transaction
    if (hop_->life->snapshot.may_be_changed(trans_))
        report<&phase_check::report_ended>();
}

/* Checks a return of TLM_COMPLETED: the transaction has no more calls on this link. */
void phase_check::process_completion(std::uint64_t effective)
{
    phase_hop &hop = *hop_;
    payload_life &life = *hop.life;
    const bool is_request = is_forward_ && phase_ == tlm::BEGIN_REQ;
    /* Usually, the callee has made no call for this transaction. */
    if (is_request && FTR_SC_EXPECTED(hop.state == phase_state::request) &&
        FTR_SC_EXPECTED(life.identity == identity_)) {
        if (effective < hop.time)
            report<&phase_check::report_time>(phase_, effective);
        if (life.snapshot.may_be_changed(trans_))
            report<&phase_check::report_payload>(phase_);
        answer(hop, life, phase_);
        if (FTR_SC_EXPECTED(link_.request == &hop))
            link_.request = nullptr;
        hop.state = phase_state::completed;
        --life.links.phased;
        return;
    }
    if (!is_same_life() || !hop.is_in_use())
        return; // this was END_RESP, or a nested call has completed the transaction
    if (phase_ == tlm::END_REQ) {
        report<&phase_check::report_wrong_completion>();
        return;
    }
    if (effective < hop.time)
        report<&phase_check::report_time>(phase_, effective);
    if (is_request && hop.state != phase_state::response) {
        if (life.snapshot.may_be_changed(trans_))
            report<&phase_check::report_payload>(phase_);
        if (FTR_SC_EXPECTED(life.identity == identity_))
            answer(hop, life, phase_);
    }
    complete(hop);
    if (is_kept_)
        check_ended();
}

/* ---- reports --------------------------------------------------------------------------------- */

checked_call phase_check::call(unsigned phase)
{
    static const char *const names[2][2] = {
        {"nb_transport_bw", "return of nb_transport_bw"},
        {"nb_transport_fw", "return of nb_transport_fw"},
    };
    /* After the return of a backward call, the payload may no longer exist. */
    const bool may_read = !has_returned_ || is_forward_;
    payload_life *const life = hop_       ? hop_->life
                               : may_read ? find_life(link_.state, trans_)
                                          : find_earlier_life(link_.state, &trans_);
    const std::uint64_t address = may_read ? trans_.get_address() : hop_ ? hop_->address : 0;
    if (!found_)
        found_ = link_.state.acquire();
    return {link_,
            names[is_forward_][has_returned_],
            phase_name(phase),
            may_read ? &trans_ : nullptr,
            life,
            address,
            {},
            *found_};
}

/* Acts on the violations that were found before the call is forwarded. */
void phase_check::act_before() const
{
    try {
        link_.state.sink.act();
    } catch (...) {
        link_.state.release(found_);
        throw;
    }
}

/* Reports a phase on the wrong path or in the wrong order. */
void phase_check::misplace(unsigned phase, protocol_rule rule)
{
    phase_hop &hop = *hop_;
    if (hop.is_confused) {
        if (phase == tlm::END_RESP && hop.is_in_use())
            complete(hop);
        return;
    }
    hop.is_confused = true;
    if (hop.state == phase_state::none && link_.state.unchecked > 0)
        return; // perhaps its BEGIN_REQ was not checked
    std::string found = "the transaction is complete on this link";
    if (rule == protocol_rule::phase_path)
        found = is_forward_ != has_returned_ ? "this phase does not travel forward"
                                             : "this phase does not travel backward";
    else if (hop.state == phase_state::none)
        found = "there was no BEGIN_REQ";
    else if (hop.state != phase_state::completed)
        found = std::string("the phase before is ") + state_text(hop.state);
    call(phase).violate(rule, std::move(found));
}

void phase_check::report_delay()
{
    call(phase_).violate(protocol_rule::delay_negative, "the delay was subtracted below zero");
}

void phase_check::report_waiting(tlm::tlm_sync_enum sync)
{
    checked_call of = call(phase_);
    if (sync == tlm::TLM_ACCEPTED)
        of.payload = nullptr; // may belong to another transaction now
    of.violate(protocol_rule::nonblocking_waits, "time or a delta cycle has passed");
}

void phase_check::report_accepted(unsigned phase)
{
    checked_call of = call(phase_);
    of.payload = nullptr;
    of.violate(protocol_rule::accepted_changed,
               phase != phase_
                   ? std::string("TLM_ACCEPTED returns with the phase ") + phase_name(phase)
                   : "TLM_ACCEPTED returns with another delay");
}

void phase_check::report_time(unsigned phase, std::uint64_t effective)
{
    if (!hop_->is_confused)
        call(phase).violate(protocol_rule::delay_decreases,
                            "the effective time is " + std::to_string(hop_->time - effective) +
                                " ticks before that of the phase before");
}

void phase_check::check_manager(checked_call &of) const
{
    if (!trans_.has_mm())
        of.violate(protocol_rule::memory_manager, "the payload has no memory manager");
    else if (trans_.get_ref_count() < 1)
        of.violate(protocol_rule::reference_count,
                   "the payload has a memory manager and a reference count of " +
                       std::to_string(trans_.get_ref_count()));
}

void phase_check::report_payload(unsigned phase)
{
    checked_call of = call(phase);
    check_manager(of);
    if (hop_->identity == hop_->life->identity)
        check_attributes(of);
}

/* Reports attributes that were changed in the call that ended the transaction. */
void phase_check::report_ended()
{
    if (hop_->is_confused || trans_.get_ref_count() < 1)
        return; // without a reference, the payload may belong to another transaction
    checked_call of = call(phase_);
    of.payload = &trans_;
    check_attributes(of);
}

/* Reports that the payload is used again before the responses on all links have ended. */
void phase_check::begin_again(payload_life *again)
{
    payload_life &life = *again;
    phase_hop &hop = *hop_;
    const bool was_in_use = hop.is_in_use();
    if (was_in_use) {
        /* If the payload has begun another life, the first link has already reported the reuse. */
        if (!hop.is_confused && hop.identity == life.identity)
            call(phase_).violate(protocol_rule::phase_order,
                                 std::string("the transaction begins again after ") +
                                     state_text(hop.state));
        complete(hop);
    }
    if (life.links.phased == 0 || life.unanswered != 0 || life.links.blocked != 0)
        return;
    if (!was_in_use)
        call(phase_).violate(
            protocol_rule::payload_reused,
            "the payload begins again while a link has not ended its earlier response");
    life.links.phased = 0;
}

void phase_check::report_request(bool begins, const phase_hop *open)
{
    checked_call of = call(phase_);
    payload_life &life = *of.life;
    if (begins) {
        check_set_up(of);
    } else {
        const tlm::tlm_response_status status = trans_.get_response_status();
        if (life.snapshot.may_be_changed(trans_))
            check_attributes(of);
        else if (are_contents_changed(life))
            check_contents(of);
        if (status != tlm::TLM_INCOMPLETE_RESPONSE)
            of.violate(protocol_rule::response_start, std::string("the response status is ") +
                                                          response_name(status) +
                                                          " when the request is passed on");
    }
    check_manager(of);
    if (life.links.blocked != 0 && link_.has_blocking_call(life.identity))
        of.violate(protocol_rule::mixed_transport,
                   "the transaction is in b_transport of this link, and begins in phases");
    if (is_open(open) && open != hop_ && !open->is_confused)
        of.violate(protocol_rule::request_exclusion,
                   "the request of another transaction is not ended");
}

void phase_check::report_response()
{
    const phase_hop &other = *link_.response;
    if (&other != hop_ && other.state == phase_state::response && !other.is_confused)
        call(tlm::BEGIN_RESP)
            .violate(protocol_rule::response_exclusion,
                     "the response of another transaction is not ended");
}

void phase_check::report_answer(unsigned phase)
{
    const phase_hop &hop = *hop_;
    payload_life &life = *hop.life;
    checked_call of = call(phase);
    if (has_returned_ && phase == phase_)
        of.phase = "TLM_COMPLETED";
    if (hop.number < life.unanswered)
        return of.violate(
            protocol_rule::response_path,
            "the response comes before that of a link that the request was passed to");
    if (!life.snapshot.may_be_changed(trans_) &&
        (are_contents_changed(life) || is_read_data_changed(life)))
        check_contents(of);
    if (life.snapshot.answer == payload_snapshot::not_answered &&
        trans_.get_address() != hop.address) {
        of.address = hop.address;
        of.violate(protocol_rule::address_changed,
                   "the target changed the address, or an interconnect that answered itself");
    }
    check_answer(of);
}

/* ---- other phases and answers ---------------------------------------------------------------- */

/* Reports an ignorable phase before the request of its transaction, or after the response. A link
 * that has passed no phase of the base protocol may have a protocol of its own. */
void phase_check::check_ignorable_phase()
{
    if (hop_ || !link_.sees_answers || link_.latest == &no_hop || link_.state.unchecked > 0)
        return;
    call(phase_).violate(protocol_rule::ignorable_phase,
                         "the transaction has not begun or is complete on this link");
}

void phase_check::check_other_phase()
{
    const bool goes_forward = phase_ == tlm::BEGIN_REQ || phase_ == tlm::END_RESP;
    if (phase_ > tlm::END_RESP)
        return check_ignorable_phase();
    if ((phase_ != 0 && goes_forward == is_forward_))
        return;
    call(phase_).violate(protocol_rule::phase_path, is_forward_
                                                        ? "this phase does not travel forward"
                                                        : "this phase does not travel backward");
    if (hop_)
        hop_->is_confused = true;
}

void phase_check::report_wrong_update(unsigned phase)
{
    if (phase > tlm::END_RESP || phase_ > tlm::END_RESP)
        return; // an ignorable phase
    checked_call of = call(phase);
    if (phase_ == tlm::END_RESP) {
        of.violate(protocol_rule::end_status, "END_RESP is answered with TLM_UPDATED");
    } else if (!hop_->is_confused) {
        hop_->is_confused = true;
        of.violate(protocol_rule::status_phase,
                   "TLM_UPDATED returns with no phase that may follow");
    }
}

void phase_check::report_wrong_completion()
{
    checked_call of = call(phase_);
    of.phase = "TLM_COMPLETED";
    if (std::exchange(hop_->is_confused, true))
        return;
    of.violate(protocol_rule::status_phase, "END_REQ is answered with TLM_COMPLETED");
}

} // namespace detail
} // namespace ftr
