/* W2 and W5 through the interface of LWTR4SC (<ftr/compat/lwtr/lwtr.h>), one at a time; see
 * workload.h. */
#include <array>
#include <memory>
#include <string>

#include <ftr/compat/lwtr/lwtr.h>

#include "workload.h"

namespace
{

/* W5 records the fields of W2 as one value of this type. */
struct payload {
    std::uint64_t address;
    std::uint32_t length;
    const char *response;
};

} // namespace

namespace lwtr
{

template <class Archive> void record(Archive &archive, const payload &value)
{
    archive &field("address", value.address) & field("length", value.length) &
        field("response", value.response);
}

} // namespace lwtr

namespace
{

/* The loop of W2. */
struct fields {
    using generator = lwtr::tx_generator<std::uint64_t, const char *>;
    static constexpr const char *begin_name = "address";
    static constexpr const char *end_name = "response";

    static void record(generator &of, const sc_core::sc_time &begin, const workload_tx &next,
                       const sc_core::sc_time &end)
    {
        lwtr::tx_handle tx = of.begin_tx_delayed(begin, next.address);
        tx.record_attribute("length", next.length);
        of.end_tx_delayed(tx, end, next.response);
    }
};

/* The loop of W5. */
struct structs {
    using generator = lwtr::tx_generator<payload>;
    static constexpr const char *begin_name = "";
    static constexpr const char *end_name = "";

    static void record(generator &of, const sc_core::sc_time &begin, const workload_tx &next,
                       const sc_core::sc_time &end)
    {
        lwtr::tx_handle tx =
            of.begin_tx_delayed(begin, payload{next.address, next.length, next.response});
        of.end_tx_delayed(tx, end);
    }
};

/* Like `structs`, but the names of the attributes are `request.address` and so on. */
struct named_structs : structs {
    static constexpr const char *begin_name = "request";
};

/* A database, and four fibers with two generators each. */
template <class Loop> struct setup {
    using generator = typename Loop::generator;

    explicit setup(const std::string &name) : database(name)
    {
        for (unsigned i = 0; i < 4; ++i) {
            fibers[i] = std::make_unique<lwtr::tx_fiber>("top.bus.initiator" + std::to_string(i),
                                                         "[TLM][base-protocol][b]");
            generators[2 * i] =
                std::make_unique<generator>("read", *fibers[i], Loop::begin_name, Loop::end_name);
            generators[2 * i + 1] =
                std::make_unique<generator>("write", *fibers[i], Loop::begin_name, Loop::end_name);
        }
    }

    lwtr::tx_db database;
    std::array<std::unique_ptr<lwtr::tx_fiber>, 4> fibers;
    std::array<std::unique_ptr<generator>, 8> generators;
};

template <class Loop> void *open_database(const char *path, ftr_compression compression)
{
    lwtr::tx_ftr_init(compression != FTR_COMPRESSION_NONE);
    return new setup<Loop>(path);
}

template <class Loop> void close_database(void *opened)
{
    const std::unique_ptr<setup<Loop>> with(static_cast<setup<Loop> *>(opened));
}

sc_core::sc_time time_of(std::uint64_t ticks)
{
    return sc_core::sc_time::from_value(ticks);
}

template <class Loop, bool IsOn> void run(void *opened, workload_data *from, std::uint64_t count)
{
    const setup<Loop> *const with = static_cast<const setup<Loop> *>(opened);
    workload_data data = *from;
    for (std::uint64_t i = 0; i < count; ++i) {
        const sc_core::sc_time begin = time_of(workload_now(&data));
        const workload_tx next = workload_next(&data);
        const unsigned which = 2 * next.stream + next.generator;
        const sc_core::sc_time end = time_of(begin.value() + next.duration);
        WORKLOAD_USE(next.address + next.length + end.value());
        WORKLOAD_USE(next.response);
        WORKLOAD_USE(which);
        if constexpr (IsOn)
            Loop::record(*with->generators[which], begin, next, end);
    }
    *from = data;
}

template <class Loop> constexpr workload make(const char *name)
{
    return {name, open_database<Loop>, run<Loop, true>, run<Loop, false>, close_database<Loop>};
}

} // namespace

const workload lwtr_workloads[] = {make<fields>("W2"),
                                   make<structs>("W5"),
                                   make<named_structs>("W5-named"),
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};

int sc_main(int argc, char **argv)
{
    return simulate([&] { return workload_main(lwtr_workloads, argc, argv); });
}
