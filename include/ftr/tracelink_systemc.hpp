/** @file
 *  Records traced C calls in a SystemC prototype in simulated time, with a stream for each SystemC
 *  process.
 *
 *      int sc_main(int, char **)
 *      {
 *          ftr::trace_calls_in_simulation();
 *          ...
 *
 *  A transaction that the model's C code causes can be related to the call that caused it:
 *
 *      causes.put(ftr::current_call(), bus_transaction);
 *
 *  Link libftr_systemc and libftr_tracelink. */
#ifndef FTR_TRACELINK_SYSTEMC_HPP
#define FTR_TRACELINK_SYSTEMC_HPP

#include <atomic>
#include <cstdio>
#include <thread>

#include <ftr/systemc.hpp>
#include <ftr/tracelink.h>

#include <systemc>

namespace ftr
{
namespace detail
{

/** The simulation thread, and its current time for the calls of other threads. */
struct traced_simulation {
    std::thread::id thread;
    std::atomic<std::uint64_t> now{0};
};

inline ftr_recorder *traced_recorder(void *)
{
    return recorder::standard().handle();
}

inline std::uint64_t traced_time(void *user)
{
    auto &simulation = *static_cast<traced_simulation *>(user);
    if (std::this_thread::get_id() != simulation.thread)
        return simulation.now.load(std::memory_order_relaxed);
    static_cast<void>(
        passes(*default_session())); // sets the recorder's resolution when it is known
    const std::uint64_t time = now();
    simulation.now.store(time, std::memory_order_relaxed);
    return time;
}

/** Returns the object of the running SystemC process, or NULL. */
inline const sc_core::sc_object *traced_process(const traced_simulation &simulation)
{
    if (std::this_thread::get_id() != simulation.thread || !sc_core::sc_curr_simcontext)
        return nullptr;
    const sc_core::sc_process_handle handle = sc_core::sc_get_current_process_handle();
    return handle.valid() ? handle.get_process_object() : nullptr;
}

inline const void *traced_context(void *user)
{
    return traced_process(*static_cast<traced_simulation *>(user));
}

inline void traced_name(void *user, char *name, std::size_t size)
{
    const sc_core::sc_object *process = traced_process(*static_cast<traced_simulation *>(user));
    std::snprintf(name, size, "calls.%s", process ? process->name() : "main");
}

} // namespace detail

/** Selects the default recorder and simulated time for all traced calls of this program. The calls
 * of a SystemC process go to the stream `calls.` + name of the process. Must be called on the
 * simulation thread, before the first traced call.
 * @return FTR_OK, or FTR_ERR_STATE if a call has already been recorded */
inline ftr_status trace_calls_in_simulation()
{
    static detail::traced_simulation simulation;
    simulation.thread = std::this_thread::get_id();
    ftr_tracelink_environment environment{};
    environment.recorder = detail::traced_recorder;
    environment.clock = detail::traced_time;
    environment.context = detail::traced_context;
    environment.context_name = detail::traced_name;
    environment.user = &simulation;
    return ftr_tracelink_set_environment(&environment);
}

/** Returns the innermost open traced call in the current process or thread; if there is none, a
 *  transaction that is not recorded. */
inline ftr_tx current_call()
{
    ftr_tx call{FTR_TX_NOT_RECORDED, 0};
    static_cast<void>(ftr_tracelink_current(&call));
    return call;
}

} // namespace ftr

#endif
