// The program that the platform runs: sums the words 1 to 16 and prints the sum.
#ifndef RISCV_PLATFORM_FIRMWARE_HPP
#define RISCV_PLATFORM_FIRMWARE_HPP

#include <cstdint>

inline constexpr std::uint32_t firmware[] = {
    0x00002137, // 0x000 lui sp, 2
    0x10000437, // 0x004 lui s0, 65536
    0x20000513, // 0x008 addi a0, zero, 512
    0x01000593, // 0x00c addi a1, zero, 16
    // fills 16 words at 0x200
    0x00100293, // 0x010 addi t0, zero, 1
    0x00050313, // 0x014 addi t1, a0, 0
    0x00532023, // 0x018 sw t0, 0(t1)
    0x00430313, // 0x01c addi t1, t1, 4
    0x00128293, // 0x020 addi t0, t0, 1
    0xfe55dae3, // 0x024 bge a1, t0, 0x18
    // adds the 16 words
    0x00000613, // 0x028 addi a2, zero, 0
    0x00050313, // 0x02c addi t1, a0, 0
    0x00259393, // 0x030 slli t2, a1, 2
    0x00a383b3, // 0x034 add t2, t2, a0
    0x00032283, // 0x038 lw t0, 0(t1)
    0x00560633, // 0x03c add a2, a2, t0
    0x00430313, // 0x040 addi t1, t1, 4
    0xfe734ae3, // 0x044 blt t1, t2, 0x38
    // stores the sum at 0x100 and prints it
    0x10c02023, // 0x048 sw a2, 256(zero)
    0x010000ef, // 0x04c jal ra, 0x5c
    0x00a00293, // 0x050 addi t0, zero, 10
    0x00540023, // 0x054 sb t0, 0(s0)
    0x00100073, // 0x058 ebreak
    // prints a2 in decimal: stores the digits on the stack, then writes them to the console
    0xff010113, // 0x05c addi sp, sp, -16
    0x00010e13, // 0x060 addi t3, sp, 0
    0x00000293, // 0x064 addi t0, zero, 0
    0x00a00e93, // 0x068 addi t4, zero, 10
    0x01d64863, // 0x06c blt a2, t4, 0x7c
    0x41d60633, // 0x070 sub a2, a2, t4
    0x00128293, // 0x074 addi t0, t0, 1
    0xff1ff06f, // 0x078 jal zero, 0x68
    0x03060613, // 0x07c addi a2, a2, 48
    0x00ce0023, // 0x080 sb a2, 0(t3)
    0x001e0e13, // 0x084 addi t3, t3, 1
    0x00028613, // 0x088 addi a2, t0, 0
    0xfc061ce3, // 0x08c bne a2, zero, 0x64
    0xfffe0e13, // 0x090 addi t3, t3, -1
    0x000e4283, // 0x094 lbu t0, 0(t3)
    0x00540023, // 0x098 sb t0, 0(s0)
    0xfe2e1ae3, // 0x09c bne t3, sp, 0x90
    0x01010113, // 0x0a0 addi sp, sp, 16
    0x00008067, // 0x0a4 jalr zero, 0(ra)
};

#endif
