/* Non-blocking transport in the form tlm_form::calls: one transaction for each call, and requests
 * and responses assembled from the phases of calls and their returns. A payload is accessed only
 * while the protocol keeps it valid: before a call is forwarded, and, if the caller still waits for
 * the response, after the call has returned. */
#include "call_recorder.hpp"

#include <algorithm>

#include <ftr/detail/word_calls.h>

namespace ftr
{
namespace detail
{

/* ---- requests and responses ------------------------------------------------------------------ */

/* Ends the open request or response of a hop.
 * @param has_read the request was completed early and has read data */
void call_recorder::end_open(tlm_hop &hop, std::uint64_t time, bool has_read)
{
    const std::uint64_t end = std::max(time, hop.begin);
    const bool is_request = hop.is_request_open;
    const ftr_tx open = is_request ? hop.request : hop.response;
    if (!is_request && !hop.is_response_open)
        return;
    hop.is_request_open = false;
    hop.is_response_open = false;
    if (open.id && is_request)
        static_cast<void>(ftr_tx_end_words(
            recorder(), open, end, word_dmi_allowed + identity_words(), hop.answer, 2U + has_read));
    else if (open.id)
        static_cast<void>(ftr_tx_end(recorder(), open, end));
}

void call_recorder::begin_request(const payload_type &trans, std::uint64_t time,
                                  std::uint64_t identity, tlm_payload_hops *known)
{
    tlm_payload_hops *found = &calls_.hops.of(&trans, known);
    if (tlm_hop *stale = payload_hops::on_link(found, &link_)) {
        /* The payload is sent again before its response. */
        const ftr_tx open = stale->is_response_open ? stale->response : stale->request;
        if (open.id && (stale->is_request_open || stale->is_response_open))
            link_.end_unfinished(open, std::max(time, stale->begin));
        calls_.hops.finish(*found, *stale);
        found = &calls_.hops.of(&trans, found);
    }
    std::vector<tlm_hop> &hops = found->hops;
    const auto outer =
        std::find_if(hops.rbegin(), hops.rend(), [](const tlm_hop &hop) { return !hop.is_done; });
    tlm_hop hop{};
    hop.link = &link_;
    hop.begin = time;
    hop.is_request_open = true;
    if (request_ && ftr_tx_begin(recorder(), request_, time, &hop.request) == FTR_OK) {
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
            static_cast<void>(
                ftr_relation_put(recorder(), calls_.parent_child, outer->request, hop.request));
    }
    hops.push_back(hop);
}

void call_recorder::begin_response(const payload_type &trans, std::uint64_t time,
                                   std::uint64_t identity, tlm_payload_hops *known)
{
    tlm_hop *hop = payload_hops::on_link(calls_.hops.find(&trans, known), &link_);
    if (!hop || hop->is_response_open)
        return;
    end_open(*hop, time);
    hop->begin = time;
    hop->is_response_open = true;
    if (!response_ || ftr_tx_begin(recorder(), response_, time, &hop->response) != FTR_OK)
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
    static_cast<void>(
        ftr_relation_put(recorder(), calls_.predecessor_successor, hop->request, hop->response));
}

void call_recorder::step(const payload_type &trans, tlm_step step, std::uint64_t time,
                         std::uint64_t identity, tlm_payload_hops *known)
{
    switch (step) {
    case tlm_step::begin_request:
        begin_request(trans, time, identity, known);
        break;
    case tlm_step::end_request:
        if (tlm_hop *hop = payload_hops::on_link(calls_.hops.find(&trans, known), &link_)) {
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

void call_recorder::end_response(const void *payload, std::uint64_t time, tlm_payload_hops *known)
{
    tlm_payload_hops *const hops = calls_.hops.find(payload, known);
    tlm_hop *const hop = payload_hops::on_link(hops, &link_);
    if (!hop)
        return;
    end_open(*hop, time);
    calls_.hops.finish(*hops, *hop);
}

/* Ends the hop after TLM_COMPLETED as the answer to a request. The payload contains the
 * response. */
void call_recorder::complete(const payload_type &trans, std::uint64_t time, tlm_payload_hops *known)
{
    tlm_payload_hops *const hops = calls_.hops.find(&trans, known);
    tlm_hop *const hop = payload_hops::on_link(hops, &link_);
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
    calls_.hops.finish(*hops, *hop);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Puts the relations between neighbouring hops. If requests are not recorded, the first calls of
 * the hops are related instead. */
void call_recorder::relate_calls(const void *payload, ftr_tx call, tlm_payload_hops *known)
{
    std::vector<tlm_hop> &hops = calls_.hops.of(payload, known).hops;
    for (std::size_t i = 0; i < hops.size(); ++i) {
        if (hops[i].link != &link_ || hops[i].call.id)
            continue;
        hops[i].call = call;
        /* Of two neighbouring calls, the one that returns last puts the relation, because both
         * calls are then known. */
        if (i > 0 && hops[i - 1].call.id)
            static_cast<void>(
                ftr_relation_put(recorder(), calls_.parent_child, hops[i - 1].call, call));
        if (i + 1 < hops.size() && hops[i + 1].call.id)
            static_cast<void>(
                ftr_relation_put(recorder(), calls_.parent_child, call, hops[i + 1].call));
    }
}

void call_recorder::begin(tlm_nonblocking_call &call, const payload_type &trans,
                          const tlm_phase_view &phase, std::uint64_t delay, std::uint64_t identity)
{
    std::uint64_t *const words = call.words_ + 1;
    std::uint64_t *const payload = words + nb_words;
    call.words_[0] = identity;
    call.known_ = &calls_.hops.of(&trans, static_cast<tlm_payload_hops *>(call.known_));
    words[word_phase] = calls_.text_of(phase);
    words[word_delay] = delay;
    take_request(trans, payload);
    take_response(trans, payload);
    const bool is_request = call.step_ == tlm_step::begin_request;
    const bool is_response = call.step_ == tlm_step::begin_response;
    if ((is_request && trans.is_write()) ||
        (is_response && trans.is_read() && trans.is_response_ok()))
        call.has_data_ = take_data(trans, payload[word_data]);
    step(trans, call.step_, call.begin_ + delay, identity,
         static_cast<tlm_payload_hops *>(call.known_));
}

void call_recorder::end(tlm_nonblocking_call &call, const payload_type &trans,
                        tlm::tlm_sync_enum sync, const tlm_phase_view &phase, std::uint64_t delay)
{
    auto *const known = static_cast<tlm_payload_hops *>(call.known_);
    std::uint64_t *const words = call.words_ + 1;
    std::uint64_t *const payload = words + nb_words;
    const bool is_answered = sync != tlm::TLM_ACCEPTED;
    words[word_sync] = calls_.names.syncs.of(sync);
    words[word_phase_after] = is_answered ? calls_.text_of(phase) : words[word_phase];
    words[word_delay_after] = is_answered ? delay : words[word_delay];
    const bool is_response = sync == tlm::TLM_COMPLETED || phase.step == tlm_step::begin_response;
    if (call.step_ == tlm_step::begin_request && is_answered && is_response) {
        take_response(trans, payload);
        if (trans.is_read() && trans.is_response_ok())
            call.has_data_ = take_data(trans, payload[word_data]);
    }
    record(call, false);
    if (sync == tlm::TLM_UPDATED)
        step(trans, phase.step, now() + delay, call.words_[0], known);
    else if (sync == tlm::TLM_COMPLETED && call.step_ == tlm_step::begin_request)
        complete(trans, now() + delay, known);
    else if (sync == tlm::TLM_COMPLETED)
        // the payload may have been reused
        end_response(call.payload_, now() + delay, known);
}

void call_recorder::record(tlm_nonblocking_call &call, bool is_unfinished)
{
    const ftr_generator generator = nb_[static_cast<unsigned>(call.path_)];
    if (!generator)
        return;
    ftr_recorder *const rec = recorder();
    std::uint64_t *const words = call.words_ + 1;
    const std::size_t count = std::size_t{nb_words} + payload_words - !call.has_data_;
    const unsigned more = identity_words();
    if (!is_unfinished) {
        static_cast<void>(ftr_tx_record_words(rec, generator, call.begin_, now(), words - more,
                                              count + more, &call.tx_));
    } else if (ftr_tx_begin(rec, generator, call.begin_, &call.tx_) == FTR_OK) {
        put_identity(call.tx_, call.words_[0]);
        put_words(call.tx_, nonblocking_attributes, words, word_phase, word_delay + 1);
        put_words(call.tx_, nonblocking_attributes, words, nb_words, count);
        link_.end_unfinished(call.tx_, now());
    }
    if (call.step_ == tlm_step::begin_request && !request_)
        relate_calls(call.payload_, call.tx_, static_cast<tlm_payload_hops *>(call.known_));
}

} // namespace detail
} // namespace ftr
