// Two initiators share a pipelined bus and a memory.
//
//     pipelined_bus                            runs without recording
//     FTR_TRACE=run.ftr pipelined_bus          the same run, recorded to run.ftr
//
// Read initiator.hpp first, then recorded_caller.hpp, pipelined_bus.hpp and memory.hpp. The
// program opens no recorder: its streams belong to the default recorder of the process, which
// FTR_TRACE enables.
#include <cstdio>
#include <systemc>

#include "initiator.hpp"
#include "memory.hpp"
#include "pipelined_bus.hpp"

namespace
{

struct platform : sc_core::sc_module {
    initiator cpu;
    initiator dma;
    pipelined_bus bus;
    memory ram;

    explicit platform(const sc_core::sc_module_name &name)
        : sc_core::sc_module(name), cpu("cpu", 0x000, 24, {15, sc_core::SC_NS}),
          dma("dma", 0x800, 40, {5, sc_core::SC_NS}), bus("bus", 0x1000, {10, sc_core::SC_NS}),
          ram("ram", 0x1000, {8, sc_core::SC_NS})
    {
        cpu.socket.bind(bus.in);
        dma.socket.bind(bus.in);
        bus.out.bind(ram.socket);
    }
};

} // namespace

int sc_main(int, char **)
{
    platform top("top");
    sc_core::sc_start();
    std::printf("finished at %s: cpu %u mismatches, dma %u mismatches\n",
                sc_core::sc_time_stamp().to_string().c_str(), top.cpu.mismatches(),
                top.dma.mismatches());
    return top.cpu.mismatches() + top.dma.mismatches() ? 1 : 0;
}
