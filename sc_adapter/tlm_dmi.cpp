/* Records the calls of DMI and debug transport on a TLM link. */
#include <ftr/tlm_link.hpp>

#include <algorithm>

#include <ftr/detail/word_calls.h>

#include "access_attributes.hpp"
#include "call_recorder.hpp"
#include "tlm_payload.hpp"

namespace ftr
{

using namespace detail;

ftr_tx tlm_link::record_dmi(const tlm::tlm_generic_payload &trans, std::uint64_t address,
                            const tlm::tlm_dmi &dmi, bool granted)
{
    if (call_form_)
        return call_form_->record_dmi(trans, address, dmi, granted);
    const std::uint64_t words[] = {calls_->short_names.commands.of(trans.get_command()),
                                   address,
                                   granted,
                                   dmi.get_start_address(),
                                   dmi.get_end_address(),
                                   calls_->short_names.dmi_accesses.of(dmi.get_granted_access()),
                                   dmi.get_read_latency().value(),
                                   dmi.get_write_latency().value()};
    static_assert(sizeof words / sizeof *words ==
                      sizeof dmi_request_attributes / sizeof *dmi_request_attributes,
                  "a word for each attribute");
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(ftr_tx_record_words(session_->recorder, get_, time, time, words,
                                          sizeof words / sizeof *words, &tx));
    return tx;
}

void tlm_link::record_invalidation(std::uint64_t start, std::uint64_t end)
{
    if (call_form_) {
        call_form_->record_invalidation(start, end);
        return;
    }
    const std::uint64_t words[] = {start, end};
    const std::uint64_t time = now();
    ftr_tx tx{};
    static_cast<void>(
        ftr_tx_record_words(session_->recorder, invalidate_, time, time, words, 2, &tx));
}

ftr_tx tlm_link::record_debug(const tlm::tlm_generic_payload &trans, std::uint64_t address,
                              unsigned transported)
{
    if (call_form_)
        return call_form_->record_debug(trans, transported);
    ftr_recorder *const rec = session_->recorder;
    const unsigned command =
        std::min<unsigned>(static_cast<unsigned>(trans.get_command()), tlm::TLM_IGNORE_COMMAND);
    const std::uint64_t words[] = {address, trans.get_data_length(), transported,
                                   calls_->short_names.responses.of(trans.get_response_status())};
    constexpr unsigned count = sizeof words / sizeof *words;
    const std::uint64_t time = now();
    ftr_tx tx{};
    if (ftr_tx_begin_words(rec, debug_accesses_[command], time, words, count, &tx) != FTR_OK)
        return tx;
    if (const unsigned size = std::min(transported, data_size(trans)))
        static_cast<void>(ftr_tx_put_bytes(rec, tx, count, trans.get_data_ptr(), size));
    static_cast<void>(ftr_tx_end(rec, tx, time));
    return tx;
}

} // namespace ftr
