// A processor that writes a pattern to memory and reads it back.
//
// Start reading here. The module has a stream and two generators, each of which declares its
// attributes. It records a transaction for each transport call.
#ifndef INITIATOR_HPP
#define INITIATOR_HPP

#include <ftr/systemc.hpp>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

class initiator : public sc_core::sc_module
{
  public:
    tlm_utils::simple_initiator_socket<initiator> socket;

    SC_HAS_PROCESS(initiator);
    /** Accesses @p count words from address @p base on, with a pause of @p think between two
     * requests. */
    initiator(const sc_core::sc_module_name &name, std::uint64_t base, unsigned count,
              const sc_core::sc_time &think);

    unsigned mismatches() const { return mismatches_; }

  private:
    /* The address and the length are known at the begin of a request, the response status at
     * its end. */
    using request_generator = ftr::generator<ftr::at_begin<std::uint64_t>, ftr::at_begin<unsigned>,
                                             ftr::at_end<tlm::tlm_response_status>>;

    void run();
    void transport(const request_generator &kind, tlm::tlm_command command, std::uint64_t address,
                   std::uint32_t &word);

    std::uint64_t base_;
    unsigned count_;
    sc_core::sc_time think_;
    unsigned mismatches_ = 0;

    ftr::stream stream_;
    request_generator reads_;
    request_generator writes_;
};

#endif
