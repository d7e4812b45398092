/* What a session is behind the two members that headers see. */
#ifndef FTR_SESSION_HPP
#define FTR_SESSION_HPP

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include <ftr/detail/systemc_session.hpp>

namespace ftr
{
namespace detail
{

/** Why the gate stands as it does; all under `mutex` but the first, which is never held while the
 * core is called: the core reports failures on its own threads, and those take it. */
struct session_state : session {
    session_state() : session{{gate::off}, nullptr} {}

    std::atomic<bool> has_failed{false}; /**< a failure was reported */
    std::mutex mutex;
    bool is_switched_on = true;
    bool is_closed = false;
    bool is_scale_known = false;
    bool was_stopped = false;       /**< the simulation was told to end because of it */
    bool is_strict = false;         /**< FTR_STRICT=1 */
    bool is_verbose = false;        /**< FTR_VERBOSE=1 */
    bool is_flight = false;         /**< FTR_MODE=flight, or FTR_BUFFERS */
    bool needs_exit_status = false; /**< what is kept of the run depends on it */
    std::string path;               /**< as asked for */
    std::thread::id simulation;     /**< who opened it; SystemC may be called from there */
    session_state *next = nullptr;  /**< all of them, so that they stay reachable */
};

} // namespace detail
} // namespace ftr

#endif
