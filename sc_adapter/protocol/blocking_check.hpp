/* The rules of b_transport on one link. An object represents one call, on the stack of the calling
 * process. begins_oddly() must be called before the call is forwarded, ends_oddly() after it
 * returns, and leave() also if it throws. Inline and with as few branches as possible, because
 * every call runs this code. If they return true, the caller must call the reporting function,
 * which finds the violations, if there are any. */
#ifndef FTR_BLOCKING_CHECK_HPP
#define FTR_BLOCKING_CHECK_HPP

#include "link_check.hpp"

namespace ftr
{
namespace detail
{

class blocking_check
{
  public:
    /* @p life: of the payload that is passed to the link */
    explicit FTR_SC_INLINE blocking_check(payload_life &life) : life_(life)
    {
        if (!life.is_in_use())
            begin_life(life);
        ++life.links.blocked;
    }

    std::uint64_t identity() const { return life_.identity; }

    /* Before the call is forwarded. @p delay: ticks */
    FTR_SC_INLINE bool begins_oddly(sc_core::sc_simcontext &context,
                                    const tlm::tlm_generic_payload &trans, std::uint64_t delay)
    {
        life_.snapshot.answer = payload_snapshot::not_answered;
        if (life_.is_on_first_link() ? __builtin_expect(take_payload(life_, trans), 0)
                                     : __builtin_expect(life_.snapshot.may_be_changed(trans), 0) ||
                                           __builtin_expect(life_.links.phased != 0, 0))
            return true;
        return __builtin_expect(context.get_curr_proc_info()->kind == sc_core::SC_METHOD_PROC_,
                                0) ||
               __builtin_expect(static_cast<std::int64_t>(delay) < 0, 0);
    }

    /* After it has returned. @p address: of the call. */
    FTR_SC_INLINE bool ends_oddly(const tlm::tlm_generic_payload &trans,
                                  const std::uint64_t &address)
    {
        if (!FTR_SC_EXPECTED(life_.snapshot.are_lanes_equal(trans)))
            return true;
        if (!life_.snapshot.is_answered_alike(trans) &&
            !FTR_SC_EXPECTED(answers_well(trans, address)))
            return true;
        return life_.is_on_first_link() && __builtin_expect(ends_badly(trans), 0);
    }

    FTR_SC_INLINE void leave() { --life_.links.blocked; }

    /* May throw, as the sink does. @p tx: the recorded call, or id 0; @p is_lowered: the effective
     * time at the return is before the effective time of the call. */
    FTR_SC_COLD static void report_begin(link_check &link, payload_life &life,
                                         const tlm::tlm_generic_payload &trans, std::uint64_t delay,
                                         const ftr_tx &tx);
    FTR_SC_COLD static void report_end(link_check &link, payload_life &life,
                                       const tlm::tlm_generic_payload &trans, std::uint64_t address,
                                       bool is_lowered, const ftr_tx &tx);

  private:
    /* Checks the response on the last link: the target of this link did not forward the payload. */
    FTR_SC_INLINE bool answers_well(const tlm::tlm_generic_payload &trans,
                                    const std::uint64_t &address)
    {
        const int status = trans.get_response_status();
        if (life_.snapshot.answer != payload_snapshot::not_answered ||
            status == tlm::TLM_INCOMPLETE_RESPONSE || trans.get_address() != address ||
            trans.get_data_length() != life_.snapshot.data_length)
            return false;
        if (life_.is_on_first_link())
            return true; // ends_badly() checks the rest
        if (trans.get_gp_option() != tlm::TLM_MIN_PAYLOAD || are_contents_changed(life_))
            return false;
        life_.snapshot.answer = status;
        return true;
    }

    /* Checks the end on the first link. On other links, the payload may have a memory manager and
     * extensions until the call returns. */
    FTR_SC_INLINE bool ends_badly(const tlm::tlm_generic_payload &trans) const
    {
        const bool is_plain =
            (static_cast<unsigned>(trans.get_gp_option()) | carried_by(trans)) == 0;
        return (!FTR_SC_EXPECTED(is_plain) && is_more_carried(life_, trans)) ||
               are_contents_changed(life_);
    }

    payload_life &life_;
};

} // namespace detail
} // namespace ftr

#endif
