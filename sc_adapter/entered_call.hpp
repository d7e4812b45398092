/* Enters a b_transport call; inline, for the fast path and the slow paths. */
#ifndef FTR_ENTERED_CALL_HPP
#define FTR_ENTERED_CALL_HPP

#include "tlm_calls.hpp"

/* Marks a lambda that must be inlined, because every call executes it. */
#define FTR_SC_ALWAYS __attribute__((always_inline))

namespace ftr
{

/* Enters a call of the running process. @p parent [out]: the access of the hop before, or NULL */
inline detail::tlm_call &tlm_link::enter_blocking(const sc_core::sc_simcontext &context,
                                                  const tlm::tlm_generic_payload &trans,
                                                  std::uint64_t delay,
                                                  const detail::open_access *&parent)
{
    detail::tlm_call &call = calls_->enter(detail::running_process());
    call.payload = &trans;
    call.link = this;
    call.begin = context.time_stamp().value() + delay;
    parent = calls_->is_nested(call) ? call.outer : calls_->list(call);
    return call;
}

/* The same without function calls, so that the variables of the caller can stay in registers.
 * Returns NULL, without effect, if it is not possible, or if the call is not nested and @p
 * MustBeNested is true. */
template <bool MustBeNested>
FTR_SC_INLINE detail::tlm_call *
tlm_link::enter_usual(sc_core::sc_simcontext &context, const tlm::tlm_generic_payload &trans,
                      std::uint64_t delay, const detail::open_access *&parent)
{
    detail::tlm_call *const call = calls_->peek(context.get_curr_proc_info()->process_handle);
    if (!FTR_SC_EXPECTED(call))
        return nullptr;
    call->payload = &trans;
    call->link = this;
    call->begin = context.time_stamp().value() + delay;
    if (calls_->is_nested(*call))
        parent = call->outer;
    else if (MustBeNested || !FTR_SC_EXPECTED(!calls_->payloads.is_full()))
        return nullptr;
    else
        parent = calls_->list(*call);
    detail::active_calls::commit(*call);
    return call;
}

} // namespace ftr

#endif
