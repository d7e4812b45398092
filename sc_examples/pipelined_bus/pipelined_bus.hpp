// A bus with two stages: while the data of one request is transferred, the address of the next
// request is decoded.
//
// Each stage has its own stream, with transactions that follow each other. Transactions of
// different stages overlap, so the viewer shows a pipeline. Relations connect the transactions of
// one request.
#ifndef PIPELINED_BUS_HPP
#define PIPELINED_BUS_HPP

#include <ftr/systemc.hpp>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

class pipelined_bus : public sc_core::sc_module
{
  public:
    tlm_utils::multi_passthrough_target_socket<pipelined_bus> in;
    tlm_utils::multi_passthrough_initiator_socket<pipelined_bus> out;

    /** Target i has the addresses from i * @p window to (i + 1) * @p window - 1. */
    pipelined_bus(const sc_core::sc_module_name &name, std::uint64_t window,
                  const sc_core::sc_time &cycle);

  private:
    void b_transport(int port, tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);

    std::uint64_t window_;
    sc_core::sc_time cycle_;
    sc_core::sc_mutex address_stage_;
    sc_core::sc_mutex data_stage_;

    ftr::stream address_stream_;
    ftr::stream data_stream_;
    ftr::generator<ftr::at_begin<int>, unsigned> decodes_;
    ftr::generator<ftr::at_begin<unsigned>> moves_;
    ftr::relation parent_child_;
    ftr::relation successor_;
};

#endif
