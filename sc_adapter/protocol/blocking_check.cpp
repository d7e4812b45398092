/* Reports the violations of a b_transport call. */
#include "blocking_check.hpp"

#include "phase_check.hpp"

namespace ftr
{
namespace detail
{

void blocking_check::report_begin(const tlm::tlm_generic_payload &trans, bool is_in_method,
                                  std::uint64_t delay, ftr_tx tx)
{
    checked_call call{link_, "b_transport", "", &trans, life_, address_, tx};
    if (is_wrong_)
        check_set_up(call);
    if (is_in_method)
        call.violate(protocol_rule::blocking_in_method, "the caller is a method process");
    if (static_cast<std::int64_t>(delay) < 0)
        call.violate(protocol_rule::delay_negative, "the delay was subtracted below zero");
    if (has_manager_ && trans.get_ref_count() < 1)
        call.violate(protocol_rule::reference_count,
                     "the payload has a memory manager and a reference count of " +
                         std::to_string(trans.get_ref_count()));
    if (find_hop(link_.state, trans, link_, false))
        call.violate(protocol_rule::mixed_transport,
                     "the transaction is in phases on this link, and is passed to b_transport");
    link_.state.sink.act();
}

void blocking_check::report_end(const tlm::tlm_generic_payload &trans, bool is_last,
                                std::uint64_t effective_end, ftr_tx tx)
{
    checked_call call{link_, "return of b_transport", "", &trans, life_, address_, tx};
    check_attributes(call);
    if (are_contents_changed(*life_, trans))
        check_contents(call);
    if (is_last)
        life_->answer = trans.get_response_status();
    check_answer(call);
    if (effective_end < effective_)
        call.violate(protocol_rule::delay_lowered, "the effective time of the return is " +
                                                       std::to_string(effective_ - effective_end) +
                                                       " ticks before that of the call");
    if (!has_manager_ && trans.has_mm())
        call.violate(protocol_rule::manager_left,
                     "a memory manager was set on the way, and is still there");
    if (!has_manager_ && !trans.has_mm() && (extensions_of(trans) & ~extensions_) != 0)
        call.violate(protocol_rule::extension_left,
                     "an extension was set on the way, and is still there");
    if (is_last && trans.get_address() != address_)
        call.violate(protocol_rule::address_changed,
                     "the target changed the address, or an interconnect that answered itself");
    link_.state.sink.act();
}

} // namespace detail
} // namespace ftr
