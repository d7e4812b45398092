#include "initiator.hpp"

#include "recorded_caller.hpp"

initiator::initiator(const sc_core::sc_module_name &name, std::uint64_t base, unsigned count,
                     const sc_core::sc_time &think)
    : sc_core::sc_module(name), socket("socket"), base_(base), count_(count), think_(think),
      /* The stream is named after the module, so that viewers show the hierarchy of the design. */
      stream_(this->name(), "initiator"), reads_(stream_, "read", "address", "length", "response"),
      writes_(stream_, "write", "address", "length", "response")
{
    SC_THREAD(run);
}

void initiator::run()
{
    for (unsigned i = 0; i < count_; ++i) {
        const std::uint64_t address = base_ + std::uint64_t(4) * i;
        std::uint32_t sent = 0x1000 * i + 7;
        transport(writes_, tlm::TLM_WRITE_COMMAND, address, sent);
        wait(think_);
        std::uint32_t received = 0;
        transport(reads_, tlm::TLM_READ_COMMAND, address, received);
        mismatches_ += received != sent;
        wait(think_);
    }
}

void initiator::transport(const request_generator &kind, tlm::tlm_command command,
                          std::uint64_t address, std::uint32_t &word)
{
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);

    /* The transaction begins now, with the values of the attributes that are declared at_begin. */
    auto tx = kind.begin(address, payload.get_data_length());
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    {
        const calling_as caller(payload, tx);
        socket->b_transport(payload, delay);
    }
    /* The target may return a delay, and the initiator must wait for that time. The request ends
     * after the delay; this end can be recorded before the wait. */
    tx.end_at(sc_core::sc_time_stamp() + delay, payload.get_response_status());
    wait(delay);
}
