#include "pipelined_bus.hpp"

#include "recorded_caller.hpp"

pipelined_bus::pipelined_bus(const sc_core::sc_module_name &name, std::uint64_t window,
                             const sc_core::sc_time &cycle)
    : sc_core::sc_module(name), in("in"), out("out"), window_(window), cycle_(cycle),
      address_stream_(std::string(this->name()) + ".address", "bus stage"),
      data_stream_(std::string(this->name()) + ".data", "bus stage"),
      decodes_(address_stream_, "decode", "port", "target"), moves_(data_stream_, "move", "beats"),
      parent_child_("PARENT_CHILD"), successor_("PREDECESSOR_SUCCESSOR")
{
    in.register_b_transport(this, &pipelined_bus::b_transport);
}

void pipelined_bus::b_transport(int port, tlm::tlm_generic_payload &payload,
                                sc_core::sc_time &delay)
{
    wait(delay); // the delay that the initiator has not waited for yet
    delay = sc_core::SC_ZERO_TIME;

    address_stage_.lock();
    auto decode = decodes_.begin(port);
    parent_child_.put(caller_of(payload), decode);
    wait(cycle_);
    const unsigned target = static_cast<unsigned>(payload.get_address() / window_);
    decode.put<1>(target); // known only now, so it is put between begin and end

    /* The address stage stays occupied until the data stage is free (back-pressure). The
     * back-pressure is recorded as an event: a span of time within a transaction. */
    if (data_stage_.trylock() != 0) {
        sc_core::sc_time since; // a copy, because the kernel changes the time that it returns
        since = sc_core::sc_time_stamp();
        data_stage_.lock();
        decode.event_between(since, sc_core::sc_time_stamp(), "stall", "reason", "data stage busy");
    }
    decode.end();
    address_stage_.unlock();

    if (target >= out.size()) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        data_stage_.unlock();
        return;
    }
    const unsigned beats = (payload.get_data_length() + 3) / 4;
    auto move = moves_.begin(beats);
    parent_child_.put(caller_of(payload), move);
    successor_.put(decode, move); // decode has ended, but may still be related
    {
        const calling_as caller(payload, move);
        out[static_cast<int>(target)]->b_transport(payload, delay);
    }
    wait(delay + beats * cycle_);
    delay = sc_core::SC_ZERO_TIME;
    move.end();
    data_stage_.unlock();
}
