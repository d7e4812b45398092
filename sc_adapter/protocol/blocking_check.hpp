/* The rules of b_transport on one link. An object stands for one call, on the stack of the process
 * that makes it: begin() before the call, end() after its return, leave() however it ends. Inline
 * and without a test that can be saved, because each call pays for it; the functions that report
 * take copies, so that the object can stay in registers. */
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
    /* @p life: of the payload, which begins to pass @p link */
    FTR_SC_INLINE blocking_check(link_check &link, payload_life &life,
                                 const tlm::tlm_generic_payload &trans)
        : link_(link), life_(life), address_(trans.get_address())
    {
        if (life.links++ == 0)
            begin_life(link.state, life, trans);
        begun_ = ++life.begun;
        link.blocking = life.identity;
    }

    std::uint64_t identity() const { return life_.identity; }

    /* Before the call is forwarded. @p delay: ticks; @p tx: the recorded call, or id
     * 0. May throw, as the sink does. */
    FTR_SC_INLINE void begin(sc_core::sc_simcontext &context, const tlm::tlm_generic_payload &trans,
                             std::uint64_t delay, ftr_tx tx)
    {
        const bool is_in_method = context.get_curr_proc_info()->kind == sc_core::SC_METHOD_PROC_;
        const bool is_wrong = begun_ == 1 && (is_set_up_wrong(trans) ||
                                              (trans.has_mm() && trans.get_ref_count() < 1));
        if (__builtin_expect(is_wrong, 0) || __builtin_expect(is_in_method, 0) ||
            __builtin_expect(static_cast<std::int64_t>(delay) < 0, 0) ||
            __builtin_expect(link_.open_hops != 0, 0))
            report_begin(*this, trans, is_in_method, delay, tx);
    }

    /* After it has returned. @p effective, @p effective_end: ticks, delays included. May throw.
     * A change on the way shows on the last link and on the first: the links between them
     * compare nothing. */
    FTR_SC_INLINE void end(const tlm::tlm_generic_payload &trans, std::uint64_t effective,
                           std::uint64_t effective_end, ftr_tx tx)
    {
        const tlm::tlm_response_status status = trans.get_response_status();
        const bool is_last = life_.begun == begun_; /* nobody passed the payload on */
        const bool is_odd =
            status == tlm::TLM_INCOMPLETE_RESPONSE || effective_end < effective ||
            (is_last ? trans.get_address() != address_ || is_changed_at_end(trans)
                     : status > life_.answer || (begun_ == 1 && is_changed_at_end(trans)));
        if (__builtin_expect(is_odd, 0))
            report_end(*this, trans, is_last, effective_end < effective, tx);
        life_.answer = status;
    }

    FTR_SC_INLINE void leave() { --life_.links; }

  private:
    FTR_SC_INLINE bool is_changed_at_end(const tlm::tlm_generic_payload &trans) const
    {
        return is_changed(life_, trans) || are_contents_changed(life_, trans) ||
               (begun_ == 1 && (trans.has_mm() != life_.has_manager || has_extensions(trans)));
    }

    FTR_SC_COLD static void report_begin(blocking_check of, const tlm::tlm_generic_payload &trans,
                                         bool is_in_method, std::uint64_t delay, ftr_tx tx);
    FTR_SC_COLD static void report_end(blocking_check of, const tlm::tlm_generic_payload &trans,
                                       bool is_last, bool is_lowered, ftr_tx tx);

    link_check &link_;
    payload_life &life_;
    const std::uint64_t address_;
    std::uint32_t begun_ = 0;
};

} // namespace detail
} // namespace ftr

#endif
