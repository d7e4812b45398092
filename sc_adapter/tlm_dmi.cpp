/* Records the calls of DMI and debug transport on a TLM link. */
#include <ftr/tlm_link.hpp>

#include "tlm_attributes.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

ftr_tx tlm_link::record_dmi(const tlm::tlm_generic_payload &trans, std::uint64_t address,
                            const tlm::tlm_dmi &dmi, bool granted)
{
    std::uint64_t words[get_words];
    words[word_get_command] = calls_->commands.of(trans.get_command());
    words[word_get_address] = address;
    words[word_granted] = granted;
    words[word_start_address] = dmi.get_start_address();
    words[word_end_address] = dmi.get_end_address();
    words[word_access] = calls_->accesses.of(dmi.get_granted_access());
    words[word_read_latency] = dmi.get_read_latency().value();
    words[word_write_latency] = dmi.get_write_latency().value();
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(
        ftr_tx_record_words(session_->recorder, get_, time, time, words, get_words, &tx));
    return tx;
}

void tlm_link::record_invalidation(std::uint64_t start, std::uint64_t end)
{
    const std::uint64_t words[] = {start, end};
    const std::uint64_t time = now();
    static_cast<void>(
        ftr_tx_record_words(session_->recorder, invalidate_, time, time, words, 2, nullptr));
}

ftr_tx tlm_link::record_debug(const tlm::tlm_generic_payload &trans, unsigned transported)
{
    std::uint64_t words[1 + payload_words];
    words[word_transported] = transported;
    take_request(trans, words + 1);
    take_response(trans, words + 1);
    const bool has_data = transported && take_data(trans, words[1 + word_data]);
    const unsigned command = static_cast<unsigned>(trans.get_command());
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(ftr_tx_record_words(session_->recorder, dbg_.of[command < 3 ? command : 2],
                                          time, time, words, 1 + payload_words - !has_data, &tx));
    return tx;
}

} // namespace ftr
