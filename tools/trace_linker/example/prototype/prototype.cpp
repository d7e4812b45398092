// Runs the UART driver inside a prototype, to record the calls of the driver and the bus
// transactions that result.
#include <cstring>
#include <iostream>

#include <ftr/systemc.hpp>
#include <ftr/tracelink_systemc.hpp>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

extern "C" {
#include "uart_driver.h"
}

using namespace sc_core;

namespace
{

// Needs 1 us to send a character and is not ready during that time.
class uart : public sc_module
{
  public:
    tlm_utils::simple_target_socket<uart> socket{"socket"};

    explicit uart(const sc_module_name &name) : sc_module(name)
    {
        socket.register_b_transport(this, &uart::transport);
    }

  private:
    void transport(tlm::tlm_generic_payload &trans, sc_time &delay)
    {
        std::uint32_t value = sc_time_stamp() + delay >= ready_at_;
        if (trans.is_read())
            std::memcpy(trans.get_data_ptr(), &value, sizeof value);
        else if ((trans.get_address() & 0xfff) == 0)
            ready_at_ = sc_time_stamp() + delay + sc_time(1, SC_US);
        delay += sc_time(20, SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    sc_time ready_at_;
};

// Runs the firmware and performs its bus accesses.
class cpu : public sc_module
{
  public:
    tlm_utils::simple_initiator_socket<cpu> socket{"socket"};

    explicit cpu(const sc_module_name &name) : sc_module(name)
    {
        SC_HAS_PROCESS(cpu);
        SC_THREAD(run);
    }

    std::uint32_t access(tlm::tlm_command command, std::uint32_t address, std::uint32_t value)
    {
        auto &kind = command == tlm::TLM_READ_COMMAND ? read_ : write_;
        auto bus = kind.begin(address);
        causes_.put(ftr::current_call(), bus);
        tlm::tlm_generic_payload trans;
        trans.set_command(command);
        trans.set_address(address);
        trans.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
        trans.set_data_length(sizeof value);
        trans.set_streaming_width(sizeof value);
        sc_time delay;
        socket->b_transport(trans, delay);
        wait(delay);
        bus.end(value);
        return value;
    }

    static cpu *running; // the C functions below access the bus through this object

  private:
    void run()
    {
        const std::uint32_t base = 0x40001000;
        const char *text = "hello";
        const std::size_t length = std::strlen(text);
        running = this;
        uart_open(base, uart_config{115200, UART_PARITY_NONE, false});
        for (std::size_t sent = 0; sent < length;) {
            sent += static_cast<std::size_t>(uart_send(base, text + sent, length - sent));
            wait(1, SC_US);
        }
        std::cout << "sent at " << sc_time_stamp() << '\n';
    }

    ftr::stream bus_{"core.bus", "bus"};
    ftr::generator<ftr::at_begin<std::uint32_t>, ftr::at_end<std::uint32_t>> read_{
        bus_, "read", "address", "data"};
    ftr::generator<ftr::at_begin<std::uint32_t>, ftr::at_end<std::uint32_t>> write_{
        bus_, "write", "address", "data"};
    ftr::relation causes_{"PARENT_CHILD"};
};

cpu *cpu::running;

} // namespace

extern "C" std::uint32_t bus_read(std::uint32_t address)
{
    return cpu::running->access(tlm::TLM_READ_COMMAND, address, 0);
}

extern "C" void bus_write(std::uint32_t address, std::uint32_t value)
{
    cpu::running->access(tlm::TLM_WRITE_COMMAND, address, value);
}

int sc_main(int, char **)
{
    if (ftr::trace_calls_in_simulation() != FTR_OK)
        return 1;
    cpu core("core");
    uart port("port");
    core.socket.bind(port.socket);
    sc_start();
    return 0;
}
