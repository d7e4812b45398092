/* The rules of b_transport on one link. An object stands for one call, on the stack of the process
 * that makes it: it is constructed before the call and told of its return. Inline, because each
 * call pays for it; the functions that report are not. */
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
    FTR_SC_INLINE blocking_check(link_check &link, const tlm::tlm_generic_payload &trans)
        : link_(link), life_(find_life(link.state, trans)), address_(trans.get_address())
    {
        if (!FTR_SC_EXPECTED(life_))
            return;
        payload_life &life = *life_;
        if (life.links++ == 0) {
            begin_life(link.state, life, trans);
            is_wrong_ = is_set_up_wrong(trans);
        }
        begun_ = ++life.begun;
        outer_ = life.blocking;
        life.blocking = &link;
    }
    blocking_check(const blocking_check &) = delete;
    blocking_check &operator=(const blocking_check &) = delete;
    FTR_SC_INLINE ~blocking_check()
    {
        if (FTR_SC_EXPECTED(life_)) {
            --life_->links;
            life_->blocking = outer_;
        }
    }

    /* Of the payload's life; 0: not known. */
    std::uint64_t identity() const { return life_ ? life_->identity : 0; }

    /* Before the call is forwarded. @p begin, @p delay: ticks; @p tx: the recorded call, or id 0.
     * May throw, as the sink does. */
    FTR_SC_INLINE void begin(const sc_core::sc_simcontext &context,
                             const tlm::tlm_generic_payload &trans, std::uint64_t begin,
                             std::uint64_t delay, ftr_tx tx)
    {
        if (!FTR_SC_EXPECTED(life_))
            return;
        effective_ = begin + delay;
        has_manager_ = trans.has_mm();
        if (!has_manager_)
            extensions_ = extensions_of(trans);
        const bool is_in_method =
            const_cast<sc_core::sc_simcontext &>(context).get_curr_proc_info()->kind ==
            sc_core::SC_METHOD_PROC_;
        const bool is_odd = is_wrong_ || is_in_method || static_cast<std::int64_t>(delay) < 0 ||
                            (has_manager_ && trans.get_ref_count() < 1) || link_.open_hops != 0;
        if (__builtin_expect(is_odd, 0))
            report_begin(trans, is_in_method, delay, tx);
    }

    /* After it has returned. May throw. */
    FTR_SC_INLINE void end(const tlm::tlm_generic_payload &trans, std::uint64_t end,
                           std::uint64_t delay, ftr_tx tx)
    {
        if (!FTR_SC_EXPECTED(life_))
            return;
        payload_life &life = *life_;
        const tlm::tlm_response_status status = trans.get_response_status();
        const bool is_last = life.begun == begun_; /* nobody passed the payload on */
        const bool is_odd = is_changed(life, trans) || are_contents_changed(life, trans) ||
                            status == tlm::TLM_INCOMPLETE_RESPONSE || end + delay < effective_ ||
                            trans.has_mm() != has_manager_ ||
                            (is_last ? trans.get_address() != address_ : status > life.answer) ||
                            (!has_manager_ && extensions_of(trans) != extensions_);
        if (__builtin_expect(is_odd, 0))
            report_end(trans, is_last, end + delay, tx);
        life.answer = status;
    }

  private:
    FTR_SC_COLD void report_begin(const tlm::tlm_generic_payload &trans, bool is_in_method,
                                  std::uint64_t delay, ftr_tx tx);
    FTR_SC_COLD void report_end(const tlm::tlm_generic_payload &trans, bool is_last,
                                std::uint64_t effective_end, ftr_tx tx);

    link_check &link_;
    payload_life *const life_;
    const std::uint64_t address_;
    std::uint64_t effective_ = 0;
    const link_check *outer_ = nullptr;
    std::uint32_t begun_ = 0;
    std::uint32_t extensions_ = 0; /* that were set at the call, without a memory manager */
    bool is_wrong_ = false;
    bool has_manager_ = false;
};

} // namespace detail
} // namespace ftr

#endif
