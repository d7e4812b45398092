/* Checks the attributes of a payload (correct when a transaction begins, and unchanged during the
 * transaction), and the response status. */
#include "link_check.hpp"

#include "tlm_names.hpp"

#include <algorithm>
#include <utility>

namespace ftr
{
namespace detail
{

phase_hop no_hop;
payload_life *protocol_state::first_life = nullptr;
std::uint64_t protocol_state::identities = 0;

found_violations *protocol_state::acquire()
{
    if (free_.empty())
        return &found_.emplace_back();
    found_violations *const reused = free_.back();
    free_.pop_back();
    *reused = found_violations{};
    return reused;
}

void checked_call::violate(protocol_rule rule, std::string what)
{
    static_assert(protocol_rule_count <= 64, "a bit of payload_life::reported each");
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(rule);
    if (life && life->reported_identity != life->identity) {
        life->reported_identity = life->identity;
        life->reported = 0;
    }
    if (life && (life->reported & bit) != 0)
        return;
    if (life)
        life->reported |= bit;
    violation broken{
        rule,      link, call, phase, payload, life ? life->identity : 0, address, std::move(what),
        broken_by, {}};
    ++found.count;
    ++link.violations[static_cast<unsigned>(rule)];
    link.state.sink.report(broken);
    if (!broken_by.id && broken.recorded.id && found.waiting < found_violations::limit)
        found.recorded[found.waiting++] = broken.recorded;
}

namespace
{

payload_life *find_slot(protocol_state &state, std::uintptr_t key)
{
    return state.lives.find(key, [key](const payload_life &of) {
        return (of.key & ~payload_life::handed_over) == key;
    });
}

} // namespace

payload_life *find_earlier_life(protocol_state &state, const void *payload)
{
    const auto address = reinterpret_cast<std::uintptr_t>(payload);
    for (std::uintptr_t key = address; key <= address + 1; ++key) {
        payload_life *const life = find_slot(state, key);
        if (life && (life->key & ~payload_life::handed_over) == key)
            return life;
    }
    return nullptr;
}

payload_life *search_life(protocol_state &state, const tlm::tlm_generic_payload &trans)
{
    const std::uintptr_t key = key_of(trans);
    payload_life *const life = find_slot(state, key);
    if (!life) {
        ++state.unchecked;
        return nullptr;
    }
    if (life->key == (key | payload_life::handed_over)) {
        const bool is_in_further_use =
            std::any_of(state.further.begin(), state.further.end(), [life](const payload_life &of) {
                return of.key == life->key && of.is_in_use();
            });
        if (!life->is_in_use() && !is_in_further_use)
            life->key = key;
    } else if (life->key != key) {
        *life = payload_life{};
        life->key = key;
    }
    return life;
}

std::uint64_t extensions_of(const tlm::tlm_generic_payload &trans)
{
    std::uint64_t set = 0;
    /* The array is shorter than the list of all types if some were registered after the payload was
     * made. */
    for (unsigned i = 0; i < extensions_in(trans).size(); ++i) {
        /* SystemC's conversion of byte order leaves its context in the payload, for later
         * conversions. */
        if (i != tlm::tlm_endian_context::ID && extensions_in(trans)[i])
            set |= std::uint64_t{1} << (i % 64);
    }
    return set;
}

bool capture_unusual(payload_life &life, const tlm::tlm_generic_payload &trans)
{
    life.snapshot.answer = payload_snapshot::not_answered;
    if (trans.get_byte_enable_ptr())
        life.enable_contents =
            contents_of(trans.get_byte_enable_ptr(), trans.get_byte_enable_length());
    if (trans.has_mm()) {
        life.carried = life.identity;
        if (trans.get_ref_count() < 1)
            return true;
    } else {
        life.carried = ~life.identity;
        life.extensions = extensions_of(trans);
    }
    return (payload_snapshot::unusual_bits(trans) != 0 &&
            (!trans.get_byte_enable_ptr() || trans.get_byte_enable_length() == 0 ||
             payload_snapshot::unusual_numbers(trans) != 0)) ||
           !payload_snapshot::has_data(trans);
}

bool ends_unusually_well(const payload_life &life, const tlm::tlm_generic_payload &trans)
{
    return trans.get_gp_option() == tlm::TLM_MIN_PAYLOAD &&
           (life.began_with_manager() ||
            (!trans.has_mm() && (extensions_of(trans) & ~life.extensions_at_begin()) == 0)) &&
           !are_enables_changed(life);
}

void check_set_up(checked_call &call)
{
    const tlm::tlm_generic_payload &trans = *call.payload;
    const bool transfers = trans.get_command() != tlm::TLM_IGNORE_COMMAND;
    if (transfers && !trans.get_data_ptr())
        call.violate(protocol_rule::data_pointer, "the data pointer is null");
    if (transfers && trans.get_data_length() == 0)
        call.violate(protocol_rule::data_length, "the data length is 0");
    if (transfers && trans.get_streaming_width() == 0)
        call.violate(protocol_rule::streaming_width, "the streaming width is 0");
    if (trans.get_byte_enable_ptr() && trans.get_byte_enable_length() == 0)
        call.violate(protocol_rule::byte_enable_length,
                     "there is a byte enable pointer, and the byte enable length is 0");
    if (trans.is_dmi_allowed())
        call.violate(protocol_rule::dmi_hint, "dmi_allowed is true when the transaction begins");
    if (trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
        call.violate(protocol_rule::response_start, std::string("the response status is ") +
                                                        response_name(trans.get_response_status()) +
                                                        " when the transaction begins");
    if (trans.get_gp_option() != tlm::TLM_MIN_PAYLOAD)
        call.violate(protocol_rule::gp_option,
                     "the option is not TLM_MIN_PAYLOAD when the transaction begins");
}

void check_attributes(checked_call &call)
{
    const tlm::tlm_generic_payload &trans = *call.payload;
    const payload_snapshot &was = call.life->snapshot;
    const auto check = [&](auto before, auto now, protocol_rule rule, const char *found) {
        if (now != before)
            call.violate(rule, found);
    };
    const auto check_number = [&](unsigned before, unsigned now, protocol_rule rule,
                                  const char *what) {
        if (now != before)
            call.violate(rule, std::string(what) + " was changed from " + std::to_string(before) +
                                   " to " + std::to_string(now));
    };
    check(was.command, static_cast<unsigned>(trans.get_command()), protocol_rule::command_changed,
          "the command was changed");
    check(was.data, trans.get_data_ptr(), protocol_rule::data_pointer_changed,
          "the data pointer was changed");
    check_number(was.data_length, trans.get_data_length(), protocol_rule::data_length_changed,
                 "the data length");
    check(was.byte_enable, trans.get_byte_enable_ptr(), protocol_rule::byte_enable_changed,
          "the byte enable pointer was changed");
    check_number(was.byte_enable_length, trans.get_byte_enable_length(),
                 protocol_rule::byte_enable_changed, "the byte enable length");
    check_number(was.streaming_width, trans.get_streaming_width(),
                 protocol_rule::streaming_width_changed, "the streaming width");
    check(tlm::TLM_MIN_PAYLOAD, trans.get_gp_option(), protocol_rule::gp_option,
          "the option was changed from TLM_MIN_PAYLOAD");
}

void check_contents(checked_call &call)
{
    const payload_snapshot &was = call.life->snapshot;
    if (was.command == tlm::TLM_WRITE_COMMAND && was.data &&
        contents_of(was.data, was.data_length) != call.life->contents)
        call.violate(protocol_rule::write_data_changed, "the data of a write was changed");
    else if (is_read_data_changed(*call.life))
        call.violate(protocol_rule::read_data_changed,
                     "the data of a read was changed after the target's response");
    else
        call.violate(protocol_rule::byte_enable_changed, "the byte enable array was changed");
}

void check_answer(checked_call &call)
{
    const tlm::tlm_response_status status = call.payload->get_response_status();
    const int answered = call.life->snapshot.answer;
    if (status == tlm::TLM_INCOMPLETE_RESPONSE)
        call.violate(protocol_rule::response_end,
                     "the response status is still TLM_INCOMPLETE_RESPONSE");
    else if (status == tlm::TLM_OK_RESPONSE && answered != tlm::TLM_OK_RESPONSE &&
             answered != payload_snapshot::not_answered)
        call.violate(protocol_rule::response_overwritten,
                     std::string("an interconnect made TLM_OK_RESPONSE of ") +
                         response_name(answered == payload_snapshot::answered_incompletely
                                           ? tlm::TLM_INCOMPLETE_RESPONSE
                                           : static_cast<tlm::tlm_response_status>(answered)));
}

} // namespace detail
} // namespace ftr
