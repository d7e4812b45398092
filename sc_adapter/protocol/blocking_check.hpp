/* The rules of b_transport on one link. An object represents one call, on the stack of the calling
 * process. begin() must be called before the call is forwarded, end() after it returns, and leave()
 * also if it throws. Inline and with as few branches as possible, because every call runs this
 * code. The reporting functions take copies, so that the object can stay in registers. */
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
    /* @p life: of the payload that is passed to @p link */
    FTR_SC_INLINE blocking_check(link_check &link, payload_life &life) : link_(link), life_(life)
    {
        if (life.links++ == 0)
            begin_life(link.state, life);
    }

    std::uint64_t identity() const { return life_.identity; }

    /* Before the call is forwarded. @p delay: ticks; @p tx: the recorded call, or id
     * 0. May throw, as the sink does. */
    FTR_SC_INLINE void begin(sc_core::sc_simcontext &context, const tlm::tlm_generic_payload &trans,
                             std::uint64_t delay, const ftr_tx &tx)
    {
        const bool is_odd = __builtin_expect(life_.links == 1, 0)
                                ? take_payload(life_, trans)
                                : life_.snapshot.may_be_changed(trans) || life_.phased != 0;
        if (__builtin_expect(is_odd, 0) ||
            __builtin_expect(context.get_curr_proc_info()->kind == sc_core::SC_METHOD_PROC_, 0) ||
            __builtin_expect(static_cast<std::int64_t>(delay) < 0, 0))
            report_begin(*this, trans, delay, tx);
        life_.snapshot.answer = payload_snapshot::not_answered;
    }

    /* After it has returned. @p address: of the call. @p is_lowered: the effective time at the
     * return is before the effective time of the call. May throw. */
    FTR_SC_INLINE void end(const tlm::tlm_generic_payload &trans, std::uint64_t address,
                           bool is_lowered, const ftr_tx &tx)
    {
        const bool is_fine =
            life_.snapshot.is_answered_alike(trans) || answers_well(trans, address);
        if (!FTR_SC_EXPECTED(is_fine) || __builtin_expect(is_lowered, 0) ||
            (life_.links == 1 && ends_badly(trans)))
            report_end(*this, trans, address, is_lowered, tx);
    }

    FTR_SC_INLINE void leave() { --life_.links; }

  private:
    /* Checks the response on the last link, whose target did not forward the payload. */
    FTR_SC_INLINE bool answers_well(const tlm::tlm_generic_payload &trans, std::uint64_t address)
    {
        const int status = trans.get_response_status();
        if (life_.snapshot.answer != payload_snapshot::not_answered ||
            status == tlm::TLM_INCOMPLETE_RESPONSE || trans.get_address() != address ||
            life_.snapshot.may_be_changed(trans) ||
            (life_.links != 1 && are_contents_changed(life_)))
            return false;
        life_.snapshot.answer = status;
        return true;
    }

    /* Checks the end on the first link. On other links, the payload may have a memory manager and
     * extensions until the call returns. */
    FTR_SC_INLINE bool ends_badly(const tlm::tlm_generic_payload &trans) const
    {
        return trans.get_gp_option() != tlm::TLM_MIN_PAYLOAD || are_contents_changed(life_) ||
               (!life_.has_manager && (trans.has_mm() || has_extensions(trans)));
    }

    FTR_SC_COLD static void report_begin(blocking_check of, const tlm::tlm_generic_payload &trans,
                                         std::uint64_t delay, const ftr_tx &tx);
    FTR_SC_COLD static void report_end(blocking_check of, const tlm::tlm_generic_payload &trans,
                                       std::uint64_t address, bool is_lowered, const ftr_tx &tx);

    link_check &link_;
    payload_life &life_;
};

} // namespace detail
} // namespace ftr

#endif
