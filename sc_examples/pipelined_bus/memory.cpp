#include "memory.hpp"

#include <algorithm>

#include "recorded_caller.hpp"

namespace
{
const std::uint64_t row_size = 32;
}

const char *ftr_enum_name(row_state state)
{
    return state == row_state::hit ? "hit" : "miss";
}

memory::memory(const sc_core::sc_module_name &name, std::size_t size,
               const sc_core::sc_time &latency)
    : sc_core::sc_module(name), socket("socket"), content_(size), latency_(latency),
      stream_(this->name(), "memory"), accesses_(stream_, "access", "access", "row"),
      parent_child_("PARENT_CHILD")
{
    socket.register_b_transport(this, &memory::b_transport);
}

row_state memory::open_row(std::uint64_t offset)
{
    const std::uint64_t row = offset / row_size;
    const row_state state = row == row_ ? row_state::hit : row_state::miss;
    row_ = row;
    return state;
}

void memory::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    const std::uint64_t offset = payload.get_address() % content_.size();
    const unsigned length = payload.get_data_length();
    if (length > content_.size() - offset) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    const auto at = content_.begin() + static_cast<std::ptrdiff_t>(offset);
    if (payload.is_read())
        std::copy_n(at, length, payload.get_data_ptr());
    else
        std::copy_n(payload.get_data_ptr(), length, at);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);

    /* A loosely timed target does not wait, but increases the delay. The access begins in the
     * future, at now + delay, and is recorded with this time. */
    const row_state row = open_row(offset);
    const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
    delay += row == row_state::hit ? latency_ : 3 * latency_;
    auto tx = accesses_.begin_at(begin, memory_access{payload.get_command(), offset, length});
    parent_child_.put(caller_of(payload), tx);
    tx.end_at(sc_core::sc_time_stamp() + delay, row);
}
