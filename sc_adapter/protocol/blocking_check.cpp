/* Reports the violations of a b_transport call. */
#include "blocking_check.hpp"

#include "phase_check.hpp"

namespace ftr
{
namespace detail
{

namespace
{

/* Reports a memory manager or extensions that were set after the payload was passed to the call
 * and are still there at the return. Reports nothing if the payload was passed with a memory
 * manager. */
void check_carried(checked_call &call, const carried_items &passed)
{
    const tlm::tlm_generic_payload &trans = *call.payload;
    if (passed.has_manager)
        return;
    if (trans.has_mm())
        call.violate(protocol_rule::manager_left,
                     "a memory manager was set on the way, and is still there");
    else if ((extensions_of(trans) & ~passed.extensions) != 0)
        call.violate(protocol_rule::extension_left,
                     "an extension was set on the way, and is still there");
}

/* Returns true if a reported rule may have been broken on another link and was not reported there,
 * because calls were not inspected. */
bool is_found_late(const payload_life &life)
{
    const auto bit = [](protocol_rule rule) {
        return std::uint64_t{1} << static_cast<unsigned>(rule);
    };
    return life.reported_identity == life.identity &&
           (life.reported &
            (bit(protocol_rule::write_data_changed) | bit(protocol_rule::read_data_changed) |
             bit(protocol_rule::byte_enable_changed) | bit(protocol_rule::manager_left) |
             bit(protocol_rule::extension_left))) != 0;
}

} // namespace

bool begins_unusually_well(payload_life &life, const tlm::tlm_generic_payload &trans)
{
    return !capture_unusual(life, trans) && !trans.get_byte_enable_ptr() &&
           trans.get_streaming_width() >= trans.get_data_length();
}

void blocking_check::report_begin(link_check &link, payload_life &life,
                                  const tlm::tlm_generic_payload &trans, std::uint64_t delay,
                                  const ftr_tx &tx)
{
    found_violations found;
    checked_call call{link, "b_transport", "", &trans, &life, trans.get_address(), tx, found};
    if (life.is_on_first_link())
        check_set_up(call);
    else if (life.snapshot.may_be_changed(trans))
        check_attributes(call);
    else if (are_contents_changed(life))
        check_contents(call);
    if (sc_core::sc_curr_simcontext->get_curr_proc_info()->kind == sc_core::SC_METHOD_PROC_)
        call.violate(protocol_rule::blocking_in_method, "the caller is a method process");
    if (static_cast<std::int64_t>(delay) < 0)
        call.violate(protocol_rule::delay_negative, "the delay was subtracted below zero");
    if (trans.has_mm() && trans.get_ref_count() < 1)
        call.violate(protocol_rule::reference_count,
                     "the payload has a memory manager and a reference count of " +
                         std::to_string(trans.get_ref_count()));
    if (life.links.phased != 0 && find_active_hop(link, trans))
        call.violate(protocol_rule::mixed_transport,
                     "the transaction is in phases on this link, and is passed to b_transport");
    if (found.count > 0)
        link.state.sink.act();
}

void blocking_check::report_end(link_check &link, payload_life &life,
                                const tlm::tlm_generic_payload &trans, std::uint64_t address,
                                bool is_lowered, const ftr_tx &tx, const carried_items *passed)
{
    const bool is_last = life.snapshot.answer == payload_snapshot::not_answered;
    const bool is_first = life.is_on_first_link();
    found_violations found;
    checked_call call{link, "return of b_transport", "", &trans, &life, address, tx, found};
    if (life.snapshot.may_be_changed(trans))
        check_attributes(call);
    else if (are_contents_changed(life) || (!is_last && is_read_data_changed(life)))
        check_contents(call);
    check_answer(call);
    life.snapshot.store_answer(trans.get_response_status());
    if (is_last)
        life.snapshot.mark_answered();
    if (is_last && !is_first)
        capture_read_data(life);
    if (is_lowered)
        call.violate(protocol_rule::delay_lowered,
                     "the effective time of the return is before that of the call");
    if (passed)
        check_carried(call, *passed);
    else if (is_first)
        check_carried(call, carried_items(life));
    if (is_last && trans.get_address() != address)
        call.violate(protocol_rule::address_changed,
                     "the target changed the address, or an interconnect that answered itself");
    if (found.count > 0 && !passed && !(is_first && is_last) && is_found_late(life))
        link.state.sink.inspect();
    if (found.count > 0)
        link.state.sink.act();
}

} // namespace detail
} // namespace ftr
