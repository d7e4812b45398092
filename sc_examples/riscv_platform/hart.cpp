// Fetches, decodes and executes instructions. The positions of the fields of an instruction are
// those of the RISC-V manual.
#include "hart.hpp"

#include <cstring>

namespace
{

const sc_core::sc_time cycle(1, sc_core::SC_NS);

unsigned destination(std::uint32_t instruction)
{
    return instruction >> 7 & 31;
}
unsigned source_1(std::uint32_t instruction)
{
    return instruction >> 15 & 31;
}
unsigned source_2(std::uint32_t instruction)
{
    return instruction >> 20 & 31;
}
unsigned function(std::uint32_t instruction)
{
    return instruction >> 12 & 7;
}

std::uint32_t extended(std::uint32_t value, unsigned bits)
{
    const std::uint32_t sign = 1U << (bits - 1);
    return (value ^ sign) - sign;
}
std::uint32_t immediate(std::uint32_t of)
{
    return extended(of >> 20, 12);
}
std::uint32_t store_offset(std::uint32_t of)
{
    return extended((of >> 25) << 5 | destination(of), 12);
}
std::uint32_t branch_offset(std::uint32_t of)
{
    return extended(
        (of >> 31) << 12 | (of >> 7 & 1) << 11 | (of >> 25 & 63) << 5 | (of >> 8 & 15) << 1, 13);
}
std::uint32_t jump_offset(std::uint32_t of)
{
    return extended((of >> 31) << 20 | (of >> 12 & 255) << 12 | (of >> 20 & 1) << 11 |
                        (of >> 21 & 1023) << 1,
                    21);
}

} // namespace

hart::hart(const sc_core::sc_module_name &name) : sc_module(name), fetches("fetches"), data("data")
{
    fetches.register_invalidate_direct_mem_ptr(this, &hart::invalidate);
    SC_THREAD(run);
}

void hart::run()
{
    time_.reset();
    do {
        ++instructions;
        time_.inc(cycle);
        if (time_.need_sync())
            time_.sync();
    } while (execute(fetch(pc_)));
    time_.sync();
    sc_core::sc_stop();
}

void hart::transport(tlm_utils::simple_initiator_socket<hart> &socket, tlm::tlm_command command,
                     std::uint32_t address, void *value, unsigned size)
{
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(static_cast<unsigned char *>(value));
    trans.set_data_length(size);
    trans.set_streaming_width(size);
    sc_core::sc_time delay = time_.get_local_time();
    socket->b_transport(trans, delay);
    time_.set(delay);
    if (trans.is_response_error())
        SC_REPORT_ERROR("hart", trans.get_response_string().c_str());
    if (&socket == &fetches && trans.is_dmi_allowed())
        has_pointer_ = fetches->get_direct_mem_ptr(trans, code_);
}

std::uint32_t hart::fetch(std::uint32_t address)
{
    std::uint32_t instruction = 0;
    if (has_pointer_ && address >= code_.get_start_address() &&
        address + 3 <= code_.get_end_address()) {
        std::memcpy(&instruction, code_.get_dmi_ptr() + (address - code_.get_start_address()), 4);
        time_.inc(code_.get_read_latency());
    } else {
        transport(fetches, tlm::TLM_READ_COMMAND, address, &instruction, 4);
    }
    return instruction;
}

void hart::load(std::uint32_t instruction)
{
    const unsigned kind = function(instruction); // lb, lh, lw, -, lbu, lhu
    const unsigned size = 1U << (kind & 3);
    std::uint32_t value = 0;
    transport(data, tlm::TLM_READ_COMMAND,
              registers_[source_1(instruction)] + immediate(instruction), &value, size);
    write(destination(instruction), kind < 2 ? extended(value, 8 * size) : value);
    ++loads;
}

void hart::store(std::uint32_t instruction)
{
    std::uint32_t value = registers_[source_2(instruction)];
    transport(data, tlm::TLM_WRITE_COMMAND,
              registers_[source_1(instruction)] + store_offset(instruction), &value,
              1U << (function(instruction) & 3));
    ++stores;
}

bool hart::branches(std::uint32_t instruction) const
{
    const std::uint32_t left = registers_[source_1(instruction)];
    const std::uint32_t right = registers_[source_2(instruction)];
    const unsigned kind = function(instruction); // beq, bne, -, -, blt, bge, bltu, bgeu
    bool holds = left == right;
    if (kind >= 6)
        holds = left < right;
    else if (kind >= 4)
        holds = static_cast<std::int32_t>(left) < static_cast<std::int32_t>(right);
    return holds != ((kind & 1) != 0);
}

void hart::compute(std::uint32_t instruction, std::uint32_t operand, bool is_register)
{
    const std::uint32_t left = registers_[source_1(instruction)];
    const bool is_alternative = (instruction >> 30 & 1) != 0; // sub, sra
    const auto is_less = static_cast<std::int32_t>(left) < static_cast<std::int32_t>(operand);
    const unsigned shift = operand & 31;
    std::uint32_t result = 0;
    switch (function(instruction)) {
    case 0:
        result = is_register && is_alternative ? left - operand : left + operand;
        break;
    case 1:
        result = left << shift;
        break;
    case 2:
        result = is_less;
        break;
    case 3:
        result = left < operand;
        break;
    case 4:
        result = left ^ operand;
        break;
    case 5:
        result = left >> shift;
        if (is_alternative && left >> 31 && shift)
            result |= ~0U << (32 - shift);
        break;
    case 6:
        result = left | operand;
        break;
    default:
        result = left & operand;
    }
    write(destination(instruction), result);
}

/* @return false if the processor must stop */
bool hart::execute(std::uint32_t instruction)
{
    std::uint32_t next = pc_ + 4;
    switch (instruction & 0x7f) {
    case 0x37: // lui
        write(destination(instruction), instruction & 0xfffff000);
        break;
    case 0x17: // auipc
        write(destination(instruction), pc_ + (instruction & 0xfffff000));
        break;
    case 0x6f: // jal
        write(destination(instruction), next);
        next = pc_ + jump_offset(instruction);
        break;
    case 0x67: { // jalr
        const std::uint32_t target = registers_[source_1(instruction)] + immediate(instruction);
        write(destination(instruction), next);
        next = target & ~1U;
        break;
    }
    case 0x63:
        if (branches(instruction))
            next = pc_ + branch_offset(instruction);
        break;
    case 0x03:
        load(instruction);
        break;
    case 0x23:
        store(instruction);
        break;
    case 0x13:
        compute(instruction, immediate(instruction), false);
        break;
    case 0x33:
        compute(instruction, registers_[source_2(instruction)], true);
        break;
    case 0x0f: // fence
        break;
    default: // ebreak, or an unknown instruction
        return false;
    }
    pc_ = next;
    return true;
}
