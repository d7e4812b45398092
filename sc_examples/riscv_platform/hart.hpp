// A processor that runs RV32I without system instructions. It runs ahead of simulated time by up to
// a quantum, and fetches instructions through a DMI pointer if the memory grants one.
#ifndef RISCV_PLATFORM_HART_HPP
#define RISCV_PLATFORM_HART_HPP

#include <array>
#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

class hart : public sc_core::sc_module
{
  public:
    tlm_utils::simple_initiator_socket<hart> fetches;
    tlm_utils::simple_initiator_socket<hart> data;

    // Number of instructions that were executed, including the ebreak.
    std::uint64_t instructions = 0;
    std::uint64_t loads = 0;
    std::uint64_t stores = 0;

    SC_HAS_PROCESS(hart);
    explicit hart(const sc_core::sc_module_name &name);

  private:
    void run();
    std::uint32_t fetch(std::uint32_t address);
    bool execute(std::uint32_t instruction);
    void compute(std::uint32_t instruction, std::uint32_t operand, bool is_register);
    bool branches(std::uint32_t instruction) const;
    void load(std::uint32_t instruction);
    void store(std::uint32_t instruction);
    void transport(tlm_utils::simple_initiator_socket<hart> &socket, tlm::tlm_command command,
                   std::uint32_t address, void *value, unsigned size);
    void invalidate(sc_dt::uint64, sc_dt::uint64) { has_pointer_ = false; }

    void write(unsigned number, std::uint32_t value)
    {
        registers_[number] = number == 0 ? 0 : value;
    }

    tlm_utils::tlm_quantumkeeper time_;
    tlm::tlm_dmi code_;
    bool has_pointer_ = false;
    std::uint32_t pc_ = 0;
    std::array<std::uint32_t, 32> registers_{};
};

#endif
