/* Non-blocking transport on a TLM link: one transaction for each call, and requests and responses
 * assembled from the phases of calls and their returns. A payload is accessed only while the
 * protocol keeps it valid: before a call is forwarded, and, if the caller still waits for the
 * response, after the call has returned. */
#include <algorithm>

#include <ftr/detail/word_calls.h>
#include <ftr/tlm_link.hpp>

#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

/* Puts the identity of the payload, if the protocol is checked. */
void tlm_link::put_identity(ftr_tx tx, std::uint64_t identity) const
{
    if (check_)
        static_cast<void>(ftr_tx_put_number(session_->recorder, tx, 0, identity));
}

/* ---- requests and responses ------------------------------------------------------------------ */

/* Ends the open request or response of a hop.
 * @param has_read the request was completed early and has read data */
void tlm_link::end_open(tlm_hop &hop, std::uint64_t time, bool has_read)
{
    const std::uint64_t end = std::max(time, hop.begin);
    const bool is_request = hop.is_request_open;
    const ftr_tx open = is_request ? hop.request : hop.response;
    if (!is_request && !hop.is_response_open)
        return;
    hop.is_request_open = false;
    hop.is_response_open = false;
    if (open.id && is_request)
        static_cast<void>(ftr_tx_end_words(session_->recorder, open, end,
                                           word_dmi_allowed + identity_words(), hop.answer,
                                           2U + has_read));
    else if (open.id)
        static_cast<void>(ftr_tx_end(session_->recorder, open, end));
}

void tlm_link::begin_request(const tlm::tlm_generic_payload &trans, std::uint64_t time,
                             std::uint64_t identity, tlm_payload_hops *known)
{
    tlm_payload_hops *found = &calls_->hops(&trans, known);
    if (tlm_hop *stale = tlm_calls::hop(found, this)) {
        /* The payload is sent again before its response. */
        const ftr_tx open = stale->is_response_open ? stale->response : stale->request;
        if (open.id && (stale->is_request_open || stale->is_response_open))
            end_unfinished(open, std::max(time, stale->begin));
        calls_->finish(*found, *stale);
        found = &calls_->hops(&trans, found);
    }
    std::vector<tlm_hop> &hops = found->hops;
    const auto outer =
        std::find_if(hops.rbegin(), hops.rend(), [](const tlm_hop &hop) { return !hop.is_done; });
    tlm_hop hop{};
    hop.link = this;
    hop.begin = time;
    hop.is_request_open = true;
    if (request_ && ftr_tx_begin(session_->recorder, request_, time, &hop.request) == FTR_OK) {
        std::uint64_t words[payload_words];
        take_request(trans, words);
        take_response(trans, words);
        const bool has_data = trans.is_write() && take_data(trans, words[word_data]);
        put_identity(hop.request, identity);
        put_words(hop.request, payload_attributes, words, 0, request_words);
        put_words(hop.request, payload_attributes, words, word_data, word_data + has_data);
        std::copy_n(words + word_dmi_allowed, 2, hop.answer);
        if (captures_more(trans))
            put_more(trans, hop.request, false);
        if (outer != hops.rend() && outer->request.id)
            static_cast<void>(ftr_relation_put(session_->recorder, calls_->parent_child,
                                               outer->request, hop.request));
    }
    hops.push_back(hop);
}

void tlm_link::begin_response(const tlm::tlm_generic_payload &trans, std::uint64_t time,
                              std::uint64_t identity, tlm_payload_hops *known)
{
    tlm_hop *hop = tlm_calls::hop(calls_->find_hops(&trans, known), this);
    if (!hop || hop->is_response_open)
        return;
    end_open(*hop, time);
    hop->begin = time;
    hop->is_response_open = true;
    if (!response_ || ftr_tx_begin(session_->recorder, response_, time, &hop->response) != FTR_OK)
        return;
    std::uint64_t words[payload_words];
    take_request(trans, words);
    take_response(trans, words);
    const bool has_data =
        trans.is_read() && trans.is_response_ok() && take_data(trans, words[word_data]);
    put_identity(hop->response, identity);
    put_words(hop->response, payload_attributes, words, 0, payload_words - !has_data);
    if (captures_more(trans))
        put_more(trans, hop->response, true);
    static_cast<void>(ftr_relation_put(session_->recorder, calls_->predecessor_successor,
                                       hop->request, hop->response));
}

void tlm_link::step(const tlm::tlm_generic_payload &trans, tlm_step step, std::uint64_t time,
                    std::uint64_t identity, tlm_payload_hops *known)
{
    switch (step) {
    case tlm_step::begin_request:
        begin_request(trans, time, identity, known);
        break;
    case tlm_step::end_request:
        if (tlm_hop *hop = tlm_calls::hop(calls_->find_hops(&trans, known), this)) {
            if (hop->is_request_open)
                end_open(*hop, time);
        }
        break;
    case tlm_step::begin_response:
        begin_response(trans, time, identity, known);
        break;
    case tlm_step::end_response:
        end_response(&trans, time, known);
        break;
    case tlm_step::other:
        break;
    }
}

void tlm_link::end_response(const void *payload, std::uint64_t time, tlm_payload_hops *known)
{
    tlm_payload_hops *const hops = calls_->find_hops(payload, known);
    tlm_hop *const hop = tlm_calls::hop(hops, this);
    if (!hop)
        return;
    end_open(*hop, time);
    calls_->finish(*hops, *hop);
}

/* Called for TLM_COMPLETED as the answer to a request: the payload contains the response. */
void tlm_link::complete(const tlm::tlm_generic_payload &trans, std::uint64_t time,
                        tlm_payload_hops *known)
{
    tlm_payload_hops *const hops = calls_->find_hops(&trans, known);
    tlm_hop *const hop = tlm_calls::hop(hops, this);
    if (!hop)
        return;
    bool has_read = false;
    if (hop->is_request_open && hop->request.id) {
        std::uint64_t words[payload_words];
        take_response(trans, words);
        std::copy_n(words + word_dmi_allowed, 2, hop->answer);
        has_read = trans.is_read() && trans.is_response_ok() && take_data(trans, hop->answer[2]);
        if (captures_more(trans))
            put_more(trans, hop->request, true);
    }
    end_open(*hop, time, has_read);
    calls_->finish(*hops, *hop);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Puts the relations between neighbouring hops. If requests are not recorded, the first calls of
 * the hops are related instead. */
void tlm_link::relate_calls(const void *payload, ftr_tx call, tlm_payload_hops *known)
{
    std::vector<tlm_hop> &hops = calls_->hops(payload, known).hops;
    for (std::size_t i = 0; i < hops.size(); ++i) {
        if (hops[i].link != this || hops[i].call.id)
            continue;
        hops[i].call = call;
        /* Of two neighbouring calls, the one that returns last puts the relation, because both
         * calls are then known. */
        if (i > 0 && hops[i - 1].call.id)
            static_cast<void>(
                ftr_relation_put(session_->recorder, calls_->parent_child, hops[i - 1].call, call));
        if (i + 1 < hops.size() && hops[i + 1].call.id)
            static_cast<void>(
                ftr_relation_put(session_->recorder, calls_->parent_child, call, hops[i + 1].call));
    }
}

tlm_nonblocking_call::tlm_nonblocking_call(tlm_link &link, tlm_path path,
                                           const tlm::tlm_generic_payload &trans,
                                           tlm_phase_view phase, std::uint64_t delay,
                                           std::uint64_t identity, tlm_payload_hops *known)
    : link_(link), path_(path), step_(phase.step), payload_(&trans), known_(known), begin_(now())
{
    std::uint64_t *const payload = words() + nb_words;
    words_[0] = identity;
    words()[word_phase] = link.calls_->text_of(phase);
    words()[word_delay] = delay;
    link.take_request(trans, payload);
    link.take_response(trans, payload);
    const bool is_request = step_ == tlm_step::begin_request;
    const bool is_response = step_ == tlm_step::begin_response;
    if ((is_request && trans.is_write()) ||
        (is_response && trans.is_read() && trans.is_response_ok()))
        has_data_ = link.take_data(trans, payload[word_data]);
    link.step(trans, step_, begin_ + delay, identity, known);
}

void tlm_nonblocking_call::end(const tlm::tlm_generic_payload &trans, tlm::tlm_sync_enum sync,
                               tlm_phase_view phase, std::uint64_t delay)
{
    has_ended_ = true;
    std::uint64_t *const payload = words() + nb_words;
    const bool is_answered = sync != tlm::TLM_ACCEPTED;
    words()[word_sync] = link_.calls_->syncs.of(sync);
    words()[word_phase_after] = is_answered ? link_.calls_->text_of(phase) : words()[word_phase];
    words()[word_delay_after] = is_answered ? delay : words()[word_delay];
    const bool is_response = sync == tlm::TLM_COMPLETED || phase.step == tlm_step::begin_response;
    if (step_ == tlm_step::begin_request && is_answered && is_response) {
        link_.take_response(trans, payload);
        if (trans.is_read() && trans.is_response_ok())
            has_data_ = link_.take_data(trans, payload[word_data]);
    }
    record(false);
    if (sync == tlm::TLM_UPDATED)
        link_.step(trans, phase.step, now() + delay, words_[0], known_);
    else if (sync == tlm::TLM_COMPLETED && step_ == tlm_step::begin_request)
        link_.complete(trans, now() + delay, known_);
    else if (sync == tlm::TLM_COMPLETED)
        // the payload may have been reused
        link_.end_response(payload_, now() + delay, known_);
}

void tlm_nonblocking_call::record(bool is_unfinished)
{
    const ftr_generator generator = link_.nb_[static_cast<unsigned>(path_)];
    if (!generator)
        return;
    ftr_recorder *const rec = link_.session_->recorder;
    const std::size_t count = std::size_t{nb_words} + payload_words - !has_data_;
    const unsigned more = link_.identity_words();
    if (!is_unfinished) {
        static_cast<void>(
            ftr_tx_record_words(rec, generator, begin_, now(), words() - more, count + more, &tx_));
    } else if (ftr_tx_begin(rec, generator, begin_, &tx_) == FTR_OK) {
        link_.put_identity(tx_, words_[0]);
        link_.put_words(tx_, nonblocking_attributes, words(), word_phase, word_delay + 1);
        link_.put_words(tx_, nonblocking_attributes, words(), nb_words, count);
        link_.end_unfinished(tx_, now());
    }
    if (step_ == tlm_step::begin_request && !link_.request_)
        link_.relate_calls(payload_, tx_, known_);
}

tlm_nonblocking_call::~tlm_nonblocking_call()
{
    if (!has_ended_)
        record(true);
}

} // namespace ftr
