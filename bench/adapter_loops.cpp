/* The workloads through <ftr/systemc.hpp>, as in a model that records itself. */
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include <ftr/systemc.hpp>

#include "workload.h"

namespace
{

/* W5 records the fields of W2 as one value of this type. */
struct payload {
    std::uint64_t address;
    std::uint32_t length;
    const char *response;
};

template <class Visitor> void ftr_fields(Visitor &visit, const payload &value)
{
    visit("address", value.address);
    visit("length", value.length);
    visit("response", value.response);
}

using empty_generator = ftr::generator<>;
using fields_generator = ftr::generator<std::uint64_t, std::uint32_t, const char *, const char *>;
using struct_generator = ftr::generator<payload>;

/* ---- recorders ---------------------------------------------------------------------------------
 */

void define(empty_generator &made, const ftr::stream &of, const char *name)
{
    made = empty_generator(of, name);
}
void define(fields_generator &made, const ftr::stream &of, const char *name)
{
    made = fields_generator(of, name, "address", "length", "response", "data");
}
void define(struct_generator &made, const ftr::stream &of, const char *name)
{
    made = struct_generator(of, name, "");
}

/* The time window of a recorder; NULL: no limit. */
struct window {
    const char *start;
    const char *stop;
};

/* If the path ends with .fts, a summary is written to it, and no trace is written. */
ftr::options options_for(const char *path, ftr_compression compression, const window &limits)
{
    static const ftr_sink no_trace = {nullptr, nullptr, nullptr};
    ftr::options made;
    made.start = limits.start;
    made.stop = limits.stop;
    const char *const end = std::strrchr(path, '.');
    made.compression = compression;
    if (end != nullptr && std::strcmp(end, ".fts") == 0) {
        made.summary = path;
        made.sink = &no_trace;
    }
    return made;
}

/* A recorder, and four streams with two generators each. */
template <class Generator> struct setup {
    /** @p path NULL: uses the default recorder, which is not open because FTR_TRACE is unset */
    setup(const char *path, ftr_compression compression, const window &limits = {})
        : own(path ? new ftr::recorder(path, options_for(path, compression, limits)) : nullptr),
          recorder(path ? *own : ftr::recorder::standard()), follows(recorder, "follows")
    {
        if (recorder.is_open() != (path != nullptr))
            workload_fail(path ? "cannot record" : "FTR_TRACE is set");
        for (unsigned i = 0; i < 4; ++i) {
            const ftr::stream stream(recorder, "top.bus.initiator" + std::to_string(i),
                                     "[TLM][base-protocol][b]");
            define(generators[2 * i], stream, "read");
            define(generators[2 * i + 1], stream, "write");
        }
    }

    std::unique_ptr<ftr::recorder> own;
    ftr::recorder &recorder;
    ftr::relation follows;
    std::array<Generator, 8> generators; /**< two generators for each stream */
};

template <class Generator> void *open_recorder(const char *path, ftr_compression compression)
{
    return new setup<Generator>(path, compression);
}

/* All transactions of the loops end before this window. */
template <class Generator> void *open_early(const char *path, ftr_compression compression)
{
    return new setup<Generator>(path, compression, {"1 s", nullptr});
}

template <class Generator> void *open_early_limited(const char *path, ftr_compression compression)
{
    return new setup<Generator>(path, compression, {"1 s", "2 s"});
}

/* All transactions of the loops are in this window. */
template <class Generator> void *open_within(const char *path, ftr_compression compression)
{
    return new setup<Generator>(path, compression, {"1 ps", "1 s"});
}

/* The transactions of the loops begin after this window, except the first one. The simulation is
 * after this window, too, as if the transactions had begun at its current time. */
template <class Generator> void *open_late(const char *path, ftr_compression compression)
{
    sc_core::wait(1, sc_core::SC_PS);
    return new setup<Generator>(path, compression, {nullptr, "0 s"});
}

template <class Generator> void *open_nothing(const char *, ftr_compression compression)
{
    return new setup<Generator>(nullptr, compression);
}

template <class Generator> void *open_switched_off(const char *path, ftr_compression compression)
{
    auto made = std::make_unique<setup<Generator>>(path, compression);
    made->recorder.set_recording(false);
    return made.release();
}

template <class Generator> void close_recorder(void *opened)
{
    const std::unique_ptr<setup<Generator>> with(static_cast<setup<Generator> *>(opened));
    if (with->recorder.close() != FTR_OK)
        workload_fail("the file is not whole");
}

/* ---- the loops --------------------------------------------------------------------------------
 *
 * IsOn selects the recording lines at compile time. The conversion of times to sc_time is part of
 * the model, so it is in both variants. */

sc_core::sc_time time_of(std::uint64_t ticks)
{
    return sc_core::sc_time::from_value(ticks);
}

struct empty {
    using generator = empty_generator;

    template <bool IsOn>
    WORKLOAD_LOOP run(const setup<generator> *with, workload_data *from, std::uint64_t count)
    {
        workload_data data = *from;
        for (std::uint64_t i = 0; i < count; ++i) {
            const sc_core::sc_time now = time_of(workload_now(&data));
            WORKLOAD_USE(now.value());
            if constexpr (IsOn) {
                auto tx = with->generators[0].begin_at(now);
                tx.end_at(now);
            }
        }
        *from = data;
    }
};

/* Like `empty`, but the simulation advances the time. */
struct empty_in_time {
    using generator = empty_generator;

    template <bool IsOn>
    WORKLOAD_LOOP run(const setup<generator> *with, workload_data *, std::uint64_t count)
    {
        const sc_core::sc_time step(1, sc_core::SC_NS);
        for (std::uint64_t i = 0; i < count; ++i) {
            if constexpr (IsOn) {
                auto tx = with->generators[0].begin();
                tx.end();
            }
            sc_core::wait(step);
        }
    }
};

enum class how { separate, one_call, undeclared, with_data, escaping };

template <how How> struct payloads {
    using generator = fields_generator;

    template <bool IsOn>
    WORKLOAD_LOOP run(const setup<generator> *with, workload_data *from, std::uint64_t count)
    {
        workload_data data = *from;
        for (std::uint64_t i = 0; i < count; ++i) {
            char hexadecimal[65];
            const sc_core::sc_time begin = time_of(workload_now(&data));
            const workload_tx next = workload_next(&data);
            const unsigned which = 2 * next.stream + next.generator;
            const sc_core::sc_time end = time_of(begin.value() + next.duration);
            if constexpr (How == how::with_data)
                workload_hexadecimal(&data, hexadecimal);
            WORKLOAD_USE(hexadecimal);
            WORKLOAD_USE(next.address + next.length + end.value());
            WORKLOAD_USE(next.response);
            WORKLOAD_USE(which);
            if constexpr (IsOn)
                record(with->generators[which], begin, end, next, hexadecimal);
        }
        *from = data;
    }

  private:
    WORKLOAD_LOOP record(const generator &of, const sc_core::sc_time &begin,
                         const sc_core::sc_time &end, const workload_tx &next,
                         const char *hexadecimal)
    {
        if constexpr (How == how::one_call) {
            of.record(begin, end, next.address, next.length, next.response);
            return;
        }
        auto tx = of.begin_at(begin);
        if constexpr (How == how::escaping)
            WORKLOAD_USE(&tx);
        if constexpr (How == how::undeclared) {
            tx.put("address", next.address);
            tx.put("length", next.length);
            tx.put("response", next.response);
        } else {
            tx.template put<0>(next.address);
            tx.template put<1>(next.length);
            tx.template put<2>(next.response);
        }
        if constexpr (How == how::with_data)
            tx.template put<3>(hexadecimal);
        tx.end_at(end);
    }
};

/* A thousand transactions are open at any time. Each new transaction is related to the transaction
 * that began before it. */
struct overlap {
    using generator = empty_generator;

    template <bool IsOn>
    WORKLOAD_LOOP run(const setup<generator> *with, workload_data *from, std::uint64_t count)
    {
        static std::array<ftr::transaction_of<>, 1000> open;
        workload_data data = *from;
        if constexpr (IsOn) {
            for (std::size_t i = 0; i < open.size(); ++i)
                open[i] = with->generators[2 * (i & 3)].begin_at(time_of(data.now));
        }
        ftr_tx previous = open[0];
        for (std::uint64_t i = 0; i < count; ++i) {
            const sc_core::sc_time now = time_of(workload_now(&data));
            const std::uint64_t one = workload_random(&data) % open.size();
            WORKLOAD_USE(one);
            WORKLOAD_USE(now.value());
            if constexpr (IsOn) {
                open[one].end_at(now);
                open[one] = with->generators[2 * (i & 3)].begin_at(now);
                with->follows.put(previous, open[one]);
                previous = open[one];
            }
        }
        if constexpr (IsOn) {
            for (auto &tx : open)
                tx.end_at(time_of(data.now));
        }
        *from = data;
    }
};

/* Each event has a name and a number; all events have the same parent. */
template <bool IsDeclared> struct events {
    using generator = fields_generator;

    template <bool IsOn>
    WORKLOAD_LOOP run(const setup<generator> *with, workload_data *from, std::uint64_t count)
    {
        workload_data data = *from;
        const generator &of = with->generators[0];
        const auto declared = IsDeclared && IsOn ? ftr::events<std::uint64_t>(of, "address")
                                                 : ftr::events<std::uint64_t>();
        const auto parent =
            IsOn ? of.begin_at(time_of(data.now)) : typename generator::transaction();
        for (std::uint64_t i = 0; i < count; ++i) {
            const sc_core::sc_time now = time_of(workload_now(&data));
            const std::uint64_t address = workload_random(&data);
            WORKLOAD_USE(now.value());
            WORKLOAD_USE(address);
            if constexpr (IsOn && IsDeclared)
                declared.event_at(parent, now, "hit in L2", address);
            else if constexpr (IsOn)
                parent.event_at(now, "hit in L2", "address", address);
        }
        *from = data;
    }
};

struct structs {
    using generator = struct_generator;

    template <bool IsOn>
    WORKLOAD_LOOP run(const setup<generator> *with, workload_data *from, std::uint64_t count)
    {
        workload_data data = *from;
        for (std::uint64_t i = 0; i < count; ++i) {
            const sc_core::sc_time begin = time_of(workload_now(&data));
            const workload_tx next = workload_next(&data);
            const unsigned which = 2 * next.stream + next.generator;
            const sc_core::sc_time end = time_of(begin.value() + next.duration);
            const payload value{next.address, next.length, next.response};
            WORKLOAD_USE(value.address + value.length + end.value());
            WORKLOAD_USE(value.response);
            WORKLOAD_USE(which);
            if constexpr (IsOn) {
                auto tx = with->generators[which].begin_at(begin);
                tx.put<0>(value);
                tx.end_at(end);
            }
        }
        *from = data;
    }
};

template <class Loop, bool IsOn>
__attribute__((noinline)) void run(void *opened, workload_data *data, std::uint64_t count)
{
    Loop::template run<IsOn>(static_cast<const setup<typename Loop::generator> *>(opened), data,
                             count);
}

using opener = void *(const char *path, ftr_compression compression);

template <class Loop>
constexpr workload make(const char *name, opener *open = open_recorder<typename Loop::generator>)
{
    return {name, open, run<Loop, true>, run<Loop, false>,
            close_recorder<typename Loop::generator>};
}

} // namespace

const workload adapter_workloads[] = {
    make<empty>("W1"),
    make<empty_in_time>("W1-in-time"),
    make<payloads<how::separate>>("W2"),
    make<payloads<how::one_call>>("W2-one-call"),
    make<payloads<how::undeclared>>("W2-undeclared"),
    make<payloads<how::with_data>>("W3"),
    make<overlap>("W4"),
    make<structs>("W5"),
    make<events<true>>("event"),
    make<events<false>>("event-named"),
    make<payloads<how::separate>>("W2-before-start", open_early<fields_generator>),
    make<payloads<how::separate>>("W2-before-window", open_early_limited<fields_generator>),
    make<payloads<how::separate>>("W2-within", open_within<fields_generator>),
    make<payloads<how::separate>>("W2-after-stop", open_late<fields_generator>),
    make<empty_in_time>("in-time-after-stop", open_late<empty_generator>),
    make<payloads<how::one_call>>("one-call-before-start", open_early<fields_generator>),
    make<payloads<how::one_call>>("one-call-within", open_within<fields_generator>),
    make<payloads<how::one_call>>("one-call-after-stop", open_late<fields_generator>),
    make<payloads<how::separate>>("off", open_nothing<fields_generator>),
    make<payloads<how::escaping>>("off-escaping", open_nothing<fields_generator>),
    make<payloads<how::separate>>("switched-off", open_switched_off<fields_generator>),
    make<payloads<how::escaping>>("switched-off-escaping", open_switched_off<fields_generator>),
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
