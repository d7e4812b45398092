/* Reports the violations of a b_transport call. */
#include "blocking_check.hpp"

#include "phase_check.hpp"

namespace ftr
{
namespace detail
{

void blocking_check::report_begin(blocking_check of, const tlm::tlm_generic_payload &trans,
                                  bool is_in_method, std::uint64_t delay, ftr_tx tx)
{
    checked_call call{of.link_, "b_transport", "", &trans, &of.life_, of.address_, tx};
    if (of.begun_ == 1)
        check_set_up(call);
    if (is_in_method)
        call.violate(protocol_rule::blocking_in_method, "the caller is a method process");
    if (static_cast<std::int64_t>(delay) < 0)
        call.violate(protocol_rule::delay_negative, "the delay was subtracted below zero");
    if (trans.has_mm() && trans.get_ref_count() < 1)
        call.violate(protocol_rule::reference_count,
                     "the payload has a memory manager and a reference count of " +
                         std::to_string(trans.get_ref_count()));
    if (find_hop(of.link_.state, trans, of.link_, false))
        call.violate(protocol_rule::mixed_transport,
                     "the transaction is in phases on this link, and is passed to b_transport");
    of.link_.state.sink.act();
}

void blocking_check::report_end(blocking_check of, const tlm::tlm_generic_payload &trans,
                                bool is_last, bool is_lowered, ftr_tx tx)
{
    payload_life &life = of.life_;
    checked_call call{of.link_, "return of b_transport", "", &trans, &life, of.address_, tx};
    check_attributes(call);
    if (are_contents_changed(life, trans))
        check_contents(call);
    if (is_last)
        life.answer = trans.get_response_status();
    check_answer(call);
    if (is_lowered)
        call.violate(protocol_rule::delay_lowered,
                     "the effective time of the return is before that of the call");
    /* On the first link: on the others, both may be there until the call returns. */
    if (of.begun_ == 1 && !life.has_manager && trans.has_mm())
        call.violate(protocol_rule::manager_left,
                     "a memory manager was set on the way, and is still there");
    if (of.begun_ == 1 && !life.has_manager && !trans.has_mm() &&
        (extensions_of(trans) & ~life.extensions) != 0)
        call.violate(protocol_rule::extension_left,
                     "an extension was set on the way, and is still there");
    if (is_last && trans.get_address() != of.address_)
        call.violate(protocol_rule::address_changed,
                     "the target changed the address, or an interconnect that answered itself");
    of.link_.state.sink.act();
}

} // namespace detail
} // namespace ftr
