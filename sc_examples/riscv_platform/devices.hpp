// The devices around the processor: a bus that decodes addresses, memory, and a console.
#ifndef RISCV_PLATFORM_DEVICES_HPP
#define RISCV_PLATFORM_DEVICES_HPP

#include <cstdint>
#include <cstring>
#include <iostream>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_target_socket.h>

// Bits 28 and above of an address select the target. The addresses within a target begin at 0.
class bus : public sc_core::sc_module
{
  public:
    tlm_utils::multi_passthrough_target_socket<bus> in;
    tlm_utils::multi_passthrough_initiator_socket<bus> out;

    explicit bus(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &bus::b_transport);
        in.register_get_direct_mem_ptr(this, &bus::get_direct_mem_ptr);
    }

  private:
    void b_transport(int, tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
    {
        const sc_dt::uint64 address = trans.get_address();
        const int target = static_cast<int>(address >> 28);
        delay += sc_core::sc_time(2, sc_core::SC_NS);
        if (target >= static_cast<int>(out.size())) {
            trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        trans.set_address(address & 0x0fffffff);
        out[target]->b_transport(trans, delay);
        trans.set_address(address);
    }

    // Only the memory grants DMI. It is target 0, so its addresses need no translation.
    bool get_direct_mem_ptr(int, tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi)
    {
        return trans.get_address() < 0x10000000 && out[0]->get_direct_mem_ptr(trans, dmi);
    }
};

class memory : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<memory> socket;

    template <std::size_t Count>
    memory(const sc_core::sc_module_name &name, std::size_t size,
           const std::uint32_t (&program)[Count])
        : sc_module(name), socket("socket"), bytes_(size)
    {
        std::memcpy(bytes_.data(), program, sizeof program);
        socket.register_b_transport(this, &memory::b_transport);
        socket.register_get_direct_mem_ptr(this, &memory::get_direct_mem_ptr);
    }

  private:
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
    {
        const sc_dt::uint64 address = trans.get_address();
        const unsigned length = trans.get_data_length();
        if (address + length > bytes_.size()) {
            trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        if (trans.is_write())
            std::memcpy(&bytes_[address], trans.get_data_ptr(), length);
        else
            std::memcpy(trans.get_data_ptr(), &bytes_[address], length);
        delay += latency_;
        trans.set_dmi_allowed(true);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &dmi)
    {
        dmi.set_dmi_ptr(bytes_.data());
        dmi.set_start_address(0);
        dmi.set_end_address(bytes_.size() - 1);
        dmi.set_read_latency(latency_);
        dmi.set_write_latency(latency_);
        dmi.allow_read_write();
        return true;
    }

    const sc_core::sc_time latency_{5, sc_core::SC_NS};
    std::vector<unsigned char> bytes_;
};

// Prints the characters that are written to it.
class console : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<console> socket;

    explicit console(const sc_core::sc_module_name &name) : sc_module(name), socket("socket")
    {
        socket.register_b_transport(this, &console::b_transport);
    }

  private:
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
    {
        if (trans.is_write())
            std::cout << static_cast<char>(*trans.get_data_ptr());
        delay += sc_core::sc_time(100, sc_core::SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

#endif
