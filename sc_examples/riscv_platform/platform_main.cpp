// A loosely timed platform with a processor, a memory that contains a program, and a console. It
// has no code for recording; `ftr attach` records it:
//
//     ftr attach -o run.ftr -- riscv_platform
//
// Read hart.hpp first, then devices.hpp and firmware.hpp.
#include <iostream>

#include "devices.hpp"
#include "firmware.hpp"
#include "hart.hpp"

int sc_main(int, char *[])
{
    tlm::tlm_global_quantum::instance().set(sc_core::sc_time(1, sc_core::SC_US));
    hart cpu("cpu");
    bus interconnect("bus");
    memory ram("ram", 0x2000, firmware);
    console output("console");
    cpu.fetches.bind(interconnect.in);
    cpu.data.bind(interconnect.in);
    interconnect.out.bind(ram.socket);
    interconnect.out.bind(output.socket);
    sc_core::sc_start();
    std::cout << cpu.instructions << " instructions, " << cpu.loads << " loads, " << cpu.stores
              << " stores in " << sc_core::sc_time_stamp() << std::endl;
    return 0;
}
