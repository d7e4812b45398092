/* W2 recorded as waveforms in a VCD file of SystemC: the values and the generator of each
 * transaction at its begin. Ends are not recorded, and a response is recorded as a number. */
#include <cstdint>
#include <string>

#include <systemc>

#include "workload.h"

namespace
{

struct waves {
    sc_core::sc_trace_file *file;
    std::uint64_t address;
    std::uint32_t length;
    std::uint32_t response;
    std::uint32_t generator;
};

void *open_waves(const char *path, ftr_compression)
{
    /* SystemC appends .vcd. */
    auto *made = new waves{sc_core::sc_create_vcd_trace_file(path), 0, 0, 0, 0};
    made->file->set_time_unit(1, sc_core::SC_PS);
    sc_core::sc_trace(made->file, made->address, "address");
    sc_core::sc_trace(made->file, made->length, "length");
    sc_core::sc_trace(made->file, made->response, "response");
    sc_core::sc_trace(made->file, made->generator, "generator");
    return made;
}

void close_waves(void *opened)
{
    auto *with = static_cast<waves *>(opened);
    sc_core::sc_close_vcd_trace_file(with->file);
    delete with;
}

template <bool IsOn> void run(void *opened, workload_data *from, std::uint64_t count)
{
    auto *with = static_cast<waves *>(opened);
    const sc_core::sc_time step(1, sc_core::SC_NS);
    workload_data data = *from;
    for (std::uint64_t i = 0; i < count; ++i) {
        workload_now(&data);
        const workload_tx next = workload_next(&data);
        WORKLOAD_USE(next.address + next.length);
        WORKLOAD_USE(next.response);
        WORKLOAD_USE(next.stream + next.generator);
        if (IsOn) {
            with->address = next.address;
            with->length = next.length;
            with->response = next.code;
            with->generator = 2 * next.stream + next.generator;
        }
        sc_core::wait(step);
    }
    *from = data;
}

} // namespace

const workload vcd_workload = {"SystemC-VCD", open_waves, run<true>, run<false>, close_waves};
