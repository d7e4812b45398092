// A memory with rows: it answers after its latency or, if the access changes the row, after three
// times this latency.
//
// It records a struct of the model as attributes. One function names the fields of the struct. The
// fields become the attributes `access.command`, `access.offset` and `access.length`.
#ifndef MEMORY_HPP
#define MEMORY_HPP

#include <ftr/systemc.hpp>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

struct memory_access {
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    std::uint64_t offset = 0;
    unsigned length = 0;
};

template <class Visitor> void ftr_fields(Visitor &visit, const memory_access &access)
{
    visit("command", access.command);
    visit("offset", access.offset);
    visit("length", access.length);
}

/** The values of an enumeration are recorded by name if ftr_enum_name() exists for the
 * enumeration. */
enum class row_state { hit, miss };
const char *ftr_enum_name(row_state state);

class memory : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<memory> socket;

    memory(const sc_core::sc_module_name &name, std::size_t size, const sc_core::sc_time &latency);

  private:
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
    row_state open_row(std::uint64_t offset);

    std::vector<unsigned char> content_;
    sc_core::sc_time latency_;
    std::uint64_t row_ = 0;

    ftr::stream stream_;
    ftr::generator<ftr::at_begin<memory_access>, ftr::at_end<row_state>> accesses_;
    ftr::relation parent_child_;
};

#endif
