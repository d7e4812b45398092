// A bus of two stages: while the data of one request moves, the address of the next is decoded.
//
// Each stage has a stream of its own, on which transactions follow each other; across the two they
// overlap, and that is what the viewer shows as the pipeline. Relations tell whose they are.
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

    /** Target i gets the addresses from i * @p window on. */
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
    ftr::generator<const char *> stalls_;
    ftr::relation parent_child_;
    ftr::relation successor_;
};

#endif
