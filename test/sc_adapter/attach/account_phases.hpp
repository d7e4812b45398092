// The two ends of a link with non-blocking accesses, for modules that keep an account
// (account.hpp). Each end reports the phases of the calls that it makes, and those that these calls
// return; the responder also knows the access of each payload.
#ifndef FTR_TEST_ACCOUNT_PHASES_HPP
#define FTR_TEST_ACCOUNT_PHASES_HPP

#include "account.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>

TLM_DECLARE_EXTENDED_PHASE(MARK);  // from the initiator
TLM_DECLARE_EXTENDED_PHASE(GRANT); // from the target

namespace account
{

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

/* The end of a link that sends requests. */
class requester
{
  public:
    using target_type = tlm::tlm_fw_transport_if<>;

    /* @p target returns the interface of the bound target. @p done is called when a transaction
     * has ended, with its payload. */
    requester(std::string link, std::function<target_type &()> target,
              std::function<void(payload &)> done)
        : link_(std::move(link)), target_(std::move(target)), done_(std::move(done)),
          queue_(this, &requester::end_later)
    {
    }

    /* One response in @p count is not ended. */
    void forget_one_in(unsigned count) { forgets_ = count; }
    std::function<void(payload &)> when_forgotten;
    /* Is the request of a payload still open? */
    bool is_requesting() const { return requesting_ != nullptr; }
    const sc_core::sc_event &ended() const { return ended_; }

    void send(payload &trans, sc_time delay, unsigned parent = 0, bool has_same_payload = true)
    {
        tlm_phase phase = tlm::BEGIN_REQ;
        requesting_ = &trans;
        const unsigned number = begin(link_, trans, delay, parent, has_same_payload);
        numbers_[&trans] = number;
        account::phase(number, phase, trans, delay);
        passed = number;
        const tlm_sync_enum sync = target_().nb_transport_fw(trans, phase, delay);
        if (sync == tlm::TLM_COMPLETED) {
            answer(number, trans);
            end(number, delay);
            finish(trans);
        } else if (sync == tlm::TLM_UPDATED) {
            end_request();
            account::phase(number, phase, trans, delay);
            if (phase == tlm::BEGIN_RESP) {
                answer(number, trans);
                queue_.notify(trans, tlm::END_RESP, delay + some_ns(8));
            }
        } else if (once_in(6) && numbers_.count(&trans) && numbers_[&trans] == number) {
            mark(number, trans);
        }
    }
    /* Sends an extended phase before the request. */
    void send_stray(payload &trans)
    {
        tlm_phase phase = MARK;
        sc_time delay = some_ns(3);
        stray(link_, phase, trans, delay);
        passed = 0;
        target_().nb_transport_fw(trans, phase, delay);
    }
    tlm_sync_enum receive(payload &trans, tlm_phase &phase, sc_time &delay)
    {
        if (phase == tlm::END_REQ)
            end_request();
        if (phase != tlm::BEGIN_RESP)
            return tlm::TLM_ACCEPTED;
        if (requesting_ == &trans)
            end_request(); // END_REQ is skipped
        if (forgets_ && once_in(forgets_)) {
            numbers_.erase(&trans);
            when_forgotten(trans);
            return tlm::TLM_ACCEPTED;
        }
        if (once_in(3)) {
            queue_.notify(trans, tlm::END_RESP, delay + some_ns(8));
            return tlm::TLM_ACCEPTED;
        }
        delay = once_in(10) ? sc_core::SC_ZERO_TIME : delay + some_ns(8);
        const unsigned number = numbers_[&trans];
        const bool is_updated = once_in(2);
        account::phase(number, tlm::END_RESP, trans, delay);
        end(number, delay);
        finish(trans);
        if (!is_updated)
            return tlm::TLM_COMPLETED;
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
    }

  private:
    void mark(unsigned number, payload &trans)
    {
        tlm_phase phase = MARK;
        sc_time delay = some_ns(3);
        account::phase(number, phase, trans, delay);
        passed = number;
        target_().nb_transport_fw(trans, phase, delay);
    }
    void end_later(payload &trans, const tlm_phase &)
    {
        tlm_phase phase = tlm::END_RESP;
        sc_time delay = some_ns(3);
        const unsigned number = numbers_[&trans];
        account::phase(number, phase, trans, delay);
        end(number, delay);
        target_().nb_transport_fw(trans, phase, delay);
        finish(trans);
    }
    void end_request()
    {
        requesting_ = nullptr;
        ended_.notify();
    }
    void finish(payload &trans)
    {
        if (requesting_ == &trans)
            end_request();
        numbers_.erase(&trans);
        done_(trans);
    }

    std::string link_;
    std::function<target_type &()> target_;
    std::function<void(payload &)> done_;
    tlm_utils::peq_with_cb_and_phase<requester> queue_;
    std::map<const payload *, unsigned> numbers_; /* of the open accesses */
    const payload *requesting_ = nullptr;
    sc_core::sc_event ended_;
    unsigned forgets_ = 0;
};

/* The end of a link that receives requests. */
class responder
{
  public:
    using initiator_type = tlm::tlm_bw_transport_if<>;

    explicit responder(std::function<initiator_type &()> initiator)
        : initiator_(std::move(initiator))
    {
    }
    /* Takes a request from a call. */
    unsigned begin(payload &trans)
    {
        trans.acquire();
        return numbers_[&trans] = passed;
    }
    unsigned number(const payload &trans) const { return numbers_.at(&trans); }
    /* The transaction has ended. */
    void forget(payload &trans)
    {
        numbers_.erase(&trans);
        trans.release();
    }

    void send(payload &trans, const tlm_phase &of, sc_time delay)
    {
        tlm_phase phase = of;
        account::phase(number(trans), phase, trans, delay);
        initiator_().nb_transport_bw(trans, phase, delay);
    }
    /* Sends the response that the payload contains. */
    void respond(payload &trans, sc_time delay)
    {
        tlm_phase phase = tlm::BEGIN_RESP;
        account::phase(number(trans), phase, trans, delay);
        answer(number(trans), trans);
        if (initiator_().nb_transport_bw(trans, phase, delay) != tlm::TLM_ACCEPTED)
            forget(trans);
    }

  private:
    std::function<initiator_type &()> initiator_;
    std::map<const payload *, unsigned> numbers_; /* of the open accesses */
};

/* Payloads with a memory manager. */
class item_pool : public tlm::tlm_mm_interface
{
  public:
    payload &take()
    {
        if (idle_.empty()) {
            items_.push_back(std::make_unique<item>(this));
            idle_.push_back(items_.back().get());
        }
        item &taken = *idle_.back();
        idle_.pop_back();
        taken.trans.acquire();
        of_[&taken.trans] = &taken;
        return taken.trans;
    }
    item &of(payload &trans) { return *of_.at(&trans); }
    void free(payload *trans) override { idle_.push_back(of_.at(trans)); }

  private:
    std::vector<std::unique_ptr<item>> items_;
    std::vector<item *> idle_;
    std::map<const payload *, item *> of_;
};

} // namespace account

#endif
