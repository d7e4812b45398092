/* Enters a b_transport call; inline, for the fast path and the slow paths. */
#ifndef FTR_ENTERED_CALL_HPP
#define FTR_ENTERED_CALL_HPP

#include "tlm_calls.hpp"

/* Marks a lambda that must be inlined, because every call executes it. */
#define FTR_SC_ALWAYS __attribute__((always_inline))

namespace ftr
{

/* Returns the recorder of an active session. The compiler may assume that it is not NULL, which
 * saves a check. */
FTR_SC_INLINE ftr_recorder *tlm_link::open_recorder() const
{
    ftr_recorder *const rec = session_->recorder;
    if (!rec)
        __builtin_unreachable();
    return rec;
}

/* Enters a call of the running process. @p parent [out]: the access of the hop before, or NULL */
FTR_SC_INLINE detail::tlm_call &tlm_link::enter_blocking(sc_core::sc_simcontext &context,
                                                         const tlm::tlm_generic_payload &trans,
                                                         std::uint64_t delay,
                                                         const detail::open_access *&parent)
{
    detail::tlm_call *const call = calls_->enter(context.get_curr_proc_info()->process_handle);
    call->payload = &trans;
    call->link = this;
    call->begin = context.time_stamp().value() + delay;
    call->command = static_cast<unsigned>(trans.get_command());
    parent = calls_->add(*call);
    if (!parent)
        parent = calls_->forwarded_within(detail::active_calls::enclosing(*call), call->process);
    return *call;
}

} // namespace ftr

#endif
