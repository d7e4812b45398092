/* W2 through the interface of LWTR4SC (<ftr/compat/lwtr/lwtr.h>). Does not measure. */
#include <array>
#include <memory>
#include <string>

#include <ftr/compat/lwtr/lwtr.h>

#include "workload.h"

namespace
{

using generator = lwtr::tx_generator<std::uint64_t, const char *>;

/* A database, and four fibers with two generators each. */
struct setup {
    explicit setup(const std::string &name) : database(name)
    {
        for (unsigned i = 0; i < 4; ++i) {
            fibers[i] = std::make_unique<lwtr::tx_fiber>("top.bus.initiator" + std::to_string(i),
                                                         "[TLM][base-protocol][b]");
            generators[2 * i] =
                std::make_unique<generator>("read", *fibers[i], "address", "response");
            generators[2 * i + 1] =
                std::make_unique<generator>("write", *fibers[i], "address", "response");
        }
    }

    lwtr::tx_db database;
    std::array<std::unique_ptr<lwtr::tx_fiber>, 4> fibers;
    std::array<std::unique_ptr<generator>, 8> generators;
};

void *open_database(const char *path, ftr_compression compression)
{
    lwtr::tx_ftr_init(compression != FTR_COMPRESSION_NONE);
    return new setup(path);
}

void close_database(void *opened)
{
    const std::unique_ptr<setup> with(static_cast<setup *>(opened));
}

sc_core::sc_time time_of(std::uint64_t ticks)
{
    return sc_core::sc_time::from_value(ticks);
}

template <bool IsOn> void run(void *opened, workload_data *from, std::uint64_t count)
{
    const setup *const with = static_cast<const setup *>(opened);
    workload_data data = *from;
    for (std::uint64_t i = 0; i < count; ++i) {
        const sc_core::sc_time begin = time_of(workload_now(&data));
        const workload_tx next = workload_next(&data);
        const unsigned which = 2 * next.stream + next.generator;
        const sc_core::sc_time end = time_of(begin.value() + next.duration);
        WORKLOAD_USE(next.address + next.length + end.value());
        WORKLOAD_USE(next.response);
        WORKLOAD_USE(which);
        if constexpr (IsOn) {
            generator &of = *with->generators[which];
            lwtr::tx_handle tx = of.begin_tx_delayed(begin, next.address);
            tx.record_attribute("length", next.length);
            of.end_tx_delayed(tx, end, next.response);
        }
    }
    *from = data;
}

} // namespace

const workload lwtr_workloads[] = {{"W2", open_database, run<true>, run<false>, close_database},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};
